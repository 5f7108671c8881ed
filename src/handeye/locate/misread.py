"""Lines that may be a text that a reader has misread."""

from __future__ import annotations

from collections.abc import Sequence

from handeye.locate.labels import labels_of
from handeye.locate.match_text import READ_WELL
from handeye.locate.text_forms import same_text, simplify, thinned
from handeye.ocr.base import TextLine


def misread(text: str, lines: Sequence[TextLine]) -> list[TextLine]:
    """
    The labels that were read with doubt, and differ from `text` in no more than half of its characters, none missing; and those
    that differ in thin letters alone, which a reader takes for each other without any doubt.
    """
    wanted = simplify(text)
    return [
        label
        for line in lines
        for label in labels_of(line)
        if not same_text(text, label.text)
        and ((not label.confidence >= READ_WELL and _is_like(wanted, label.text)) or is_thinly_like(text, label.text))
    ]


def is_thinly_like(text: str, read: str) -> bool:
    """Whether a reading is `text` but for thin letters: I, l, 1 and the apostrophe."""
    return thinned(text) == thinned(read) and not same_text(text, read)


def _is_like(wanted: str, text: str) -> bool:
    have = simplify(text)
    if len(have) != len(wanted):
        return False
    other = sum(one != another for one, another in zip(wanted, have, strict=True))
    return other * 2 <= len(wanted)

"""Lines that may be a text that a reader has misread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.locate.labels import labels_of
from handeye.locate.text_forms import same_text, simplify
from handeye.ocr.base import TextLine

# As match_text has it: above this no line of the corpus was misread.
_READ_WELL: Final = 0.97


def misread(text: str, lines: Sequence[TextLine]) -> list[TextLine]:
    """The labels that were read with doubt, and differ from `text` in no more than half of its characters, none missing."""
    wanted = simplify(text)
    return [
        label
        for line in lines
        for label in labels_of(line)
        if not label.confidence >= _READ_WELL and not same_text(text, label.text) and _is_like(wanted, label.text)
    ]


def _is_like(wanted: str, text: str) -> bool:
    have = simplify(text)
    if len(have) != len(wanted):
        return False
    other = sum(one != another for one, another in zip(wanted, have, strict=True))
    return other * 2 <= len(wanted)

"""Whether a text is new on a page that has grown: more of them than before, or one below all that stood there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.locate.match_block import match_block
from handeye.locate.match_text import match_text
from handeye.ocr.base import TextLine

# Of what a line must say so that one like it is the same line: a clock or a single character stands on many rows.
_LETTERS: Final = 2


def more_than_before(text: str, before: Sequence[TextLine], after: Sequence[TextLine], *, exact: bool) -> bool:
    """Whether the text stands there more often than before."""
    return _count(text, after, exact) > _count(text, before, exact)


def below_the_last(text: str, before: Sequence[TextLine], after: Sequence[TextLine], *, exact: bool) -> TextLine | None:
    """
    The line that stood last before, when the text stands below it now and stood above it then: a list keeps its order, so
    this one is new, also when an older one has left the page at its top. None where that cannot be told: the line stands there
    twice, or is a clock.
    """
    old = [line for line in before if _says(text, line, exact)]
    new = [line for line in after if _says(text, line, exact)]
    if not old or not new:
        return None
    last = max(before, key=lambda line: line.box.bottom)
    again = [line for line in after if line.text == last.text]
    alike = [line for line in before if line.text == last.text]
    if last in old or sum(map(str.isalpha, last.text)) < _LETTERS or len(again) != 1 or len(alike) != 1:
        return None
    follows = max(line.box.top for line in new) >= again[0].box.bottom
    return last if follows and all(line.box.bottom <= last.box.top for line in old) else None


def _count(text: str, lines: Sequence[TextLine], exact: bool) -> int:
    """Lines that match by themselves: beside a better match, an older line that nearly says the same must still count."""
    return sum(_says(text, line, exact) for line in lines) or int(match_block(text, lines) is not None)


def _says(text: str, line: TextLine, exact: bool) -> bool:
    return bool(match_text(text, [line], exact=exact))

"""New texts on a page that has grown: more of them than before, or one below all that stood there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from handeye.locate.match_block import match_block
from handeye.locate.match_text import is_thinly_like, match_text
from handeye.text.lines import TextLine

# That a line must have to be known again: a clock, or a character that an icon was read as, stands on many rows.
_LETTERS: Final = 2


def more_than_before(text: str, before: Sequence[TextLine], after: Sequence[TextLine], *, exact: bool) -> bool:
    """Return True if the text stands there more often than before."""
    return _count(text, after, exact) > count_of_like(text, before, exact=exact)


def count_of_like(text: str, lines: Sequence[TextLine], *, exact: bool) -> int:
    """Lines that say the text, or that a reader may have made of it."""
    return max(
        _count(text, lines, exact), sum(_says(text, line, exact) or is_thinly_like(text, line.text) for line in lines)
    )


def below_the_last(text: str, before: Sequence[TextLine], after: Sequence[TextLine], *, exact: bool) -> TextLine | None:
    """
    The last line that stood below the text before and stands above it now: a list keeps its order, so this text is new, also
    when an older one has left the page at its top. None where that cannot be told.
    """
    old = [line.box.bottom for line in before if _says(text, line, exact)]
    new = [line.box.top for line in after if _says(text, line, exact)]
    if not old or not new:
        return None
    stood, stands = _only_ones(before), _only_ones(after)
    marks = [
        line
        for said, line in stood.items()
        if said in stands and line.box.top >= max(old) and stands[said].box.bottom <= max(new)
    ]
    return max(marks, key=lambda line: line.box.bottom, default=None)


def _only_ones(lines: Sequence[TextLine]) -> dict[str, TextLine]:
    """Lines that can be told again by what they say: they say it alone, and more than a clock or an icon does."""
    said = Counter(line.text for line in lines)
    return {line.text: line for line in lines if said[line.text] == 1 and sum(map(str.isalpha, line.text)) >= _LETTERS}


def _count(text: str, lines: Sequence[TextLine], exact: bool) -> int:
    """Lines that match by themselves: beside a better match, an older line that nearly says the same must still count."""
    return sum(_says(text, line, exact) for line in lines) or int(match_block(text, lines) is not None)


def _says(text: str, line: TextLine, exact: bool) -> bool:
    return bool(match_text(text, [line], exact=exact))

"""Numbers and parts of the screen that a phrase names, in several languages: the third, at the bottom, in the middle."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from handeye.locate.ranking.words import TermTable, table_rows
from handeye.locate.text_forms import REMEMBERED
from handeye.target import Position

_ACROSS: Final = {"left": 0.0, "right": 1.0, "middle": 0.5}
_DOWN: Final = {"top": 0.0, "bottom": 1.0, "middle": 0.5}


def place_of(position: Position) -> tuple[float, float]:
    """Return the place of a part of the screen, as shares of the width and height (0-1)."""
    across, down = (
        next((share for word, share in table.items() if word in position.value), 0.5) for table in (_ACROSS, _DOWN)
    )
    return across, down


@lru_cache(maxsize=REMEMBERED)
def said_number(phrase: str) -> int | None:
    """Return the number in a row that a phrase names: 3 for "the third", -1 for the last; None if it names none or several."""
    numbers = {int(each) for each in _meanings(phrase) if each.lstrip("-").isdigit()}
    return numbers.pop() if len(numbers) == 1 else None


@lru_cache(maxsize=REMEMBERED)
def said_place(phrase: str) -> tuple[float | None, float | None]:
    """Return the place that a phrase names, as shares of the width and height (0-1); None for what it does not name."""
    named = _meanings(phrase)
    across = {_ACROSS[each] for each in named if each in _ACROSS}
    down = {_DOWN[each] for each in named if each in _DOWN}
    if "middle" in named and len(named & {"left", "right", "top", "bottom"}) > 0:  # the middle of the bottom bar
        across, down = (values - {0.5} or values for values in (across, down))
    return across.pop() if len(across) == 1 else None, down.pop() if len(down) == 1 else None


def _meanings(phrase: str) -> frozenset[str]:
    return frozenset(meaning for meanings in _table().find(phrase)[0] for meaning in meanings)


@cache
def _table() -> TermTable[str]:
    rows = table_rows("said_places.txt")
    return TermTable(((term, meaning) for (meaning,), terms in rows for term in terms), exact=True)  # links is no link

"""Words that mean the opposite of each other, or another thing: to sign in and to sign out, on and off, delete and undelete."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from handeye.locate.ranking.words import TermTable, table_rows, words_in_order
from handeye.locate.text_forms import REMEMBERED

_PREFIXES: Final = ("un", "de", "dis")


def opposed(words: str, label: str) -> bool:
    """Return True if a label says the opposite of some words: each holds a term of another side of one line of the table."""
    said, read = _sides(words), _sides(label)
    if any((line, 1 - side) in read - said and (line, side) not in read for line, side in said):
        return True
    wanted, own = set(words_in_order(words)), set(words_in_order(label))
    return _is_turned(wanted - own, own - wanted) or _is_turned(own - wanted, wanted - own)


def _is_turned(plain: set[str], others: set[str]) -> bool:
    """Return True if one of the others is one of the plain words behind a prefix that turns its meaning."""
    return any(f"{prefix}{word}" in others for word in plain for prefix in _PREFIXES)


@lru_cache(maxsize=REMEMBERED)
def _sides(text: str) -> frozenset[tuple[int, int]]:
    """Return the sides of which a text holds a term: the number of a line, and 0 or 1."""
    return frozenset(side for sides in _table().find(text)[0] for side in sides)


@cache
def _table() -> TermTable[tuple[int, int]]:
    """All terms; "log in" is also written "login"."""
    return TermTable(
        (written, (line, side))
        for line, sides in enumerate(table_rows("opposites.txt"))
        for side, terms in enumerate(sides)
        for term in terms
        for written in (term, term.replace(" ", "").replace("-", ""))
    )

"""Terms of interfaces that mean the same, in several languages, and those that a text holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from handeye.locate.ranking.words import TermTable, table_rows
from handeye.locate.text_forms import REMEMBERED
from handeye.parse.vocabulary.table import read_glossary


@dataclass(frozen=True, slots=True)
class TermMatches:
    """The terms of a text, each by its possible meanings, and the share of its characters that are in none of them (0-1)."""

    terms: tuple[frozenset[str], ...]
    rest: float

    def share_in(self, other: TermMatches) -> float:
        """The share of these terms that mean the same as one of the other text's, 0-1. There has to be one."""
        return sum(any(term & each for each in other.terms) for term in self.terms) / len(self.terms)


@lru_cache(maxsize=REMEMBERED)
def terms_in(text: str) -> TermMatches:
    """Return the terms of a text."""
    found, rest = _table().find(text)
    return TermMatches(tuple(found), rest)


@cache
def _table() -> TermTable[str]:
    return TermTable((*_own(), *_glossary()))


def _own() -> Iterator[tuple[str, str]]:
    """A meaning in each line: its id | v (something to do) or n (a thing) | its terms in each language."""
    for (meaning,), _kind, *cells in table_rows("terms.txt"):
        yield from ((term, meaning) for cell in cells for term in cell)


def _glossary() -> Iterator[tuple[str, str]]:
    """The parser's Chinese-English glossary: a row is one meaning."""
    for number, (chinese, english) in enumerate(read_glossary()):
        yield from ((term, f"glossary {number}") for term in (*chinese, *english))

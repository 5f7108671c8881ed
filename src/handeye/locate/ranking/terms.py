"""Terms of interfaces that mean the same, in several languages, and those that a text holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from handeye.locate.ranking.words import singular, words_in_order
from handeye.locate.text_forms import REMEMBERED
from handeye.parse.vocabulary.table import read_glossary

TERMS_FILE: Final = Path(__file__).with_name("terms.txt")
"""A meaning in each line: its id | v (something to do) or n (a thing) | its terms in each language."""
_MOST_WORDS: Final = 6
_MOST_CHARACTERS: Final = 10

Meanings = frozenset[str]


@dataclass(frozen=True, slots=True)
class TermMatches:
    """The terms of a text, each by its possible meanings, and the share of its characters that are in none of them (0-1)."""

    terms: tuple[Meanings, ...]
    rest: float

    def share_in(self, other: TermMatches) -> float:
        """The share of these terms that mean the same as one of the other text's, 0-1. There has to be one."""
        return sum(any(term & each for each in other.terms) for term in self.terms) / len(self.terms)


@lru_cache(maxsize=REMEMBERED)
def terms_in(text: str) -> TermMatches:
    """Return the terms of a text, the longest first at each place."""
    runs = words_in_order(text)
    found: list[Meanings] = []
    outside = 0
    at = 0
    while at < len(runs):
        if runs[at][0] >= "\u2e80":
            terms, missed = _in_characters(runs[at])
            found += terms
            outside += missed
            at += 1
            continue
        count = next((count for count in range(_MOST_WORDS, 0, -1) if _known(runs[at : at + count])), 0)
        if count:
            found.append(_table()[_key(runs[at : at + count])])
        else:
            outside += len(runs[at])
        at += max(1, count)
    return TermMatches(tuple(found), outside / max(1, sum(map(len, runs))))


def _in_characters(run: str) -> tuple[list[Meanings], int]:
    """The terms in a run of a script without blanks, and the number of characters in none of them."""
    found: list[Meanings] = []
    outside = at = 0
    while at < len(run):
        longest = range(min(_MOST_CHARACTERS, len(run) - at), 0, -1)
        length = next((length for length in longest if run[at : at + length] in _table()), 0)
        if length:
            found.append(_table()[run[at : at + length]])
        outside += not length
        at += max(1, length)
    return found, outside


def _known(words: Sequence[str]) -> bool:
    return all(word[0] < "\u2e80" for word in words) and _key(words) in _table()


def _key(words: Sequence[str]) -> str:
    return " ".join(singular(word) for word in words)


@cache
def _table() -> dict[str, Meanings]:
    """The meanings of each term, by its words."""
    table: dict[str, set[str]] = defaultdict(set)
    for meaning, term in (*_own(), *_glossary()):
        if words := words_in_order(term):
            table[words[0] if words[0][0] >= "\u2e80" and len(words) == 1 else _key(words)].add(meaning)
    return {term: frozenset(found) for term, found in table.items()}


def _own() -> Iterator[tuple[str, str]]:
    for line in TERMS_FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            meaning, _kind, *cells = (cell.strip() for cell in line.split("|"))
            yield from ((meaning, term) for cell in cells for term in cell.split(","))


def _glossary() -> Iterator[tuple[str, str]]:
    """The parser's Chinese-English glossary: a row is one meaning."""
    for number, (chinese, english) in enumerate(read_glossary()):
        yield from ((f"glossary {number}", term) for term in (*chinese, *english))

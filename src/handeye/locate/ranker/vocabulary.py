"""Words of a text as they are compared, and tables of terms with their meanings."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Generic, TypeVar

from handeye.parse import read_glossary
from handeye.target import Position
from handeye.text import CACHE_SIZE, singular, skeleton

Meaning = TypeVar("Meaning")


@lru_cache(maxsize=CACHE_SIZE)
def words_of(text: str) -> tuple[str, ...]:
    """
    Return the words of a text in lower case, without plural s; for scripts without spaces, pairs of neighbouring
    characters.
    """
    found: list[str] = []
    for run in words_in_order(text):
        if run[0] >= "\u2e80":
            found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
        else:
            found.append(singular(run))
    return tuple(found)


@lru_cache(maxsize=CACHE_SIZE)
def words_in_order(text: str) -> tuple[str, ...]:
    """Return the maximal runs of letters and digits of one kind of script, in lower case, in their order."""
    runs: list[str] = []
    kind = None
    for character in skeleton(text):
        now = None if not character.isalnum() else character >= "\u2e80"
        if now is not None and now == kind:
            runs[-1] += character
        elif now is not None:
            runs.append(character)
        kind = now
    return tuple(runs)


class TermTable(Generic[Meaning]):
    """Terms, each with its possible meanings. Unless `exact`, a plural s is ignored."""

    def __init__(self, terms: Iterable[tuple[str, Meaning]], *, exact: bool = False) -> None:
        self._exact = exact
        meanings: dict[str, set[Meaning]] = defaultdict(set)
        for term, meaning in terms:
            meanings[self._key(_units(term))].add(meaning)
        self._meanings = {key: frozenset(found) for key, found in meanings.items() if key}
        self._most = max(len(key.split()) for key in self._meanings)

    def find(self, text: str) -> tuple[list[frozenset[Meaning]], float]:
        """
        Return the meanings of a text's terms, the longest term first at each position, and the share of its characters in
        none of them.
        """
        units = _units(text)
        found: list[frozenset[Meaning]] = []
        at = outside = 0
        while at < len(units):
            for end in range(min(len(units), at + self._most), at, -1):
                if meanings := self._meanings.get(self._key(units[at:end])):
                    found.append(meanings)
                    at = end
                    break
            else:
                outside += len(units[at])
                at += 1
        return found, outside / max(1, sum(map(len, units)))

    def _key(self, units: list[str]) -> str:
        return " ".join(units if self._exact else map(singular, units))


def table_rows(name: str) -> Iterator[list[list[str]]]:
    """Yield the rows of a word table in this folder: the cells between bars, each a list of terms between commas."""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [[term.strip() for term in cell.split(",")] for cell in line.split("|")]


def _units(text: str) -> list[str]:
    """Return the words of a text; for scripts without spaces the characters."""
    return [unit for run in words_in_order(text) for unit in (run if run[0] >= "\u2e80" else (run,))]


# Interface terms with the same meaning, in several languages.


@dataclass(frozen=True, slots=True)
class TermMatches:
    """The terms of a text, each by its possible meanings, and the share (0-1) of its characters in none of them."""

    terms: tuple[frozenset[str], ...]
    rest: float

    def share_in(self, other: TermMatches) -> float:
        """
        Return the share (0-1) of these terms with the same meaning as one of the other text. There must be at least one
        term.
        """
        return sum(any(term & each for each in other.terms) for term in self.terms) / len(self.terms)


@lru_cache(maxsize=CACHE_SIZE)
def terms_in(text: str) -> TermMatches:
    """Return the terms of a text."""
    found, rest = _term_table().find(text)
    return TermMatches(tuple(found), rest)


@cache
def _term_table() -> TermTable[str]:
    return TermTable((*_bundled_terms(), *_glossary()))


def _bundled_terms() -> Iterator[tuple[str, str]]:
    """Yield the terms of the bundled table; a line is: meaning id | v (verb) or n (noun) | its terms in each language."""
    for (meaning,), _kind, *cells in table_rows("terms.txt"):
        yield from ((term, meaning) for cell in cells for term in cell)


def _glossary() -> Iterator[tuple[str, str]]:
    """Yield the terms of the parser's Chinese-English glossary: a row is one meaning."""
    for number, (chinese, english) in enumerate(read_glossary()):
        yield from ((term, f"glossary {number}") for term in (*chinese, *english))


# Opposites: to sign in and to sign out, on and off, delete and undelete.


_PREFIXES: Final = ("un", "de", "dis")


def opposed(words: str, label: str) -> bool:
    """
    Return True if a label contradicts some words: they contain terms of different sides of one line of the table, or one
    that differs by a negating prefix.
    """
    said, read = _sides(words), _sides(label)
    if any((line, 1 - side) in read - said and (line, side) not in read for line, side in said):
        return True
    wanted, own = set(words_in_order(words)), set(words_in_order(label))
    return _has_negating_prefix(wanted - own, own - wanted) or _has_negating_prefix(own - wanted, wanted - own)


def _has_negating_prefix(plain: set[str], others: set[str]) -> bool:
    """Return True if one of the others is one of the plain words with a negating prefix."""
    return any(f"{prefix}{word}" in others for word in plain for prefix in _PREFIXES)


@lru_cache(maxsize=CACHE_SIZE)
def _sides(text: str) -> frozenset[tuple[int, int]]:
    """Return the sides of which a text contains a term: the number of a line, and 0 or 1."""
    return frozenset(side for sides in _opposites_table().find(text)[0] for side in sides)


@cache
def _opposites_table() -> TermTable[tuple[int, int]]:
    """Return all terms of the table; "log in" is also written "login"."""
    return TermTable(
        (written, (line, side))
        for line, sides in enumerate(table_rows("opposites.txt"))
        for side, terms in enumerate(sides)
        for term in terms
        for written in (term, term.replace(" ", "").replace("-", ""))
    )


# Names of symbols: an arrow, a bell, a cross.


_JOINING: Final = frozenset("\ufe0e\ufe0f\u200d")
_MOST_SIGNS: Final = 3
_PLAIN_NAMES: Final = {
    "leftwards arrow": "back arrow",
    "black right-pointing triangle": "play",
    "black left-pointing triangle": "previous",
    "multiplication x": "close",
    "multiplication sign": "close",
    "trigram for heaven": "menu",
    "black telephone": "phone",
    "house building": "home",
    "open file folder": "folder",
    "wastebasket": "trash, delete",
    "bust in silhouette": "person, profile",
    "shopping trolley": "shopping cart",
    "left-pointing magnifying glass": "search",
    "right-pointing magnifying glass": "search",
}
"""Usual names of symbols whose Unicode names describe their drawing."""


@lru_cache(maxsize=CACHE_SIZE)
def symbol_names(text: str) -> str:
    """Return the text; for one to three symbols their Unicode names."""
    signs = [each for each in text if not unicodedata.combining(each) and each not in _JOINING]
    if not signs or len(signs) > _MOST_SIGNS or not all(unicodedata.category(each) in ("So", "Sm") for each in signs):
        return text
    names = [unicodedata.name(each, "").lower() for each in signs]
    return " ".join(_PLAIN_NAMES.get(name, name) for name in names).strip() or text


# Ordinals and parts of the screen in a phrase, in several languages: the third, at the bottom, in the middle.


_ACROSS: Final = {"left": 0.0, "right": 1.0, "middle": 0.5}
_DOWN: Final = {"top": 0.0, "bottom": 1.0, "middle": 0.5}


def place_of(position: Position) -> tuple[float, float]:
    """Return the center of a part of the screen, as shares of the width and height (0-1)."""
    across, down = (
        next((share for word, share in table.items() if word in position.value), 0.5) for table in (_ACROSS, _DOWN)
    )
    return across, down


@lru_cache(maxsize=CACHE_SIZE)
def ordinal_in(phrase: str) -> int | None:
    """Return the ordinal in a phrase: 3 for "the third", -1 for the last; None if there are none or several."""
    numbers = {int(each) for each in _meanings(phrase) if each.lstrip("-").isdigit()}
    return numbers.pop() if len(numbers) == 1 else None


@lru_cache(maxsize=CACHE_SIZE)
def position_in(phrase: str) -> tuple[float | None, float | None]:
    """Return the position in a phrase, as shares of the width and height (0-1), each None if it is not mentioned."""
    named = _meanings(phrase)
    across = {_ACROSS[each] for each in named if each in _ACROSS}
    down = {_DOWN[each] for each in named if each in _DOWN}
    if "middle" in named and len(named & {"left", "right", "top", "bottom"}) > 0:  # the middle of the bottom bar
        across, down = (values - {0.5} or values for values in (across, down))
    return across.pop() if len(across) == 1 else None, down.pop() if len(down) == 1 else None


def _meanings(phrase: str) -> frozenset[str]:
    return frozenset(meaning for meanings in _place_table().find(phrase)[0] for meaning in meanings)


@cache
def _place_table() -> TermTable[str]:
    rows = table_rows("said_places.txt")
    return TermTable(((term, meaning) for (meaning,), terms in rows for term in terms), exact=True)  # links is no link

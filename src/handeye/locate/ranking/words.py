"""The words of a text, as they are compared, and the terms of a table that stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from handeye.locate.text_forms import REMEMBERED, singular, skeleton

Meaning = TypeVar("Meaning")


@lru_cache(maxsize=REMEMBERED)
def words_of(text: str) -> tuple[str, ...]:
    """Words of a text in small letters, without plural s; pairs of neighbouring characters in scripts without blanks."""
    found: list[str] = []
    for run in words_in_order(text):
        if run[0] >= "\u2e80":
            found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
        else:
            found.append(singular(run))
    return tuple(found)


@lru_cache(maxsize=REMEMBERED)
def words_in_order(text: str) -> tuple[str, ...]:
    """Maximal runs of letters and digits of one kind of script, in small letters, as they are written."""
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
    """Terms, each with its possible meanings. Unless `exact`, a plural s makes no difference."""

    def __init__(self, terms: Iterable[tuple[str, Meaning]], *, exact: bool = False) -> None:
        self._exact = exact
        meanings: dict[str, set[Meaning]] = defaultdict(set)
        for term, meaning in terms:
            meanings[self._key(_units(term))].add(meaning)
        self._meanings = {key: frozenset(found) for key, found in meanings.items() if key}
        self._most = max(len(key.split()) for key in self._meanings)

    def find(self, text: str) -> tuple[list[frozenset[Meaning]], float]:
        """Return the terms of a text, the longest first at each place, and the share of its characters in none of them."""
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
    """Rows of a table of words beside this file: the cells between bars, each the terms between commas."""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [[term.strip() for term in cell.split(",")] for cell in line.split("|")]


def _units(text: str) -> list[str]:
    """The words of a text; of scripts without blanks the characters."""
    return [unit for run in words_in_order(text) for unit in (run if run[0] >= "\u2e80" else (run,))]

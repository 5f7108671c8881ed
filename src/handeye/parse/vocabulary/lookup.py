"""From a phrase to concepts, and from Chinese to English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from handeye.parse.vocabulary.forms import (
    is_chinese,
    key_of,
    singular,
    sorted_key_of,
    units_of,
    without_fillers,
    without_frame,
)
from handeye.parse.vocabulary.table import Concept, read_concepts, read_glossary

# Of a phrase that is no term, at least this share of its words must stand in terms; with less it is about something else.
LEAST_COVERED: Final = 0.5
# Concepts by id, for each key in the order in which they own it.
_Owners: TypeAlias = dict[str, dict[str, Concept]]
# Units of the longest term that is looked for inside a phrase: 12 Chinese characters, or as many words.
_WIDEST: Final = 12


@dataclass(frozen=True, slots=True)
class _Index:
    concepts: tuple[Concept, ...]
    by_id: dict[str, Concept]
    owners: dict[str, tuple[Concept, ...]]

    def exactly(self, units: Sequence[str]) -> tuple[Concept, ...]:
        """The concepts that have a term of these units; who is meant first stands first."""
        for form in (units, singular(units)):
            if found := self.owners.get(key_of(form)) or self.owners.get(sorted_key_of(form)):
                return found
        return ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A known term inside a phrase: units `start` to `stop`."""

    start: int
    stop: int
    concepts: tuple[Concept, ...]


def concepts() -> tuple[Concept, ...]:
    """All concepts."""
    return _index().concepts


def concept(id_: str) -> Concept:
    """The concept with this id. Raises KeyError when there is none."""
    return _index().by_id[id_]


@lru_cache(maxsize=4096)
def concepts_of(phrase: str) -> tuple[Concept, ...]:
    """
    The concepts that a phrase means, best first; () when it says nothing that is known.

    A phrase that is a term means the term's owner, then the rows that have it as a second meaning. Words such as "icon",
    "the", 图标, 那个 do not count, nor do case, plural, width and hyphens. Of another phrase the longest terms inside it count,
    the longer first, then the later ("wallet settings" is the gear), when they make up half of it; two that together
    name a third ("calendar with a plus") mean that one first.
    """
    return _exact(phrase) or _composed(without_fillers(phrase)) or _by_glossary(phrase)


@lru_cache(maxsize=4096)
def english_of(chinese: str) -> tuple[str, ...]:
    """
    English terms for a Chinese phrase, best first; () when it is not known.

    A term of the glossary has its own row, an icon's word the concept's first names; another phrase is put together from the
    longest terms inside it ("保存设置": "save settings") when all of it is known. English words inside stay.
    """
    units = units_of(chinese)
    if not any(map(is_chinese, units)):
        return ()
    return _english_term(units) or _english_term(without_fillers(chinese)) or _english_pieces(without_fillers(chinese))


def _exact(phrase: str) -> tuple[Concept, ...]:
    index = _index()
    for form in (units_of, without_frame, without_fillers):
        if found := index.exactly(form(phrase)):
            return found
    return ()


def _composed(units: tuple[str, ...]) -> tuple[Concept, ...]:
    pieces = _pieces(units)
    if sum(piece.stop - piece.start for piece in pieces) < LEAST_COVERED * len(units):
        return ()
    pieces.sort(key=lambda piece: (piece.stop - piece.start, piece.stop), reverse=True)
    single = tuple(dict.fromkeys(found for piece in pieces for found in piece.concepts))
    joint = _joint(pieces[0].concepts[0], pieces[1].concepts[0]) if len(pieces) == 2 else ()
    return tuple(dict.fromkeys((*joint, *single)))


def _pieces(units: tuple[str, ...]) -> list[_Piece]:
    """The longest known terms from left to right; one letter or one Chinese character alone is none."""
    index = _index()
    pieces: list[_Piece] = []
    at = 0
    while at < len(units):
        for stop in range(min(len(units), at + _WIDEST), at, -1):
            window = units[at:stop]
            if len(key_of(window)) > 1 and (found := index.exactly(window)):
                pieces.append(_Piece(at, stop, found))
                at = stop
                break
        else:
            at += 1
    return pieces


def _joint(one: Concept, other: Concept) -> tuple[Concept, ...]:
    """The concepts that some name of the one with some name of the other is a term of."""
    exactly = _index().exactly
    for first in one.names:
        for second in other.names:
            if found := exactly((*units_of(first), *units_of(second))):
                return found
    return ()


def _by_glossary(phrase: str) -> tuple[Concept, ...]:
    found = (each for term in english_of(phrase) for each in _exact(term))
    return tuple(dict.fromkeys(found))


def _english_term(units: tuple[str, ...]) -> tuple[str, ...]:
    meant = (name for found in _index().owners.get(key_of(units), ()) for name in found.names[:2])
    return tuple(dict.fromkeys((*_glossary().get(key_of(units), ()), *meant)))


def _english_pieces(units: tuple[str, ...]) -> tuple[str, ...]:
    words: list[str] = []
    at = 0
    while at < len(units):
        if not is_chinese(units[at]):
            words.append(units[at])
            at += 1
            continue
        for stop in range(min(len(units), at + _WIDEST), at, -1):
            if english := _english_term(units[at:stop]):
                words.append(english[0])
                at = stop
                break
        else:
            return ()
    return (" ".join(words),)


@lru_cache(maxsize=1)
def _index() -> _Index:
    """
    The keys of all terms. Who has a term as it is said has the key: before who has its plural ("user", "users"), before who
    has it besides a filler ("number", "number sign").
    """
    concepts = read_concepts()
    literal: _Owners = {}
    single: _Owners = {}
    bare: _Owners = {}
    for second_meaning in (False, True):
        for each in concepts:
            for term in each.terms:
                if (term in each.also) is second_meaning:
                    _own(literal, units_of(term), each)
                    _own(single, singular(units_of(term)), each)
                    _own(bare, singular(without_fillers(term)), each)
    by_key = {key: tuple(owners.values()) for key, owners in (bare | single | literal).items()}
    return _Index(concepts, {each.id: each for each in concepts}, by_key)


def _own(owners: _Owners, units: tuple[str, ...], owner: Concept) -> None:
    owners.setdefault(key_of(units), {}).setdefault(owner.id, owner)
    if len(units) > 1 and not any(map(is_chinese, units)):
        owners.setdefault(sorted_key_of(units), {}).setdefault(owner.id, owner)


@lru_cache(maxsize=1)
def _glossary() -> dict[str, tuple[str, ...]]:
    return {key_of(units_of(chinese)): english for chinese, english in read_glossary().items()}

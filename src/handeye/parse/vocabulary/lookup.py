"""Look up the concepts of a phrase, and translate Chinese terms to English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from handeye.parse.vocabulary.forms import (
    LONGEST_PHRASE,
    bare_units,
    is_chinese,
    key_of,
    loose_key_of,
    phrase_variants,
    units_of,
    without_fillers,
)
from handeye.parse.vocabulary.table import Concept, read_concepts, read_glossary

# Least share of a phrase's words that must be in known terms if the phrase is no term itself; with less it is about
# something else.
LEAST_COVERED: Final = 0.5
# Words for a crossed-out drawing or something turned off, and words that accompany them.
_OFF: Final = frozenset(
    {"off", "no", "not", "disabled", "crossed", "slash", "slashed", "mute", "muted", "through", "across"}
)
_OF_CROSSING: Final = frozenset(
    {"out", "over", "turn", "turned", "switch", "switched", "diagonal", "stroke", "struck", "bar"}
)
_OFF_IN_CHINESE: Final = re.compile(
    "被?(?:划掉|划了线|打了?叉|禁用|关闭|关掉|关上)了?的|上?面?(?:被划掉|划掉|打了叉|有(?:一?[条道])?(?:斜杠|斜线|划线))了?"
)
# Concepts by key, those with the key as first meaning before those with it as second meaning.
_Owners: TypeAlias = dict[str, list[Concept]]
# Longest term searched for inside a phrase, in units: 12 Chinese characters, or as many words.
_WIDEST: Final = 12


@dataclass(frozen=True, slots=True)
class _Index:
    exact: _Owners
    loose: _Owners


@dataclass(frozen=True, slots=True)
class _Piece:
    """A known term inside a phrase: units `start` to `stop`."""

    start: int
    stop: int
    concepts: tuple[Concept, ...]


@lru_cache(maxsize=1)
def concepts() -> tuple[Concept, ...]:
    """Return all concepts."""
    return read_concepts()


def concept(id_: str) -> Concept:
    """Return the concept with this id. Raises KeyError if there is none."""
    return _by_id()[id_]


def concepts_of(phrase: str) -> tuple[Concept, ...]:
    """
    Return the concepts that a phrase means, best first; () if nothing in it is known.

    A phrase that is a term means the term's concept, then those that have it as a second meaning. Words such as "icon",
    "the", 图标, 那个 are ignored, as are case, plural, width and hyphens. In another phrase the longest terms count if they
    make up half of it, the longer first, then the later ("wallet settings" is the gear); two that together name a third
    ("calendar with a plus") mean that one first. A phrase for something crossed out or off ("the microphone with a slash")
    means the icon for that, never the plain one.
    """
    return _concepts_of(phrase[:LONGEST_PHRASE])


def is_term(phrase: str) -> bool:
    """Return True if the whole phrase, except words such as "the" and "icon", is a term of its first concept."""
    found = concepts_of(phrase)
    phrase = phrase[:LONGEST_PHRASE]
    return bool(found) and not _keys_of(found[0]).isdisjoint(
        {key_of(units_of(phrase)), key_of(without_fillers(phrase))}
    )


@lru_cache(maxsize=4096)
def _keys_of(meant: Concept) -> frozenset[str]:
    return frozenset(key_of(units_of(term)) for term in meant.terms)


def english_of(chinese: str) -> tuple[str, ...]:
    """
    Return English terms for a Chinese phrase, best first; () if it is unknown.

    A term of the glossary gives the English terms of its row, an icon's term the concept's first names; another phrase is
    composed of the longest terms inside it ("保存设置": "save settings") if all of it is known. English words inside are kept.
    """
    return _english_of(chinese[:LONGEST_PHRASE])


@lru_cache(maxsize=4096)
def _concepts_of(phrase: str) -> tuple[Concept, ...]:
    return _exact(phrase) or _inside(without_fillers(_OFF_IN_CHINESE.sub(" off ", phrase)))


@lru_cache(maxsize=4096)
def _english_of(chinese: str) -> tuple[str, ...]:
    units = units_of(chinese)
    if not any(map(is_chinese, units)):
        return ()
    fewer = without_fillers(chinese)
    return _english_term(units) or _english_term(fewer) or _english_pieces(fewer)


@lru_cache(maxsize=1)
def _by_id() -> dict[str, Concept]:
    return {each.id: each for each in concepts()}


def _exact(phrase: str) -> tuple[Concept, ...]:
    whole_or_less = phrase_variants(phrase)
    # "The houses" means "houses" rather than "the house".
    for owners in (_exact_owners, _owners):
        for units in whole_or_less:
            if found := owners(units):
                return found
    return _owners(without_fillers(phrase))


def _inside(units: tuple[str, ...]) -> tuple[Concept, ...]:
    return _composed(units) if _OFF.isdisjoint(units) else _crossed_out(units)


def _crossed_out(units: tuple[str, ...]) -> tuple[Concept, ...]:
    """
    Return the crossed-out variant of the concept that the other units name; () if there is none: a bell is not a
    crossed-out bell.
    """
    crossed = _composed(tuple(unit for unit in units if unit not in _OFF and unit not in _OF_CROSSING))
    names = crossed[0].names if crossed else ()
    return next((found for name in names for off in ("off", "slash") if (found := _owners((*units_of(name), off)))), ())


def _composed(units: tuple[str, ...]) -> tuple[Concept, ...]:
    pieces = _pieces(units)
    if sum(piece.stop - piece.start for piece in pieces) < LEAST_COVERED * len(units):
        return ()
    pieces.sort(key=lambda piece: (piece.stop - piece.start, piece.stop), reverse=True)
    single = tuple(dict.fromkeys(found for piece in pieces for found in piece.concepts))
    joint = _joint(pieces[0].concepts[0], pieces[1].concepts[0]) if len(pieces) == 2 else ()
    return tuple(dict.fromkeys((*joint, *single)))


def _pieces(units: tuple[str, ...]) -> list[_Piece]:
    """Return the longest terms from left to right; a single letter or Chinese character is not a term."""
    pieces: list[_Piece] = []
    at = 0
    while at < len(units):
        for stop in range(min(len(units), at + _WIDEST), at, -1):
            window = units[at:stop]
            if len(key_of(window)) > 1 and ((found := _owners(window)) or key_of(window) in _glossary()):
                pieces.append(_Piece(at, stop, found or _by_glossary(window)))
                at = stop
                break
        else:
            at += 1
    return [piece for piece in pieces if piece.concepts]


def _by_glossary(units: tuple[str, ...]) -> tuple[Concept, ...]:
    """Return the concepts of a Chinese term through its English ones: 物流 is "shipping" is the truck; () for most."""
    found = (each for term in _glossary()[key_of(units)] for each in _owners(units_of(term)))
    return tuple(dict.fromkeys(found))


def _joint(one: Concept, other: Concept) -> tuple[Concept, ...]:
    """Return the concepts with a term that joins a name of the one and a name of the other."""
    for first in one.names:
        for second in other.names:
            if found := _owners((*units_of(first), *units_of(second))):
                return found
    return ()


def _english_term(units: tuple[str, ...]) -> tuple[str, ...]:
    meant = (name for found in _exact_owners(units) for name in found.names[:2])
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


def _owners(units: Sequence[str]) -> tuple[Concept, ...]:
    """Return the concepts that have a term of these units, as first meaning before second meaning."""
    return _exact_owners(units) or tuple(_index().loose.get(loose_key_of(units), ()))


def _exact_owners(units: Sequence[str]) -> tuple[Concept, ...]:
    return tuple(_index().exact.get(key_of(units), ()))


@lru_cache(maxsize=1)
def _index() -> _Index:
    """
    Build the index. A loose key belongs to the concepts with a term of exactly these words, before those with a term of
    these words and fillers: "circle with a slash" is "circle slash".

    A term reduced to one word has lost its meaning and is not indexed: "open with" is not "open", "image off" not "off".
    """
    exact: _Owners = {}
    loose: _Owners = {}
    bare: _Owners = {}
    for term, each in _terms():
        units = units_of(term)
        fewer = bare_units(term, units)
        _own(exact, key_of(units), each)
        _own(loose, loose_key_of(units), each)
        if 1 < len(fewer) < len(units):
            _own(bare, loose_key_of(fewer), each)
    return _Index(exact, bare | loose)


def _terms() -> Iterator[tuple[str, Concept]]:
    """Yield all terms with their concepts; those that mean another concept first come last."""
    for each in concepts():
        for term in each.terms:
            if term not in each.also:
                yield term, each
    for each in concepts():
        for term in each.also:
            yield term, each


def _own(owners: _Owners, key: str, owner: Concept) -> None:
    group = owners.get(key)
    if group is None:
        owners[key] = [owner]
    elif owner not in group:
        group.append(owner)


@lru_cache(maxsize=1)
def _glossary() -> dict[str, tuple[str, ...]]:
    """Return the English terms by the keys of the Chinese ones."""
    glossary: dict[str, tuple[str, ...]] = {}
    for chinese, english in read_glossary():
        for key in (key_of(units_of(term)) for term in chinese):
            glossary[key] = tuple(dict.fromkeys((*glossary.get(key, ()), *english)))
    return glossary

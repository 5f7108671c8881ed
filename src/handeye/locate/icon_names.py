"""Names that people and programmers give to icons: "the magnifier" is `ic_search`, 返回 is "Navigate up".

An icon carries no text; its id and its description say what it is for, in a programmer's words. Both sides become sets of
concepts: the rows of `CONCEPTS` where a word stands in one, else the word itself. An icon fits when it has all the concepts
asked for; the fewer others it has, the better.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from handeye.text import singular

_EMPTY_WORDS, _PLACES, _SHAPES, *CONCEPTS = (
    tuple(word.strip() for word in line.split(","))
    for line in Path(__file__).with_name("icon_names.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
)

# A drawing with two meanings in use: the arrow to the right is "forward" in one programmer's words and "next" in another's.
_AKIN: Final = (frozenset({"forward", "next"}), frozenset({"back", "previous"}))

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|[+×✕]")
# A name of more words is a sentence.
_MOST_WORDS: Final = 8


def concepts(words: str) -> frozenset[str]:
    """The concepts in a person's words or a programmer's name; empty when they say nothing, or too much to be a name."""
    return _concepts(words[:200])


def coverage(wanted: str, names: Iterable[str]) -> float:
    """
    Return how well the names of an icon (its id, its description) say what is `wanted`, 0-1.

    1.0: some name says this and nothing else. 0.5: it says as much again. 0: none says all that is wanted.
    """
    want = concepts(wanted)
    return max((len(want) / len(have) for have in map(concepts, names) if want and want <= have), default=0.0)


def contradicts(wanted: str, names: Iterable[str]) -> bool:
    """Return True if a name has a known meaning, and none of those wanted or akin: the icon is for something else."""
    want = concepts(wanted)
    near = want.union(*(akin for akin in _AKIN if akin & want))
    return any(have & _KNOWN and not have & near for have in map(concepts, names))


def draws(words: str) -> bool:
    """Return True if words without a role mean a drawn thing: "the red dot", "arrow head"."""
    tokens = id_tokens(words)
    return any(shape in (tokens if shape.isascii() else words) for shape in _SHAPES)


@lru_cache(maxsize=8192)
def _concepts(words: str) -> frozenset[str]:
    name = unicodedata.normalize("NFKC", words.rpartition(":id/")[2])
    plain = " ".join(singular(token.casefold()) for token in _WORD.findall(name))
    found = [_CONCEPT_OF[term] for term in _TERM.findall(plain) if term in _CONCEPT_OF] + _TERM.sub(" ", plain).split()
    if len(found) > _MOST_WORDS:
        return frozenset()
    meant = frozenset(found).difference(_PLACES) or frozenset(found) & _KNOWN
    return meant or frozenset(found)


def id_tokens(name: str) -> list[str]:
    """The words of a programmer's name, lower case: `com.x:id/ivBackArrow` has iv, back and arrow."""
    return [token.casefold() for token in _WORD.findall(name.rpartition("/")[2])]


_CONCEPT_OF: Final = {" ".join(singular(word) for word in phrase.split()): row[0] for row in CONCEPTS for phrase in row}
_KNOWN: Final = frozenset(row[0] for row in CONCEPTS)
# The longest term first at each place; one in Chinese stands within a run of it.
_TERM: Final = re.compile(
    "|".join(
        rf"(?<!\S){re.escape(term)}(?!\S)" if term.isascii() else term
        for term in sorted({*_CONCEPT_OF, *_EMPTY_WORDS}, key=len, reverse=True)
    )
)

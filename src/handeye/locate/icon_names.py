"""Match people's names for icons with programmers' names: "the magnifier" is `ic_search`, 返回 is "Navigate up".

An icon has no text; its id and its description tell its purpose in a programmer's words. Both names are converted to sets of
concepts: the row of `CONCEPTS` that contains a word, else the word itself. An icon fits if it has all requested concepts; the
fewer others it has, the better.
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

# Drawings with two usual meanings: the arrow to the right is "forward" for one programmer and "next" for another.
_AKIN: Final = (frozenset({"forward", "next"}), frozenset({"back", "previous"}))

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|[+×✕]")
# A name with more words is a sentence.
_MOST_WORDS: Final = 8


def concepts(words: str) -> frozenset[str]:
    """Return the concepts in a person's words or a programmer's name; empty if there are none, or too many for a name."""
    return _concepts(words[:200])


def coverage(wanted: str, names: Iterable[str]) -> float:
    """
    Return how well the names of an icon (its id, its description) match `wanted`, 0-1.

    1.0: a name has exactly these concepts. 0.5: it has twice as many. 0: no name has all of them.
    """
    want = concepts(wanted)
    return max((len(want) / len(have) for have in map(concepts, names) if want and want <= have), default=0.0)


def contradicts(wanted: str, names: Iterable[str]) -> bool:
    """Return True if a name has a known meaning, but none that is wanted or akin: the icon has another purpose."""
    want = concepts(wanted)
    near = want.union(*(akin for akin in _AKIN if akin & want))
    return any(have & _KNOWN and not have & near for have in map(concepts, names))


def names_drawing(words: str) -> bool:
    """Return True if words without a role mean a drawing: "the red dot", "arrow head"."""
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
    """Return the words of a programmer's name in lower case: `com.x:id/ivBackArrow` has iv, back and arrow."""
    return [token.casefold() for token in _WORD.findall(name.rpartition("/")[2])]


_CONCEPT_OF: Final = {" ".join(singular(word) for word in phrase.split()): row[0] for row in CONCEPTS for phrase in row}
_KNOWN: Final = frozenset(row[0] for row in CONCEPTS)
# Longest term first; a Chinese term is matched inside a run of Chinese characters.
_TERM: Final = re.compile(
    "|".join(
        rf"(?<!\S){re.escape(term)}(?!\S)" if term.isascii() else term
        for term in sorted({*_CONCEPT_OF, *_EMPTY_WORDS}, key=len, reverse=True)
    )
)

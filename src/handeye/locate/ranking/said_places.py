"""Numbers and parts of the screen that a phrase names, in several languages: the third, at the bottom, in the middle."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from handeye.locate.ranking.words import words_in_order
from handeye.locate.text_forms import REMEMBERED

_FILE: Final = Path(__file__).with_name("said_places.txt")
_ACROSS: Final = {"left": 0.0, "right": 1.0, "middle": 0.5}
_DOWN: Final = {"top": 0.0, "bottom": 1.0, "middle": 0.5}


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
    words, signs = _table()
    found = {meaning for word in words_in_order(phrase) for meaning in words.get(word, ())}
    return frozenset(found | {meaning for sign, meaning in signs if sign in phrase})


@cache
def _table() -> tuple[dict[str, frozenset[str]], tuple[tuple[str, str], ...]]:
    """The meanings of whole words, and of signs in scripts without blanks."""
    words: dict[str, set[str]] = defaultdict(set)
    signs: list[tuple[str, str]] = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        meaning, terms = (part.strip() for part in line.split("|"))
        for term in (each.strip() for each in terms.split(",")):
            if any(character >= "\u2e80" for character in term):
                signs.append((term, meaning))
            else:
                words[" ".join(words_in_order(term))].add(meaning)
    return {word: frozenset(found) for word, found in words.items()}, tuple(signs)

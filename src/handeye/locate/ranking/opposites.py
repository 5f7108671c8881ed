"""Words that mean the opposite of each other, or another thing: to sign in and to sign out, on and off, delete and undelete."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from handeye.locate.ranking.words import words_in_order
from handeye.locate.text_forms import REMEMBERED, simplified

_FILE: Final = Path(__file__).with_name("opposites.txt")
_PREFIXES: Final = ("un", "de", "dis")
_BLANK: Final = re.compile("[ -]")
_LETTER: Final = r"[^\W_]"

Side = tuple[int, int]  # the number of a pair, and which side of it


def opposed(words: str, label: str) -> bool:
    """Return True if a label says the opposite of some words: each holds a term of another side of one line of the table."""
    said, read = _sides(words), _sides(label)
    if any(
        (pair, 1 - side) in read and (pair, side) not in read and (pair, 1 - side) not in said for pair, side in said
    ):
        return True
    wanted, own = set(words_in_order(words)), set(words_in_order(label))
    return _turned(wanted - own, own - wanted) or _turned(own - wanted, wanted - own)


def _turned(plain: set[str], others: set[str]) -> bool:
    """Return True if one of the others is one of the plain words behind a prefix that turns its meaning."""
    return any(f"{prefix}{word}" in others for word in plain for prefix in _PREFIXES)


@lru_cache(maxsize=REMEMBERED)
def _sides(text: str) -> frozenset[Side]:
    pattern, sides = _table()
    folded = simplified(text.casefold().replace("’", "'"))
    return frozenset(side for found in pattern.finditer(folded) for side in sides[_joined(found[1] or found[2])])


@cache
def _table() -> tuple[re.Pattern[str], dict[str, frozenset[Side]]]:
    """The pattern of all terms, the longest first, and the sides that each is on."""
    sides: dict[str, set[Side]] = defaultdict(set)
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for pair, line in enumerate(lines):
        for side, terms in enumerate(line.split("|")):
            for term in terms.split(","):
                sides[simplified(term.strip())].add((pair, side))
    longest_first = sorted(sides, key=len, reverse=True)
    words, signs = (
        "|".join(_pattern(each) for each in longest_first if (each[0] >= "\u2e80") is chinese)
        for chinese in (False, True)
    )
    pattern = rf"(?<!{_LETTER})({words})s?(?!{_LETTER})|({signs})"
    return re.compile(pattern), {_joined(term): frozenset(found) for term, found in sides.items()}


def _pattern(term: str) -> str:
    """Return the pattern of a term: "log in" is also written "login" and "log-in"."""
    return _BLANK.sub(f"{_BLANK.pattern}?", re.escape(term).replace(r"\ ", " ").replace(r"\-", "-"))


def _joined(term: str) -> str:
    return _BLANK.sub("", term)

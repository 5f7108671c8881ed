"""Comparison of texts as people compare them: without case, width, punctuation and script variant."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from handeye.parse.vocabulary.table import read_traditional

_SIMPLIFIED: Final = read_traditional()
_SPACELESS: Final = r"\u3040-\u30ff\u4e00-\u9fff"
_PUNCTUATION: Final = re.compile(r"[^\w+€$¥£%#]+|_")
_LOOSE_SPACE: Final = re.compile(rf"(?<=[{_SPACELESS}]) | (?=[{_SPACELESS}])")
_NUMBER: Final = re.compile(r"\d+")


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """The text in one width, case and script variant, words separated by single blanks."""
    plain = unicodedata.normalize("NFKC", text).translate(_SIMPLIFIED).casefold()
    return _LOOSE_SPACE.sub("", " ".join(_PUNCTUATION.sub(" ", plain).split()))


def contains(whole: str, part: str) -> bool:
    """Return True if a folded text contains a folded part that begins and ends at word boundaries."""
    if not part or part not in whole:
        return False
    start = whole.find(part)
    while start >= 0:
        end = start + len(part)
        if not (_glued(whole, start, part[0]) or _glued(whole, end, whole[end] if end < len(whole) else " ")):
            return True
        start = whole.find(part, start + 1)
    return False


def _glued(whole: str, at: int, after: str) -> bool:
    """Return True if a word of an alphabet continues across position `at`."""
    return 0 < at < len(whole) and _alphabetic(whole[at - 1]) and _alphabetic(after)


def _alphabetic(character: str) -> bool:
    return character.isalnum() and not re.match(rf"[{_SPACELESS}]", character)


def related(one: str, other: str) -> bool:
    """Return True if two texts are equal, or one contains the other."""
    one, other = fold(one), fold(other)
    return contains(one, other) or contains(other, one)


def numbers_in(text: str) -> list[str]:
    """The digits of a text."""
    return _NUMBER.findall(text)


def is_spaceless(text: str) -> bool:
    """Return True if a text is mainly in a script without spaces between words."""
    return len(re.findall(rf"[{_SPACELESS}]", text)) * 2 >= len(text.replace(" ", ""))


def one_edit_apart(one: str, other: str) -> bool:
    """Return True if two texts are equal or differ in one letter that is changed, added, removed or exchanged."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )
    left, right = one[start:], other[start:]
    swapped = left[:2][::-1] == right[:2] and left[2:] == right[2:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped

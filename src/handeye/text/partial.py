"""Checks for a text that is a part of a line: whether it is a whole word, and how the rest of the line changes its meaning.

"Save" occurs in "Save (3)", "Save as" and "Don't save". The first is the same label with its count, the second may be another
control, the third is the opposite.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from handeye.text.folding import CACHE_SIZE, Form, begins_with_number, is_ideograph

# Up to this many ideographs are a name or a verb that may be part of a longer word.
_SHORT_IDEOGRAPHS: Final = 2
_COUNT: Final = r"(?:\d{1,3}(?:,\d{3})+|\d{1,5})\+?"
_IN_BRACKETS: Final = rf"(?:\(\s*{_COUNT}\s*\)|\[\s*{_COUNT}\s*\]|【\s*{_COUNT}\s*】)"
_BULLETS: Final = r"[\s•·‣▪○●◦]*"
# The text before and after a label, with a NUL between. Before the label a space is enough to separate a count ("2
# Messages"): names seldom begin with a number, and OCR reads round pictures next to names as digits ("8 Li Weiwei": 7 of
# 1,249 answers of the corpus, none wrong). After it ("微信(99+)", "Inbox · 3") a number after a mere space is as often part
# of a name ("iPhone 15", 张三 2); a clearly separated count is a separate label (text/labels.py).
_COUNTED: Final = re.compile(
    rf"(?:{_BULLETS}|{_IN_BRACKETS}\s*|{_COUNT}(?:[\s·•]+|[.)、]\s*))\0(?:{_BULLETS}|\s*{_IN_BRACKETS}|\s*[·•]\s*{_COUNT})"
)
# Negations that a label cannot end with: they negate the text that follows, on the same line or wrapped below.
_OPEN: Final = (
    r"\bnot|\bcannot|n'\s?t|\b(?:do|does|did|is|are|was|were|wo|ca|should|must|could|would)nt|\bwithout|\bnever"
)
_OPEN_HAN: Final = (
    r"不|勿|未|暂不|不要|不能|不会|不想|不再|不允许|请勿|禁止|无法|(?<![\u3400-\u9fff])别|请别|没|没有|无"
)
# Negations of the following text: English words for the rest of their clause, Chinese ones for the next word.
_NEGATION: Final = re.compile(
    rf"(?:{_OPEN}|\bno|\bnone|\bnor)\b(?!.*(?:[.;](?:\s|$)|[?!。]))|(?:{_OPEN_HAN})[\s,:、\"']*$",
    re.IGNORECASE | re.DOTALL,
)
# Without 无, 没有, 禁止, which are also whole entries of lists.
_ENDS_OPEN: Final = re.compile(rf"(?:{_OPEN}|不|勿|未|暂不|不要|不能|不想|请勿)\s*$", re.IGNORECASE)


def is_word(have: Form, start: int, end: int, original: str) -> bool:
    """Return True if [start, end) of a form of `original` is a whole word rather than a part of a longer one."""
    inside = have.text[start:end]
    before = _neighbour(original, have.origin[start], -1)
    after = _neighbour(original, have.origin[end - 1], 1)
    short = sum(map(is_ideograph, inside)) <= _SHORT_IDEOGRAPHS
    for edge, outside in ((inside[0], before), (inside[-1], after)):
        if is_ideograph(edge):
            if short and outside is not None and (is_ideograph(outside) or outside.isalpha()):
                return False
        elif edge.isalnum() and outside is not None and outside.isalnum() and not is_ideograph(outside):
            return False
    first, last = have.origin[start], have.origin[end - 1]
    if _is_in_number(first, last, original) or _is_in_address(first, last, original):
        return False
    # OCR may insert a space inside Chinese words, so it is no word border: 张三 丰.
    return not (short and is_ideograph(inside[0]) and _across_blank(original, have.origin[start], have.origin[end - 1]))


def is_counted(before: str, inside: str, after: str) -> bool:
    """Return True if a label has nothing next to it but a count, a list number or a bullet."""
    if not any(map(str.isalpha, inside)):
        return False
    return _COUNTED.fullmatch(f"{_plain_marks(before).lstrip()}\0{_plain_marks(after).rstrip()}") is not None


def is_negated(before: str) -> bool:
    """Return True if the text before a part of a line negates it: "Do not agree", 不, 同意."""
    return _NEGATION.search(_plain_marks(before)) is not None


@lru_cache(maxsize=CACHE_SIZE)
def ends_in_negation(text: str) -> bool:
    """Return True if a line ends in a word that negates the next line: "Do not" with "agree" below it on one button."""
    return _ENDS_OPEN.search(_plain_marks(text)) is not None


def _plain_marks(text: str) -> str:
    """Return the text with keyboard punctuation: ’ and ʼ become ', full-width brackets and colons ASCII ones."""
    return unicodedata.normalize("NFKC", text).translate(str.maketrans("‘’‛ʼ′“”", "'''''\"\""))


def _is_in_number(first: int, last: int, text: str) -> bool:
    """Return True if the number at an end is part of a longer number, amount or time: 5 in -5, 2.5, 5%, 5:30, £5 in -£5."""
    if begins_with_number(text[first:]) and first and text[first - 1] in "+-−–.,:/":
        return True
    after = text[last + 1 : last + 3]
    return text[last].isdigit() and bool(after) and (after[0] in "%°" or (after[0] in ".,:/" and after[1:].isdigit()))


def _is_in_address(first: int, last: int, text: str) -> bool:
    """Return True if an end continues as an address or a file name: www.bank.com in www.bank.com.evil.io, index.html."""
    return any(_joins_address(text, at) for at in (first - 1, last + 1))


def _joins_address(text: str, at: int) -> bool:
    """
    Return True for punctuation within an address; a full stop before a capital ends a sentence whose space OCR missed.
    """
    if not 0 < at < len(text) - 1 or text[at] not in ".@_":
        return False
    beside = text[at - 1] + text[at + 1]
    return beside.isascii() and beside.isalnum() and not (text[at] == "." and text[at + 1].isupper())


def _neighbour(text: str, index: int, step: int) -> str | None:
    at = index + step
    return text[at] if 0 <= at < len(text) else None


def _across_blank(text: str, first: int, last: int) -> bool:
    before, after = text[:first].rstrip(), text[last + 1 :].lstrip()
    return (len(before) < first and bool(before) and is_ideograph(before[-1])) or (
        len(after) < len(text) - last - 1 and bool(after) and is_ideograph(after[0])
    )

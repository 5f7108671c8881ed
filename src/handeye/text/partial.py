"""A text as a part of a line: whether it stands there as a word, and what the rest of the line makes of it.

"Save" stands in "Save (3)", "Save as" and "Don't save". The first is the same label with its count, the second may be another
control, the third is the opposite.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from handeye.text.folding import REMEMBERED, Form, begins_with_number, is_ideograph

# Up to so many ideographs are a name or a verb that longer words contain.
_SHORT_IDEOGRAPHS: Final = 2
_COUNT: Final = r"(?:\d{1,3}(?:,\d{3})+|\d{1,5})\+?"
_IN_BRACKETS: Final = rf"(?:\(\s*{_COUNT}\s*\)|\[\s*{_COUNT}\s*\]|【\s*{_COUNT}\s*】)"
_BULLETS: Final = r"[\s•·‣▪○●◦]*"
# What stands before a label and behind it, with a NUL between. Before it a mere blank separates a count ("2 Messages"): names
# seldom begin with a number, and round pictures beside names are read as digits ("8 Li Weiwei": 7 of 1,249 answers of the
# corpus, none wrong). Behind it ("微信(99+)", "Inbox · 3") it is as often a name's ("iPhone 15", 张三 2); a count that stands
# clearly apart is a label of its own (text/labels.py).
_COUNTED: Final = re.compile(
    rf"(?:{_BULLETS}|{_IN_BRACKETS}\s*|{_COUNT}(?:[\s·•]+|[.)、]\s*))\0(?:{_BULLETS}|\s*{_IN_BRACKETS}|\s*[·•]\s*{_COUNT})"
)
# Words that a label cannot end in: what follows, on the same line or wrapped below, is what is not to be.
_OPEN: Final = (
    r"\bnot|\bcannot|n'\s?t|\b(?:do|does|did|is|are|was|were|wo|ca|should|must|could|would)nt|\bwithout|\bnever"
)
_OPEN_HAN: Final = (
    r"不|勿|未|暂不|不要|不能|不会|不想|不再|不允许|请勿|禁止|无法|(?<![\u3400-\u9fff])别|请别|没|没有|无"
)
# Negates what follows: English words in the rest of their clause, Chinese ones right behind them.
_NEGATION: Final = re.compile(
    rf"(?:{_OPEN}|\bno|\bnone|\bnor)\b(?!.*(?:[.;](?:\s|$)|[?!。]))|(?:{_OPEN_HAN})[\s,:、\"']*$",
    re.IGNORECASE | re.DOTALL,
)
# 无, 没有, 禁止 stand alone as entries of lists.
_ENDS_OPEN: Final = re.compile(rf"(?:{_OPEN}|不|勿|未|暂不|不要|不能|不想|请勿)\s*$", re.IGNORECASE)


def is_word(have: Form, start: int, end: int, original: str) -> bool:
    """Return True if [start, end) of a form of `original` is a word of its own rather than a piece of a longer one."""
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
    # A blank between two short Chinese words is the reader's guess, not a border: 张三 丰.
    return not (short and is_ideograph(inside[0]) and _across_blank(original, have.origin[start], have.origin[end - 1]))


def is_counted(before: str, inside: str, after: str) -> bool:
    """Return True if a label has nothing beside it but a count, a number in a list or a bullet: no word or other mark."""
    if not any(map(str.isalpha, inside)):
        return False
    return _COUNTED.fullmatch(f"{_plain_marks(before).lstrip()}\0{_plain_marks(after).rstrip()}") is not None


def is_negated(before: str) -> bool:
    """Return True if what stands before a part of a line says that it is not, or not to be: "Do not agree", 不, 同意."""
    return _NEGATION.search(_plain_marks(before)) is not None


@lru_cache(maxsize=REMEMBERED)
def ends_in_negation(text: str) -> bool:
    """Return True if a line ends in a word that negates the next one: "Do not" with "agree" below it on one button."""
    return _ENDS_OPEN.search(_plain_marks(text)) is not None


def _plain_marks(text: str) -> str:
    """With the marks of a keyboard: ’ and ʼ are ', full-width brackets and colons plain ones."""
    return unicodedata.normalize("NFKC", text).translate(str.maketrans("‘’‛ʼ′“”", "'''''\"\""))


def _is_in_number(first: int, last: int, text: str) -> bool:
    """Return True if the number at an end belongs to a longer number, amount or time: 5 in -5, 2.5, 5%, 5:30, £5 in -£5."""
    if begins_with_number(text[first:]) and first and text[first - 1] in "+-−–.,:/":
        return True
    after = text[last + 1 : last + 3]
    return text[last].isdigit() and bool(after) and (after[0] in "%°" or (after[0] in ".,:/" and after[1:].isdigit()))


def _is_in_address(first: int, last: int, text: str) -> bool:
    """Return True if an end goes on as an address or a file name does: www.bank.com in www.bank.com.evil.io, index.html."""
    return any(_joins_address(text, at) for at in (first - 1, last + 1))


def _joins_address(text: str, at: int) -> bool:
    """Return True for a mark within an address; a full stop before a capital ends a sentence, and a reader lost the blank."""
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

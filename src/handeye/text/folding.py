"""Text as it is compared: what may differ between the words that a person asks for and the words that stand on the screen.

Each form forgives more than the one before:

* normalize ... width and compatibility forms (NFKC, ligatures), case, blanks, kinds of quotes, punctuation at the ends (a
                number's or an amount's sign stays)
* simplify .... and traditional Chinese characters read as simplified ones, characters that people write for each other as one
* bare ........ and accents left out
* fold ........ normalize, and signs that a reader confuses made equal: 0/O, l/I/1
* thinned ..... fold, and each run of l/I/1 and apostrophes made one: a reader miscounts them ("I'll" as "l'l", "Ill" as "Il")

`skeleton` forgives what all but the last forgive, and look-alike letters of other scripts, and keeps the words apart: for
judging what a text may be found as.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from rapidfuzz.distance import Levenshtein

# Typographic quotes and dashes, and the ones that keyboards have: readers and writers choose at random.
_ALIKE: Final = str.maketrans(dict.fromkeys("‘’‛ʼ′", "'") | dict.fromkeys("“”„", '"') | dict.fromkeys("‐‑‒–—―−", "-"))
_CONFUSED: Final = str.maketrans(dict.fromkeys("o〇○", "0") | dict.fromkeys("li|!丨ı", "1"))
# Letters with a stroke or joined letters, which Unicode does not take apart; people without such a keyboard write these.
_STROKED: Final = {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "œ": "oe", "æ": "ae", "ё": "е"}
# Small letters of other scripts that look like Latin ones, small or capital (Unicode's confusables, the letters that appear in
# words), and characters without a shape of their own that Unicode counts as letters.
_LOOK_ALIKE: Final = str.maketrans(
    "авсԁеһіјкӏмноԛрѕтуԝхүѵҽɑɡɩʟɴʀʏαεικνορτυχηγβ",
    "abcdehijklmhoqpstywxyveagilnryaeikvoptuxnyb",
    "\u115f\u1160\u17b4\u17b5",
)
_BESIDE_HAN: Final = re.compile(r"(?<=[\u2e80-\u9fff\U00020000-\U0003ffff]) (?=[\u2e80-\u9fff\U00020000-\U0003ffff])")
# Characters that are written for each other in the same words: 帐号 and 账号, 黏贴 and 粘贴, 接著 and 接着. No two words
# differ in them. Those of 登陆 and 登录, 其它 and 其他, 定单 and 订单 make other words elsewhere (decision 008).
_WRITTEN_ALIKE: Final = {"帐": "账", "黏": "粘", "著": "着", "妳": "你", "衞": "卫", "粧": "妆"}
_TURNS_MEANING: Final = frozenset(
    "不未非无没已勿禁允可否上下左右前后内外开关启停闭入出进退收发买卖加减增删高低大小新旧男女一二三四五六七八九十"
)
# Scripts that screen text readers know, as the names of their characters begin.
_SCRIPTS: Final = (
    *("LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "GREEK", "CYRILLIC", "IDEOGRAPHIC", "FULLWIDTH", "DIGIT"),
)
REMEMBERED: Final = 4096
"""Texts of which is kept what was made of them: those of some forty screens, in memory only, as the frames are."""


@dataclass(frozen=True, slots=True)
class Form:
    """Text as it is compared, and for each of its characters the index of the original one."""

    text: str
    origin: tuple[int, ...]


def normalize(text: str) -> str:
    """Text as the "normalised" layer compares it: NFKC, case folded, no blanks, no punctuation at the ends."""
    return plain(text).text


def fold(text: str) -> str:
    """`normalize`, with signs that readers confuse made equal (0/O, l/I/1)."""
    normal = normalize(text)
    # Punctuation alone is what is asked for: "?!" must not become the letter that is left of it without the mark.
    return normal if all(map(_is_edge, normal)) else normal.translate(_CONFUSED)


def thinned(text: str) -> str:
    """
    `fold`, with each run of thin letters and apostrophes as one letter, as a reader may have miscounted them. A number keeps
    its digits.

    >>> thinned("I'll be late"), thinned("l'l be late"), thinned("1100")
    ('1be1ate', '1be1ate', '1100')
    """
    folded = fold(text)
    if text.strip().isdecimal():
        return folded
    return "".join("1" if is_thin else "".join(run) for is_thin, run in groupby(folded, "1'".__contains__))


def is_half_alike(one: str, other: str) -> bool:
    """Return True if no more than half of the letters of `one` differ in `other`."""
    return 2 * Levenshtein.distance(one, other) <= len(one)


def simplify(text: str) -> str:
    """`normalize`, with traditional Chinese characters as simplified ones: 設置 and 设置 are equal, but so are 後 and 后."""
    return normalize(text).translate(_simplified())


def bare(text: str) -> str:
    """`simplify`, without the accents of Latin and Greek letters."""
    return without_accents(text).text


def simplified(text: str) -> str:
    """The text with traditional Chinese characters as simplified ones, character by character."""
    return text.translate(_simplified())


@lru_cache(maxsize=REMEMBERED)
def skeleton(text: str) -> str:
    """
    The text without what a spelling can hide words in: case, width, accents, format characters, traditional characters,
    letters of other scripts that look like Latin ones, and blanks between Chinese characters.

    Texts that match in any layer up to "variant" have the same skeleton but for blanks and for punctuation at the ends.

    >>> skeleton("Ｐаy\u200b  now"), skeleton("發 送")
    ('pay now', '发送')
    """
    folded = unicodedata.normalize("NFKC", text).translate(_ALIKE).casefold()
    seen = (character for character in folded if unicodedata.category(character) not in ("Cf", "Mn"))
    letters = "".join(map(_without_accent, simplified("".join(seen))))
    return _BESIDE_HAN.sub("", " ".join(letters.translate(_LOOK_ALIKE).split()))


@lru_cache(maxsize=REMEMBERED)
def plain(text: str) -> Form:
    """`normalize`, with the way back to the original characters."""
    characters: list[str] = []
    origin: list[int] = []
    for index, original in enumerate(text):
        for character in unicodedata.normalize("NFKC", original).translate(_ALIKE).casefold():
            if not character.isspace() and unicodedata.category(character) not in ("Cf", "Mn"):
                characters.append(character)
                origin.append(index)
    start, end = 0, len(characters)
    while start < end and _is_edge(characters[start]) and not _is_point(characters, origin, start):
        start += 1
    while end > start and _is_edge(characters[end - 1]):
        end -= 1
    if start == end:  # nothing but punctuation: then that is what is asked for
        start, end = 0, len(characters)
    return Form("".join(characters[start:end]), tuple(origin[start:end]))


@lru_cache(maxsize=REMEMBERED)
def without_accents(text: str) -> Form:
    """`bare`, with the way back to the original characters."""
    form = plain(text)
    characters = [
        (character, index)
        for original, index in zip(form.text.translate(_simplified()), form.origin, strict=True)
        for character in _without_accent(original)
    ]
    return Form("".join(character for character, _ in characters), tuple(index for _, index in characters))


def same_text(wanted: str, text: str) -> bool:
    """Return True if two whole texts agree but for width, case, blanks and punctuation at the ends."""
    want = normalize(wanted)
    return bool(want) and want == normalize(text)


def differs_in_meaning(wanted: str, text: str) -> bool:
    """Return True if two nearly equal texts differ in a digit, in a number's sign or in a character that turns the meaning."""
    want, have = simplify(wanted), simplify(text)
    turning = _TURNS_MEANING | set("+-") if any(map(str.isdigit, want)) else _TURNS_MEANING
    for touched in edits(want, have):
        confused = len(touched) == 2 and touched[0].translate(_CONFUSED) == touched[1].translate(_CONFUSED)
        if not confused and any(character.isdigit() or character in turning for character in touched):
            return True
    return False


def edits(want: str, have: str) -> Iterator[str]:
    """The characters that each difference touches: two of a substitution, one of an insertion or deletion."""
    for edit in Levenshtein.editops(want, have):
        touched = want[edit.src_pos] if edit.tag != "insert" else ""
        yield touched + (have[edit.dest_pos] if edit.tag != "delete" else "")


def singular(word: str) -> str:
    """Return an English word without its plural s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def begins_with_number(text: str) -> bool:
    """
    Return True if a number begins the text, perhaps behind a currency sign or a point: a sign before it is a part of it.

    >>> begins_with_number("5 items"), begins_with_number("£1.00"), begins_with_number("$ave")
    (True, True, False)
    """
    at = 0
    while at < len(text) and (text[at] == "." or unicodedata.category(text[at]) == "Sc"):
        at += 1
    return text[at : at + 1].isdigit()


def is_ideograph(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff" or character in "々〇"


def is_readable(character: str) -> bool:
    """Return True if text readers for screens can be expected to read this character: no emoji, no script they do not know."""
    kind = unicodedata.category(character)
    if kind[0] in "NPZ" or kind in ("Sm", "Sc"):
        return True
    if kind[0] != "L" and kind != "Sk":
        return False
    return unicodedata.name(character, "").startswith(_SCRIPTS) or character.isascii()


def _is_edge(character: str) -> bool:
    """Punctuation that a label may or may not carry at its ends; signs with a meaning (+, -, ¥, %, #, @) stay."""
    return unicodedata.category(character).startswith("P") and character not in "-%‰‱#@&*"


def _is_point(characters: list[str], origin: list[int], at: int) -> bool:
    """Return True if it is the point of a number (.5), which changes its value."""
    after = at + 1
    joined = after < len(characters) and origin[after] == origin[at] + 1
    return characters[at] == "." and joined and characters[after].isdigit()


def _without_accent(character: str) -> str:
    if character in _STROKED:
        return _STROKED[character]
    base = unicodedata.normalize("NFD", character)[0]
    # Marks of other scripts make other sounds and words: は and ば, и and й.
    return base if base.isascii() or "\u0370" <= base <= "\u03ff" else character


@cache
def _simplified() -> dict[int, str]:
    """Traditional characters, and those that others are written for, with what they become: decision 008."""
    traditional, simplified = (files(__package__) / "han" / "simplified.txt").read_text("utf-8").splitlines()
    table = dict(zip(traditional, simplified, strict=True))
    return {ord(old): _WRITTEN_ALIKE.get(new, new) for old, new in (_WRITTEN_ALIKE | table).items()}

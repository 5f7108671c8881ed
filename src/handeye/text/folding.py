"""Normal forms of text for comparing requested words with the words on the screen.

The differences that each form ignores:

* normalize ... width and compatibility forms (NFKC, ligatures), case, spaces, kinds of quotes, punctuation at the ends (the
                sign of a number or an amount is kept)
* simplify .... also traditional and simplified Chinese characters, and characters that people write for each other
* bare ........ also accents
* fold ........ those of normalize, and characters that OCR confuses: 0/O, l/I/1
* thinned ..... those of fold, and the length of a run of l/I/1 and apostrophes, which OCR miscounts ("I'll" as "l'l", "Ill" as
                "Il")

`skeleton` ignores the differences of all forms except the last two, and look-alike letters of other scripts, and keeps the
spaces between words: for checks of everything that a text may be found as.
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

# Typographic quotes and dashes, and those of keyboards: both OCR and people use either.
_EQUIVALENT: Final = str.maketrans(
    dict.fromkeys("‘’‛ʼ′", "'") | dict.fromkeys("“”„", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_CONFUSED: Final = str.maketrans(dict.fromkeys("o〇○", "0") | dict.fromkeys("li|!丨ı", "1"))
# Letters with a stroke and ligatures, which Unicode does not decompose, with their usual replacements.
_STROKED: Final = {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "œ": "oe", "æ": "ae", "ё": "е"}
# Lower-case letters of other scripts that look like Latin ones, in either case (Unicode's confusables, limited to letters
# in words), and invisible characters that Unicode counts as letters.
_LOOK_ALIKE: Final = str.maketrans(
    "авсԁеһіјкӏмноԛрѕтуԝхүѵҽɑɡɩʟɴʀʏαεικνορτυχηγβ",
    "abcdehijklmhoqpstywxyveagilnryaeikvoptuxnyb",
    "\u115f\u1160\u17b4\u17b5",
)
_BESIDE_HAN: Final = re.compile(r"(?<=[\u2e80-\u9fff\U00020000-\U0003ffff]) (?=[\u2e80-\u9fff\U00020000-\U0003ffff])")
# Variant characters of the same words: 帐号 and 账号, 黏贴 and 粘贴, 接著 and 接着. No two words differ only in them. Those of
# 登陆 and 登录, 其它 and 其他, 定单 and 订单 distinguish other words (decision 008).
_VARIANTS: Final = {"帐": "账", "黏": "粘", "著": "着", "妳": "你", "衞": "卫", "粧": "妆"}
_CHANGES_MEANING: Final = frozenset(
    "不未非无没已勿禁允可否上下左右前后内外开关启停闭入出进退收发买卖加减增删高低大小新旧男女一二三四五六七八九十"
)
# Scripts that OCR for screens supports, as prefixes of character names.
_SCRIPTS: Final = (
    *("LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "GREEK", "CYRILLIC", "IDEOGRAPHIC", "FULLWIDTH", "DIGIT"),
)
CACHE_SIZE: Final = 4096
"""Size of the caches of derived texts: about forty screens, in memory only, like the frames."""


@dataclass(frozen=True, slots=True)
class Form:
    """Normalised text, with the index of the original character for each of its characters."""

    text: str
    origin: tuple[int, ...]


def normalize(text: str) -> str:
    """
    Return the text as the "normalised" layer compares it: NFKC, case folded, without spaces, without punctuation at the
    ends.
    """
    return plain(text).text


def fold(text: str) -> str:
    """Return `normalize` of the text, with characters that OCR confuses made equal (0/O, l/I/1)."""
    normal = normalize(text)
    # A text of punctuation only is kept: "?!" must not become "?1".
    return normal if all(map(_is_edge, normal)) else normal.translate(_CONFUSED)


def merge_thin_letters(text: str) -> str:
    """
    Return `fold` of the text, with each run of thin letters and apostrophes as one letter, since OCR may miscount them. A
    number keeps its digits.

    >>> merge_thin_letters("I'll be late"), thinned("l'l be late"), thinned("1100")
    ('1be1ate', '1be1ate', '1100')
    """
    folded = fold(text)
    if text.strip().isdecimal():
        return folded
    return "".join("1" if is_thin else "".join(run) for is_thin, run in groupby(folded, "1'".__contains__))


def is_half_alike(one: str, other: str) -> bool:
    """Return True if at most half of the letters of `one` differ in `other`."""
    return 2 * Levenshtein.distance(one, other) <= len(one)


def simplify(text: str) -> str:
    """Return `normalize` of the text with simplified Chinese characters: 設置 and 设置 are equal, but so are 後 and 后."""
    return normalize(text).translate(_simplified())


def without_diacritics(text: str) -> str:
    """Return `simplify` of the text without the accents of Latin and Greek letters."""
    return without_accents(text).text


def simplified(text: str) -> str:
    """Return the text with simplified Chinese characters, character by character."""
    return text.translate(_simplified())


@lru_cache(maxsize=CACHE_SIZE)
def skeleton(text: str) -> str:
    """
    Return the text without differences that can disguise words: case, width, accents, format characters, traditional
    characters, letters of other scripts that look like Latin ones, and spaces between Chinese characters.

    Texts that match in any layer up to "variant" have the same skeleton except for spaces and for punctuation at the ends.

    >>> skeleton("Ｐаy\u200b  now"), skeleton("發 送")
    ('pay now', '发送')
    """
    folded = unicodedata.normalize("NFKC", text).translate(_EQUIVALENT).casefold()
    seen = (character for character in folded if unicodedata.category(character) not in ("Cf", "Mn"))
    letters = "".join(map(_without_accent, simplified("".join(seen))))
    return _BESIDE_HAN.sub("", " ".join(letters.translate(_LOOK_ALIKE).split()))


@lru_cache(maxsize=CACHE_SIZE)
def plain(text: str) -> Form:
    """Return `normalize` of the text, with the indexes of the original characters."""
    characters: list[str] = []
    origin: list[int] = []
    for index, original in enumerate(text):
        for character in unicodedata.normalize("NFKC", original).translate(_EQUIVALENT).casefold():
            if not character.isspace() and unicodedata.category(character) not in ("Cf", "Mn"):
                characters.append(character)
                origin.append(index)
    start, end = 0, len(characters)
    while start < end and _is_edge(characters[start]) and not _is_point(characters, origin, start):
        start += 1
    while end > start and _is_edge(characters[end - 1]):
        end -= 1
    if start == end:  # a text of punctuation only is kept
        start, end = 0, len(characters)
    return Form("".join(characters[start:end]), tuple(origin[start:end]))


@lru_cache(maxsize=CACHE_SIZE)
def without_accents(text: str) -> Form:
    """Return `without_diacritics` of the text, with the indexes of the original characters."""
    form = plain(text)
    characters = [
        (character, index)
        for original, index in zip(form.text.translate(_simplified()), form.origin, strict=True)
        for character in _without_accent(original)
    ]
    return Form("".join(character for character, _ in characters), tuple(index for _, index in characters))


def same_text(wanted: str, text: str) -> bool:
    """Return True if two whole texts are equal except for width, case, spaces and punctuation at the ends."""
    want = normalize(wanted)
    return bool(want) and want == normalize(text)


def differs_in_meaning(wanted: str, text: str) -> bool:
    """Return True if two similar texts differ in a digit, in a number's sign or in a character that changes the meaning."""
    want, have = simplify(wanted), simplify(text)
    turning = _CHANGES_MEANING | set("+-") if any(map(str.isdigit, want)) else _CHANGES_MEANING
    for touched in edits(want, have):
        confused = len(touched) == 2 and touched[0].translate(_CONFUSED) == touched[1].translate(_CONFUSED)
        if not confused and any(character.isdigit() or character in turning for character in touched):
            return True
    return False


def edits(want: str, have: str) -> Iterator[str]:
    """Yield the characters of each difference: two of a substitution, one of an insertion or deletion."""
    for edit in Levenshtein.editops(want, have):
        touched = want[edit.src_pos] if edit.tag != "insert" else ""
        yield touched + (have[edit.dest_pos] if edit.tag != "delete" else "")


def singular(word: str) -> str:
    """Return an English word without its plural s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def begins_with_number(text: str) -> bool:
    """
    Return True if the text begins with a number, perhaps after a currency symbol or a point: a sign before it belongs to
    it.

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
    """Return True if OCR for screens can be expected to read this character: no emoji, no unsupported script."""
    kind = unicodedata.category(character)
    if kind[0] in "NPZ" or kind in ("Sm", "Sc"):
        return True
    if kind[0] != "L" and kind != "Sk":
        return False
    return unicodedata.name(character, "").startswith(_SCRIPTS) or character.isascii()


def _is_edge(character: str) -> bool:
    """
    Return True for punctuation that a label may have at its ends; characters with a meaning (+, -, ¥, %, #, @) are kept.
    """
    return unicodedata.category(character).startswith("P") and character not in "-%‰‱#@&*"


def _is_point(characters: list[str], origin: list[int], at: int) -> bool:
    """Return True for the point of a number (.5), which changes its value."""
    after = at + 1
    joined = after < len(characters) and origin[after] == origin[at] + 1
    return characters[at] == "." and joined and characters[after].isdigit()


def _without_accent(character: str) -> str:
    if character in _STROKED:
        return _STROKED[character]
    base = unicodedata.normalize("NFD", character)[0]
    # Marks of other scripts make other letters and words: は and ば, и and й.
    return base if base.isascii() or "\u0370" <= base <= "\u03ff" else character


@cache
def _simplified() -> dict[int, str]:
    """Return the replacements of traditional and variant characters: decision 008."""
    traditional, simplified = (files(__package__) / "han" / "simplified.txt").read_text("utf-8").splitlines()
    table = dict(zip(traditional, simplified, strict=True))
    return {ord(old): _VARIANTS.get(new, new) for old, new in (_VARIANTS | table).items()}

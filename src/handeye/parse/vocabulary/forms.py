"""
Normalise the many spellings of a term to one key.

Case, width, hyphens, blanks and spelling (British, American; traditional, simplified Chinese) do not count: "Wi-Fi", "wifi"
and "ＷｉＦｉ" have one key, as have "favourite" and "favorite", or 搜尋 and 搜寻. `loose_key_of` also maps "stars" to "star".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from handeye.parse.vocabulary.table import read_traditional

# No term is longer; of a longer text only the beginning is used.
LONGEST_PHRASE: Final = 200

_CHINESE: Final = r"㐀-䶿一-鿿"
# A word, one Chinese character, or a symbol that is a term by itself.
_UNIT: Final = re.compile(rf"[^\W_{_CHINESE}]+|[{_CHINESE}]")
_IS_PLAIN: Final = re.compile(rf"[a-z0-9 ]{{1,{LONGEST_PHRASE}}}").fullmatch  # fast path: most terms of the tables
_SIGN: Final = re.compile(r"\.{3}|[^\w\s\ufe0f\u200d]")
_APOSTROPHE: Final = re.compile(r"['’`]s?\b")

# Words around a term that are not part of it: "the ... icon", 那个...图标.
_BEFORE: Final = re.compile(r"\s*(?:(?:the|an?|this|that|my|your)\s|那个|这个|一个)")
_AFTER: Final = re.compile(r"(?:\bicons?|\bbuttons?|\bbtn|图标|按钮|按键)\s*\Z")
# Joining words, and words for "icon", its style or its position: they do not identify it.
_FILLERS: Final = frozenset(
    {
        *("of", "for", "to", "with", "and", "in", "on", "at", "by", "is", "are", "has", "like", "which", "that"),
        *("me", "my", "your", "it", "its", "some", "please"),
        *("a", "an", "the", "this", "one"),
        *("icon", "button", "btn", "symbol", "sign", "logo", "brand", "glyph", "image", "picture", "drawing", "mark"),
        *("outline", "outlined", "filled", "fill", "solid", "line", "thin", "bold", "rounded", "sharp", "duotone"),
        *("little", "small", "big", "large", "tiny", "shaped", "shape", "looking", "colored"),
        *("toolbar", "option", "function", "feature", "control", "tool", "level", "corner", "page", "bottom", "top"),
        *("going", "facing", "pointing", "pointed", "towards"),
        *("red", "green", "blue", "yellow", "black", "white", "gray", "orange", "purple", "pink", "brown"),
    }
)
_CHINESE_FILLERS: Final = re.compile(
    "那个|这个|一个|那种|图标|圖標|圖示|按钮|按鈕|按键|标志|標誌|符号|符號|图案|图形|形状|样子|样式|功能|选项|控件"
    "|[红绿蓝黄黑白灰橙紫粉棕]色|彩色|小小|的|了|吧|呢|个|個"
)
_AMERICAN_OF_BRITISH: Final = {
    **{"colour": "color", "favourite": "favorite", "centre": "center", "grey": "gray", "behaviour": "behavior"},
    **{"organise": "organize", "organiser": "organizer", "equaliser": "equalizer", "customise": "customize"},
    **{"personalise": "personalize", "synchronise": "synchronize", "synchronize": "sync", "minimise": "minimize"},
    **{"maximise": "maximize", "catalogue": "catalog", "dialogue": "dialog", "theatre": "theater"},
    **{"aeroplane": "airplane", "programme": "program", "cheque": "check", "jewellery": "jewelry", "fibre": "fiber"},
    **{"metre": "meter", "litre": "liter", "neighbour": "neighbor", "optimise": "optimize", "analyse": "analyze"},
    **{"tyre": "tire", "pyjama": "pajama", "moustache": "mustache", "doughnut": "donut", "yoghurt": "yogurt"},
    **{"symbolise": "symbolize", "visualise": "visualize", "recognise": "recognize", "licence": "license"},
}
_AMERICAN: Final = _AMERICAN_OF_BRITISH | {f"{word}s": f"{other}s" for word, other in _AMERICAN_OF_BRITISH.items()}
# Words that end in s without being plurals, and plurals with a meaning of their own.
_NO_PLURAL: Final = frozenset(
    {
        *("news", "gps", "sms", "mms", "ios", "css", "cms", "dns", "vps", "aws", "rss", "dos", "pos", "https"),
        *(
            "gas",
            "bus",
            "lens",
            "canvas",
            "atlas",
            "tennis",
            "christmas",
            "series",
            "previous",
            "always",
            "yes",
            "less",
        ),
        *("glasses", "sunglasses", "windows", "maps", "apps", "binoculars", "chips", "teams", "its", "this"),
    }
)
_IES_IS_IE: Final = frozenset(
    {"movies", "cookies", "selfies", "zombies", "pies", "ties", "calories", "genies", "series"}
)


def key_of(units: Sequence[str]) -> str:
    """Return the key of units in the given order: "wi fi" is "wifi"."""
    return "".join(units)


def loose_key_of(units: Sequence[str]) -> str:
    """
    Return the key of units in any order and number: "arrows left" is "left arrow". The order of Chinese characters counts.
    """
    single = [unit if len(unit) < 4 else _singular(unit) for unit in units]
    if len(single) > 1 and not any(map(is_chinese, single)):
        single.sort()
    return " ".join(single)


def units_of(phrase: str) -> tuple[str, ...]:
    """
    Return the words of a phrase, lower case and American, and its Chinese characters, simplified, one by one.

    A phrase of symbols only ("#", "×", an emoji) has those as units; next to words symbols are ignored. Uses the first
    `LONGEST_PHRASE` characters.
    """
    if _IS_PLAIN(phrase):
        return _american(phrase.split())
    plain = unicodedata.normalize("NFKC", phrase[:LONGEST_PHRASE]).casefold().translate(_simplified())
    plain = _APOSTROPHE.sub("", plain)
    return _american(_UNIT.findall(plain)) or tuple(_SIGN.findall(plain))


def phrase_variants(phrase: str) -> tuple[tuple[str, ...], ...]:
    """
    Return `units_of` the phrase: as it is, without a final "icon" or "button", without a leading article, without both.
    """
    plain = phrase[:LONGEST_PHRASE].casefold()
    behind = _BEFORE.sub("", plain, count=1) if _BEFORE.match(plain) else plain
    return tuple(map(units_of, dict.fromkeys((plain, _AFTER.sub("", plain), behind, _AFTER.sub("", behind)))))


def without_fillers(phrase: str) -> tuple[str, ...]:
    """Return `units_of` without words for "icon" or its style; all of them if nothing is left."""
    units = units_of(phrase)
    return bare_units(phrase, units) or units


def bare_units(phrase: str, units: tuple[str, ...]) -> tuple[str, ...]:
    """Return the `units` of a phrase without fillers; () if nothing else is left."""
    if not phrase.isascii():
        bare, removed = _CHINESE_FILLERS.subn(" ", phrase[:LONGEST_PHRASE])
        units = units_of(bare) if removed else units
    return units if _FILLERS.isdisjoint(units) else tuple(unit for unit in units if unit not in _FILLERS)


def is_chinese(unit: str) -> bool:
    """Return True if a unit is one Chinese character."""
    return "㐀" <= unit[:1] <= "鿿"


def _american(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words) if _AMERICAN.keys().isdisjoint(words) else tuple(_AMERICAN.get(word, word) for word in words)


@lru_cache(maxsize=8192)
def _singular(word: str) -> str:
    if len(word) < 4 or word in _NO_PLURAL or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and word not in _IES_IS_IE:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zzes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    return read_traditional()

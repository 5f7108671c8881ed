"""Names of signs: an arrow, a bell, a cross."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from handeye.locate.text_forms import REMEMBERED

_JOINING: Final = frozenset("\ufe0e\ufe0f\u200d")
_MOST_SIGNS: Final = 3
_PLAIN_NAMES: Final = {
    "leftwards arrow": "back arrow",
    "black right-pointing triangle": "play",
    "black left-pointing triangle": "previous",
    "multiplication x": "close",
    "multiplication sign": "close",
    "trigram for heaven": "menu",
    "black telephone": "phone",
    "house building": "home",
    "open file folder": "folder",
    "wastebasket": "trash, delete",
    "bust in silhouette": "person, profile",
    "shopping trolley": "shopping cart",
    "left-pointing magnifying glass": "search",
    "right-pointing magnifying glass": "search",
}
"""What people call signs whose names in Unicode say how they are drawn."""


@lru_cache(maxsize=REMEMBERED)
def spoken(text: str) -> str:
    """Return a text; for one that consists of one to three signs, the names that Unicode gives them."""
    signs = [each for each in text if not unicodedata.combining(each) and each not in _JOINING]
    if not signs or len(signs) > _MOST_SIGNS or not all(unicodedata.category(each) in ("So", "Sm") for each in signs):
        return text
    names = [unicodedata.name(each, "").lower() for each in signs]
    return " ".join(_PLAIN_NAMES.get(name, name) for name in names).strip() or text

"""Seed 003's memory of coordinates, by the role and the text of what stands there."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from handeye.locate.patch import Patch

BBox = tuple[int, int, int, int]


@dataclass
class CoordsCacheEntry:
    """The place of an element, how it was found, how often it was found or used, and the picture around it if there was one."""

    element_key: str
    bbox: BBox
    center: tuple[int, int]
    method: str
    validation_count: int = 0
    patch: Patch | None = field(default=None, repr=False, compare=False)


class CoordsCache:
    """Coordinates in memory, by `make_element_key`. One for one page: `ground_element` checks what it takes from here."""

    def __init__(self) -> None:
        self._entries: dict[str, CoordsCacheEntry] = {}

    def get(self, element_key: str) -> CoordsCacheEntry | None:
        return self._entries.get(element_key)

    def put(self, element_key: str, bbox: BBox, center: tuple[int, int], method: str) -> None:
        """Remember a place; for a key that is known, the new place counts, and one more validation."""
        known = self._entries.get(element_key)
        count = known.validation_count + 1 if known is not None else 1
        self._entries[element_key] = CoordsCacheEntry(element_key, bbox, center, method, count)

    def invalidate(self, element_key: str) -> None:
        self._entries.pop(element_key, None)

    def clear(self) -> None:
        self._entries.clear()

    def keys(self) -> list[str]:
        return list(self._entries)


def normalize_text(text: str) -> str:
    """Text as keys hold it: NFKC, case folded, single blanks.

    >>> normalize_text("  Save\\u3000 ENCOUNTER ")
    'save encounter'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def make_element_key(role: str, text: str) -> str:
    """The key of an element in a `CoordsCache`.

    >>> make_element_key("bouton", "Connexion")
    'bouton:connexion'
    """
    return f"{role}:{normalize_text(text)}"

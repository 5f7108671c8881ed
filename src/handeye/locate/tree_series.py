"""What a person counts: "the second image" means the second of the pictures in a list, not of everything that is drawn.

Elements of one series are copies of one another: an app builds the rows of a list from one layout, with the same class and id.
What a platform itself calls a row, a tab, an entry of a menu is one of those beside it in what holds them, whatever its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.locate.tree import seen_box
from handeye.locate.tree_roles import UNMISTAKABLE

# What is one of several by its very role; their sizes follow from what they hold.
_ROWS: Final = frozenset({"list item", "table row", "cell", "header item", "tab", "menu item", "menu"})
_CLEARLY: Final = 2.0  # times the room of the next series
_TEXTS: Final = frozenset({"text", "heading"})  # as long as their words: two of one size are no copies of each other


def countable(role: str, elements: Sequence[UIElement], *, from_first: bool = False) -> list[UIElement] | None:
    """
    Those of `elements` that a person counts: the series that clearly takes the most room; None where there is none.
    `from_first`: all of the screen is counted from its beginning, so that a larger one above the series would be the first.
    """
    groups = _series(elements)
    if role in UNMISTAKABLE or len(groups) == 1:
        return list(elements)
    repeated = sorted((each for each in groups if len(each) > 1), key=_room, reverse=True)
    if not repeated or (len(repeated) > 1 and _room(repeated[0]) < _CLEARLY * _room(repeated[1])):
        return None
    series = repeated[0]
    return None if from_first and _follows_larger(series, elements) else series


def _follows_larger(series: Sequence[UIElement], elements: Sequence[UIElement]) -> bool:
    """Return True if something above the series is larger than each of its members."""
    top, largest = min(seen_box(each).top for each in series), max(seen_box(each).area for each in series)
    return any(seen_box(each).bottom <= top and seen_box(each).area > largest for each in elements)


def _series(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    """The elements by class and holder where they are rows, else by class and id, else by class and size."""
    groups: dict[tuple[object, ...], list[UIElement]] = {}
    for element in elements:
        kind, name = element.metadata.get("class"), element.metadata.get("id")
        if element.element_type in _ROWS and element.parent is not None:
            key: tuple[object, ...] = (kind, "in", element.parent)
        elif name:
            key = (kind, name)
        elif element.element_type in _TEXTS:
            key = (kind, "alone", id(element))
        else:
            key = (kind, element.bbox.width, element.bbox.height)
        groups.setdefault(key, []).append(element)
    return list(groups.values())


def _room(elements: Sequence[UIElement]) -> int:
    return sum(seen_box(element).area for element in elements)

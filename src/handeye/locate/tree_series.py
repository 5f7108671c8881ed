"""What a person counts: "the second image" means the second of the pictures in a list, not of everything that is drawn.

Elements of one series are copies of one another: an app builds the rows of a list from one layout, with the same class and id.
What a platform itself calls a row, a tab, an entry of a menu is one of those beside it in what holds them, whatever its size.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.locate.tree import Tree, seen_box
from handeye.locate.tree_roles import UNMISTAKABLE

# What is one of several by its very role; their sizes follow from what they hold.
_ROWS: Final = frozenset({"list item", "table row", "cell", "header item", "tab", "menu item", "menu"})
# As long as their words: two of one size are no copies of each other.
_TEXTS: Final = frozenset({"text", "heading"})
# What is up to so many times smaller or larger is of about the same size.
_ALIKE: Final = 2.0
# Scaled desktops round the sizes of equal rows to whole pixels, one by one.
_ROUNDED: Final = (0, -1, 1)
# One series is what catches the eye when it takes so many times the room of the next.
_CLEARLY_LARGER: Final = 2.0


def countable(
    tree: Tree, role: str, elements: Sequence[UIElement], *, from_first: bool = False
) -> list[UIElement] | None:
    """
    Those of `elements` that a person counts; None when it cannot be told which.

    `from_first`: all of the screen is counted from its beginning, so that a larger one above the series would be the first.
    """
    series = _series(elements)
    if role in UNMISTAKABLE or len(series) == 1:
        return list(elements)
    repeated = [each for each in series if len(each) > 1]
    room = sorted(((_room(tree, each), at) for at, each in enumerate(repeated)), reverse=True)
    if not room or (len(room) > 1 and room[0][0] < _CLEARLY_LARGER * room[1][0]):
        return None
    chosen = repeated[room[0][1]]
    if from_first and _follows_larger(chosen, elements):
        return None
    return _with_those_in_line(tree, chosen, elements)


def _follows_larger(series: Sequence[UIElement], elements: Sequence[UIElement]) -> bool:
    """Whether something above the series is larger than each of its members."""
    top, largest = min(seen_box(each).top for each in series), max(seen_box(each).area for each in series)
    return any(seen_box(each).bottom <= top and seen_box(each).area > largest for each in elements)


def _with_those_in_line(tree: Tree, series: Sequence[UIElement], elements: Sequence[UIElement]) -> list[UIElement]:
    """
    The series, and where only its size makes it one, what is of about that size and in a row or a column with one of it:
    whoever looks counts that too.
    """
    if not _is_known_by_its_size(series[0]):
        return list(series)
    size, members = tree.state.screen.size, set(map(id, series))
    rows, columns = np.zeros(size.height, bool), np.zeros(size.width, bool)
    for each in series:
        left, top, right, bottom = seen_box(each).clip(size)
        rows[top:bottom] = columns[left:right] = True
    areas = [seen_box(each).area for each in series]

    def is_counted(element: UIElement) -> bool:
        if id(element) in members:
            return True
        left, top, right, bottom = seen_box(element).clip(size)
        in_line = rows[top:bottom].any() or columns[left:right].any()
        alike = min(areas) / _ALIKE <= seen_box(element).area <= max(areas) * _ALIKE
        return bool(in_line and alike and _is_known_by_its_size(element))

    return [each for each in elements if is_counted(each)]


def _is_known_by_its_size(element: UIElement) -> bool:
    return not (element.metadata.get("id") or element.element_type in _ROWS | _TEXTS)


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
            key = _by_size(kind, element, groups)
        groups.setdefault(key, []).append(element)
    return list(groups.values())


def _by_size(kind: object, element: UIElement, groups: Mapping[tuple[object, ...], object]) -> tuple[object, ...]:
    """The group of its size among `groups`, which may be a pixel off; a new one where there is none."""
    width, height = element.bbox.width, element.bbox.height
    near = ((kind, width + dx, height + dy) for dx, dy in itertools.product(_ROUNDED, _ROUNDED))
    return next((key for key in near if key in groups), (kind, width, height))


def _room(tree: Tree, elements: Sequence[UIElement]) -> int:
    return sum(seen_box(element).area for element in elements)

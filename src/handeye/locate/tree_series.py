"""What a person counts: "the second image" means the second of the pictures in a list, not of everything that is drawn.

Elements of one series are copies of one another: an app builds the rows of a list from one layout, with the same class and id.
What a platform itself calls a row, a tab, an entry of a menu is one of those beside it in what holds them, whatever its size.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.tree import Tree, seen_box
from handeye.locate.tree_roles import UNMISTAKABLE

Chosen = Callable[[Sequence[UIElement]], object]

# What is one of several by its very role; their sizes follow from what they hold.
_ROWS: Final = frozenset({"list item", "table row", "cell", "header item", "tab", "menu item", "menu"})
# As long as their words: two of one size are no copies of each other, but where their page makes them as wide as itself.
_TEXTS: Final = frozenset({"text", "heading"})
_PAGE_WIDE: Final = 0.75
# What is up to so many times smaller or larger is of about the same size.
_ALIKE: Final = 2.0
# Scaled desktops round the sizes of equal rows to whole pixels, one by one.
_ROUNDED: Final = (0, -1, 1)
# One series is what catches the eye when it takes so many times the room of the next.
_CLEARLY_LARGER: Final = 2.0


def countable(
    tree: Tree, role: str, elements: Sequence[UIElement], chosen: Chosen, *, from_first: bool = False
) -> list[UIElement] | None:
    """
    Those of `elements` that a person counts; None when it cannot be told which.

    `chosen` says which of those that are counted would be meant: where that depends on what may be counted or not, nothing is.
    `from_first`: all of the screen is counted from its beginning, so that a larger one above the series would be the first.
    """
    groups = _series(tree, elements)
    if role in UNMISTAKABLE or len(groups) == 1:
        return list(elements)
    repeated = [each for each in groups if len(each) > 1]
    room = sorted(((_room(tree, each), at) for at, each in enumerate(repeated)), reverse=True)
    if not room or (len(room) > 1 and room[0][0] < _CLEARLY_LARGER * room[1][0]):
        return None
    series = repeated[room[0][1]]
    if from_first and _follows_larger(series, elements):
        return None
    inner, doubtful = _in_line(tree, series, elements)
    if doubtful and chosen(inner) != chosen(_of(elements, [*inner, *doubtful])):
        return None
    return inner


def _follows_larger(series: Sequence[UIElement], elements: Sequence[UIElement]) -> bool:
    """Whether something above the series is larger than each of its members."""
    top, largest = min(seen_box(each).top for each in series), max(seen_box(each).area for each in series)
    return any(seen_box(each).bottom <= top and seen_box(each).area > largest for each in elements)


def _of(elements: Sequence[UIElement], some: Sequence[UIElement]) -> list[UIElement]:
    """`some` of the elements in the order of all."""
    kept = set(map(id, some))
    return [each for each in elements if id(each) in kept]


def _in_line(
    tree: Tree, series: Sequence[UIElement], elements: Sequence[UIElement]
) -> tuple[list[UIElement], list[UIElement]]:
    """
    The series with what whoever looks counts too, and what some would count and others not.

    Where only its size makes a series, what stands in a row or a column of it and is of about that size is of it within its
    span, and so is what is as high or as wide, in a row and a column: the 0 of a keypad, two keys wide. Outside of the span it
    has the edges of a row or a column, or may belong to something else. To lines of text every other text may belong.
    """
    members = set(map(id, series))
    others = [each for each in elements if id(each) not in members]
    if _is_text(series[0]):
        return list(series), [each for each in others if _is_text(each)]
    if not _is_known_by_its_size(series[0]):
        return list(series), []
    lines = _Lines(tree, series)
    near = [each for each in others if _is_known_by_its_size(each) and lines.have(each)]
    inner = [each for each in near if lines.take(each)]
    return _of(elements, [*series, *inner]), [each for each in near if not lines.take(each)]


class _Lines:
    """The rows and columns of a series."""

    def __init__(self, tree: Tree, series: Sequence[UIElement]) -> None:
        self._size = tree.state.screen.size
        self._rows, self._columns = np.zeros(self._size.height, bool), np.zeros(self._size.width, bool)
        boxes = [seen_box(each).clip(self._size) for each in series]
        for left, top, right, bottom in boxes:
            self._rows[top:bottom] = self._columns[left:right] = True
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        self._span = Box(min(lefts), min(tops), max(rights), max(bottoms))
        self._row_edges = {
            (box.top + one, box.bottom + other) for box in boxes for one, other in itertools.product(_ROUNDED, _ROUNDED)
        }
        self._column_edges = {
            (box.left + one, box.right + other) for box in boxes for one, other in itertools.product(_ROUNDED, _ROUNDED)
        }
        areas = [box.area for box in boxes]
        self._least, self._most = min(areas) / _ALIKE, max(areas) * _ALIKE
        self._heights, self._widths = {box.height for box in boxes}, {box.width for box in boxes}

    def have(self, element: UIElement) -> bool:
        """Whether something stands in one of them and is about as large, or in two and as high or as wide."""
        box = seen_box(element).clip(self._size)
        in_row, in_column = self._rows[box.top : box.bottom].any(), self._columns[box.left : box.right].any()
        alike = self._least <= box.area <= self._most
        as_long = box.height in self._heights or box.width in self._widths
        return bool((in_row or in_column) and alike) or bool(in_row and in_column and as_long)

    def take(self, element: UIElement) -> bool:
        """Whether it lies within the rectangle around the series, or has both edges of one of its rows or columns."""
        box = seen_box(element).clip(self._size)
        return (
            self._span.contains(element.center)
            or (box.top, box.bottom) in self._row_edges
            or (box.left, box.right) in self._column_edges
        )


def _is_text(element: UIElement) -> bool:
    return element.element_type in _TEXTS and not element.metadata.get("id")


def _is_known_by_its_size(element: UIElement) -> bool:
    return not (element.metadata.get("id") or element.element_type in _ROWS | _TEXTS)


def _series(tree: Tree, elements: Sequence[UIElement]) -> list[list[UIElement]]:
    """The elements by class and holder where they are rows, else by class and id, else by class and size or edges."""
    groups: dict[tuple[object, ...], list[UIElement]] = {}
    for element in elements:
        kind, name = element.metadata.get("class"), element.metadata.get("id")
        if element.element_type in _ROWS and element.parent is not None:
            key: tuple[object, ...] = (kind, "in", element.parent)
        elif name:
            key = (kind, name)
        elif element.element_type in _TEXTS:
            key = _as_wide_as_its_page(tree, element) or (kind, "alone", id(element))
        else:
            key = _by_size(kind, element, groups)
        groups.setdefault(key, []).append(element)
    return list(groups.values())


def _as_wide_as_its_page(tree: Tree, element: UIElement) -> tuple[object, ...] | None:
    """The group of a text that its page makes as wide as itself: those of one kind, holder, left edge and width."""
    holder = next(tree.ancestors(element), None)
    if holder is None or element.bbox.width < _PAGE_WIDE * holder.bbox.width:
        return None
    return element.metadata.get("class"), "lines", holder.id, element.bbox.left, element.bbox.width


def _by_size(kind: object, element: UIElement, groups: Mapping[tuple[object, ...], object]) -> tuple[object, ...]:
    """The group of its size among `groups`, which may be a pixel off; a new one where there is none."""
    width, height = element.bbox.width, element.bbox.height
    near = ((kind, width + dx, height + dy) for dx, dy in itertools.product(_ROUNDED, _ROUNDED))
    return next((key for key in near if key in groups), (kind, width, height))


def _room(tree: Tree, elements: Sequence[UIElement]) -> int:
    return sum(seen_box(element).area for element in elements)

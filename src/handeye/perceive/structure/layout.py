"""Index of a window's visible elements for the rules: parents and children, tables, neighbours."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.element_format import element_name

TABLES: Final = frozenset({"table", "tree", "list"})
"""Roles that hold headers and rows."""

# No real tree has a longer chain of parents; a longer one is a cycle.
_DEEPEST: Final = 256


def visible_box(element: UIElement) -> Box:
    """Return the visible part of an element, in desktop pixels."""
    return element.visible_region or element.bbox


class Layout:
    """
    The visible elements. Parents are those that the provider gave; for an element without a parent, the smallest enclosing
    table counts as its table.
    """

    def __init__(self, elements: Iterable[UIElement]) -> None:
        self.elements: Sequence[UIElement] = [
            each for each in elements if each.id is not None and visible_box(each).area
        ]
        self.by_id = {each.id: each for each in self.elements if each.id is not None}
        self.children: dict[int | None, list[UIElement]] = defaultdict(list)
        for each in self.elements:
            self.children[each.parent].append(each)

    def of(self, *roles: str) -> Iterator[UIElement]:
        wanted = frozenset(roles)
        return (each for each in self.elements if each.element_type in wanted)

    def above(self, element: UIElement) -> Iterator[UIElement]:
        """Yield the parent, then its parent, up to the root."""
        for _ in range(_DEEPEST):
            parent = self.by_id.get(element.parent) if element.parent is not None else None
            if parent is None:
                return
            yield parent
            element = parent

    def table_of(self, element: UIElement) -> UIElement | None:
        """Return the table, tree or list that holds an element, or None."""
        for parent in self.above(element):
            if parent.element_type in TABLES:
                return parent
        if element.parent is not None:
            return None
        return next((table for table in self._tables if _encloses(visible_box(table), visible_box(element))), None)

    def holder_of(self, element: UIElement) -> UIElement | None:
        """Return the element's table, else its parent, or None."""
        return self.table_of(element) or next(self.above(element), None)

    def is_on_a_web_page(self, element: UIElement) -> bool:
        return any(
            each.element_type == "web view" or each.metadata.get("class") == "document web"
            for each in (element, *self.above(element))
        )

    def called(self, element: UIElement) -> str:
        """Return the element's name, else the first name inside it in reading order, or "" if nothing is named."""
        if name := element_name(element):
            return name
        inside = self.children[element.id][:_MOST_LOOKED_AT]
        named: list[tuple[int, int, str]] = []
        for each in inside:  # breadth first: grows during the loop
            if name := element_name(each):
                named.append((visible_box(each).top, visible_box(each).left, name))
            elif len(inside) < _MOST_LOOKED_AT:
                inside += self.children[each.id]
        return min(named, default=(0, 0, ""))[2]

    @cached_property
    def _tables(self) -> list[UIElement]:
        """The tables without a parent, the smallest first."""
        return sorted(
            (each for each in self.of(*TABLES) if each.parent is None), key=lambda each: visible_box(each).area
        )


_MOST_LOOKED_AT: Final = 200
"""Most elements searched for a name: it is near the top of a pane, or missing."""


def horizontal_neighbours(
    elements: Sequence[UIElement], *, least: int, most: int
) -> Iterator[tuple[UIElement, UIElement]]:
    """
    Yield pairs of which the second lies right of the first, `least` to `most` pixels apart, with most of their height in
    common. Takes n log n, unless all elements begin at the same place.
    """
    return _pairs(elements, lambda box: (box.left, box.right, box.top, box.bottom), least, most)


def vertical_neighbours(
    elements: Sequence[UIElement], *, least: int, most: int
) -> Iterator[tuple[UIElement, UIElement]]:
    """Yield pairs as `horizontal_neighbours` does, but from top to bottom."""
    return _pairs(elements, lambda box: (box.top, box.bottom, box.left, box.right), least, most)


SAME_EXTENT: Final = 0.8
"""Least share of the shorter side that two neighbours have in common: panes of a split differ by a border or a tab bar."""


def _pairs(
    elements: Sequence[UIElement], axes: Callable[[Box], tuple[int, int, int, int]], least: int, most: int
) -> Iterator[tuple[UIElement, UIElement]]:
    rows = sorted(((axes(visible_box(each)), each) for each in elements), key=lambda row: row[0])
    starts = [row[0][0] for row in rows]
    for (_, end, low, high), first in rows:
        for index in range(bisect_left(starts, end + least), bisect_right(starts, end + most)):
            (_, _, other_low, other_high), second = rows[index]
            common = min(high, other_high) - max(low, other_low)
            if second is not first and common >= SAME_EXTENT * min(high - low, other_high - other_low) > 0:
                yield first, second


def _encloses(outer: Box, inner: Box) -> bool:
    return outer.intersect(inner) == inner

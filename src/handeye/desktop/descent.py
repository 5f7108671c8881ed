"""The tree of a window's elements, by their places in the list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from handeye.elements import UIElement


class Descent:
    """
    `parent` has for each element the index of what holds it, None where nothing does. `order` is the walk from the top,
    children in the list's order, and `of(i)` the part of it that an element and all that it holds take.
    """

    def __init__(self, elements: Sequence[UIElement]) -> None:
        at = {each.id: index for index, each in enumerate(elements) if each.id is not None}
        self.parent = [at.get(each.parent) if each.parent is not None else None for each in elements]
        children: dict[int | None, list[int]] = defaultdict(list)
        for index, parent in enumerate(self.parent):
            children[parent].append(index)
        self.order: list[int] = []
        self._first = [-1] * len(elements)
        for root in (*children[None], *range(len(elements))):
            left = [root]
            if self._first[root] < 0:
                self.parent[root] = None  # also where parents go in a circle
            while left:
                index = left.pop()
                if self._first[index] < 0:
                    self._first[index] = len(self.order)
                    self.order.append(index)
                    left += reversed(children[index])
        self._size = [1] * len(elements)
        for index in reversed(self.order):
            above = self.parent[index]
            if above is not None:
                self._size[above] += self._size[index]

    def of(self, index: int) -> range:
        """Places in `order`: of the element itself first."""
        return range(self._first[index], self._first[index] + self._size[index])

    def above(self, index: int) -> Iterator[int]:
        """The elements around an element, the innermost first."""
        parent = self.parent[index]
        while parent is not None:
            yield parent
            parent = self.parent[parent]

    def holds(self, index: int, other: int) -> bool:
        """Return True if `other` is the element or in it."""
        return self._first[other] in self.of(index)

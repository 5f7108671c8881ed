"""Who holds whom among a window's elements, by their places in the list."""

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
        self._children: dict[int | None, list[int]] = defaultdict(list)
        for index, parent in enumerate(self.parent):
            self._children[parent].append(index)
        self.order: list[int] = []
        self._first = [-1] * len(elements)
        self._end = [0] * len(elements)
        for root in self._children[None]:
            self._walk(root)
        for index in range(len(elements)):  # parents that go in a circle
            if self._first[index] < 0:
                self.parent[index] = None
                self._walk(index)

    def of(self, index: int) -> range:
        """Places in `order`: of the element itself first."""
        return range(self._first[index], self._end[index])

    def above(self, index: int) -> Iterator[int]:
        """What holds an element, the innermost first."""
        parent = self.parent[index]
        while parent is not None:
            yield parent
            parent = self.parent[parent]

    def holds(self, index: int, other: int) -> bool:
        """Whether `other` is an element or in it."""
        return self._first[other] in self.of(index)

    def _walk(self, root: int) -> None:
        left = [(root, False)]
        while left:
            index, done = left.pop()
            if done:
                self._end[index] = len(self.order)
                continue
            if self._first[index] >= 0:
                continue
            self._first[index] = len(self.order)
            self.order.append(index)
            left.append((index, True))
            left += ((child, False) for child in reversed(self._children[index]))

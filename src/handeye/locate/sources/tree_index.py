"""Relations of the elements of a tree: parents, places on the screen, who lies above whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from handeye.elements import UIElement, UIState
from handeye.geometry import Box, Point

# What a click on it does is done by one control; a larger clickable thing is a page. An empty view that takes clicks over a
# whole card is how apps make cards clickable: a click lands where it should. Over a larger part of the screen it is a scrim.
_CONTROL: Final = 0.25
# What is in one is drawn over everything else.
_OPENED: Final = "menu"


class Tree:
    """
    A state's elements with their relations, computed once.

    A flat list, in which nobody has a parent, says nothing about who is drawn above whom: there, nothing counts as covered.
    """

    def __init__(self, state: UIState) -> None:
        self.state = state
        self.elements = state.elements
        self._by_id = {element.id: element for element in self.elements if element.id is not None}
        self._children: dict[int | None, list[UIElement]] = {}
        for element in self.elements:
            known = element.parent if element.parent in self._by_id else None
            self._children.setdefault(known, []).append(element)
        self.layered = any(element.parent is not None for element in self.elements)
        self._screen_area = state.screen.size.width * state.screen.size.height
        self._order = {id(element): place for place, element in enumerate(self.elements)}
        frame = state.screen.box
        self.shown = tuple(
            each for each in self.elements if each.bbox.intersect(frame) and not each.metadata.get("offscreen")
        )
        # What takes clicks or shows something; a bare container is only a frame around its children.
        self._solid = tuple(each for each in self.shown if each.interactive or each.text or each.description)

    def children(self, element: UIElement | None) -> list[UIElement]:
        """The elements right below `element`; the roots for None."""
        return self._children.get(element.id if element is not None else None, [])

    def ancestors(self, element: UIElement) -> Iterator[UIElement]:
        """Its parent first. A cycle, which only a broken provider makes, ends it."""
        seen = {element.id}
        while element.parent is not None and element.parent not in seen:
            above = self._by_id.get(element.parent)
            if above is None:
                return
            yield above
            seen.add(above.id)
            element = above

    def holds(self, outer: UIElement, inner: UIElement) -> bool:
        """Return True if `inner` is below `outer`; False for what is none of its elements, however sure anybody is of it."""
        one, other = self._known(outer), self._known(inner)
        return one is not None and other is not None and any(above is one for above in self.ancestors(other))

    def is_over(self, inner: UIElement, outer: UIElement) -> bool:
        """Return True if `inner` is in a menu that `outer` is not in."""
        one, other = self._known(inner), self._known(outer)
        if one is None or other is None:
            return False
        around = {id(each) for each in (other, *self.ancestors(other))}
        return any(above.element_type == _OPENED and id(above) not in around for above in self.ancestors(one))

    def _known(self, element: UIElement) -> UIElement | None:
        """The element of this tree that `element` is, whatever was added to it since."""
        own = self._by_id.get(element.id) if element.id is not None else None
        return own if own is not None and _marks(own) == _marks(element) else None

    def descendants(self, element: UIElement) -> Iterator[UIElement]:
        """Everything below it, in the order in which it is drawn."""
        waiting, seen = list(reversed(self.children(element))), {element.id}
        while waiting:
            below = waiting.pop()
            if below.id in seen:
                continue
            seen.add(below.id)
            yield below
            waiting.extend(reversed(self.children(below)))

    def control_of(self, element: UIElement) -> UIElement | None:
        """The innermost thing that takes the clicks on `element`: itself, or an ancestor no larger than a control."""
        for each in (element, *self.ancestors(element)):
            if each.interactive:
                return each if self.share(each) <= _CONTROL or each is element else None
        return None

    def node_at(self, at: Point) -> UIElement | None:
        """The innermost node at a point of the frame that shows something or takes clicks."""
        nodes = [node for node in self._solid if seen_box(node).contains(at)]
        return min(nodes, key=lambda node: seen_box(node).area, default=None)

    def share(self, element: UIElement) -> float:
        """The part of the screen that it takes, 0-1."""
        return seen_box(element).area / self._screen_area

    def cover_of(self, element: UIElement, at: Point | None = None) -> UIElement | None:
        """The element above `at`, by default its click point, and is no part of it; None when a click reaches it."""
        if not self.layered:
            return None
        at, place = at or element.center, self._order.get(id(element), len(self.elements))
        for other in reversed(self._solid):
            if self._order[id(other)] <= place:
                return None
            if seen_box(other).contains(at) and self._hides(other, element):
                return other
        return None

    def _hides(self, other: UIElement, element: UIElement) -> bool:
        if any(each is element for each in self.ancestors(other)) or self.is_one_control(other, element):
            return False
        inside = seen_box(other).intersect(seen_box(element)) == seen_box(element)
        empty = not (other.text or other.description)
        return not (empty and other.interactive and self.share(other) < _CONTROL and inside)

    def is_one_control(self, one: UIElement, other: UIElement) -> bool:
        """Return True if one control takes the clicks on both."""
        control = self.control_of(other)
        return control is not None and control is self.control_of(one)


def seen_box(element: UIElement) -> Box:
    """The part of it that is on the screen."""
    return element.visible_region or element.bbox


def _marks(element: UIElement) -> tuple[object, ...]:
    return element.element_type, element.text, element.bbox, element.source

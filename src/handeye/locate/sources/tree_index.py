"""Index of a tree: parents and children, positions on the screen, and z-order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from handeye.elements import UIElement, UIState
from handeye.geometry import Box, Point

# Largest share of the screen of a control; a larger clickable element is a page. Apps make cards clickable by an empty
# clickable view over the whole card, which does not block clicks. Over a larger part of the screen such a view is a scrim.
_CONTROL: Final = 0.25
# Role of an open menu, whose content is drawn over everything else.
_OPEN_MENU: Final = "menu"


class Tree:
    """
    A state's elements with their relations, computed once.

    A flat list without parents has no z-order: nothing counts as covered there.
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
        # Elements that are clickable or show something, not bare containers.
        self._solid = tuple(each for each in self.shown if each.interactive or each.text or each.description)

    def children(self, element: UIElement | None) -> list[UIElement]:
        """Return the children of `element`; the roots for None."""
        return self._children.get(element.id if element is not None else None, [])

    def ancestors(self, element: UIElement) -> Iterator[UIElement]:
        """Yield the ancestors, the parent first. Stops at a cycle, which only an incorrect provider returns."""
        seen = {element.id}
        while element.parent is not None and element.parent not in seen:
            above = self._by_id.get(element.parent)
            if above is None:
                return
            yield above
            seen.add(above.id)
            element = above

    def holds(self, outer: UIElement, inner: UIElement) -> bool:
        """Return True if `inner` is a descendant of `outer`; False if one of them is not in this tree."""
        one, other = self._own_element(outer), self._own_element(inner)
        return one is not None and other is not None and any(above is one for above in self.ancestors(other))

    def is_over(self, inner: UIElement, outer: UIElement) -> bool:
        """Return True if `inner` is in a menu that does not contain `outer`."""
        one, other = self._own_element(inner), self._own_element(outer)
        if one is None or other is None:
            return False
        ancestors = {id(each) for each in (other, *self.ancestors(other))}
        return any(above.element_type == _OPEN_MENU and id(above) not in ancestors for above in self.ancestors(one))

    def _own_element(self, element: UIElement) -> UIElement | None:
        """Return this tree's element for `element`, which may have been changed since, or None."""
        own = self._by_id.get(element.id) if element.id is not None else None
        return own if own is not None and _identity(own) == _identity(element) else None

    def descendants(self, element: UIElement) -> Iterator[UIElement]:
        """Yield all descendants in drawing order."""
        waiting, seen = list(reversed(self.children(element))), {element.id}
        while waiting:
            below = waiting.pop()
            if below.id in seen:
                continue
            seen.add(below.id)
            yield below
            waiting.extend(reversed(self.children(below)))

    def control_of(self, element: UIElement) -> UIElement | None:
        """
        Return the innermost element that takes the clicks on `element`: itself, or an ancestor no larger than a control.
        """
        for each in (element, *self.ancestors(element)):
            if each.interactive:
                return each if self.share(each) <= _CONTROL or each is element else None
        return None

    def node_at(self, at: Point) -> UIElement | None:
        """Return the innermost node at a point of the frame that shows something or is clickable."""
        nodes = [node for node in self._solid if seen_box(node).contains(at)]
        return min(nodes, key=lambda node: seen_box(node).area, default=None)

    def share(self, element: UIElement) -> float:
        """Return the share of the screen that it takes, 0-1."""
        return seen_box(element).area / self._screen_area

    def cover_of(self, element: UIElement, at: Point | None = None) -> UIElement | None:
        """
        Return the element that covers `element` at a point (by default its click point), or None if a click reaches it.
        """
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
    """Return the part of the element's box that is on the screen."""
    return element.visible_region or element.bbox


def _identity(element: UIElement) -> tuple[object, ...]:
    return element.element_type, element.text, element.bbox, element.source

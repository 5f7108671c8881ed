"""By what an element is known again: what it is, what it is called, where it stands in the tree and in its window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from handeye.devices.desktop.base import Window
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.listing import name_of

# A chain of parents is no longer in any real tree; a longer one goes in a circle.
_DEEPEST: Final = 256
# What is called by what somebody wrote: a window's name changes with the first letter that is typed into it.
_RENAMED: Final = frozenset({"window"})


class Identity(NamedTuple):
    """
    `place` is counted from the window's top left corner, so that a window that moved holds the same elements. `path` are the
    roles of what holds the element, the innermost first. `rank` counts those that are equal in all of that.
    """

    role: str
    name: str
    place: Box
    path: tuple[str, ...]
    rank: int = 0

    def difference(self, other: Identity) -> str:
        """In which respect the other one differs, as the end of a sentence."""
        if self.role != other.role:
            return f"is a {other.role} now"
        if self.name != other.name:
            return f"is called {other.name!r} now"
        if self.place != other.place:
            return f"stands at {tuple(other.place)} in its window now"
        return "stands elsewhere in the tree now"


def identities(elements: Sequence[UIElement], window: Window) -> tuple[Identity, ...]:
    """One for each of `elements`, boxes in desktop pixels, in their order; no two are equal."""
    by_id = {each.id: each for each in elements if each.id is not None}
    seen: Counter[Identity] = Counter()
    found = []
    for each in elements:
        plain = Identity(each.element_type, _name(each), _place(each, window), tuple(_path(each, by_id)))
        found.append(plain._replace(rank=seen[plain]))
        seen[plain] += 1
    return tuple(found)


def _name(element: UIElement) -> str:
    return "" if element.element_type in _RENAMED else name_of(element)


def _place(element: UIElement, window: Window) -> Box:
    box = element.visible_region or element.bbox
    return box if element.metadata.get("offscreen") else box.translate(-window.box.left, -window.box.top)


def _path(element: UIElement, by_id: Mapping[int, UIElement]) -> Iterator[str]:
    for _ in range(_DEEPEST):
        above = by_id.get(element.parent) if element.parent is not None else None
        if above is None:
            return
        yield above.element_type
        element = above

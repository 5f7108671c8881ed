"""By what an element is known again: what it is, where it stands, and what it stands among."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from handeye.desktop.surroundings import Surroundings
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
    roles of what holds the element, the innermost first. `among` are the names that tell it from its likes: see Surroundings.
    `rank` counts those that are equal in role, name and path, and `likes` says how many there are of them.
    """

    role: str
    name: str
    place: Box
    path: tuple[str, ...]
    among: tuple[str, ...] = ()
    rank: int = 0
    likes: int = 1

    def difference(self, other: Identity) -> str:
        """In which respect the other one differs, as the end of a sentence."""
        if self.role != other.role:
            return f"is a {other.role} now"
        if self.name != other.name:
            return f"is called {other.name!r} now"
        if self.place != other.place:
            return f"stands at {tuple(other.place)} in its window now"
        if self.among != other.among:
            return f"stands among other things now: {_listed(other.among)}, not {_listed(self.among)}"
        if self.likes != other.likes:
            return f"was one of {self.likes} of its kind, and is one of {other.likes} now"
        return "stands elsewhere in the tree now"


def identities(elements: Sequence[UIElement], window: Window) -> tuple[Identity, ...]:
    """One for each of `elements`, boxes in desktop pixels, in their order; no two are equal."""
    by_id = {each.id: each for each in elements if each.id is not None}
    names = [_name(each) for each in elements]
    around = Surroundings(elements, names)
    seen: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    found = []
    for each, name in zip(elements, names, strict=True):
        kind = (each.element_type, name, tuple(_path(each, by_id)))
        found.append(
            Identity(each.element_type, name, _place(each, window), kind[2], around.of(each, name), seen[kind])
        )
        seen[kind] += 1
    return tuple(each._replace(likes=seen[each.role, each.name, each.path]) for each in found)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names)) or "nothing with a name"


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

"""By what an element is known again: what it is, where it stands, and what it stands among."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from handeye.desktop.look import MOST_ROW_PIXELS
from handeye.desktop.surroundings import Surroundings
from handeye.devices.desktop.base import Window
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.listing import name_of

# A chain of parents is no longer in any real tree; a longer one goes in a circle.
_DEEPEST: Final = 256
# What is called by what somebody wrote: a window's name changes with the first letter that is typed into it.
_RENAMED: Final = frozenset({"window"})
_ANYWHERE: Final = Box(0, 0, 0, 0)
_MOST_LISTED: Final = 6


class Identity(NamedTuple):
    """
    `place` is counted from the window's top left corner, so that a window that moved holds the same elements. `path` are the
    roles of what holds the element, the innermost first. `among` are the words that tell it from its likes: see Surroundings.
    `rank` counts those that nothing tells apart, and `likes` says how many there are of them.
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
            now, then = _listed(other.among, self.among), _listed(self.among, other.among)
            return f"stands among other things now: {now}, not {then}"
        if self.likes != other.likes:
            return f"was one of {self.likes} of its kind, and is one of {other.likes} now"
        return "stands elsewhere in the tree now"


class Known(NamedTuple):
    """
    The identities of a window's elements, in their order; no two are equal. `pictured` has by index, for those that nothing
    told sets apart from their likes, where it can be seen what does. `sayers` has by index who says what sets one apart.
    """

    identities: tuple[Identity, ...]
    pictured: Mapping[int, Box]
    sayers: Sequence[tuple[int, ...]] = ()


def known(elements: Sequence[UIElement], window: Window) -> Known:
    """Of `elements`, boxes in desktop pixels."""
    by_id = {each.id: each for each in elements if each.id is not None}
    names = [_name(each) for each in elements]
    paths = [tuple(_path(each, by_id)) for each in elements]
    around = Surroundings(elements, names, paths.__getitem__)
    found = [
        Identity(each.element_type, name, _place(each, window), path, among)
        for each, name, path, among in zip(elements, names, paths, around.among, strict=True)
    ]
    seen: Counter[Identity] = Counter()
    kinds = [each._replace(place=_ANYWHERE) for each in found]
    for index, kind in enumerate(kinds):
        found[index] = found[index]._replace(rank=seen[kind])
        seen[kind] += 1
    pictured = {
        index: row
        for index, kind in enumerate(kinds)
        if seen[kind] > 1 and (row := around.box(index)).area <= MOST_ROW_PIXELS
    }
    identities = tuple(each._replace(likes=seen[kind]) for each, kind in zip(found, kinds, strict=True))
    return Known(identities, pictured, around.sayers)


def _listed(names: tuple[str, ...], others: tuple[str, ...]) -> str:
    """The names that the others have not, else all."""
    told = [name for name in names if name not in others] or names
    more = f" and {len(told) - _MOST_LISTED} more" if len(told) > _MOST_LISTED else ""
    return (", ".join(map(repr, told[:_MOST_LISTED])) or "nothing with a name") + more


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

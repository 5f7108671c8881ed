"""Identities by which elements are known again: what they are, where they stand, and what they stand among."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from handeye.desktop.descent import Descent
from handeye.desktop.surroundings import Around, surroundings
from handeye.devices.desktop.base import Window, shortened
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.listing import name_of

# What is called by what somebody wrote: a window's name changes with the first letter that is typed into it.
_RENAMED: Final = frozenset({"window"})


class Identity(NamedTuple):
    """
    `place` is counted from the window's top left corner, so that a window that moved holds the same elements. `path` are the
    roles of what holds the element, the innermost first. `among` are the texts that tell it from others (`surroundings`).
    `rank` counts those that nothing tells apart, and `likes` says how many there are of them; for an element that no text tells
    apart, it counts all of its role, name and path.
    """

    role: str
    name: str
    place: Box
    path: tuple[str, ...]
    among: tuple[str, ...] = ()
    rank: int = 0
    likes: int = 1

    @property
    def called(self) -> str:
        """Role and name, for a sentence."""
        return f"{self.role} {self.name!r}" if self.name else self.role

    def difference(self, other: Identity) -> str:
        """The respect in which another one of that role and name differs, as the end of a sentence."""
        if self.place != other.place:
            return f"stands at {tuple(other.place)} in its window now"
        if self.among != other.among:
            now, then = _listed(other.among, self.among), _listed(self.among, other.among)
            return f"stands among other things now: {now}, not {then}"
        if self.likes != other.likes:
            return f"was one of {self.likes} of its kind, and is one of {other.likes} now"
        return "stands elsewhere in the tree now"


def known(elements: Sequence[UIElement], window: Window) -> tuple[tuple[Identity, ...], list[Around]]:
    """The identities of elements in their order, no two of them equal, and what is around each; boxes are in desktop pixels."""
    tree = Descent(elements)
    names = ["" if each.element_type in _RENAMED else name_of(each) for each in elements]
    paths = [tuple(elements[above].element_type for above in tree.above(index)) for index in range(len(elements))]
    around = surroundings(elements, names, paths, tree)
    kinds = [
        (each.element_type, name, path, near.words)
        for each, name, path, near in zip(elements, names, paths, around, strict=True)
    ]
    likes = Counter(kinds) + Counter((*kind[:3], ()) for kind in kinds if kind[3])
    ranks, found = Counter[object](), []
    for each, kind in zip(elements, kinds, strict=True):
        role, name, path, words = kind
        found.append(Identity(role, name, _place(each, window), path, words, ranks[kind], likes[kind]))
        ranks[kind] += 1
    return tuple(found), around


def _listed(names: tuple[str, ...], others: tuple[str, ...]) -> str:
    """The names that the others have not, else all."""
    told = [name for name in names if name not in others] or names
    return shortened(", ".join(map(repr, told))) or "nothing with a name"


def _place(element: UIElement, window: Window) -> Box:
    box = element.visible_region or element.bbox
    return box if element.metadata.get("offscreen") else box.translate(-window.box.left, -window.box.top)

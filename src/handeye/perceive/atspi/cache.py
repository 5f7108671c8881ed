"""
Bulk reading through org.a11y.atspi.Cache: everything but the boxes, of all windows of an application, in one answer.

GTK takes 0.2 s for a window of 1,000 elements and 2.5 s for one of 3,000, as it counts each one's index among the others,
and the application is blocked meanwhile. So a window with very many elements is not read in bulk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from handeye.perceive.atspi.calls import ApplicationTimeout, Caller
from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    SHOWING,
    VISIBLE,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
    states_of,
)
from handeye.perceive.element_format import clean_text

_GTK: Final = "gtk"
_CACHE: Final = "org.a11y.atspi.Cache"
_CACHE_PATH: Final = "/org/a11y/atspi/cache"
_ITEMS: Final = "a((so)(so)(so)iiassusau)"

# With more children than this in one parent, a bulk answer takes a second and more.
MAX_BULK_CHILDREN: Final = 1500
# Limits of the search for such a parent, made once per application: a level takes some milliseconds.
_LEVELS: Final = 10
_A_LEVEL: Final = 32
_SLOW_S: Final = 1.0
_MENUS: Final = numbers_of("menu", "popup menu", "menu item")
# GTK leaves their cells and rows out of bulk answers.
_NOT_IN_BULK: Final = numbers_of("table", "tree table", "tree", "list", "list box")


class Cache:
    """Rows of object, application, parent, number, children, interfaces, name, role, description, states."""

    def __init__(self, rows: Sequence[Any] = ()) -> None:
        self.items: dict[Ref, Any] = {ref: row for row in rows if (ref := ref_from(row[0])) is not None}
        self._children: dict[Ref, list[Ref]] = {}
        for ref, row in self.items.items():
            self._children.setdefault(Ref(*row[2]), []).append(ref)

    def children_of(self, node: Node) -> list[Ref]:
        return self._children.get(node.ref, [])

    def hides(self, ref: Ref) -> bool:
        """Return True if the object is cached as neither shown nor scrolled out of view."""
        row = self.items.get(ref)
        return row is not None and not states_of(row[9]) & (SHOWING | VISIBLE)

    def node(self, ref: Ref) -> Node:
        """Return a node; if it is in the cache, with its basics except the box."""
        node = Node(ref)
        row = self.items.get(ref)
        if row is not None:
            _, _, _, _, node.claims, _, name, role, description, states = row
            node.description = clean_text(description)
            node.told(role, states, name)
        return node

    def order(self, node: Node) -> None:
        """Sort children by their index in the parent; those without one, such as GTK's menu items, by position."""
        if node.ref in self.items:
            numbers = {self._by_number(child)[1] for child in node.children}
            all_numbered = min(numbers, default=-1) >= 0 and len(numbers) == len(node.children)
            node.children.sort(key=self._by_number if all_numbered or node.role not in _MENUS else _by_place)

    def _by_number(self, child: Node) -> tuple[bool, int, int, int]:
        row = self.items.get(child.ref)
        number = row[3] if row is not None else 0
        return (number < 0, number, *_by_place(child))


def _by_place(node: Node) -> tuple[int, int]:
    return (node.box.top, node.box.left) if node.box is not None else (0, 0)


async def read_cache(caller: Caller, top: Sequence[Node], toolkit: str, crowded: dict[str, bool]) -> Cache:
    """
    Return the cache of the application of `top`, or an empty one if it has none, or so many elements that it would block
    for long. `crowded` records which applications do. Raises ApplicationTimeout if it does not answer.
    """
    bus = top[0].ref.bus
    if bus not in crowded:
        crowded[bus] = toolkit == _GTK and await _has_many_children(caller, top)
    if crowded[bus]:
        return Cache()
    before = caller.left
    try:
        rows = await caller.ask_for_much(Question(Ref(bus, _CACHE_PATH), _CACHE, "GetItems", _ITEMS))
    except ApplicationTimeout:
        crowded[bus] = True  # the next reading asks only for visible elements
        raise
    crowded[bus] = before - caller.left > _SLOW_S
    return Cache(rows or [])


async def _has_many_children(caller: Caller, top: Sequence[Node]) -> bool:
    level = [node.ref for node in top]
    for _ in range(_LEVELS):
        counts = await caller.ask_all([property_of(ref, ACCESSIBLE, "ChildCount", "i") for ref in level])
        large = [
            ref
            for ref, count in zip(level, counts, strict=True)
            if isinstance(count, int) and count > MAX_BULK_CHILDREN
        ]
        roles = await caller.ask_all([Question(ref, ACCESSIBLE, "GetRole", "u") for ref in large])
        if any(role is not None and role not in _NOT_IN_BULK for role in roles):
            return True
        few = [
            ref for ref, count in zip(level, counts, strict=True) if isinstance(count, int) and 0 < count <= _A_LEVEL
        ]
        rows = await caller.ask_all([Question(ref, ACCESSIBLE, "GetChildren", "a(so)") for ref in few])
        level = [ref for pairs in rows for pair in pairs or () if (ref := ref_from(pair)) is not None][:_A_LEVEL]
        if not level:
            break
    return False

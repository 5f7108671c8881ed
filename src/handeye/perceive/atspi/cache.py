"""
What an application tells in bulk: everything but the boxes, of all its windows, in one answer.

GTK takes 0.2 s for a window of 1,000 elements and 2.5 s for one of 3,000, as it counts each one among the others; and all
that time it stands still. So a window that holds very many is not asked for in bulk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from handeye.perceive.atspi.calls import Caller, Silence
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
from handeye.perceive.tree_text import clean_text

_GTK: Final = "gtk"
_CACHE: Final = "org.a11y.atspi.Cache"
_CACHE_PATH: Final = "/org/a11y/atspi/cache"
_ITEMS: Final = "a((so)(so)(so)iiassusau)"

# More children than this in one place, and a bulk answer takes a second and more.
CROWD: Final = 1500
# So far a window is looked through for a crowd, once: a level takes some milliseconds.
_LEVELS: Final = 10
_A_LEVEL: Final = 32
_SLOW_S: Final = 1.0
_MENUS: Final = numbers_of("menu", "popup menu", "menu item")
# GTK does not tell their cells and rows in bulk.
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
        """Whether it is known to be neither shown nor scrolled out of view."""
        row = self.items.get(ref)
        return row is not None and not states_of(row[9]) & (SHOWING | VISIBLE)

    def node(self, ref: Ref) -> Node:
        """With its basics, but for the box, when it is in the cache."""
        node = Node(ref)
        row = self.items.get(ref)
        if row is not None:
            _, _, _, _, node.claims, _, name, role, description, states = row
            node.description = clean_text(description)
            node.told(role, states, name)
        return node

    def order(self, node: Node) -> None:
        """Children by their number in the parent; those that have none, such as GTK's menu items, by place."""
        if node.ref in self.items:
            numbers = {self._by_number(child)[1] for child in node.children}
            told = min(numbers, default=-1) >= 0 and len(numbers) == len(node.children)
            node.children.sort(key=self._by_number if told or node.role not in _MENUS else _by_place)

    def _by_number(self, child: Node) -> tuple[bool, int, int, int]:
        row = self.items.get(child.ref)
        number = row[3] if row is not None else 0
        return (number < 0, number, *_by_place(child))


def _by_place(node: Node) -> tuple[int, int]:
    return (node.box.top, node.box.left) if node.box is not None else (0, 0)


async def read_cache(caller: Caller, top: Sequence[Node], toolkit: str, crowded: dict[str, bool]) -> Cache:
    """
    The cache of the application of `top`; an empty one when it has none, or holds so much that it would stand still for long.
    `crowded` remembers which do. Raises Silence when it does not answer.
    """
    bus = top[0].ref.bus
    if bus not in crowded:
        crowded[bus] = toolkit == _GTK and await _holds_a_crowd(caller, top)
    if crowded[bus]:
        return Cache()
    before = caller.left
    try:
        rows = await caller.ask_for_much(Question(Ref(bus, _CACHE_PATH), _CACHE, "GetItems", _ITEMS))
    except Silence:
        crowded[bus] = True  # the next time it is asked for what can be seen only
        raise
    crowded[bus] = before - caller.left > _SLOW_S
    return Cache(rows or [])


async def _holds_a_crowd(caller: Caller, top: Sequence[Node]) -> bool:
    level = [node.ref for node in top]
    for _ in range(_LEVELS):
        counts = await caller.ask_all([property_of(ref, ACCESSIBLE, "ChildCount", "i") for ref in level])
        large = [ref for ref, count in zip(level, counts, strict=True) if isinstance(count, int) and count > CROWD]
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

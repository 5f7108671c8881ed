"""
The tree below a window's object.

GTK and Chromium tell everything but the boxes of a whole application in one answer, `GetItems`; but it is a cache, and leaves
out the cells of GTK's tables and some children of LibreOffice's panels. Qt has none. So the tree is read level by level from
the top, and what the cache knows is not asked for. What is not shown is not entered, and of what has very many children only
those that can be seen are read (`grid.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from handeye.geometry import Box
from handeye.perceive.atspi.calls import ACCESSIBLE, Caller, Question, Ref, property_of
from handeye.perceive.atspi.grid import read_visible_cells
from handeye.perceive.atspi.nodes import (
    Node,
    box_from,
    extents_of,
    read_basics,
    read_details,
    read_states,
    ref_from,
)
from handeye.perceive.atspi.scroll_bars import Insets, read_scroll_bars
from handeye.perceive.atspi.vocabulary import MANAGES_DESCENDANTS, SHOWING, VISIBLE, numbers_of, states_of
from handeye.perceive.told import clean

# A window's tree is what an application says, and it may say anything. The largest pages of real applications have some
# thousand nodes that are shown.
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250
# What has more children than this is looked at by place: four questions a child cost 5,000 rows of Qt 1.5 s.
MANY: Final = 400
# Of more rows and cells than this, those that are scrolled out of view are left out where each would be asked for by itself:
# 300 rows of Qt cost 100 ms. A browser's lists have other things in them.
FEW: Final = 100
_TELLING_ROWS: Final = frozenset({"gtk", "Qt"})

# So many nodes that are scrolled out of view are asked for their children: a long page would cost seconds.
MOST_BEYOND: Final = 200

_CACHE: Final = "org.a11y.atspi.Cache"
_CACHE_PATH: Final = "/org/a11y/atspi/cache"
_ITEMS: Final = "a((so)(so)(so)iiassusau)"

_TABLES: Final = numbers_of("table", "tree table", "tree", "list", "list box", "document spreadsheet")
_MENUS: Final = numbers_of("menu", "popup menu", "menu item")
# What has no children in GTK and Qt that anybody could name: each one would be asked for them by itself.
_LEAVES: Final = numbers_of(
    *("table cell", "list item", "table column header", "table row header", "push button", "check box", "label"),
    *("radio button", "slider", "scroll bar", "separator", "password text", "progress bar", "icon", "image"),
)


class Reading:
    """The nodes of one window that were read so far, and what could not be. `window` is where it is, in desktop pixels."""

    def __init__(self, caller: Caller, window: Box, top: Sequence[Node], toolkit: str) -> None:
        self._caller = caller
        self._window = window
        self._toolkit = toolkit
        self.top = list(top)
        self.notes: list[str] = []
        self._seen: set[Ref] = {node.ref for node in top}
        self._cache = _Cache([])
        self._large: list[Node] = []
        self.bars: dict[Node, Insets] = {}
        self._beyond = 0  # nodes out of view that were asked for their children

    async def read(self) -> None:
        """Fill in everything below the top nodes, whose basics are known. Raises Silence when the first question stays open."""
        self._cache = await self._read_cache()
        await self._read_structure()
        cached = [node for node in self.walk() if node.showing and node.ref in self._cache.items]
        for node, extents in zip(cached, await self._caller.ask_all([extents_of(n.ref) for n in cached]), strict=True):
            node.box = box_from(extents)
        for node in self.walk():
            self._cache.order(node)
        for table in self._large:
            await read_visible_cells(self._caller, table, self._window)
            self.notes.append(f"{_called(table)} has {table.claims:,} children: only those that can be seen were read")
        if self._toolkit == "Qt":
            self.bars = await read_scroll_bars(self._caller, list(self.walk()))
        await read_details(self._caller, [node for node in self.walk() if node.showing], self._toolkit)

    def walk(self) -> Iterator[Node]:
        """All nodes, parents first, in the order of the tree."""
        stack = list(reversed(self.top))
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    async def _read_cache(self) -> _Cache:
        question = Question(Ref(self.top[0].ref.bus, _CACHE_PATH), _CACHE, "GetItems", _ITEMS)
        return _Cache(await self._caller.ask(question, patience_s=self._caller.left) or [])

    async def _read_structure(self) -> None:
        level, depth = self.top, 0
        while level and depth < MAX_DEPTH and len(self._seen) <= MAX_NODES:
            for node in level:
                if node.showing or (node.scrolled_out and node.role not in _MENUS):
                    self._add(node, self._cache.children_of(node))
            await self._ask_for_children(
                [node for node in level if self._is_entered(node) and self._lacks_children(node)]
            )
            level, depth = [child for node in level for child in node.children], depth + 1
        if len(self._seen) > MAX_NODES:
            self.notes.append(f"the window has more than {MAX_NODES:,} elements: the rest was not read")
        if depth == MAX_DEPTH:
            self.notes.append(f"the window is more than {MAX_DEPTH} levels deep: the rest was not read")

    def _is_entered(self, node: Node) -> bool:
        """
        What is shown; in applications that have a cache also what is scrolled out of view: Chromium's cache is not told of all
        that a page adds later.
        """
        if node.showing:
            return True
        return node.scrolled_out and node.role not in _MENUS and bool(self._cache.items) and self._beyond < MOST_BEYOND

    def _lacks_children(self, node: Node) -> bool:
        """Whether there may be children that the cache does not tell."""
        row = self._cache.items.get(node.ref)
        if row is None:
            return self._toolkit not in _TELLING_ROWS or node.role not in _LEAVES
        node.claims = row[4]
        if node.role in _TABLES or node.states & MANAGES_DESCENDANTS:
            return node.claims != len(self._cache.children_of(node))
        return node.claims > len(self._cache.children_of(node)) or (
            node.claims < 0 and not node.children and node.role not in _MENUS
        )

    async def _ask_for_children(self, nodes: Sequence[Node]) -> None:
        few = await self._with_few_children(nodes)
        rows = [Question(node.ref, ACCESSIBLE, "GetChildren", "a(so)") for node in few]
        for node, pairs in zip(few, await self._caller.ask_all(rows), strict=True):
            self._add(node, (ref for pair in pairs or () if (ref := ref_from(pair)) is not None))
        if self._toolkit in _TELLING_ROWS or not self._cache.items:
            await self._leave_out_rows([node for node in few if node.claims > FEW])
        unknown = [child for node in few for child in node.children if not child.role_name]
        self._beyond += sum(not node.showing for node in few)
        await read_basics(self._caller, unknown)

    async def _leave_out_rows(self, tables: Sequence[Node]) -> None:
        """Of long lists and tables, what is not shown is not read any further."""
        rows = [child for table in tables for child in table.children if not child.role_name]
        await read_states(self._caller, rows)
        hidden = {row.ref for row in rows if not row.showing}
        for table in tables:
            before = len(table.children)
            table.children = [child for child in table.children if child.ref not in hidden]
            if len(table.children) < before:
                self.notes.append(f"{_called(table)} has {before:,} children: those scrolled out of view were not read")

    def _add(self, node: Node, refs: Iterable[Ref]) -> None:
        for ref in refs:
            if ref in self._seen:  # an application may say that its tree goes round in circles
                continue
            if len(self._seen) > MAX_NODES:
                return
            self._seen.add(ref)
            if not self._cache.hides(ref):
                node.children.append(self._cache.node(ref))

    async def _with_few_children(self, nodes: Sequence[Node]) -> list[Node]:
        """Those whose children may be asked for; the others are looked at by place, once their boxes are known."""
        counted = [node for node in nodes if node.role in _TABLES or node.states & MANAGES_DESCENDANTS]
        rows = [property_of(node.ref, ACCESSIBLE, "ChildCount", "i") for node in counted]
        for node, count in zip(counted, await self._caller.ask_all(rows), strict=True):
            node.claims = count if isinstance(count, int) else 0
        most = FEW if self._toolkit == "gtk" else MANY  # GTK says of all rows that they are shown
        large = [node for node in counted if not 0 <= node.claims <= most]
        self._large += large
        return [node for node in nodes if node not in large]


class _Cache:
    """What an application told in bulk: rows of object, application, parent, number, children, interfaces, name, role, ..."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self.items: dict[Ref, Any] = {Ref(*row[0]): row for row in rows}
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
            node.description = clean(description)
            node.told(role, states, name)
        return node

    def order(self, node: Node) -> None:
        """Children by their number in the parent; those that have none, such as GTK's menu items, by place."""
        if node.ref in self.items:
            node.children.sort(key=_by_place if node.role in _MENUS else self._by_number)

    def _by_number(self, child: Node) -> tuple[bool, int, int, int]:
        row = self.items.get(child.ref)
        number = row[3] if row is not None else 0
        return (number < 0, number, *_by_place(child))


def _by_place(node: Node) -> tuple[int, int]:
    return (node.box.top, node.box.left) if node.box is not None else (0, 0)


def _called(node: Node) -> str:
    return f"the {node.role_name} {node.name!r}" if node.name else f"a {node.role_name}"

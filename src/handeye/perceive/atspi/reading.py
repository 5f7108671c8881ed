"""
The tree below one object, read in one of two ways.

In bulk, `GetItems` tells everything but the boxes of a whole application in one answer: GTK and Chromium offer it. Qt offers
nothing, so its trees are read level by level. Either way, what is not shown is not entered, and of what has very many children
only those that can be seen are read (`grid.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from handeye.geometry import Box
from handeye.perceive.atspi.bus import ACCESSIBLE, Caller, Question, Ref, property_of
from handeye.perceive.atspi.grid import read_visible_cells
from handeye.perceive.atspi.nodes import (
    Node,
    box_from,
    clean,
    extents_of,
    read_basics,
    read_details,
    ref_from,
)
from handeye.perceive.atspi.vocabulary import MANAGES_DESCENDANTS, numbers_of

# A window's tree is what an application says, and it may say anything. The largest pages of real applications have some
# thousand nodes that are shown.
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250
# What has more children than this is looked at by place: four questions a child cost 5,000 rows of Qt 1.5 s.
MANY: Final = 400

_CACHE: Final = "org.a11y.atspi.Cache"
_CACHE_PATH: Final = "/org/a11y/atspi/cache"
_ITEMS: Final = "a((so)(so)(so)iiassusau)"

_TABLES: Final = numbers_of("table", "tree table", "tree", "list", "list box", "document spreadsheet")
# What has no children that anybody could name. Qt is asked for each child by itself.
_LEAVES: Final = numbers_of(
    *("table cell", "list item", "table column header", "table row header", "push button", "check box", "label"),
    *("radio button", "slider", "scroll bar", "separator", "password text", "progress bar", "icon", "image"),
)


class Reading:
    """The nodes of one window that were read so far, and what could not be. `window` is where it is, in desktop pixels."""

    def __init__(self, caller: Caller, window: Box, top: Sequence[Node]) -> None:
        self._caller = caller
        self._window = window
        self.top = list(top)
        self.notes: list[str] = []
        self._seen: set[Ref] = {node.ref for node in top}

    async def read(self) -> None:
        """Fill in everything below the top nodes, whose basics are known."""
        items = await self._items()
        if items is not None:
            await self._read_bulk(items)
        else:
            await self._read_levels()
        await read_details(self._caller, [node for node in self.walk() if node.showing])

    def walk(self) -> Iterator[Node]:
        """All nodes, parents first, in the order of the tree."""
        stack = list(reversed(self.top))
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    # -- in bulk

    async def _items(self) -> list[Any] | None:
        """What the application has in its cache; None when it offers nothing, or not the tops."""
        question = Question(Ref(self.top[0].ref.bus, _CACHE_PATH), _CACHE, "GetItems", _ITEMS)
        items = await self._caller.ask(question, patience_s=self._caller.left)
        known = {path for (_, path), *_ in items} if items else set()
        return items if known and all(node.ref.path in known for node in self.top) else None

    async def _read_bulk(self, items: list[Any]) -> None:
        kinds = _by_parent(items)
        level, shown, depth = self.top, [], 0
        while level and depth < MAX_DEPTH:
            entered = [node for node in level if node.showing]
            shown += entered
            for node in entered:
                node.children = [self._from_item(item) for item in kinds.get(node.ref, ()) if self._is_new(item[0])]
            level, depth = [child for node in entered for child in node.children], depth + 1
            if self._too_many():
                break
        await self._read_boxes([node for node in shown if node.box is None])
        for node in shown:
            _order(node, kinds)
        managing = [node for node in shown if node.role in _TABLES and not _tells_cells(node)]
        for table in managing:
            await self._read_children_of_table(table)

    def _is_new(self, pair: Any) -> bool:
        ref = ref_from(pair)
        if ref is None or ref in self._seen:
            return False
        self._seen.add(ref)
        return True

    def _from_item(self, item: Any) -> Node:
        ref, _, _, _, claims, _, name, role, description, states = item
        node = Node(Ref(*ref), claims=claims, description=clean(description))
        node.told(role, states, name)
        return node

    async def _read_boxes(self, nodes: Sequence[Node]) -> None:
        for node, extents in zip(nodes, await self._caller.ask_all([extents_of(n.ref) for n in nodes]), strict=True):
            node.box = box_from(extents)

    async def _read_children_of_table(self, table: Node) -> None:
        """GTK leaves out the cells of its tables: what is claimed and not there is asked for."""
        claimed = await self._caller.ask_all([property_of(table.ref, ACCESSIBLE, "ChildCount", "i")])
        table.claims = claimed[0] if isinstance(claimed[0], int) else 0
        if table.claims > len(table.children):
            await self._read_levels([table], known=True)

    # -- level by level

    async def _read_levels(self, tops: Sequence[Node] | None = None, *, known: bool = False) -> None:
        level, depth = list(self.top if tops is None else tops), 0
        while level and depth < MAX_DEPTH and not self._too_many():
            entered = [node for node in level if node.showing and node.role not in _LEAVES]
            few = await self._with_few_children(entered, counted=known and depth == 0)
            rows = [Question(node.ref, ACCESSIBLE, "GetChildren", "a(so)") for node in few]
            for node, refs in zip(few, await self._caller.ask_all(rows), strict=True):
                here = {child.ref for child in node.children}
                node.children += [
                    Node(Ref(*pair)) for pair in refs or () if self._is_new(pair) and Ref(*pair) not in here
                ]
            level = [child for node in few for child in node.children if not child.role_name]
            await read_basics(self._caller, level)
            depth += 1

    async def _with_few_children(self, nodes: Sequence[Node], *, counted: bool) -> list[Node]:
        """Those whose children may be asked for; of the others, what can be seen of their children is read by place."""
        suspects = [node for node in nodes if node.role in _TABLES or node.states & MANAGES_DESCENDANTS]
        if not counted:
            rows = [property_of(node.ref, ACCESSIBLE, "ChildCount", "i") for node in suspects]
            for node, count in zip(suspects, await self._caller.ask_all(rows), strict=True):
                node.claims = count if isinstance(count, int) else 0
        large = [node for node in suspects if not 0 <= node.claims <= MANY]
        for node in large:
            await read_visible_cells(self._caller, node, self._window)
            self._seen |= {child.ref for child in node.children}
            self.notes.append(f"{_called(node)} has {node.claims:,} children: only those that can be seen were read")
        return [node for node in nodes if node not in large]

    def _too_many(self) -> bool:
        if len(self._seen) <= MAX_NODES:
            return False
        note = f"the window has more than {MAX_NODES:,} elements: the rest was not read"
        if note not in self.notes:
            self.notes.append(note)
        return True


def _by_parent(items: list[Any]) -> dict[Ref, list[Any]]:
    kinds: dict[Ref, list[Any]] = {}
    for item in items:
        kinds.setdefault(Ref(*item[2]), []).append(item)
    return kinds


def _order(node: Node, kinds: dict[Ref, list[Any]]) -> None:
    """Children by their number in the parent; those that have none, such as GTK's menu items, by place."""
    number = {Ref(*item[0]): item[3] for item in kinds.get(node.ref, ())}

    def place(child: Node) -> tuple[bool, int, int, int]:
        known = number.get(child.ref, -1)
        box = child.box
        return (known < 0, known, box.top if box else 0, box.left if box else 0)

    node.children.sort(key=place)


def _tells_cells(table: Node) -> bool:
    """Whether its rows or cells are among its children: not only headers."""
    return any(child.role not in _HEADERS for child in table.children)


_HEADERS: Final = numbers_of("table column header", "table row header", "column header", "row header", "header")


def _called(node: Node) -> str:
    return f"the {node.role_name} {node.name!r}" if node.name else f"a {node.role_name}"

"""
Read the tree below a window's object.

GTK and Chromium return everything but the boxes of a whole application in one answer (`cache.py`); but that leaves out the
cells of GTK's tables, some children of LibreOffice's panels, and the pages that Chromium opened after it was first asked
(`chromium.py`). Qt has no such answer. So the tree is read level by level from the top, and known nodes are not asked for
again. Hidden nodes are read last, up to a limit; of parents with very many children only the visible ones are read
(`large_lists.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from handeye.geometry import Box
from handeye.perceive.atspi.cache import MAX_BULK_CHILDREN, Cache, read_cache
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.chromium import DOCUMENTS, TOLD_BY_MATCHES, read_document
from handeye.perceive.atspi.large_lists import LISTS, read_large_list, read_visible_cells
from handeye.perceive.atspi.nodes import (
    Node,
    box_from,
    extents_of,
    read_basics,
    read_details,
    read_states,
)
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    COMBO_BOXES,
    MANAGES_DESCENDANTS,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
)
from handeye.perceive.atspi.qt import Insets, read_scroll_bars, read_unlisted
from handeye.perceive.atspi.scaling import Scaling

# The tree is untrusted input from an application. The largest pages of real applications have some thousand visible
# nodes.
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250
# A parent with more children than this is read by position: four questions a child cost 5,000 rows of Qt 1.5 s.
MANY: Final = 400
# With more rows and cells than this, those scrolled out of view are skipped if each would need its own question: 300 rows
# of Qt cost 100 ms. A browser's lists have other content.
FEW: Final = 100
_GTK: Final = "gtk"
_REPORTING_ROWS: Final = frozenset({_GTK, "Qt"})

# Most nodes scrolled out of view that are asked for their children: a long page would cost seconds.
MOST_BEYOND: Final = 200

_TABLES: Final = numbers_of("table", "tree table", "tree", "list", "list box", "document spreadsheet")
_MENUS: Final = numbers_of("menu", "popup menu", "menu item")
# A hidden child of these is another page, and not scrolled out of view.
_PAGES: Final = numbers_of("page tab", "page tab list")
# GTK's rows have no names: they are named by a label in them. Those of a FlowBox are cells.
_ROWS: Final = numbers_of("list item", "table cell")
_LABELS: Final = numbers_of("label")
# Roles without children worth naming in GTK and Qt: each one would need a question of its own.
_LEAVES: Final = numbers_of(
    *("table cell", "list item", "table column header", "table row header", "push button", "check box", "label"),
    *("radio button", "slider", "scroll bar", "separator", "password text", "progress bar", "icon", "image"),
)


class Reading:
    """
    The nodes of one window read so far, and notes. `window` is its box in reported pixels; `crowded` records which
    applications have too many elements for a bulk answer.
    """

    def __init__(
        self, caller: Caller, window: Box, top: Sequence[Node], toolkit: str, crowded: dict[str, bool]
    ) -> None:
        self._caller = caller
        self._window = window
        self._toolkit = toolkit
        self._crowded = crowded
        self.top = list(top)
        self.notes: list[str] = []
        self.bars: dict[Node, Insets] = {}
        self._seen: set[Ref] = {node.ref for node in top}
        self._cache = Cache()
        self._large: list[Node] = []
        self._out_of_view: list[Node] = []  # scrolled out, may have children
        self._ordered: set[Node] = set()
        self._complete: set[Node] = set()  # nodes with all children known
        self._combo_box_popups: set[Node] = set()  # top-level windows of combo boxes' open lists

    async def read(self) -> None:
        """
        Fill in everything below the top nodes, whose basics are known. Raises ApplicationTimeout if the first question is not
        answered.
        """
        self._cache = await read_cache(self._caller, self.top, self._toolkit, self._crowded)
        await self._read_levels(self.top)
        self.top = [node for node in self.top if node not in self._combo_box_popups]
        await self._read_boxes([node for node in self.walk() if node.showing and node.ref in self._cache.items])
        for table in self._large:
            if not await self._is_read_by_numbers(table):
                await read_visible_cells(self._caller, table, self._window)
            self._ordered.add(table)
            self.notes.append(f"{_called(table)} has {table.claims:,} children: only those that can be seen were read")
        await self._read_levels([row for table in self._large for row in table.children if self._is_nameless_row(row)])
        if self._toolkit == "Qt":
            self.bars = await read_scroll_bars(self._caller, list(self.walk()))
        await read_details(self._caller, [node for node in self.walk() if node.showing], self._toolkit)
        await self._read_scrolled_out()
        for node in self.walk():
            if node not in self._ordered or node.role in _MENUS:
                self._cache.order(node)
            if self._is_nameless_row(node):
                _name_by_label(node)
        if len(self._seen) > MAX_NODES:
            self.notes.append(f"the window has more than {MAX_NODES:,} elements: the rest was not read")
        if self._toolkit == TOLD_BY_MATCHES and not any(self._has_page_content(node) for node in self.walk()):
            self.notes.append("nothing of a page is told: it is empty, or still being loaded; look again")

    async def read_menus(self, popups: Sequence[Box], scaling: Scaling) -> None:
        """Add the open menus in the windows `popups` that Qt does not list."""
        menus = await read_unlisted(self._caller, list(self.walk()), popups, scaling)
        if menus:
            below = Reading(self._caller, self._window, menus, self._toolkit, self._crowded)
            await below.read()
            self.top += below.top

    def walk(self) -> Iterator[Node]:
        """Yield all nodes, parents first, in tree order."""
        stack = list(reversed(self.top))
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def below(self) -> Iterator[Node]:
        """Yield all nodes except the top ones."""
        return (child for node in self.walk() for child in node.children)

    async def _read_boxes(self, nodes: Sequence[Node]) -> None:
        for node, extents in zip(nodes, await self._caller.ask_all([extents_of(n.ref) for n in nodes]), strict=True):
            node.box = box_from(extents)

    async def _read_levels(self, level: Sequence[Node]) -> None:
        """Read the visible nodes below a level; other nodes that may have children are queued for later."""
        depth = 0
        while level and depth < MAX_DEPTH and len(self._seen) <= MAX_NODES:
            for node in level:
                if node.showing or (node.scrolled_out and node.role not in _MENUS):
                    self._add(node, self._cache.children_of(node))
            unknown = [node for node in level if self._lacks_children(node)]
            await self._ask_for_children([node for node in unknown if node.showing])
            self._out_of_view += [node for node in unknown if node.scrolled_out and node.role not in _MENUS]
            level = [child for node in level for child in node.children if self._is_entered(node, child)]
            depth += 1
        if depth == MAX_DEPTH:
            self.notes.append(f"the window is more than {MAX_DEPTH} levels deep: the rest was not read")

    def _is_entered(self, node: Node, child: Node) -> bool:
        if self._toolkit == "Qt" and node.role in COMBO_BOXES and child.box is None:
            return False  # its list is closed
        return child.showing or node.role not in _PAGES

    async def _read_scrolled_out(self) -> None:
        """
        Read nodes scrolled out of view, level by level. Only in applications with a cache, which makes that cheap;
        Chromium's cache lacks what a page adds later.
        """
        room = MOST_BEYOND
        while self._out_of_view and room > 0 and self._cache.items and len(self._seen) <= MAX_NODES:
            asked, self._out_of_view = self._out_of_view[:room], []
            room -= len(asked)
            await self._ask_for_children(asked)
            await self._read_levels([child for node in asked for child in node.children])

    def _lacks_children(self, node: Node) -> bool:
        """Return True if there may be children that are not in the cache."""
        if node in self._complete:
            return False
        row = self._cache.items.get(node.ref)
        if row is None:
            return self._toolkit not in _REPORTING_ROWS or node.role not in _LEAVES or self._is_nameless_row(node)
        node.claims = row[4]
        if node.role in _TABLES or node.states & MANAGES_DESCENDANTS:
            return node.claims != len(self._cache.children_of(node))
        return node.claims > len(self._cache.children_of(node)) or (
            node.claims < 0 and not node.children and node.role not in _MENUS
        )

    def _is_nameless_row(self, node: Node) -> bool:
        return self._toolkit == _GTK and node.role in _ROWS and not node.name

    async def _ask_for_children(self, nodes: Sequence[Node]) -> None:
        nodes = [node for node in nodes if not await self._is_read_as_document(node)]
        few = await self._without_large_parents(await self._with_few_children(nodes))
        rows = [Question(node.ref, ACCESSIBLE, "GetChildren", "a(so)") for node in few]
        for node, pairs in zip(few, await self._caller.ask_all(rows), strict=True):
            refs = [ref for pair in pairs or () if (ref := ref_from(pair)) is not None]
            self._add(node, refs)
            place = {ref: number for number, ref in enumerate(refs)}
            node.children.sort(key=lambda child, place=place: place.get(child.ref, -1))  # type: ignore[misc]
            self._ordered.add(node)
        if self._toolkit in _REPORTING_ROWS or not self._cache.items:
            await self._leave_out_rows([node for node in few if self._is_long(node)])
        await read_basics(self._caller, [child for node in few for child in node.children if not child.role_name])

    def _is_long(self, node: Node) -> bool:
        return node.claims > FEW or len(node.children) > MANY

    async def _leave_out_rows(self, tables: Sequence[Node]) -> None:
        """Drop the hidden rows of long lists and tables."""
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
            if ref in self._seen:  # an application may report a cycle
                continue
            if len(self._seen) > MAX_NODES:
                return
            if self._is_combo_box_list(node, ref):
                self._combo_box_popups.add(node)
                continue
            self._seen.add(ref)
            if not self._cache.hides(ref):
                node.children.append(self._cache.node(ref))

    def _is_combo_box_list(self, node: Node, ref: Ref) -> bool:
        """Return True if a menu in its own window is the open list of a combo box (GTK, whose cache knows the parent)."""
        row = self._cache.items.get(ref)
        holder = self._cache.items.get(Ref(*row[2])) if row is not None and node in self.top[1:] else None
        return holder is not None and holder[7] in COMBO_BOXES

    def _has_page_content(self, node: Node) -> bool:
        return node.role in DOCUMENTS and node.showing and bool(node.children)

    async def _is_read_as_document(self, node: Node) -> bool:
        if self._toolkit != TOLD_BY_MATCHES or node.role not in DOCUMENTS or node.children or not node.showing:
            return False
        found = await read_document(self._caller, node, MAX_NODES, MOST_BEYOND)
        if found is None:
            return False
        if found.more:
            self.notes.append(f"{_called(node)} holds more, out of view, than was read: scroll to it")
        self._ordered.update(found.whole)
        self._complete.update(found.whole)
        self._seen.update(child.ref for each in found.whole for child in each.children)
        return True

    async def _is_read_by_numbers(self, rows: Node) -> bool:
        """
        Return True if the visible rows of a list were added by index: for a hit test, GTK searches all rows above the
        point.
        """
        view = rows.box.intersect(self._window) if rows.box is not None else None
        if self._toolkit != _GTK or rows.role not in LISTS or view is None:
            return False
        found = await read_large_list(self._caller, rows.ref, rows.claims, view)
        if found is None:
            return False
        self._add(rows, found)
        await read_basics(self._caller, [child for child in rows.children if not child.role_name])
        rows.children = [child for child in rows.children if child.box is not None and child.box.intersect(view)]
        return True

    async def _without_large_parents(self, nodes: list[Node]) -> list[Node]:
        """Return the nodes without those that have very many children, of which only the visible ones are read."""
        if not self._crowded.get(self.top[0].ref.bus):
            return nodes
        counts = await self._caller.ask_all([property_of(node.ref, ACCESSIBLE, "ChildCount", "i") for node in nodes])
        crowds: list[Node] = []
        for node, count in zip(nodes, counts, strict=True):
            if isinstance(count, int) and count > MAX_BULK_CHILDREN:
                found = await read_large_list(self._caller, node.ref, count, self._window)
                if found is not None:
                    crowds.append(node)
                    self._add(node, found)
                    self.notes.append(f"{_called(node)} has {count:,} children: only those that can be seen were read")
        unknown = [child for node in crowds for child in node.children]
        await read_basics(self._caller, unknown)
        for node in crowds:
            node.children = [child for child in node.children if child.showing]
        return [node for node in nodes if node not in crowds]

    async def _with_few_children(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the nodes whose children may be listed; the others are read by position, once their boxes are known."""
        counted = [node for node in nodes if node.role in _TABLES or node.states & MANAGES_DESCENDANTS]
        rows = [property_of(node.ref, ACCESSIBLE, "ChildCount", "i") for node in counted]
        for node, count in zip(counted, await self._caller.ask_all(rows), strict=True):
            node.claims = count if isinstance(count, int) else 0
        most = FEW if self._toolkit == _GTK else MANY  # GTK reports all rows as showing
        large = [node for node in counted if not 0 <= node.claims <= most]
        self._large += [node for node in large if node.showing]
        return [node for node in nodes if node not in large]


def _name_by_label(row: Node) -> None:
    """Name a row by its first label, and remove that label."""
    stack = [(row, child) for child in reversed(row.children)]
    while stack:
        parent, node = stack.pop()
        if node.role in _LABELS and node.name:
            row.name = node.name
            row.is_labelled = True
            parent.children.remove(node)
            return
        stack += [(node, child) for child in reversed(node.children)]


def _called(node: Node) -> str:
    return f"the {node.role_name} {node.name!r}" if node.name else f"a {node.role_name}"

"""
Parts of Qt's windows that its tree leaves out: scroll bars and open menus.

Qt's tables, trees and lists report their cells and headers, but not the scroll bars over their edges; the boxes of the last
visible row and column extend under them. There is a bar if the first or the last cell lies outside the visible part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import TABLE, Node, extents_of, read_basics
from handeye.perceive.atspi.protocol import ACCESSIBLE, COMBO_BOXES, Question, Ref, numbers_of, property_of, ref_from
from handeye.perceive.atspi.scaling import Scaling

_TABLES: Final = numbers_of("table", "tree", "tree table", "list", "list box")
_LISTS: Final = numbers_of("list", "list box")
_COLUMN_HEADERS: Final = numbers_of("table column header", "column header")

# Qt's own style draws bars of 14 pixels and a border of 1, others up to 17.
EXTENT: Final = 17
# No bar is narrower: a column that ends this near the edge runs under the bar, one that ends before it may end at the
# bar.
_LEAST_EXTENT: Final = 12
# A cell may extend beyond by its border.
_BORDER: Final = 2


class Insets(NamedTuple):
    """Covered widths at the four edges of a box."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0

    @classmethod
    def between(cls, outer: Box, inner: Box) -> Insets:
        return cls(
            inner.left - outer.left, inner.top - outer.top, outer.right - inner.right, outer.bottom - inner.bottom
        )

    def scaled(self, factor: float) -> Insets:
        return Insets(*(round(each * factor) for each in self))

    def within(self, box: Box) -> Box | None:
        """Return the uncovered part of `box`, or None."""
        left, top = box.left + self.left, box.top + self.top
        right, bottom = box.right - self.right, box.bottom - self.bottom
        return Box(left, top, right, bottom) if left < right and top < bottom else None


class _Span(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int


async def read_scroll_bars(caller: Caller, nodes: Sequence[Node]) -> dict[Node, Insets]:
    """Return the insets of those `nodes` that have scroll bars."""
    tables = [node for node in nodes if node.role in _TABLES and node.showing and node.box is not None]
    sizes = await caller.ask_all([property_of(node.ref, TABLE, each, "i") for node in tables for each in _SIZE])
    counted = [
        (node, rows, columns)
        for node, rows, columns in zip(tables, sizes[::2], sizes[1::2], strict=True)
        if rows and columns and min(rows, columns) > 0
    ]
    places = [(node, at) for node, rows, columns in counted for at in ((0, 0), (rows - 1, columns - 1))]
    pairs = await caller.ask_all(
        [Question(node.ref, TABLE, "GetAccessibleAt", "(so)", "ii", at) for node, at in places]
    )
    refs = [ref_from(pair) if pair is not None else None for pair in pairs]
    known = iter(await caller.ask_all([extents_of(ref) for ref in refs if ref is not None]))
    spans = [_span(next(known)) if ref is not None else None for ref in refs]
    boxed = {child for node in nodes if node.role in COMBO_BOXES for child in node.children}
    found: dict[Node, Insets] = {}
    for (node, _, _), first, last in zip(counted, spans[::2], spans[1::2], strict=True):
        if first is not None and last is not None and node.box is not None:
            found[node] = _bars(node, node.box, first, last, only_down=node in boxed)
    return {node: insets for node, insets in found.items() if any(insets)}


_SIZE: Final = ("NRows", "NColumns")


def _span(extents: Any) -> _Span | None:
    """Return the reported edges, unchecked: the last of 5,000 rows lies outside any screen."""
    if extents is None:
        return None
    x, y, width, height = extents
    return _Span(x, y, x + width, y + height) if width > 0 and height > 0 else None


def _bars(table: Node, box: Box, first: _Span, last: _Span, only_down: bool) -> Insets:
    """
    Return the insets of a table's scroll bars. `only_down` for a combo box, whose rows are reported too wide, and which has
    no horizontal bar.
    """
    left, right = min(first.left, last.left), max(first.right, last.right)
    headers = [child.box.bottom for child in table.children if child.role in _COLUMN_HEADERS and child.box is not None]
    top = max([box.top, *headers])
    # Bars are on the left if columns run from the right; a list has one column, and starts at the side without a bar.
    bar_at_left = left - box.left >= _LEAST_EXTENT > box.right - right and table.role in _LISTS
    mirrored = last.left < first.left or bar_at_left
    down = last.bottom > box.bottom + _BORDER or first.top < top - _BORDER
    room = _LEAST_EXTENT if down else -_BORDER
    across = right > box.right - (-_BORDER if mirrored else room) or left < box.left + (room if mirrored else -_BORDER)
    across = across and not only_down
    down = down or (across and last.bottom > box.bottom - _LEAST_EXTENT)
    side = EXTENT if down else 0
    return Insets(left=side if mirrored else 0, right=0 if mirrored else side, bottom=EXTENT if across else 0)


# Open menus that Qt leaves out of its tree: a context menu has no parent object.
#
# Qt numbers its objects as they are first reported, and a menu is reported as it opens: so its number is among the latest
# ones.


_MENUS: Final = numbers_of("popup menu", "menu", "list", "list box")
# An unused number costs Qt nothing: 200 of them take 0.1 s.
_AT_ONCE: Final = 128
_MOST: Final = 1024
_BEYOND: Final = 64
# The list of a combo box is smaller than its window by its border and its arrows.
_BORDER_PX: Final = 24


async def read_unlisted(caller: Caller, nodes: Sequence[Node], popups: Iterable[Box], scaling: Scaling) -> list[Node]:
    """
    Return the menus, without their content, in those of the windows `popups` that none of an application's `nodes` fills.
    """
    placed = [scaling.pixels(node.box) for node in nodes if node.showing and node.box is not None]
    missing = [popup for popup in popups if not any(_fills(box, popup) for box in placed)]
    known = {number for node in nodes if (number := _number(node.ref)) is not None}
    found: list[Node] = []
    if not missing or not known:
        return found
    folder = f"{nodes[0].ref.path.rpartition('/')[0]}/"
    latest = range(max(known) + _BEYOND, max(known) - _MOST, -1)
    asked = [Ref(nodes[0].ref.bus, f"{folder}{number}") for number in latest if number not in known]
    for start in range(0, len(asked), _AT_ONCE):
        refs = asked[start : start + _AT_ONCE]
        roles = await caller.ask_all([Question(ref, ACCESSIBLE, "GetRole", "u") for ref in refs])
        menus = [Node(ref) for ref, role in zip(refs, roles, strict=True) if role in _MENUS]
        await read_basics(caller, menus)
        for menu in menus:
            box = scaling.pixels(menu.box) if menu.showing and menu.box is not None else None
            filled = [popup for popup in missing if box is not None and _fills(box, popup)]
            missing = [popup for popup in missing if popup not in filled]
            found += [menu] if filled else []
        if not missing:
            break
    return found


def _number(ref: Ref) -> int | None:
    number = ref.path.rpartition("/")[2]
    return int(number) if number.isdecimal() else None


def _fills(box: Box, popup: Box) -> bool:
    return all(abs(own - other) <= _BORDER_PX for own, other in zip(box, popup, strict=True))

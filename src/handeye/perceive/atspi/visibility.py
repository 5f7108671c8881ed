"""Select the nodes of a window that become elements, and compute the visible part of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from handeye.errors import DeviceError
from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.libreoffice import NO_SHIFT, Shift
from handeye.perceive.atspi.nodes import Node, box_from, extents_of, read_basics
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    COMBO_BOXES,
    DEFUNCT,
    ROOT,
    Ref,
    numbers_of,
    property_of,
    ref_from,
)
from handeye.perceive.atspi.qt import Insets
from handeye.perceive.atspi.scaling import UNSCALED, Scaling
from handeye.perceive.element_format import OFFSCREEN_BOX

# The visible box of one accessible object.


CLIPPING_ROLES: Final = numbers_of(
    *("scroll pane", "viewport", "list", "list box", "table", "tree", "tree table", "document web", "document frame"),
    *("internal frame", "frame", "window", "dialog", "layered pane", "split pane", "terminal", "page tab list"),
)
"""Roles that clip their children."""

_QT: Final = "Qt"
# Qt always clips children to their parent widget: the content of a scroll area is in a plain widget, which moves.
_CUTTING_OF_QT: Final = CLIPPING_ROLES | numbers_of("filler", "panel")

POPPING_UP: Final = numbers_of("menu", "popup menu", "combo box", "tool tip", "menu item", "menu bar", "window")
"""Roles whose children are shown in a window of their own, wherever the parent is."""

# Deeper than any real tree, and the limit for cycles.
_MOST_ANCESTORS: Final = 100


class View(NamedTuple):
    """A table, and how much its headers and scroll bars cover of it."""

    table: Ref
    covered: Insets


class CoordinateContext(NamedTuple):
    """
    The coordinate context of an object: `drawn` are the root of its window's drawn elements and the native panel that it
    fills, `is_drawn` is True if this object is one of them; then its scale, the roles that clip their children, the table
    that holds it, and whether its pages support hit tests.
    """

    drawn: tuple[Ref, Ref] | None = None
    is_drawn: bool = False
    scaling: Scaling = UNSCALED
    cutting: frozenset[int] = CLIPPING_ROLES
    view: View | None = None
    hit_tests: bool = False
    popup: Box | None = None


def shows_nothing(role: int, box: Box | None, cutting: frozenset[int]) -> bool:
    """Return True if its content is invisible: Qt 5 reports rows of a closed list as showing, at their last position."""
    return box is None and cutting is _CUTTING_OF_QT and role in cutting


def clipping_roles(toolkit: str) -> frozenset[int]:
    """Return the roles that clip their children in a toolkit."""
    return _CUTTING_OF_QT if toolkit == _QT else CLIPPING_ROLES


async def visible_box(caller: Caller, ref: Ref, telling: CoordinateContext) -> Box | None:
    """
    Return the part of an object that its ancestors do not clip, in desktop pixels: Qt reports rows outside a list as
    showing, with boxes outside it. Return None if none of it is visible. Raises DeviceError if it is gone.
    """
    own = Node(ref)
    await read_basics(caller, [own])
    caller.check(ref)
    if not own.role_name or own.states & DEFUNCT or not own.states:
        raise DeviceError("it is gone")
    if not own.showing or own.box is None:
        return None
    ancestors = await ancestors_of(caller, ref)
    await read_basics(caller, ancestors)
    shift = NO_SHIFT
    if telling.drawn is not None:
        shift, ancestors = await _within_drawn(caller, telling.drawn, ancestors)
    seen: Box | None = own.box.translate(*shift) if telling.is_drawn else own.box
    for ancestor in ancestors:
        if ancestor.role in POPPING_UP:
            break
        if shows_nothing(ancestor.role, ancestor.box, telling.cutting):
            return None
        if ancestor.role in telling.cutting and ancestor.box is not None and seen is not None:
            inside = ancestor.box.translate(*shift) if telling.is_drawn else ancestor.box
            if telling.view is not None and telling.view.table == ancestor.ref:
                inside = telling.view.covered.scaled(1 / telling.scaling.factor).within(inside) or inside
            seen = seen.intersect(inside)
    if seen is None:
        return None
    on_desktop = telling.scaling.pixels(seen)
    return on_desktop if telling.popup is None or on_desktop.intersect(telling.popup) == on_desktop else None


async def _within_drawn(caller: Caller, drawn: tuple[Ref, Ref], ancestors: list[Node]) -> tuple[Shift, list[Node]]:
    """
    Return the current shift of drawn elements, and the ancestors below their root: above it, parent links lead to other
    objects.
    """
    above = [node.ref for node in ancestors]
    if drawn[0] not in above:
        return NO_SHIFT, ancestors
    extents = await caller.ask_all([extents_of(ref) for ref in drawn])
    root, panel = (box_from(each) for each in extents)
    shift = NO_SHIFT if root is None or panel is None else Shift(panel.left - root.left, panel.top - root.top)
    return shift, ancestors[: above.index(drawn[0])]


async def ancestors_of(caller: Caller, ref: Ref) -> list[Node]:
    """Return the ancestors from the parent up to the window, as nodes with only their address."""
    above: list[Ref] = []
    while len(above) < _MOST_ANCESTORS:
        parent = await caller.ask(property_of(above[-1] if above else ref, ACCESSIBLE, "Parent", "(so)"))
        at = ref_from(parent) if parent is not None else None
        if at is None or at.path == ROOT or at in above:
            break
        above.append(at)
    return [Node(each) for each in above]


# Scrollable roles: a hidden child may be scrolled into view.
_SCROLLING: Final = numbers_of(
    *("scroll pane", "viewport", "list", "list box", "table", "tree", "tree table", "document web", "document frame")
)
# Hidden children of these are not scrolled out: they are closed, or another page.
_PAGES: Final = POPPING_UP | numbers_of("page tab", "page tab list")
_NEVER_SCROLLED: Final = numbers_of(
    *("scroll bar", "table column header", "table row header", "popup menu", "menu", "menu bar", "tool bar")
)
_TABLES: Final = numbers_of("table", "tree table", "tree", "list", "list box")
_COLUMN_HEADERS: Final = numbers_of("table column header", "column header")
_ROW_HEADERS: Final = numbers_of("table row header", "row header")
_HEADERS: Final = _COLUMN_HEADERS | _ROW_HEADERS
# An element under a scroll bar with less than this visible is no click target: the bar may be this much wider than
# assumed.
_LEAST_BESIDE_A_BAR: Final = 6
# An arrow of GTK 3's menus is 20 pixels high; an entry that is partly under it is not in view.
_ARROW: Final = 20
_ALL: Final = 1 << 15
_MENUS: Final = numbers_of("menu", "popup menu", "menu item")
_NO_BARS: Final[Mapping[Node, Insets]] = MappingProxyType({})
_LETTERING: Final = numbers_of("static")


class Placed(NamedTuple):
    """
    A node that becomes an element: its number, its parent and the parent's number, and its position. `box` is its full box
    and `seen` the unclipped part; both are None if it is scrolled out of view. `view` is the table that holds it, and how
    much headers and scroll bars cover of that; `popup` is the window of the open menu that it is an entry of.
    """

    node: Node
    number: int
    parent: Node | None
    parent_number: int | None
    box: Box | None
    seen: Box | None
    view: View | None = None
    popup: Box | None = None


class _Waiting(NamedTuple):
    node: Node
    parent: Node | None = None
    parent_number: int | None = None
    cut: Box | None = None  # clipping box; None: not clipped
    scrolls: bool = False  # True inside a scrollable container
    view: View | None = None
    least: int = 0  # least visible size; if smaller, it counts as invisible
    popup: Box | None = None


def place(
    top: Sequence[Node],
    cutting: frozenset[int] = CLIPPING_ROLES,
    bars: Mapping[Node, Insets] = _NO_BARS,
    popups: Sequence[Box] = (),
) -> Iterator[Placed]:
    """
    Yield the elements of the windows `top`, parents first, numbered from 1. Nodes of the roles `cutting` clip their
    children, `bars` are the covered edges of some nodes, and entries of open menus are clipped to one of `popups`.

    Hidden nodes are skipped: closed menus, other pages. Nodes that are only scrolled out of view are not.
    """
    number = 0
    stack = [_Waiting(node) for node in reversed(top)]
    while stack:
        node, parent, parent_number, cut, scrolls, view, least, popup = stack.pop()
        box = node.box if node.showing or parent is None else None
        seen = box.intersect(cut) if box is not None and cut is not None else box
        if seen is not None and seen != box and min(seen.width, seen.height) < least:
            seen = None
        if seen is None and node.role in _NEVER_SCROLLED:
            continue
        number += 1
        yield Placed(node, number, parent, parent_number, box if seen is not None else None, seen, view, popup)
        inside = _inside(node, box, seen, cut, cutting)
        popup = _popup_of(node, popups) if node.role in _MENUS else None
        if popup is not None:
            inside, least = _between_arrows(popup, node.children), _ALL
        barred = bars.get(node, Insets())
        if node in bars and inside is not None and box is not None:
            least, inside = _LEAST_BESIDE_A_BAR, (barred.within(box) or box).intersect(inside) or inside
        between = _between_headers(node, inside)
        if node.role in _TABLES and box is not None and between is not None:
            # If the table itself is clipped, the extent of its own headers is unknown.
            view = View(node.ref, Insets.between(box, between) if seen == box else barred)
        scrolls = node.role in _SCROLLING or (scrolls and node.role not in _PAGES)
        stack.extend(
            _Waiting(child, node, number, inside, scrolls, View(node.ref, barred), least)
            if child.role in _HEADERS
            else _Waiting(child, node, number, between, scrolls, view, least, popup)
            for child in reversed(node.children)
            if _belongs(node, child, scrolls, popup)
        )


def _belongs(node: Node, child: Node, scrolls: bool, popup: Box | None) -> bool:
    if child.states & DEFUNCT or not child.role_name:
        return False
    if child.role in _LETTERING and child.name == node.name:
        return False  # Chromium repeats a button's text as a child
    if popup is not None and node.role in _MENUS and child.scrolled_out:
        return True  # Chromium's entries below the window
    if child.showing:
        return child.box is not None or (bool(child.children) and node.role not in COMBO_BOXES)
    # Qt 6 reports rows that are scrolled out as hidden, with the boxes that they would have.
    hidden = not child.scrolled_out and not (node.role in _TABLES and child.box is not None)
    return scrolls and not hidden and child.role not in _NEVER_SCROLLED


def _inside(node: Node, box: Box | None, seen: Box | None, cut: Box | None, cutting: frozenset[int]) -> Box | None:
    """Return the clipping box of the node's children."""
    if node.role in POPPING_UP:
        return None
    if (node.role in cutting and box is not None) or shows_nothing(node.role, box, cutting):
        return seen or OFFSCREEN_BOX
    return cut


def _popup_of(menu: Node, popups: Sequence[Box]) -> Box | None:
    """Return the popup window with most of a menu's entries, if the entries are higher than it; else None."""
    boxes = [each.box for each in menu.children if each.showing and each.box is not None]
    held = {popup: sum(popup.contains(each.center) for each in boxes) for popup in popups}
    best = max(popups, key=lambda popup: held[popup], default=None)
    if best is None or not held[best]:
        return None
    return best if max(each.bottom for each in boxes) - min(each.top for each in boxes) > best.height else None


def _between_arrows(popup: Box, entries: Sequence[Node]) -> Box:
    """Return the part of a menu's window that shows entries: if there are more of them, an arrow scrolls to those."""
    boxes = [each.box for each in entries if each.showing and each.box is not None]
    top = _ARROW if any(each.top < popup.top for each in boxes) else 0
    bottom = _ARROW if any(each.bottom > popup.bottom for each in boxes) else 0
    return Box(popup.left, popup.top + top, popup.right, max(popup.bottom - bottom, popup.top + top + 1))


def _between_headers(table: Node, inside: Box | None) -> Box | None:
    """Return the part of a table where its cells are visible: cells that have scrolled under the headers are not."""
    if table.role not in _TABLES or inside is None:
        return inside
    left, top, right, bottom = inside
    for child in table.children:
        if not child.showing or child.box is None:
            continue
        if child.role in _COLUMN_HEADERS and child.box.top <= inside.top + child.box.height:
            top = max(top, child.box.bottom)
        elif child.role in _ROW_HEADERS and child.box.left <= inside.left + 1:
            left = max(left, child.box.right)
        elif child.role in _ROW_HEADERS and child.box.right >= inside.right - 1:
            right = min(right, child.box.left)
    return Box(left, top, right, bottom) if left < right and top < bottom else inside

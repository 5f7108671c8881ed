"""Which nodes of a window are its elements, and what can be seen of each."""

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
from handeye.perceive.tree_text import NOWHERE

# Where one accessible object can be seen now.


CUTTING: Final = numbers_of(
    *("scroll pane", "viewport", "list", "list box", "table", "tree", "tree table", "document web", "document frame"),
    *("internal frame", "frame", "window", "dialog", "layered pane", "split pane", "terminal", "page tab list"),
)
"""Roles whose children are cut off at their edges."""

_QT: Final = "Qt"
# A child of a Qt widget is drawn within it, always: what a scroll area holds stands in a plain widget, which moves.
_CUTTING_OF_QT: Final = CUTTING | numbers_of("filler", "panel")

POPPING_UP: Final = numbers_of("menu", "popup menu", "combo box", "tool tip", "menu item", "menu bar", "window")
"""Roles whose children are shown in a window of their own, wherever the parent is."""

# Deeper than any real tree, and an end to one that goes round in circles.
_MOST_ANCESTORS: Final = 100


class View(NamedTuple):
    """A table, and what its headers and scroll bars cover of it."""

    table: Ref
    covered: Insets


class Telling(NamedTuple):
    """
    How an application tells a place: `drawn` are the root of what is drawn in its window and the native panel that it fills,
    `is_drawn` whether this is part of it; then its scale, which roles cut off what they hold, the table that it is in, and
    whether its pages say what they show at a place.
    """

    drawn: tuple[Ref, Ref] | None = None
    is_drawn: bool = False
    scaling: Scaling = UNSCALED
    cutting: frozenset[int] = CUTTING
    view: View | None = None
    hit_tests: bool = False
    popup: Box | None = None


def shows_nothing(role: int, box: Box | None, cutting: frozenset[int]) -> bool:
    """Whether what it holds cannot be seen: Qt 5 says of rows of a closed list that they are shown, where they were last."""
    return box is None and cutting is _CUTTING_OF_QT and role in cutting


def cutting_of(toolkit: str) -> frozenset[int]:
    """The roles whose children a toolkit cuts off at their edges."""
    return _CUTTING_OF_QT if toolkit == _QT else CUTTING


async def visible_box(caller: Caller, ref: Ref, telling: Telling) -> Box | None:
    """
    The part of an object that its ancestors do not cut off, in desktop pixels: Qt says of rows outside a list that they are
    shown, with boxes outside it. None when nothing of it is. Raises DeviceError when it is gone.
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
    told = telling.scaling.pixels(seen)
    return told if telling.popup is None or told.intersect(telling.popup) == told else None


async def _within_drawn(caller: Caller, drawn: tuple[Ref, Ref], ancestors: list[Node]) -> tuple[Shift, list[Node]]:
    """What drawn parts are off by now, and the ancestors below their root: of what is above it, parents tell other objects."""
    above = [node.ref for node in ancestors]
    if drawn[0] not in above:
        return NO_SHIFT, ancestors
    extents = await caller.ask_all([extents_of(ref) for ref in drawn])
    root, panel = (box_from(each) for each in extents)
    shift = NO_SHIFT if root is None or panel is None else Shift(panel.left - root.left, panel.top - root.top)
    return shift, ancestors[: above.index(drawn[0])]


async def ancestors_of(caller: Caller, ref: Ref) -> list[Node]:
    """From the parent up to the window, nothing known of them but where to ask."""
    above: list[Ref] = []
    while len(above) < _MOST_ANCESTORS:
        parent = await caller.ask(property_of(above[-1] if above else ref, ACCESSIBLE, "Parent", "(so)"))
        at = ref_from(parent) if parent is not None else None
        if at is None or at.path == ROOT or at in above:
            break
        above.append(at)
    return [Node(each) for each in above]


# What can be scrolled: a child that is not shown may be brought into view.
_SCROLLING: Final = numbers_of(
    *("scroll pane", "viewport", "list", "list box", "table", "tree", "tree table", "document web", "document frame")
)
# What is not shown of these is not scrolled out: it is closed, or another page.
_PAGES: Final = POPPING_UP | numbers_of("page tab", "page tab list")
_NEVER_SCROLLED: Final = numbers_of(
    *("scroll bar", "table column header", "table row header", "popup menu", "menu", "menu bar", "tool bar")
)
_TABLES: Final = numbers_of("table", "tree table", "tree", "list", "list box")
_COLUMN_HEADERS: Final = numbers_of("table column header", "column header")
_ROW_HEADERS: Final = numbers_of("table row header", "row header")
_HEADERS: Final = _COLUMN_HEADERS | _ROW_HEADERS
# Of what reaches under a scroll bar less than this is nothing to aim at: the bar may be as much wider than is reckoned with.
_LEAST_BESIDE_A_BAR: Final = 6
# An arrow of GTK 3's menus is 20 pixels high; an entry that is partly under it is not in view.
_ARROW: Final = 20
_ALL: Final = 1 << 15
_MENUS: Final = numbers_of("menu", "popup menu", "menu item")
_NO_BARS: Final[Mapping[Node, Insets]] = MappingProxyType({})
_LETTERING: Final = numbers_of("static")


class Placed(NamedTuple):
    """
    A node that is an element: its number, its parent and the parent's number, and where it is. `box` is all of it and `seen`
    the part that nothing cuts off; both are None when it is scrolled out of view. `view` is the table that holds it, and what
    headers and scroll bars cover of that; `popup` is the window of the open menu that it is an entry of.
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
    cut: Box | None = None  # where it can be seen at most; None: anywhere
    scrolls: bool = False  # whether it is inside something that scrolls
    view: View | None = None
    least: int = 0  # what is seen of it is so large, or nothing of it is
    popup: Box | None = None


def place(
    top: Sequence[Node],
    cutting: frozenset[int] = CUTTING,
    bars: Mapping[Node, Insets] = _NO_BARS,
    popups: Sequence[Box] = (),
) -> Iterator[Placed]:
    """
    The elements of the windows `top`, parents first, numbered from 1. Nodes of the roles `cutting` cut off what they hold,
    `bars` cover some at their edges, and entries of open menus are seen as far as they are in one of `popups`.

    What is not shown is left out: closed menus, other pages. What is only scrolled out of view is not.
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
            # Where the table itself is cut off, how far its own headers reach in cannot be told from that.
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
        return False  # Chromium tells the words on a button once more, as a part of it
    if popup is not None and node.role in _MENUS and child.scrolled_out:
        return True  # Chromium's entries that would lie below the window
    if child.showing:
        return child.box is not None or (bool(child.children) and node.role not in COMBO_BOXES)
    # Qt 6 says of rows that are scrolled out that they are hidden, and where they would be.
    hidden = not child.scrolled_out and not (node.role in _TABLES and child.box is not None)
    return scrolls and not hidden and child.role not in _NEVER_SCROLLED


def _inside(node: Node, box: Box | None, seen: Box | None, cut: Box | None, cutting: frozenset[int]) -> Box | None:
    """Where children of the node can be seen at most."""
    if node.role in POPPING_UP:
        return None
    if (node.role in cutting and box is not None) or shows_nothing(node.role, box, cutting):
        return seen or NOWHERE
    return cut


def _popup_of(menu: Node, popups: Sequence[Box]) -> Box | None:
    """The window in which the most of a menu's entries are, where it is lower than all of them; else None."""
    boxes = [each.box for each in menu.children if each.showing and each.box is not None]
    held = {popup: sum(popup.contains(each.center) for each in boxes) for popup in popups}
    best = max(popups, key=lambda popup: held[popup], default=None)
    if best is None or not held[best]:
        return None
    return best if max(each.bottom for each in boxes) - min(each.top for each in boxes) > best.height else None


def _between_arrows(popup: Box, entries: Sequence[Node]) -> Box:
    """The part of a menu's window that shows entries: where there are more of them, an arrow scrolls to those."""
    boxes = [each.box for each in entries if each.showing and each.box is not None]
    top = _ARROW if any(each.top < popup.top for each in boxes) else 0
    bottom = _ARROW if any(each.bottom > popup.bottom for each in boxes) else 0
    return Box(popup.left, popup.top + top, popup.right, max(popup.bottom - bottom, popup.top + top + 1))


def _between_headers(table: Node, inside: Box | None) -> Box | None:
    """The part of a table where its cells can be seen: what has scrolled under the headers cannot."""
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

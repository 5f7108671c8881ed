"""Which nodes of a window are its elements, and what can be seen of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from handeye.geometry import Box
from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.scroll_bars import Insets
from handeye.perceive.atspi.visible import CUTTING, POPPING_UP, View, shows_nothing
from handeye.perceive.atspi.vocabulary import COMBO_BOXES, DEFUNCT, numbers_of
from handeye.perceive.told import NOWHERE

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

"""From the nodes of a window to its elements: roles, what can be seen, and what can be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, Final

from handeye.devices.desktop.base import Window
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.atspi.nodes import PASSWORDS, Node
from handeye.perceive.atspi.visible import CUTTING, POPPING_UP
from handeye.perceive.atspi.vocabulary import (
    ACTIVE,
    CHECKABLE,
    CHECKED,
    DEFUNCT,
    EDITABLE,
    ENABLED,
    EXPANDABLE,
    EXPANDED,
    FOCUSABLE,
    FOCUSED,
    HAS_POPUP,
    INDETERMINATE,
    INVALID_ENTRY,
    MODAL,
    MULTI_LINE,
    PRESSED,
    READ_ONLY,
    REQUIRED,
    SELECTABLE,
    SELECTED,
    SENSITIVE,
    numbers_of,
)
from handeye.roles import ATSPI, role_of_class

SOURCE: Final = "accessibility"
NOWHERE: Final = Box(0, 0, 0, 0)
"""The box of what is not on the screen: scrolled out."""

# What can be scrolled: a child that is not shown may be brought into view.
_SCROLLING: Final = numbers_of(
    *("scroll pane", "viewport", "list", "list box", "table", "tree", "tree table", "document web", "document frame")
)
_TABLES: Final = numbers_of("table", "tree table", "tree", "list", "document spreadsheet")
_COLUMN_HEADERS: Final = numbers_of("table column header", "column header")
_ROW_HEADERS: Final = numbers_of("table row header", "row header")
_HEADERS: Final = _COLUMN_HEADERS | _ROW_HEADERS
_TABS: Final = numbers_of("page tab")
_READ_AS_INPUT: Final = numbers_of("text")

# Roles that a click does something with, whatever their states say, and those that it does nothing with although they take
# the focus.
_USED: Final = frozenset(
    {
        *(
            "button",
            "input",
            "checkbox",
            "radio",
            "switch",
            "link",
            "tab",
            "menu",
            "menu item",
            "list item",
            "tree item",
        ),
        *("combo box", "slider", "spinner", "split button", "cell", "header item", "scroll bar", "grip"),
    }
)
_ONLY_HOLDING: Final = frozenset(
    {
        "window",
        "pane",
        "document",
        "group",
        "table",
        "tree",
        "list",
        "splitter",
        "tab bar",
        "toolbar",
        "menu bar",
        "web view",
    }
)
_USABLE: Final = FOCUSABLE | EDITABLE | CHECKABLE | SELECTABLE

_TOLD_STATES: Final = {
    "checked": CHECKED,
    "pressed": PRESSED,
    "selected": SELECTED,
    "focused": FOCUSED,
    "expandable": EXPANDABLE,
    "expanded": EXPANDED,
    "editable": EDITABLE,
    "multiline": MULTI_LINE,
    "modal": MODAL,
    "active": ACTIVE,
    "mixed": INDETERMINATE,
    "required": REQUIRED,
    "invalid": INVALID_ENTRY,
    "read-only": READ_ONLY,
    "has-popup": HAS_POPUP,
}
_CHECKED_BY_PRESSING: Final = numbers_of("toggle button", "switch")


def elements_of(top: Sequence[Node], window: Window, toolkit: str) -> Iterator[tuple[UIElement, Node]]:
    """
    The elements of the frame `top[0]` and of what pops up beside it, parents first, numbered from 1, each with its node.

    What is not shown is left out; what is only scrolled out of view has the empty box NOWHERE, no visible part, and
    `metadata["offscreen"]`. The first is the window itself: its box is the client area, as GTK counts decorations in.
    """
    number = 0
    stack: list[tuple[Node, int | None, Box | None]] = [(node, None, None) for node in reversed(top)]
    top[0].box = window.box
    while stack:
        node, parent, cut = stack.pop()
        number += 1
        box = node.box if node.showing or node is top[0] else None
        seen = box.intersect(cut) if box is not None and cut is not None else box
        yield _element(node, number, parent, box if seen is not None else None, seen, toolkit), node
        inside = _cut_for_children(node, box, seen, cut)
        band = _without_headers(node, inside)
        stack.extend(
            (child, number, inside if child.role in _HEADERS else band)
            for child in reversed(node.children)
            if _belongs(node, child, seen)
        )


def _belongs(node: Node, child: Node, seen: Box | None) -> bool:
    """Whether a child is one of the elements: it is shown, or can be scrolled into view."""
    if child.states & DEFUNCT or not child.role_name:
        return False
    if child.showing:
        return child.box is not None or bool(child.children)
    return child.scrolled_out and node.role in _SCROLLING and seen is not None


def _cut_for_children(node: Node, box: Box | None, seen: Box | None, cut: Box | None) -> Box | None:
    if node.role in POPPING_UP:
        return None
    return seen if node.role in CUTTING and box is not None else cut


def _without_headers(table: Node, inside: Box | None) -> Box | None:
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


def _element(node: Node, number: int, parent: int | None, box: Box | None, seen: Box | None, toolkit: str) -> UIElement:
    role = _role(node)
    about: dict[str, Any] = {"class": node.role_name, "toolkit": toolkit}
    about |= {name: True for name, bit in _TOLD_STATES.items() if node.states & bit}
    if node.role in _CHECKED_BY_PRESSING and node.states & PRESSED:
        about["checked"] = True
    if node.role in PASSWORDS:
        about["password"] = True
    if node.range is not None:
        about["range"], about["value"] = node.range[:2], node.range[2]
    if box is None:
        about["offscreen"] = True
    about |= _identity(node)
    text, description = _words(node, role)
    return UIElement(
        element_type=role,
        description=description,
        bbox=box or NOWHERE,
        source=SOURCE,
        text=text,
        visible_region=seen if box is not None and seen != box else None,
        id=number,
        parent=parent,
        enabled=bool(node.states & (ENABLED | SENSITIVE)),
        interactive=_is_used(node, role),
        metadata=MappingProxyType(about),
    )


def _role(node: Node) -> str:
    if node.role in _READ_AS_INPUT and not node.states & EDITABLE:
        return "text"
    return role_of_class(node.role_name, ATSPI) or "element"


def _words(node: Node, role: str) -> tuple[str, str]:
    """What can be read on it, and what it is called beside that: a field's content and its name, a button's name and hint."""
    if role == "input" or node.text:
        return node.text or "", node.name or node.description
    return node.name, node.description if node.description != node.name else ""


def _is_used(node: Node, role: str) -> bool:
    return role in _USED or (role not in _ONLY_HOLDING and bool(node.states & _USABLE))


def _identity(node: Node) -> dict[str, str]:
    """What programmers called it: GTK's and Chromium's id, the last name of Qt's path unless it is only a class."""
    said = node.attributes
    known = said.get("id") or said.get("accessible-id", "").rpartition(".")[2]
    found = {
        "placeholder": said.get("placeholder-text", ""),
        "tag": said.get("tag", ""),
        "html-class": said.get("class", ""),
    }
    if _is_qt_class(known):
        found["widget"] = known
    else:
        found["id"] = known
    return {key: value for key, value in found.items() if value}


def _is_qt_class(name: str) -> bool:
    return len(name) > 1 and name[0] == "Q" and name[1].isupper()

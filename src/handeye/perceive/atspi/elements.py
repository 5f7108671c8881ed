"""Convert the nodes of a window to elements: roles, visible boxes, and which are interactive."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any, Final

from handeye.elements import UIElement
from handeye.perceive.atspi.nodes import PASSWORDS, Node
from handeye.perceive.atspi.protocol import (
    ACTIVE,
    CHECKABLE,
    CHECKED,
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
from handeye.perceive.atspi.visibility import Placed
from handeye.perceive.element_format import CONTENT_ROLES, OFFSCREEN_BOX, TREE_SOURCE
from handeye.roles import ATSPI, role_of_class

_READ_AS_INPUT: Final = numbers_of("text")
_CELLS: Final = numbers_of("table cell")
_TREES: Final = numbers_of("tree")
_FRAMES: Final = numbers_of("frame")
_ROW_HOLDERS: Final = numbers_of("table", "tree table", "tree", "list", "list box")
_FILLERS: Final = numbers_of("filler")
_TABS: Final = numbers_of("page tab")
_QT: Final = "Qt"
# Roles that react to a click, whatever their states, and those that do not although they take the focus.
_INTERACTIVE: Final = frozenset(
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
_CONTAINERS: Final = frozenset(
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

_REPORTED_STATES: Final = {
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


def element_of(placed: Placed, toolkit: str) -> UIElement:
    """
    Return the element of a node. `text` is its visible text and `description` its other name or hint; `metadata` holds
    "class" (AT-SPI's role), "toolkit", "id", the states that are set, "password", "value" and "range", "offscreen", and
    "unread" if not all rows were read.
    """
    node = placed.node
    role = _role(placed)
    about: dict[str, Any] = {"class": node.role_name, "toolkit": toolkit}
    about |= {name: True for name, bit in _REPORTED_STATES.items() if node.states & bit}
    if toolkit == _QT and node.role in _TABS and not node.states & SELECTABLE and about.pop("focused", False):
        about["selected"] = True  # Qt 5 reports the open tab as focused, wherever the keyboard focus is
    if node.role in _CHECKED_BY_PRESSING and node.states & PRESSED:
        about["checked"] = True
    if node.role in PASSWORDS:
        about["password"] = True
    if node.range is not None:
        least, most, now = node.range
        about |= {"range": (least, most)} if math.isfinite(least) and math.isfinite(most) else {}
        about |= {"value": now} if math.isfinite(now) else {}
    if placed.box is None:
        about["offscreen"] = True
    if node.role in _ROW_HOLDERS and node.claims > len(node.children):
        about["unread"] = True
    about |= _identity(node)
    text, description = _text_and_description(node, role)
    return UIElement(
        element_type=role,
        description=description,
        bbox=placed.box or OFFSCREEN_BOX,
        source=TREE_SOURCE,
        text=text,
        visible_region=placed.seen if placed.seen != placed.box else None,
        id=placed.number,
        parent=placed.parent_number,
        enabled=bool(node.states & (ENABLED | SENSITIVE)),
        interactive=_is_interactive(node, role),
        metadata=MappingProxyType(about),
    )


def _role(placed: Placed) -> str:
    node = placed.node
    if node.role in _READ_AS_INPUT and not node.states & EDITABLE:
        return "text"
    if node.role in _CELLS and placed.parent is not None and placed.parent.role in _TREES:
        return "tree item"  # Qt's own role name is tree item
    if node.role in _FRAMES and placed.parent is not None:
        return "pane"  # a Qt widget with a border
    if node.role in _FILLERS and placed.parent is None:
        return "window"  # a plain top-level widget of Qt
    return role_of_class(node.role_name, ATSPI) or "element"


def _text_and_description(node: Node, role: str) -> tuple[str, str]:
    """
    Return its visible text and its other name: a field's content and name, or a button's name and hint.

    GTK and Qt name a combo box by its selected entry; its own name is the label next to it, if that is known.
    """
    called = node.name or node.description
    if role == "combo box":
        return node.text or node.name, node.description or node.name
    if role in CONTENT_ROLES:
        return node.text or "", called
    if node.text:
        return node.text, called if called != node.text else ""
    return node.name, node.description if node.description != node.name else ""


def _is_interactive(node: Node, role: str) -> bool:
    return role in _INTERACTIVE or (role not in _CONTAINERS and bool(node.states & _USABLE))


def _identity(node: Node) -> dict[str, str]:
    """
    Return its developer-given ids: GTK's and Chromium's id, or the last name of Qt's path unless that is only a class.
    """
    attributes = node.attributes
    known = attributes.get("id") or attributes.get("accessible-id", "").rpartition(".")[2]
    found = {
        "placeholder": attributes.get("placeholder-text", ""),
        "tag": attributes.get("tag", ""),
        "html-class": attributes.get("class", ""),
    }
    if _is_qt_class(known):
        found["widget"] = known
    else:
        found["id"] = known
    return {key: value for key, value in found.items() if value}


def _is_qt_class(name: str) -> bool:
    return len(name) > 1 and name[0] == "Q" and name[1].isupper()

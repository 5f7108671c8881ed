"""Convert the nodes of a window to elements: which to include, their visible boxes, and which are interactive."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.element_format import CONTENT_ROLES, OFFSCREEN_BOX, TREE_SOURCE, clean_text
from handeye.perceive.uia.api import Node
from handeye.perceive.uia.vocabulary import Pattern, Property, control_type_name, control_types
from handeye.roles import UIA, role_of_class

_WINDOWS: Final = control_types("Window", "Menu", "ToolTip")
# Control types that clip their children. Popups are windows of their own, not clipped by their parent.
_CUTTING: Final = control_types("List", "DataGrid", "Table", "Tree", "Document", "Pane", "Window", "Tab")
_SCROLLING: Final = control_types("List", "DataGrid", "Table", "Tree", "Document", "Pane")
_NEVER_SCROLLED: Final = control_types(
    "ScrollBar", "Header", "HeaderItem", "MenuItem", "MenuBar", "Menu", "ToolBar", "Tab", "Thumb"
)
_TITLE_BARS: Final = control_types("TitleBar")
# A click acts on `_INTERACTIVE` types whatever their patterns. It does not act on `_CONTAINERS` even if they take the
# focus or can be opened (a group folds only at its head); but a picture or a card that offers one of `_PRESSED` can be
# clicked.
_INTERACTIVE: Final = control_types(
    *("Button", "CheckBox", "ComboBox", "Edit", "Hyperlink", "ListItem", "MenuItem", "RadioButton", "Slider"),
    *("Spinner", "TabItem", "TreeItem", "Thumb", "DataItem", "SplitButton", "HeaderItem", "ScrollBar"),
)
_CONTAINERS: Final = control_types(
    *("Window", "Pane", "Document", "Group", "DataGrid", "Table", "Tree", "List", "Tab", "ToolBar", "MenuBar", "Menu"),
    *("StatusBar", "TitleBar", "Header", "Text", "Image", "Separator", "ProgressBar", "ToolTip"),
)
_PRESSED: Final = frozenset({Pattern.INVOKE, Pattern.TOGGLE, Pattern.SELECTION_ITEM})

_ON, _MIXED = 1, 2  # ToggleState
_EXPANDED, _PARTLY, _LEAF = 1, 2, 3  # ExpandCollapseState


class Placed(NamedTuple):
    """
    A node that becomes an element: its id, and its parent's. `box` is its full box and `seen` the unclipped part; both are
    None if it is scrolled out of view.
    """

    node: Node
    number: int
    parent_number: int | None
    box: Box | None
    seen: Box | None


class _Spot(NamedTuple):
    """A node with its full and visible boxes, and the nodes below it that become elements."""

    node: Node
    box: Box | None
    seen: Box | None
    below: list[_Spot]


def place(roots: Sequence[Node]) -> Iterator[Placed]:
    """
    Yield the elements of the windows `roots`, parents first, numbered from 1.

    Hidden nodes are skipped: closed menus, other pages, title bars. Nodes that are only scrolled out of view are not.
    """
    number = 0
    stack: list[tuple[_Spot, int | None]] = [
        (spot, None) for root in reversed(roots) if (spot := _spot(root, None, scrolls=False, top=True)) is not None
    ]
    while stack:
        spot, parent = stack.pop()
        number += 1
        yield Placed(spot.node, number, parent, spot.box, spot.seen)
        stack.extend((below, number) for below in reversed(spot.below))


def _spot(node: Node, cut: Box | None, *, scrolls: bool, top: bool = False) -> _Spot | None:
    """
    Return None if the node is not an element. `cut` is the clipping box, `scrolls` is True inside a scrollable container.
    """
    kind = node.get(Property.CONTROL_TYPE)
    if kind in _TITLE_BARS:
        return None  # part of the window frame, not of its content
    if kind in _WINDOWS and not top:
        cut, scrolls = None, False
    box = node.box if top or not node.get(Property.IS_OFFSCREEN) else None
    seen = box.intersect(cut) if box is not None and cut is not None else box
    inner = seen if kind in _CUTTING and seen is not None else cut
    inside = scrolls or kind in _SCROLLING
    below = [spot for each in node.children if (spot := _spot(each, inner, scrolls=inside)) is not None]
    if seen is None and not top and not any(each.seen is not None for each in below):
        may_come = Pattern.SCROLL_ITEM in node.patterns or (scrolls and kind not in _NEVER_SCROLLED)
        if not may_come:
            return None  # containers reported as off screen may have visible content
    return _Spot(node, box if seen is not None else None, seen, below)


def element_of(placed: Placed) -> UIElement:
    """
    Return the element of a node. `text` is its visible text and `description` its other name or hint; `metadata` holds
    "class" (UI Automation's control type), "toolkit", "id", the states that are set, "password", "value" and "range",
    "offscreen".
    """
    node = placed.node
    kind = node.get(Property.CONTROL_TYPE)
    about: dict[str, Any] = {"class": control_type_name(kind), "toolkit": clean_text(node.get(Property.FRAMEWORK_ID))}
    about |= dict.fromkeys(_states(node), True)
    about |= _numbers(node)
    about |= {
        name: text
        for name, one in (
            ("id", Property.AUTOMATION_ID),
            ("access-key", Property.ACCESS_KEY),
            ("accelerator", Property.ACCELERATOR_KEY),
            ("status", Property.ITEM_STATUS),
            ("win32-class", Property.CLASS_NAME),
        )
        if (text := clean_text(node.get(one)))
    }
    if placed.box is None:
        about["offscreen"] = True
    text, description = _text_and_description(node)
    return UIElement(
        element_type=_role(node),
        description=description,
        bbox=placed.box or OFFSCREEN_BOX,
        source=TREE_SOURCE,
        text=text,
        visible_region=placed.seen if placed.seen != placed.box else None,
        id=placed.number,
        parent=placed.parent_number,
        enabled=bool(node.get(Property.IS_ENABLED)),
        interactive=_is_interactive(node),
        metadata=MappingProxyType(about),
    )


def _role(node: Node) -> str:
    kind = node.get(Property.CONTROL_TYPE)
    return (role_of_class(kind, UIA) if isinstance(kind, int) else None) or "element"


def _text_and_description(node: Node) -> tuple[str, str]:
    """Return its visible text and its other name: a field's content and name, or a button's name and hint."""
    name, hint = clean_text(node.get(Property.NAME)), clean_text(node.get(Property.HELP_TEXT))
    value = "" if node.is_password else clean_text(node.get(Property.VALUE_VALUE))
    if _role(node) in CONTENT_ROLES or (node.is_password and node.get(Property.CONTROL_TYPE) not in _INTERACTIVE):
        return value, name or hint
    return name or value, hint if hint != name else ""


def _states(node: Node) -> Iterator[str]:
    if node.get(Property.HAS_KEYBOARD_FOCUS):
        yield "focused"
    if node.is_password:
        yield "password"
    if node.get(Property.IS_REQUIRED_FOR_FORM):
        yield "required"
    if Pattern.TOGGLE in node.patterns:
        state = node.get(Property.TOGGLE_TOGGLE_STATE)
        if state in (_ON, _MIXED):
            yield "checked" if state == _ON else "mixed"
    if Pattern.SELECTION_ITEM in node.patterns and node.get(Property.SELECTION_ITEM_IS_SELECTED):
        yield "selected"
        if node.get(Property.CONTROL_TYPE) in control_types("RadioButton"):
            yield "checked"
    if Pattern.EXPAND_COLLAPSE in node.patterns:
        state = node.get(Property.EXPAND_COLLAPSE_EXPAND_COLLAPSE_STATE)
        if state != _LEAF:
            yield "expandable"
        if state in (_EXPANDED, _PARTLY):
            yield "expanded"
    if Pattern.WINDOW in node.patterns and node.get(Property.WINDOW_IS_MODAL):
        yield "modal"
    yield from _editing(node)


def _editing(node: Node) -> Iterator[str]:
    if Pattern.VALUE in node.patterns and _role(node) in CONTENT_ROLES:
        yield "read-only" if node.get(Property.VALUE_IS_READ_ONLY) else "editable"


def _numbers(node: Node) -> dict[str, Any]:
    if Pattern.RANGE_VALUE not in node.patterns:
        return {}
    bounds = [
        node.get(one)
        for one in (Property.RANGE_VALUE_MINIMUM, Property.RANGE_VALUE_MAXIMUM, Property.RANGE_VALUE_VALUE)
    ]
    if not all(isinstance(number, int | float) and math.isfinite(number) for number in bounds):
        return {}
    least, most, now = bounds
    return {"range": (least, most), "value": now}


def _is_interactive(node: Node) -> bool:
    kind = node.get(Property.CONTROL_TYPE)
    if kind in _INTERACTIVE or node.patterns & _PRESSED:
        return True
    opens = Pattern.EXPAND_COLLAPSE in node.patterns
    return kind not in _CONTAINERS and bool(opens or node.get(Property.IS_KEYBOARD_FOCUSABLE))

"""AT-SPI's own words: the numbers of its roles and states, as `atspi-constants.h` of at-spi2-core has them."""

from __future__ import annotations

from typing import Final

# AtspiRole, by number.
ROLES: Final = (
    *("invalid", "accelerator label", "alert", "animation", "arrow", "calendar", "canvas", "check box"),
    *("check menu item", "color chooser", "column header", "combo box", "date editor", "desktop icon"),
    *("desktop frame", "dial", "dialog", "directory pane", "drawing area", "file chooser", "filler"),
    *("focus traversable", "font chooser", "frame", "glass pane", "html container", "icon", "image"),
    *("internal frame", "label", "layered pane", "list", "list item", "menu", "menu bar", "menu item"),
    *("option pane", "page tab", "page tab list", "panel", "password text", "popup menu", "progress bar"),
    *("push button", "radio button", "radio menu item", "root pane", "row header", "scroll bar", "scroll pane"),
    *("separator", "slider", "spin button", "split pane", "status bar", "table", "table cell"),
    *("table column header", "table row header", "tearoff menu item", "terminal", "text", "toggle button"),
    *("tool bar", "tool tip", "tree", "tree table", "unknown", "viewport", "window", "extended", "header"),
    *("footer", "paragraph", "ruler", "application", "autocomplete", "editbar", "embedded", "entry", "chart"),
    *("caption", "document frame", "heading", "page", "section", "redundant object", "form", "link"),
    *("input method window", "table row", "tree item", "document spreadsheet", "document presentation"),
    *("document text", "document web", "document email", "comment", "list box", "grouping", "image map"),
    *("notification", "info bar", "level bar", "title bar", "block quote", "audio", "video", "definition"),
    *("article", "landmark", "log", "marquee", "math", "rating", "timer", "static", "math fraction", "math root"),
    *("subscript", "superscript", "description list", "description term", "description value", "footnote"),
    *("content deletion", "content insertion", "mark", "suggestion", "push button menu", "switch"),
)
_NUMBERS: Final = {name: number for number, name in enumerate(ROLES)}

UNKNOWN: Final = frozenset({_NUMBERS["unknown"], _NUMBERS["extended"]})
"""Roles that say nothing: the role's name may (Qt's "grip")."""


def numbers_of(*names: str) -> frozenset[int]:
    """The numbers of these roles."""
    return frozenset(_NUMBERS[name] for name in names)


COMBO_BOXES: Final = numbers_of("combo box")


def role_name(number: int) -> str:
    """What AT-SPI calls the role; "unknown" for a number from a newer version."""
    return ROLES[number] if 0 <= number < len(ROLES) else "unknown"


# AtspiStateType, as bits of one number of 64.
ACTIVE: Final = 1 << 1
CHECKED: Final = 1 << 4
DEFUNCT: Final = 1 << 6
EDITABLE: Final = 1 << 7
ENABLED: Final = 1 << 8
EXPANDABLE: Final = 1 << 9
EXPANDED: Final = 1 << 10
FOCUSABLE: Final = 1 << 11
FOCUSED: Final = 1 << 12
MODAL: Final = 1 << 16
MULTI_LINE: Final = 1 << 17
PRESSED: Final = 1 << 20
SELECTABLE: Final = 1 << 22
SELECTED: Final = 1 << 23
SENSITIVE: Final = 1 << 24
SHOWING: Final = 1 << 25
VISIBLE: Final = 1 << 30
MANAGES_DESCENDANTS: Final = 1 << 31
INDETERMINATE: Final = 1 << 32
REQUIRED: Final = 1 << 33
INVALID_ENTRY: Final = 1 << 36
CHECKABLE: Final = 1 << 41
HAS_POPUP: Final = 1 << 42
READ_ONLY: Final = 1 << 43


def states_of(words: object) -> int:
    """GetState's two numbers of 32 bits as one; 0 for anything else."""
    if not isinstance(words, list) or len(words) != 2:
        return 0
    low, high = words
    return int(low) | int(high) << 32

"""D-Bus method calls and properties of accessible objects."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from dbus_fast import Message, MessageType, Variant

ACCESSIBLE: Final = "org.a11y.atspi.Accessible"
APPLICATION: Final = "org.a11y.atspi.Application"
COMPONENT: Final = "org.a11y.atspi.Component"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
REGISTRY: Final = "org.a11y.atspi.Registry"
ROOT: Final = "/org/a11y/atspi/accessible/root"
NOTHING: Final = "/org/a11y/atspi/null"
DAEMON: Final = "org.freedesktop.DBus"


class Ref(NamedTuple):
    """The address of an accessible object: the application's bus name, and the object path."""

    bus: str
    path: str


# As the D-Bus specification defines them: the daemon disconnects a client that uses another name or path, which would end
# all readings. (dbus-fast's own checks let any name through that begins with a colon, and a line end after either.)
_LONGEST_NAME: Final = 255
_NAME: Final = re.compile(r"(?::[\w-]+|[A-Za-z_-][\w-]*)(?:\.[\w-]+)+", re.ASCII)
_PATH: Final = re.compile(r"/|(?:/\w+)+", re.ASCII)


def ref_from(pair: Any) -> Ref | None:
    """Return a reference given by an application, or None for the null reference and for an invalid name or path."""
    bus, path = pair
    if path == NOTHING or len(bus) > _LONGEST_NAME or not _NAME.fullmatch(bus) or not _PATH.fullmatch(path):
        return None
    return Ref(bus, path)


class Question(NamedTuple):
    """One method call. `expects` is the signature of the answer; an answer with another one is ignored."""

    of: Ref
    interface: str
    member: str
    expects: str
    signature: str = ""
    arguments: tuple[object, ...] = ()


def property_of(of: Ref, interface: str, name: str, expects: str) -> Question:
    """Return the question for a D-Bus property; `expects` is the signature inside the variant."""
    return Question(of, PROPERTIES, "Get", f"v{expects}", "ss", (interface, name))


def setting_of(of: Ref, interface: str, name: str, kind: str, value: object) -> Question:
    """Return the command that sets a D-Bus property of the type `kind`."""
    return Question(of, PROPERTIES, "Set", "", "ssv", (interface, name, Variant(kind, value)))


def message_of(question: Question) -> Message:
    return Message(
        destination=question.of.bus,
        path=question.of.path,
        interface=question.interface,
        member=question.member,
        signature=question.signature,
        body=list(question.arguments),
    )


def answer_of(reply: Message, expects: str) -> Any:
    """Return the value of a reply, or None if it is an error or of another type. True if no value is expected."""
    if reply.message_type is not MessageType.METHOD_RETURN:
        return None
    if not expects:
        return True
    if expects[0] == "v" and len(expects) > 1:
        inside = reply.body[0] if reply.signature == "v" else None
        return inside.value if isinstance(inside, Variant) and inside.signature == expects[1:] else None
    return reply.body[0] if reply.signature == expects and reply.body else None


# Numbers of AT-SPI's roles and states, as in `atspi-constants.h` of at-spi2-core.


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
"""Roles without meaning, whose role name may have one (Qt's "grip")."""


def numbers_of(*names: str) -> frozenset[int]:
    """Return the numbers of these roles."""
    return frozenset(_NUMBERS[name] for name in names)


COMBO_BOXES: Final = numbers_of("combo box")


def role_name(number: int) -> str:
    """Return AT-SPI's name of a role; "unknown" for a number from a newer version."""
    return ROLES[number] if 0 <= number < len(ROLES) else "unknown"


# AtspiStateType, as bits of one 64-bit number.
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
    """Return GetState's two 32-bit numbers as one; 0 for anything else."""
    if not isinstance(words, list) or len(words) != 2:
        return 0
    low, high = words
    return int(low) | int(high) << 32

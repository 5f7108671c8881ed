"""A scene tree as the XML that Android's `uiautomator dump` writes."""

from __future__ import annotations

from handeye.errors import HandeyeError
from handeye.geometry import Box, Size
from handeye_phone.drawing.scene import Node, Window

_DECLARATION = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_FIELD = 'class="android.widget.EditText"'
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


class NotIdle(HandeyeError):
    """The screen never stood still, so it cannot be dumped."""


def _escape(text: str) -> str:
    # XML 1.0 has no way to write most control characters; Android replaces them by a dot too.
    return "".join(char if _allowed(char) else "." for char in text).translate(_ESCAPES)


def _allowed(char: str) -> bool:
    code = ord(char)
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def dump(window: Window, size: Size, rotation: int, *, field_class: str = "") -> str:
    """
    Return the active window's tree as XML; text fields have the class `field_class`, if given. Bounds are clipped to the
    visible part; nodes without one are left out.
    """
    screen = Box(0, 0, size.width, size.height)
    parts = [_DECLARATION, f'<hierarchy rotation="{rotation}">']
    _write(window.root, 0, window.package, screen, parts)
    if field_class:
        parts = [part.replace(_FIELD, f'class="android.widget.{field_class}"') for part in parts]
    parts.append("</hierarchy>")
    return "".join(parts)


def _visible(box: Box, frame: Box) -> Box | None:
    left, top = max(box.left, frame.left), max(box.top, frame.top)
    right, bottom = min(box.right, frame.right), min(box.bottom, frame.bottom)
    return Box(left, top, right, bottom) if right > left and bottom > top else None


def _write(node: Node, index: int, package: str, frame: Box, parts: list[str]) -> bool:
    box = _visible(node.box, frame)
    if box is None:
        return False
    parts.append(f"<node {_attributes(node, index, package, box)}")
    opened = len(parts)
    parts.append(">")
    number = 0
    for kid in _accessible(node):
        number += _write(kid, number, package, box if node.clip else frame, parts)
    if number:
        parts.append("</node>")
    else:
        parts[opened] = " />"
    return True


def _accessible(node: Node) -> list[Node]:
    """Return the accessible children; decorative nodes are replaced by their children."""
    kids: list[Node] = []
    for kid in node.kids:
        kids.extend((kid,) if kid.dumped else _accessible(kid))
    return kids


def _attributes(node: Node, index: int, package: str, box: Box) -> str:
    rid = node.rid if not node.rid or ":" in node.rid else f"{package}:id/{node.rid}"
    text = node.text
    if node.field is not None:
        text = node.field.text or node.field.hint  # as Android: an empty field reports its hint
        text = "•" * len(text) if node.password and node.field.text else text
    flags = {
        "checkable": node.checkable,
        "checked": node.checked,
        "clickable": node.clickable,
        "enabled": node.enabled,
        "focusable": node.clickable or node.scroller is not None,
        "focused": node.focused,
        "scrollable": node.scroller is not None and node.scroller.limit > 0,
        "long-clickable": node.on_long is not None or node.field is not None,
        "password": node.password,
        "selected": node.selected,
    }
    states = " ".join(f'{name}="{"true" if value else "false"}"' for name, value in flags.items())
    return (
        f'index="{index}" text="{_escape(text)}" resource-id="{_escape(rid)}" class="{node.cls}" '
        f'package="{_escape(package)}" content-desc="{_escape(node.desc)}" {states} '
        f'bounds="[{box.left},{box.top}][{box.right},{box.bottom}]"'
    )

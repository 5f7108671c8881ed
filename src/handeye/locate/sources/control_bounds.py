"""
Bounds and kind of the control around a label, and of the input field that belongs to a label, from the shapes on a frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from handeye.geometry import Box
from handeye.parse import propose, scale_of
from handeye.screen import Screen
from handeye.text import CANDIDATE, UNCERTAIN, TextLine

# Margin of a control above and below its text, in heights of the text's ink. A 56 px field around a 16 px font without tall
# letters has 2.9 on each side; cards and panels have more, and contain other text.
_REACH: Final = 3.2
_WIDEST: Final = 0.97
# A field's text begins at its left; a button's is centred, perhaps with an icon.
_FIELD_LEAST: Final = 2.5  # least ratio of a field's width to its height
_OFF_CENTRE: Final = 0.12
# Largest distance of a label from the field below it, and of their left edges, in heights of the label's ink.
_ABOVE: Final = 2.2
_SAME_EDGE: Final = 4  # pixels between the edges of cells that share a line

# Roles with a similar appearance never contradict each other: a link, a tab, a menu item, a list row and a flat button are
# all a word, with or without a face, and a heading in a bar looks like a field. Roles with a distinct appearance do: a blue
# face is no heading, a field is no button. Roles that draw more than a text: bare text does not show whether such a control
# is next to it.
_DRAWN: Final = frozenset({"switch", "slider", "checkbox", "radio", "progress bar", "image", "video"})
# A face with a centred label is none of these. Radio buttons may look so, as segments of one control.
_NO_BUTTON: Final = _DRAWN - {"radio"} | {"heading"}
_NO_FIELD: Final = _DRAWN | {"button"}

# Kinds that a frame may show for a requested role. The text of a list row may also be in the search field, which is no row.
_SHOWN_AS: Final = {
    "button": ("button",),
    **dict.fromkeys(("text", "link", "heading"), ("text",)),
    **dict.fromkeys(("list item", "table row"), ("text", "button")),
}


def control_around(screen: Screen, label: Box) -> Box | None:
    """Return the button face or field around the text in `label`, in frame pixels; None if the text is on the bare page."""
    ends = (label.left, label.center.y), (label.right - 1, label.center.y)
    own = label.expand(2)  # the letters may be closed shapes themselves
    around = (box for box in _shapes(screen) if box.height >= label.height and all(map(box.contains, ends)))
    face = next((box for box in around if box.intersect(own) != box), None)
    if face is None or _is_section(screen, face):
        return None
    if face.width > _WIDEST * screen.size.width or face.height > _WIDEST * screen.size.height:
        return None
    return face if max(label.top - face.top, face.bottom - label.bottom) <= _REACH * label.height else None


def is_field(face: Box, label: Box) -> bool:
    """Return True if the text at `label` is in `face` as in an input field: at the left with much space."""
    is_wide = face.width >= _FIELD_LEAST * face.height
    return is_wide and label.center.x < face.center.x and not is_button(face, label)


def is_button(face: Box, label: Box) -> bool:
    """Return True if the text at `label` is in `face` as on a button: centred, perhaps with an icon."""
    off = abs(label.left + label.right - face.left - face.right) / 2
    return off <= max(_OFF_CENTRE * face.width, label.height)


def fields_of(screen: Screen, label: Box, lines: Sequence[TextLine]) -> list[Box]:
    """Return the nearest field to the right of a label and the nearest below it, in frame pixels, if there are any."""
    height = label.height
    fields = [
        box
        for box in _shapes(screen)
        if box.width >= _FIELD_LEAST * box.height
        and height <= box.height <= (1 + 2 * _REACH) * height
        and not _is_taken(box, lines)
    ]
    fields = [box for box in fields if not any(box != other == box.intersect(other) for other in fields)]
    beside = [
        box
        for box in fields
        if box.left >= label.right - _SAME_EDGE and box.top <= label.center.y < box.bottom
        if not _is_between(Box(label.right, label.top, box.left, label.bottom), label, lines)
    ]
    below = [
        box
        for box in fields
        if 0 <= box.top - label.bottom + _SAME_EDGE <= _ABOVE * height and abs(box.left - label.left) <= _ABOVE * height
        if not _is_section(screen, box)
        and not _is_between(Box(label.left, label.bottom, label.right, box.top), label, lines)
    ]
    nearest = min(beside, key=lambda box: box.left, default=None), min(below, key=lambda box: box.top, default=None)
    return [box for box in nearest if box is not None]


def _is_between(room: Box, label: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if another text is between a label and a field: then the field belongs to that text."""
    return any(room.contains(line.box.center) and line.box.intersect(label) is None for line in lines)


def _is_taken(field: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if the texts in the field make it a button, or a container of several texts."""
    inside = [line.box for line in lines if field.contains(line.box.center)]
    return len(inside) > 1 or any(is_button(field, box) for box in inside)


def _is_section(screen: Screen, face: Box) -> bool:
    """Return True for a table row, or a part of a card between two lines: its sides continue above or below it."""
    near = max(_SAME_EDGE, face.height // 6)
    return any(
        max(abs(other.left - face.left), abs(other.right - face.right)) <= _SAME_EDGE
        and min(abs(other.bottom - face.top), abs(other.top - face.bottom)) <= near
        for other in _shapes(screen)
    )


@lru_cache(maxsize=1)
def _shapes(screen: Screen) -> tuple[Box, ...]:
    """Return the closed shapes on a frame that are not inside pictures, the smallest first."""
    seen = propose(screen.pixels, (), scale_of(screen.size, ()))
    boxes = (shape.box for shape in seen.shapes)
    plain = (box for box in boxes if not any(picture.intersect(box) == box for picture in seen.pictures))
    return tuple(sorted(plain, key=lambda box: box.area))


def looks_like(asked: str | None, shown: str) -> bool:
    """
    Return True if an element shown as one kind may have the requested role. A role without its own appearance fits any
    kind.
    """
    return asked not in _SHOWN_AS or shown in _SHOWN_AS[asked]


def max_confidence(asked: str | None, shown: str) -> float:
    """
    Return the maximum confidence (0-1) of an element shown as one kind ("button", "input", "text") for a requested role.
    """
    if (shown == "button" and asked in _NO_BUTTON) or (shown == "input" and asked in _NO_FIELD):
        return CANDIDATE
    return UNCERTAIN if asked in _DRAWN else 1.0

"""The input field that belongs to a label: the one it stands in, beside, or above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from handeye.geometry import Box
from handeye.locate.face import FIELD_LEAST, face_of, is_button
from handeye.ocr.base import TextLine
from handeye.screen import Pixels, Screen

# How far a field may stand from its label, in heights of the label's ink: forms set labels in a column to the left of the
# fields (a short label in a wide column is far off), or close above them.
_BESIDE: Final = 12.0
_ABOVE: Final = 2.2
_TO_VALUE: Final = 2.0  # and from a field's upper edge to the letters in it
# Edges that are tried on the way: an asterisk, a help sign, then the field.
_TRIES: Final = 4
_DIFFERS: Final = 5  # difference per channel of a field's edge to the page; faint fields are 8 off
# A field is wider than FIELD_LEAST of its own heights, and one below its label begins where that does.
_INDENT: Final = 1.5


def fields_of(screen: Screen, label: Box, lines: Sequence[TextLine]) -> list[Box]:
    """The fields beside and below a label that stands on the bare page, in frame pixels; empty when the picture shows none."""
    if not screen.box.contains(label.center):
        return []
    fields = (_beside(screen, label, lines), _below(screen, label, lines))
    return [field for field in fields if field is not None and not _is_taken(field, lines)]


def field_beside_cell(screen: Screen, label: Box, cell: Box, lines: Sequence[TextLine]) -> Box | None:
    """
    Return the field to the right of the box that a label stands in; None where that box may be a field itself.

    Forms set in tables draw such a box around each label. It is a cell, and the field is beside it, where the field is an inset
    of its own cell, lower than the label's on both sides; or where it is empty and the frame of the label's cell runs on to it.
    """
    behind = Box(label.left, label.top, cell.right - max(2, label.height // 4) - 1, label.bottom)
    field = _beside(screen, behind, lines)
    if field is None or field.left < cell.right or _is_taken(field, lines):
        return None
    if cell.top < field.top and field.bottom < cell.bottom:
        return field
    empty = not any(field.contains(line.box.center) for line in lines)
    return field if empty and _runs_on(screen, cell, field.left) else None


def _runs_on(screen: Screen, cell: Box, right: int) -> bool:
    """Return True if the lines above and below a cell go on from it to `right`."""
    for row in (cell.top - 1, cell.bottom):
        line = screen.pixels[min(max(0, row), screen.size.height - 1), cell.center.x : right].astype(np.int16)
        if np.abs(line - line[0]).max() > _DIFFERS:
            return False
    return True


def _beside(screen: Screen, label: Box, lines: Sequence[TextLine]) -> Box | None:
    """The field to the right on the same row."""
    height = label.height
    start, end = label.right + max(2, height // 4), min(screen.size.width, label.right + round(_BESIDE * height))
    row = Box(start, label.top, end, label.bottom)
    fields = [
        field
        for field in _around_values(screen, lines, row)
        if label.right <= field.left < end and field.top <= label.center.y < field.bottom
        if not _is_between(Box(label.right, label.top, field.left, label.bottom), label, lines)
    ]
    for x in _edges(screen.pixels[label.center.y, start:end]):
        left = start + x + max(3, height // 2)
        for margin in (0, height // 4):  # the box of letters with tails is nearly as high as a low field
            inside = Box(left, label.top + margin, left + height, label.bottom - margin)
            face = _field_around(screen, inside)
            if face is not None and abs(face.left - start - x) <= height and face.left >= label.right:
                fields.append(face)
                break
    if not fields:
        return None
    nearest = min(fields, key=lambda field: field.left)
    insets = [field for field in fields if field != nearest and field.intersect(nearest) == field]  # of a table's cell
    return min(insets or [nearest], key=lambda field: field.left)


def _below(screen: Screen, label: Box, lines: Sequence[TextLine]) -> Box | None:
    """The field just below, whose left side is the label's."""
    height = label.height
    start, end = label.bottom + max(1, height // 8), min(screen.size.height, label.bottom + round(_ABOVE * height))
    reach = Box(label.left - height, start, label.right + height, end + round(_TO_VALUE * height))
    fields = [
        field
        for field in _around_values(screen, lines, reach)
        if label.bottom <= field.top < end and abs(field.left - label.left) <= _INDENT * height
        if not _is_between(Box(label.left, label.bottom, label.right, field.top), label, lines)
    ]
    x = min(screen.size.width - 1, label.left + height)
    for y in _edges(screen.pixels[start:end, x]):
        top = start + y + max(3, height // 2)
        face = _field_around(screen, Box(x, top, x + height, top + height))
        if face is not None and abs(face.top - start - y) <= height and abs(face.left - label.left) <= _INDENT * height:
            fields.append(face)
            break
    return min(fields, key=lambda field: field.top, default=None)


def _around_values(screen: Screen, lines: Sequence[TextLine], reach: Box) -> Iterator[Box]:
    """The fields around what was read within reach, a value or a placeholder: where its letters stand there is no bare room."""
    for line in lines:
        if line.box.intersect(reach) is not None:
            field = _field_around(screen, line.box)
            if field is not None:
                yield field


def _is_between(room: Box, label: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if another text stands in the room between a label and a field: then the field is that one's."""
    return any(room.contains(line.box.center) and line.box.intersect(label) is None for line in lines)


def _edges(line: Pixels) -> Iterator[int]:
    """Where the colour changes along a line of pixels of shape (n, 3): the first few places."""
    if len(line) < 2:
        return
    changes = np.flatnonzero(np.abs(np.diff(line.astype(np.int16), axis=0)).max(axis=1) > _DIFFERS) + 1
    yield from changes[np.diff(changes, prepend=-_TRIES) > 1][:_TRIES].tolist()


def _field_around(screen: Screen, inside: Box) -> Box | None:
    if inside.intersect(screen.box) != inside:
        return None
    face = face_of(screen, inside)
    return face if face is not None and face.width >= FIELD_LEAST * face.height else None


def _is_taken(field: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if what stands in it makes it a button, or something with several texts."""
    inside = [line.box for line in lines if field.contains(line.box.center)]
    return len(inside) > 1 or any(is_button(field, box) for box in inside)

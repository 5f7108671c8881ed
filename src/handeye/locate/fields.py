"""The input field that belongs to a label: the one it stands in, beside, or above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from handeye.geometry import Box
from handeye.locate.face import face_of, is_button
from handeye.ocr.base import TextLine
from handeye.screen import Pixels, Screen

# How far a field may stand from its label, in heights of the label's ink: forms set labels in a column to the left of the
# fields (a short label in a wide column is far off), or close above them.
_BESIDE: Final = 12.0
_ABOVE: Final = 2.2
# Edges that are tried on the way: an asterisk, a help sign, then the field.
_TRIES: Final = 4
_DIFFERS: Final = 5  # difference per channel of a field's edge to the page; faint fields are 8 off
# A field is at least so many ink heights high, wider than so many of its own heights, and begins where its label does.
_LOWEST: Final = 1.3
_FIELD_LEAST: Final = 2.5
_INDENT: Final = 1.5


def fields_of(screen: Screen, label: Box, lines: Sequence[TextLine]) -> list[Box]:
    """The fields beside and below a label that stands on the bare page, in frame pixels; empty when the picture shows none."""
    if not screen.box.contains(label.center):
        return []
    fields = (_beside(screen, label), _below(screen, label))
    return [field for field in fields if field is not None and not _is_taken(field, lines)]


def _beside(screen: Screen, label: Box) -> Box | None:
    """The field to the right on the same row."""
    height = label.height
    start, end = label.right + max(2, height // 4), min(screen.size.width, label.right + round(_BESIDE * height))
    row = screen.pixels[label.center.y, start:end]
    for x in _edges(row):
        inside = Box(start + x + max(3, height // 2), label.top, start + x + max(3, height // 2) + height, label.bottom)
        face = _field_around(screen, inside, height)
        if face is not None and abs(face.left - start - x) <= height and face.left >= label.right:
            return face
    return None


def _below(screen: Screen, label: Box) -> Box | None:
    """The field just below, whose left side is the label's."""
    height = label.height
    start, end = label.bottom + max(1, height // 8), min(screen.size.height, label.bottom + round(_ABOVE * height))
    x = min(screen.size.width - 1, label.left + height)
    for y in _edges(screen.pixels[start:end, x]):
        top = start + y + max(3, height // 2)
        face = _field_around(screen, Box(x, top, x + height, top + height), height)
        if face is not None and abs(face.top - start - y) <= height and abs(face.left - label.left) <= _INDENT * height:
            return face
    return None


def _edges(line: Pixels) -> Iterator[int]:
    """Where the colour changes along a line of pixels of shape (n, 3): the first few places."""
    if len(line) < 2:
        return
    changes = np.flatnonzero(np.abs(np.diff(line.astype(np.int16), axis=0)).max(axis=1) > _DIFFERS) + 1
    yield from changes[np.diff(changes, prepend=-_TRIES) > 1][:_TRIES].tolist()


def _field_around(screen: Screen, inside: Box, height: int) -> Box | None:
    if inside.intersect(screen.box) != inside:
        return None
    face = face_of(screen, inside)
    if face is None or face.height < _LOWEST * height or face.width < _FIELD_LEAST * face.height:
        return None
    return face


def _is_taken(field: Box, lines: Sequence[TextLine]) -> bool:
    """Whether what stands in it makes it a button, or something with several texts."""
    inside = [line.box for line in lines if field.contains(line.box.center)]
    return len(inside) > 1 or any(is_button(field, box) for box in inside)

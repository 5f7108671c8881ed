"""What a closed shape is by what stands in it and beside it: the rules that need no training.

They are used where the detector says nothing: each has a look of its own, and what has none stays unnamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from handeye.geometry import Box
from handeye.parse.overlap import Boxes
from handeye.parse.proposals import Shape

# How sure a rule is. They stand below what the detector is sure of; measured by benchmarks/parser.
SWITCH: Final = 0.6
BUTTON: Final = 0.6
BOX: Final = 0.5
FIELD: Final = 0.55
ROW: Final = 0.5

# Sizes in pixels of a screen of scale 1.
_TICK: Final = (11, 26)
_TICK_REACH: Final = 20  # from a box or ring to its label
_SWITCH_HEIGHT: Final = (12, 36)
_SWITCH_WIDE: Final = (1.4, 2.6)  # of its height
_KNOB: Final = (0.5, 1.1)  # of the switch's height; the edges' widths make it up to a tenth larger
_BUTTON_HEIGHT: Final = (15, 72)
_ROOMY: Final = 5  # heights of its label that a button is high, at most
_BUTTON_WIDE: Final = 14  # of its height: a phone's widest are 8
_ICON_BUTTON: Final = 84
_FIELD_HEIGHT: Final = (18, 72)
_FIELD_WIDE: Final = 2.5  # of its height
_FIELD_LEAST: Final = 70
_CENTRED: Final = 0.1  # of a button's width its label may be off, or half of its own height
_LEFT: Final = 0.3
_ROW_HEIGHT: Final = (18, 140)
_ROW_WIDE: Final = 3.0
_ROW_GAP: Final = 3
_LARGEST: Final = 0.3  # of the frame; what is larger is a part of the page


@dataclass(frozen=True, slots=True)
class Named:
    """A shape with a role, and how sure that is."""

    box: Box
    role: str
    confidence: float


def name_shapes(
    shapes: Sequence[Shape], lines: Sequence[Box], marks: Sequence[Box], scale: float, frame: Box
) -> list[Named]:
    """The shapes that have the look of a control, with its role; boxes are all in pixels of the frame."""
    seen = _Seen(shapes, lines, marks, scale)
    rows = _stacked(shapes, scale)
    named = []
    for index, shape in enumerate(shapes):
        if shape.box.area > _LARGEST * frame.area:
            continue
        found = _tick(shape, seen) or _switch(shape, seen) or _face(shape, index in rows, seen)
        if found is not None:
            named.append(found)
    return named


class _Seen:
    """What stands where, to be asked by box."""

    def __init__(self, shapes: Sequence[Shape], lines: Sequence[Box], marks: Sequence[Box], scale: float) -> None:
        self.scale = scale
        self._shapes, self._lines, self._marks = shapes, lines, marks
        self._in_shapes = Boxes([shape.box for shape in shapes])
        self._in_lines, self._in_marks = Boxes(lines), Boxes(marks)

    def lines(self, box: Box) -> list[Box]:
        return [self._lines[index] for index in self._in_lines.inside(box, 0.7)]

    def marks(self, box: Box) -> list[Box]:
        return [self._marks[index] for index in self._in_marks.inside(box, 0.8)]

    def shapes(self, box: Box) -> list[Shape]:
        return [self._shapes[index] for index in self._in_shapes.inside(box, 0.9) if self._shapes[index].box != box]

    def beside(self, box: Box, reach: int) -> bool:
        """Whether text begins right of `box`, or ends left of it, on its row."""
        middle = box.center.y
        return any(
            line.top <= middle < line.bottom
            and (0 <= line.left - box.right <= reach or 0 <= box.left - line.right <= reach)
            for line in self._lines
        )

    def sized(self, value: float, limits: tuple[int, int]) -> bool:
        return limits[0] * self.scale <= value <= limits[1] * self.scale


def _tick(shape: Shape, seen: _Seen) -> Named | None:
    """A check box or a radio button: a small square or ring with a label beside it."""
    box = shape.box
    if not seen.sized(box.width, _TICK) or abs(box.width - box.height) > max(2, box.width // 8):
        return None
    if seen.lines(box) or not seen.beside(box, round(_TICK_REACH * seen.scale)):
        return None
    return Named(box, "radio" if shape.is_round else "checkbox", BOX)


def _switch(shape: Shape, seen: _Seen) -> Named | None:
    """A pill with a knob at one end."""
    box = shape.box
    if not seen.sized(box.height, _SWITCH_HEIGHT) or not _within(box.width / box.height, _SWITCH_WIDE):
        return None
    knobs = [each.box for each in seen.shapes(box) if each.is_round]
    knobs = [knob for knob in knobs if _within(knob.height / box.height, _KNOB)]
    for knob in knobs:
        if min(knob.left - box.left, box.right - knob.right) <= box.height / 3 and not seen.lines(box):
            return Named(box, "switch", SWITCH)
    return None


def _face(shape: Shape, in_rows: bool, seen: _Seen) -> Named | None:
    """A button, a field or a row: by where its text stands."""
    box = shape.box
    lines, marks = seen.lines(box), seen.marks(box)
    if in_rows and lines and seen.sized(box.height, _ROW_HEIGHT) and box.width >= _ROW_WIDE * box.height:
        return Named(box, "list item", ROW)
    if len(lines) > 1:
        return None
    if lines and _is_button(box, lines[0], seen):
        return Named(box, "button", BUTTON)
    if not lines and len(marks) == 1 and max(box.width, box.height) <= _ICON_BUTTON * seen.scale:
        near = max(box.width, box.height) * 0.15
        off = max(abs(marks[0].center.x - box.center.x), abs(marks[0].center.y - box.center.y))
        return Named(box, "button", BUTTON) if off <= near else None
    if not seen.sized(box.height, _FIELD_HEIGHT) or box.width < _FIELD_WIDE * box.height:
        return None
    if box.width < _FIELD_LEAST * seen.scale or len(marks) > 2 or seen.shapes(box):
        return None
    if not lines and not marks:
        return Named(box, "input", FIELD)
    if lines and lines[0].left - box.left <= _LEFT * box.width:
        ends = [mark for mark in marks if mark.left >= box.right - 1.5 * box.height]
        return Named(box, "combo box" if len(ends) == 1 and len(marks) == 1 else "input", FIELD)
    return None


def _is_button(box: Box, line: Box, seen: _Seen) -> bool:
    if not seen.sized(box.height, _BUTTON_HEIGHT) or box.width > _BUTTON_WIDE * box.height:
        return False
    off = abs(line.left + line.right - box.left - box.right) / 2
    return off <= max(_CENTRED * box.width, line.height / 2) and box.height <= _ROOMY * line.height


def _stacked(shapes: Sequence[Shape], scale: float) -> set[int]:
    """The numbers of shapes that stand close under one another with the same sides: rows of a list or a table."""
    columns: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, shape in enumerate(shapes):
        columns[shape.box.left // 3, shape.box.right // 3].append(index)
    rows: set[int] = set()
    for column in columns.values():
        column.sort(key=lambda index: shapes[index].box.top)
        for upper, lower in pairwise(column):
            one, other = shapes[upper].box, shapes[lower].box
            if abs(other.top - one.bottom) <= _ROW_GAP * scale and abs(one.height - other.height) <= one.height / 2:
                rows |= {upper, lower}
    return rows


def _within(value: float, limits: tuple[float, float]) -> bool:
    return limits[0] <= value <= limits[1]

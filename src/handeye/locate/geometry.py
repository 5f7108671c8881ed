"""The geometry behind words of place: right of, in the row of, in the top left corner. Boxes are in frame pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeVar

from handeye.geometry import Box
from handeye.target import Position, RelationKind

T = TypeVar("T")

# Boxes are level, or in one column, when they share so much of the smaller one's height or width.
LEVEL: Final = 0.45
# A neighbour may reach over an edge by this much of the smaller one, since the boxes of readers and trees are loose.
_OVER: Final = 0.3
# And so much where no place is level; in a row, whose ends may hold more lines than its name, any of it.
_LOOSELY_LEVEL: Final = 0.1
# Of places one above the other, one is as level as another when it shares at least this part of what that one shares.
_AS_LEVEL: Final = 0.8
# Rooms that differ by less than this share of the anchor's height are the same.
_SAME: Final = 0.1
# Something is near within so many heights of the taller of the two; what is beside it and not level touches it: within the
# height of the lower one.
_NEAR: Final = 3.0
# The nearest is meant when the next one is this much farther; else both may be.
_CLEARLY: Final = 2.0
# "At the top", "on the left": the third of the screen, or of what it stands in.
_THIRD: Final = 1 / 3

_DOWN: Final = frozenset({RelationKind.ABOVE, RelationKind.BELOW})
BACKWARDS: Final = frozenset({RelationKind.LEFT_OF, RelationKind.ABOVE, RelationKind.BEFORE})
_ONWARD: Final = frozenset({RelationKind.RIGHT_OF, RelationKind.BELOW, RelationKind.AFTER})
_ALONG: Final = (BACKWARDS | _ONWARD) - _DOWN
SIDEWAYS: Final = _ALONG | {RelationKind.BESIDE}
# What is read before another thing stands left of it, or above it.
_READ: Final = {RelationKind.BEFORE: RelationKind.ABOVE, RelationKind.AFTER: RelationKind.BELOW}


def place_distance(kind: RelationKind, place: Box, anchor: Box, *, loose: bool = False) -> float | None:
    """
    Return the distance of `place` from `anchor` in pixels if it stands so to it, else None.

    `loose` asks only for the direction where rows and columns do not meet: a button at the right end below a title at the left.
    """
    match kind:
        case RelationKind.ROW:
            return abs(place.center.y - anchor.center.y) if _is_level(place, anchor, 1, 0 if loose else LEVEL) else None
        case RelationKind.COLUMN:
            return abs(place.center.x - anchor.center.x) if _is_level(place, anchor, 0) else None
        case RelationKind.IN:
            return 0.0 if anchor.contains(place.center) and place.area <= anchor.area else None
        case RelationKind.BESIDE if not loose:
            return _beside(place, anchor)
        case RelationKind.BESIDE | RelationKind.NEAR:
            heights = place.height, anchor.height
            return _near(place, anchor, min(heights) if kind is RelationKind.BESIDE else _NEAR * max(heights))
        case RelationKind.BETWEEN:
            raise ValueError("between is told by two anchors: see stands_amid")
        case RelationKind.BEFORE | RelationKind.AFTER if loose:
            most = _NEAR * max(place.height, anchor.height)
            return None if _near(place, anchor, most) is None else place_distance(_READ[kind], place, anchor)
    axis, direction = int(kind in _DOWN), 1 if kind in _ONWARD else -1
    if not (loose and axis) and not _is_level(place, anchor, 1 - axis, _LOOSELY_LEVEL if loose else LEVEL):
        return None
    (start, end), (from_start, from_end) = _span(place, axis, direction), _span(anchor, axis, direction)
    over = from_end - start
    return max(0.0, -over) if end > from_end and over <= _OVER * min(end - start, from_end - from_start) else None


def clearly_nearest(fits: Sequence[tuple[float, T]], height: int = 0) -> list[T]:
    """The one that is clearly nearer than the rest, else all about as near; `height` is that of what they are near to."""
    least = min((distance for distance, _place in fits), default=0.0)
    most = max(least * _CLEARLY, least + _SAME * height)
    return [place for distance, place in fits if distance <= most]


def stands_between(kind: RelationKind, near: Box, far: Box) -> bool:
    """Return True if `near` comes first on the way along a row from an anchor to `far`, which stands behind it."""
    return kind in _ALONG and place_distance(kind, far, near) is not None


def is_less_level(place: Box, other: Box, anchor: Box) -> bool:
    """Return True if `place` stands above or below `other` and is clearly less level with the anchor."""
    return _is_level(place, other, 0) and _share(place, anchor, 1) < _AS_LEVEL * _share(other, anchor, 1)


def is_almost_level(place: Box, level: Box, anchor: Box) -> bool:
    """Return True if `place` stands in the column of `level`, and is nearly as level with the anchor, but not level itself."""
    in_column, share = _is_level(place, level, 0), _share(place, anchor, 1)
    return in_column and LEVEL > share >= _AS_LEVEL * _share(level, anchor, 1)


def stands_amid(place: Box, one: Box, other: Box) -> bool:
    """Return True if the middle of `place` lies between the two: in their row, else in a column with one of them."""
    left, right = sorted((one, other), key=lambda box: box.center.x)
    if _is_level(place, one, 1) and _is_level(place, other, 1):
        return left.right <= place.center.x <= right.left
    upper, lower = sorted((one, other), key=lambda box: box.center.y)
    in_column = _is_level(place, one, 0) or _is_level(place, other, 0)
    return in_column and upper.bottom <= place.center.y <= lower.top


def lines_of(boxes: Sequence[Box], kind: RelationKind) -> list[list[int]]:
    """Indexes of the boxes by rows (from the top, each from the left) or by columns (from the left, each from the top)."""
    axis = 0 if kind is RelationKind.COLUMN else 1
    lines: list[list[int]] = []
    for index in sorted(range(len(boxes)), key=lambda each: sum(_span(boxes[each], axis))):
        if lines and _is_level(boxes[lines[-1][0]], boxes[index], axis):
            lines[-1].append(index)
        else:
            lines.append([index])
    return [sorted(line, key=lambda each: boxes[each][1 - axis]) for line in lines]


def within_third(box: Box, position: Position, around: Box) -> bool:
    """Return True if the middle of `box` lies in that third of `around`."""
    sides = _sides(box, around, (max(1, around.width), max(1, around.height)))
    if position is Position.CENTER:
        return min(sides.values()) >= _THIRD
    return all(sides[word] <= _THIRD for word in position.value.split("-"))


def edge_distance(box: Box, position: Position, around: Box) -> float:
    """From that edge or corner of `around` (for the center: from its middle) to the middle of `box`, in pixels."""
    if position is Position.CENTER:
        return math.dist(box.center, around.center)
    sides = _sides(box, around, (1, 1))
    return math.hypot(*(sides[word] for word in position.value.split("-")))


def _sides(box: Box, around: Box, unit: tuple[int, int]) -> dict[str, float]:
    """The distances of the middle of `box` from the edges of `around`."""
    x, y = box.center
    return {
        "left": (x - around.left) / unit[0],
        "right": (around.right - x) / unit[0],
        "top": (y - around.top) / unit[1],
        "bottom": (around.bottom - y) / unit[1],
    }


def _beside(place: Box, anchor: Box) -> float | None:
    """To its left or right, or on it at the end where its text begins: the magnifier in a field."""
    found = [place_distance(kind, place, anchor) for kind in (RelationKind.LEFT_OF, RelationKind.RIGHT_OF)]
    if anchor.contains(place.center) and place.width < _THIRD * anchor.width and _is_level(place, anchor, 1):
        found.append(float(place.left - anchor.left))
    return min((distance for distance in found if distance is not None), default=None)


def _near(place: Box, anchor: Box, most: float) -> float | None:
    x = max(0, place.left - anchor.right, anchor.left - place.right)
    y = max(0, place.top - anchor.bottom, anchor.top - place.bottom)
    distance = math.hypot(x, y)
    return distance if distance <= most else None


def _span(box: Box, axis: int, direction: int = 1) -> tuple[int, int]:
    """The start and end of a box on an axis, seen in a direction."""
    return (box[axis], box[axis + 2]) if direction > 0 else (-box[axis + 2], -box[axis])


def _is_level(one: Box, other: Box, axis: int, least: float = LEVEL) -> bool:
    """Return True if two boxes share `least` of the shorter span on an axis, and some of it."""
    share = _share(one, other, axis)
    return share > 0 and share >= least


def _share(one: Box, other: Box, axis: int) -> float:
    """The part of the shorter span on an axis that both boxes have; below 0 where they do not meet."""
    (start, end), (from_start, from_end) = _span(one, axis), _span(other, axis)
    return (min(end, from_end) - max(start, from_start)) / max(1, min(end - start, from_end - from_start))

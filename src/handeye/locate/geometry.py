"""Geometry of spatial relations: right of, in the row of, in the top left corner. Boxes are in frame pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeVar

from handeye.geometry import Box
from handeye.target import Position, RelationKind

T = TypeVar("T")

# Boxes are level (in one row), or in one column, if they share this part of the smaller one's height or width.
LEVEL: Final = 0.45
# A neighbour may overlap by this share of the smaller one, since the boxes of OCR and trees are not exact.
_MAX_OVERLAP: Final = 0.3
# The part for `loose`, if nothing is level. In a row any shared part is enough: its ends may have more lines than its name.
_LOOSE_LEVEL: Final = 0.1
# Of elements in one column, one is as level as another if its shared part is at least this share of the other's.
_AS_LEVEL: Final = 0.8
# Distances that differ by less than this share of the anchor's height are equal.
_SAME: Final = 0.1
# "Near" is within this many heights of the taller of the two. A neighbour that is not level must be within the height of the
# smaller one.
_NEAR: Final = 3.0
# The nearest is chosen if the next one is farther by this factor; else both remain.
_CLEARLY_FARTHER: Final = 2.0
# "At the top", "on the left": this part of the screen or of the container.
_THIRD: Final = 1 / 3

_DOWN: Final = frozenset({RelationKind.ABOVE, RelationKind.BELOW})
BACKWARDS: Final = frozenset({RelationKind.LEFT_OF, RelationKind.ABOVE, RelationKind.BEFORE})
_ONWARD: Final = frozenset({RelationKind.RIGHT_OF, RelationKind.BELOW, RelationKind.AFTER})
_ALONG: Final = (BACKWARDS | _ONWARD) - _DOWN
SIDEWAYS: Final = _ALONG | {RelationKind.BESIDE}
# "Before" in reading order is left of or above, "after" is right of or below.
_READ: Final = {RelationKind.BEFORE: RelationKind.ABOVE, RelationKind.AFTER: RelationKind.BELOW}


def place_distance(kind: RelationKind, place: Box, anchor: Box, *, loose: bool = False) -> float | None:
    """
    Return the distance in pixels of `place` from `anchor` if the relation holds, else None.

    `loose` only requires the direction where rows or columns do not overlap: a button at the right end below a title at the
    left.
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
    if not (loose and axis) and not _is_level(place, anchor, 1 - axis, _LOOSE_LEVEL if loose else LEVEL):
        return None
    (start, end), (from_start, from_end) = _span(place, axis, direction), _span(anchor, axis, direction)
    over = from_end - start
    return (
        max(0.0, -over) if end > from_end and over <= _MAX_OVERLAP * min(end - start, from_end - from_start) else None
    )


def clearly_nearest(fits: Sequence[tuple[float, T]], height: int = 0) -> list[T]:
    """Return the only place that is clearly nearest, else all that are about as near; `height` is that of the anchor."""
    least = min((distance for distance, _place in fits), default=0.0)
    most = max(least * _CLEARLY_FARTHER, least + _SAME * height)
    return [place for distance, place in fits if distance <= most]


def is_in_front_of(kind: RelationKind, near: Box, far: Box) -> bool:
    """Return True if `near` comes before `far` in the direction of a row relation, so that `far` is behind it."""
    return kind in _ALONG and place_distance(kind, far, near) is not None


def is_less_level(place: Box, other: Box, anchor: Box) -> bool:
    """Return True if `place` is above or below `other` and clearly less level with the anchor."""
    return _is_level(place, other, 0) and _share(place, anchor, 1) < _AS_LEVEL * _share(other, anchor, 1)


def is_almost_level(place: Box, level: Box, anchor: Box) -> bool:
    """Return True if `place` is in the column of `level` and nearly as level with the anchor, but not level itself."""
    in_column, share = _is_level(place, level, 0), _share(place, anchor, 1)
    return in_column and LEVEL > share >= _AS_LEVEL * _share(level, anchor, 1)


def stands_amid(place: Box, one: Box, other: Box) -> bool:
    """Return True if the center of `place` is between the two: in their row, else in a column with one of them."""
    left, right = sorted((one, other), key=lambda box: box.center.x)
    if _is_level(place, one, 1) and _is_level(place, other, 1):
        return left.right <= place.center.x <= right.left
    upper, lower = sorted((one, other), key=lambda box: box.center.y)
    in_column = _is_level(place, one, 0) or _is_level(place, other, 0)
    return in_column and upper.bottom <= place.center.y <= lower.top


def lines_of(boxes: Sequence[Box], kind: RelationKind) -> list[list[int]]:
    """
    Return the indexes of the boxes by rows (top to bottom, each left to right) or by columns (left to right, each top to
    bottom).
    """
    axis = 0 if kind is RelationKind.COLUMN else 1
    lines: list[list[int]] = []
    for index in sorted(range(len(boxes)), key=lambda each: sum(_span(boxes[each], axis))):
        if lines and _is_level(boxes[lines[-1][0]], boxes[index], axis):
            lines[-1].append(index)
        else:
            lines.append([index])
    return [sorted(line, key=lambda each: boxes[each][1 - axis]) for line in lines]


def within_third(box: Box, position: Position, around: Box) -> bool:
    """Return True if the center of `box` is in that third of `around`."""
    sides = _sides(box, around, (max(1, around.width), max(1, around.height)))
    if position is Position.CENTER:
        return min(sides.values()) >= _THIRD
    return all(sides[word] <= _THIRD for word in position.value.split("-"))


def edge_distance(box: Box, position: Position, around: Box) -> float:
    """
    Return the distance in pixels from that edge or corner of `around` (from its center for CENTER) to the center of `box`.
    """
    if position is Position.CENTER:
        return math.dist(box.center, around.center)
    sides = _sides(box, around, (1, 1))
    return math.hypot(*(sides[word] for word in position.value.split("-")))


def _sides(box: Box, around: Box, unit: tuple[int, int]) -> dict[str, float]:
    """Return the distances of the center of `box` from the edges of `around`."""
    x, y = box.center
    return {
        "left": (x - around.left) / unit[0],
        "right": (around.right - x) / unit[0],
        "top": (y - around.top) / unit[1],
        "bottom": (around.bottom - y) / unit[1],
    }


def _beside(place: Box, anchor: Box) -> float | None:
    """
    Return the distance to its left or right, or from its left edge for a small element inside it, such as the magnifier in
    a field.
    """
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
    """Return the start and end of a box on an axis, in a direction."""
    return (box[axis], box[axis + 2]) if direction > 0 else (-box[axis + 2], -box[axis])


def _is_level(one: Box, other: Box, axis: int, least: float = LEVEL) -> bool:
    """Return True if two boxes share at least `least` of the shorter span on an axis, and more than nothing."""
    share = _share(one, other, axis)
    return share > 0 and share >= least


def _share(one: Box, other: Box, axis: int) -> float:
    """Return the part of the shorter span on an axis that both boxes share; below 0 if they are apart."""
    (start, end), (from_start, from_end) = _span(one, axis), _span(other, axis)
    return (min(end, from_end) - max(start, from_start)) / max(1, min(end - start, from_end - from_start))

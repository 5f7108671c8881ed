"""The geometry behind words of place: right of, in the row of, in the top left corner. Boxes are in frame pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeVar

from handeye.geometry import Box
from handeye.target import Position, RelationKind

T = TypeVar("T")

# Rooms that differ by less than this share of the anchor's height are the same.
SAME: Final = 0.1
# Two boxes are level when they share so much of the smaller one's height (a label beside its switch, two words of one line).
LEVEL: Final = 0.5
LOOSELY_LEVEL: Final = 0.1
# A neighbour may reach over the anchor's edge by this share of the smaller one: boxes of readers and trees are loose.
OVERLAP: Final = 0.3
# Something is near within so many heights of the taller of the two, and of the smaller side for large things.
NEAR: Final = 3.0
# "Beside" without being level: within this share of the lower one's height.
TOUCHING: Final = 1.0
# The nearest is meant when the next one is this much farther; else both may be.
CLEARLY: Final = 2.0
# What stands in something at most so wide as this share of it is beside what it says.
_END: Final = 1 / 3
# A place that is level by little less than another one, as near and just as far over, is no less level than that: two icons
# one above the other beside the line between them.
_ALMOST_LEVEL: Final = 0.8
# "At the top", "on the left": the third of the screen, or of what it stands in.
_THIRD: Final = 1 / 3


def place_distance(kind: RelationKind, place: Box, anchor: Box, *, loose: bool = False) -> float | None:
    """
    How far `place` is from `anchor` if it stands so to it, in pixels; None when it does not.

    `loose` asks only for the direction where rows and columns do not meet: a button at the right end below a title at the left.
    """
    match kind:
        case RelationKind.RIGHT_OF:
            beyond = _beyond(anchor.left, anchor.right, place.left, place.right)
            return beyond if _level(place, anchor, loose) else None
        case RelationKind.LEFT_OF:
            beyond = _beyond(-anchor.right, -anchor.left, -place.right, -place.left)
            return beyond if _level(place, anchor, loose) else None
        case RelationKind.BELOW:
            beyond = _beyond(anchor.top, anchor.bottom, place.top, place.bottom)
            return beyond if loose or _in_column(place, anchor) else None
        case RelationKind.ABOVE:
            beyond = _beyond(-anchor.bottom, -anchor.top, -place.bottom, -place.top)
            return beyond if loose or _in_column(place, anchor) else None
        case RelationKind.ROW:
            return abs(place.center.y - anchor.center.y) if _level(place, anchor, loose) else None
        case RelationKind.COLUMN:
            return abs(place.center.x - anchor.center.x) if _in_column(place, anchor) else None
        case RelationKind.IN:
            return 0.0 if anchor.contains(place.center) and place.area <= anchor.area else None
        case RelationKind.BESIDE:
            return _touching(place, anchor) if loose else _beside(place, anchor)
        case RelationKind.NEAR:
            return _near(place, anchor)
        case RelationKind.BETWEEN:
            raise ValueError("between is told by two anchors: see stands_amid")
        case RelationKind.BEFORE | RelationKind.AFTER:
            before = kind is RelationKind.BEFORE
            if not loose:
                return place_distance(RelationKind.LEFT_OF if before else RelationKind.RIGHT_OF, place, anchor)
            apart = place_distance(RelationKind.ABOVE if before else RelationKind.BELOW, place, anchor)
            return None if apart is None or _near(place, anchor) is None else apart


def clearly_nearest(fits: Sequence[tuple[float, T]], height: int = 0) -> list[T]:
    """The one that is clearly nearer than the rest, else all about as near; `height` is that of what they are near to."""
    if not fits:
        return []
    least = min(distance for distance, _place in fits)
    most = max(least * CLEARLY, least + SAME * height)
    return [place for distance, place in fits if distance <= most]


def stands_between(kind: RelationKind, near: Box, far: Box) -> bool:
    """Whether `near` comes first on the way from an anchor to `far`: it is level with it, and ends before it begins."""
    match kind:
        case RelationKind.RIGHT_OF | RelationKind.AFTER:
            return near.right <= far.left and _level(near, far)
        case RelationKind.LEFT_OF | RelationKind.BEFORE:
            return near.left >= far.right and _level(near, far)
        case _:
            return False


def stands_amid(place: Box, one: Box, other: Box) -> bool:
    """Whether the middle of `place` lies between the two: in their row, else in a column with one of them."""
    left, right = sorted((one, other), key=lambda box: box.center.x)
    if _level(place, one) and _level(place, other):
        return left.right <= place.center.x <= right.left
    upper, lower = sorted((one, other), key=lambda box: box.center.y)
    in_column = _in_column(place, one) or _in_column(place, other)
    return in_column and upper.bottom <= place.center.y <= lower.top


def almost_level(kind: RelationKind, place: Box, chosen: Box, anchor: Box) -> bool:
    """Whether `place` stands above or below `chosen`, just as far beside the anchor, and is level with it by little less."""
    if kind not in (RelationKind.RIGHT_OF, RelationKind.LEFT_OF, RelationKind.BESIDE) or not _in_column(place, chosen):
        return False
    shares = [_share((box.top, box.bottom), (anchor.top, anchor.bottom)) for box in (place, chosen)]
    beyond = [_gap_beside(box, anchor) for box in (place, chosen)]
    return LEVEL > shares[0] >= _ALMOST_LEVEL * shares[1] and beyond[0] <= beyond[1] + SAME * anchor.height


def lines_of(boxes: Sequence[Box], kind: RelationKind) -> list[list[int]]:
    """Indexes of the boxes by rows (from the top, each from the left) or by columns (from the left, each from the top)."""
    columns = kind is RelationKind.COLUMN
    spans = [(box.left, box.right, box.top) if columns else (box.top, box.bottom, box.left) for box in boxes]
    lines: list[list[int]] = []
    for index in sorted(range(len(boxes)), key=lambda each: spans[each][0] + spans[each][1]):
        if lines and _share(spans[lines[-1][0]][:2], spans[index][:2]) >= LEVEL:
            lines[-1].append(index)
        else:
            lines.append([index])
    return [sorted(line, key=lambda each: spans[each][2]) for line in lines]


def within_third(box: Box, position: Position, around: Box) -> bool:
    """Whether the middle of `box` lies in that third of `around`."""
    across = (box.center.x - around.left) / max(1, around.width)
    down = (box.center.y - around.top) / max(1, around.height)
    if position is Position.CENTER:
        return _THIRD <= across <= 1 - _THIRD and _THIRD <= down <= 1 - _THIRD
    sides = {
        "left": across <= _THIRD,
        "right": across >= 1 - _THIRD,
        "top": down <= _THIRD,
        "bottom": down >= 1 - _THIRD,
    }
    return all(sides[word] for word in position.value.split("-"))


def edge_distance(box: Box, position: Position, around: Box) -> float:
    """From that edge or corner of `around` (for the center: from its middle) to the middle of `box`, in pixels."""
    if position is Position.CENTER:
        return math.hypot(box.center.x - around.center.x, box.center.y - around.center.y)
    sides = {
        "left": box.center.x - around.left,
        "right": around.right - box.center.x,
        "top": box.center.y - around.top,
        "bottom": around.bottom - box.center.y,
    }
    return math.hypot(*(sides[word] for word in position.value.split("-")))


def _beside(place: Box, anchor: Box) -> float | None:
    """To its left or right, or on it at the end where its text begins: the magnifier in a field."""
    found = [place_distance(kind, place, anchor) for kind in (RelationKind.LEFT_OF, RelationKind.RIGHT_OF)]
    if anchor.contains(place.center) and place.width < _END * anchor.width and _level(place, anchor):
        found.append(float(place.left - anchor.left))  # where its text begins
    return min((distance for distance in found if distance is not None), default=None)


def _near(place: Box, anchor: Box) -> float | None:
    distance = _gap(place, anchor)
    return distance if distance <= NEAR * max(place.height, anchor.height) else None


def _gap_beside(one: Box, other: Box) -> int:
    return max(0, one.left - other.right, other.left - one.right)


def _touching(place: Box, anchor: Box) -> float | None:
    distance = _gap(place, anchor)
    return distance if distance <= TOUCHING * min(place.height, anchor.height) else None


def _gap(one: Box, other: Box) -> float:
    x = max(0, one.left - other.right, other.left - one.right)
    y = max(0, one.top - other.bottom, other.top - one.bottom)
    return math.hypot(x, y)


def _beyond(left: int, right: int, start: int, end: int) -> float | None:
    """The room between an anchor [left, right] and what lies beyond its right end; None when it does not lie there."""
    loose = OVERLAP * min(right - left, end - start)
    if start < right - loose or end <= right:
        return None
    return float(max(0, start - right))


def _level(one: Box, other: Box, loose: bool = False) -> bool:
    return _share((one.top, one.bottom), (other.top, other.bottom)) >= (LOOSELY_LEVEL if loose else LEVEL)


def _in_column(one: Box, other: Box) -> bool:
    return _share((one.left, one.right), (other.left, other.right)) >= LEVEL


def _share(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """How much of the shorter span the two have in common, 0-1."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common / max(1, min(one[1] - one[0], other[1] - other[0]))

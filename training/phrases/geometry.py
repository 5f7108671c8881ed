"""Spatial relations between units; each answer is given only where it is clear."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final

from training.phrases.screen import inside
from training.phrases.units import Box, Unit, same_place

DIRECTIONS: Final = ("right", "left", "above", "below")
SIDEWAYS_REACH: Final = 9.0  # times the anchor's height that "right of" reaches
DOWN_REACH: Final = 3.5  # times the anchor's height that "below" reaches
CLEARER: Final = 1.5  # how much farther the next candidate has to be


def extent(unit: Unit) -> Box:
    """The box of a unit with its label."""
    if unit.role in ("input", "combo box", "checkbox", "radio", "switch", "slider"):
        lefts, tops, rights, bottoms = zip(*unit.boxes, strict=True)
        return (min(lefts), min(tops), max(rights), max(bottoms))
    return unit.box


def overlap(one: Box, other: Box, across: bool) -> float:
    """The shared part of two boxes' widths (across) or heights, of the smaller one."""
    start = 0 if across else 1
    shared = min(one[start + 2], other[start + 2]) - max(one[start], other[start])
    return shared / max(1, min(one[start + 2] - one[start], other[start + 2] - other[start]))


def gap(anchor: Box, box: Box, direction: str) -> int:
    """Pixels from an anchor to a box in a direction; negative where they overlap."""
    return {
        "right": box[0] - anchor[2],
        "left": anchor[0] - box[2],
        "below": box[1] - anchor[3],
        "above": anchor[1] - box[3],
    }[direction]


def nearest(anchor: Unit, candidates: list[Unit], direction: str) -> Unit | None:
    """The candidate that lies straight in a direction, near and clearly nearer than any other in that half of the screen."""
    from_box = extent(anchor)
    high = from_box[3] - from_box[1]
    reach = high * (SIDEWAYS_REACH if direction in ("right", "left") else DOWN_REACH)
    found: list[tuple[float, bool, Unit]] = []
    for unit in candidates:
        box = unit.box
        if same_place(unit, anchor) or inside(box, from_box) or inside(from_box, box):
            continue
        apart = gap(from_box, box, direction)
        if apart < -0.15 * high:
            continue
        straight = overlap(from_box, box, direction in ("above", "below")) >= 0.6
        aside = 0 if straight else _aside(from_box, box, direction)
        found.append((max(apart, 0) + aside, straight, unit))
    if not found:
        return None
    found.sort(key=lambda each: each[0])
    distance, straight, unit = found[0]
    others = [each[0] for each in found[1:] if not same_place(each[2], unit)]
    if not straight or distance > reach or (others and others[0] < CLEARER * distance + 0.5 * high):
        return None
    return unit


def _aside(anchor: Box, box: Box, direction: str) -> int:
    """Pixels that a box lies aside of the strip in a direction."""
    start = 0 if direction in ("above", "below") else 1
    return max(0, box[start] - anchor[start + 2], anchor[start] - box[start + 2])


def distance(one: Box, other: Box) -> float:
    """Pixels between two boxes."""
    across = max(0, one[0] - other[2], other[0] - one[2])
    down = max(0, one[1] - other[3], other[1] - one[3])
    return float((across**2 + down**2) ** 0.5)


def beside(anchor: Unit, candidates: list[Unit]) -> Unit | None:
    """The candidate next to an anchor in any direction, close to it and at most half as far as any other."""
    box = extent(anchor)
    others = [
        unit
        for unit in candidates
        if not same_place(unit, anchor) and not inside(unit.box, box) and not inside(box, unit.box)
    ]
    ranked = sorted(others, key=lambda unit: distance(box, unit.box))
    if not ranked:
        return None
    near = distance(box, ranked[0].box)
    high = box[3] - box[1]
    far = next((distance(box, unit.box) for unit in ranked[1:] if not same_place(unit, ranked[0])), 10 * high)
    return ranked[0] if near <= 2.5 * high and far >= 2 * near + high else None


def in_line(units: list[Unit]) -> str:
    """ "row" or "column" for units that stand in one, in this order after `ordered`; "" for others."""
    boxes = [unit.box for unit in units]
    row = all(overlap(one, other, False) >= 0.7 for one in boxes for other in boxes)
    column = all(overlap(one, other, True) >= 0.7 for one in boxes for other in boxes)
    if row == column:
        return ""
    ranked = ordered(units, "row" if row else "column")
    apart = all(gap(one.box, other.box, "right" if row else "below") >= -2 for one, other in itertools.pairwise(ranked))
    return ("row" if row else "column") if apart else ""


def ordered(units: list[Unit], line: str) -> list[Unit]:
    """Units from left to right, or from top to bottom."""
    side: Callable[[Unit], int] = (lambda unit: unit.box[0]) if line == "row" else (lambda unit: unit.box[1])
    return sorted(units, key=side)


def same_row(one: Box, other: Box) -> bool:
    """Return True if two boxes lie side by side in one row."""
    level = abs(one[1] + one[3] - other[1] - other[3]) / 2 < 0.5 * max(one[3] - one[1], other[3] - other[1])
    return level and overlap(one, other, False) >= 0.6 and (one[2] <= other[0] + 2 or other[2] <= one[0] + 2)


def place_of(box: Box, size: tuple[int, int], edge: float) -> str:
    """The corner or side whose outer part (share `edge` of the size) holds the centre of a box; "" for the middle."""
    x, y = (box[0] + box[2]) / 2 / size[0], (box[1] + box[3]) / 2 / size[1]
    vertical = "top" if y < edge else "bottom" if y > 1 - edge else ""
    sideways = "left" if x < edge else "right" if x > 1 - edge else ""
    return "_".join(part for part in (vertical, sideways) if part)

"""Whether two answers name the same place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.geometry import Box
from handeye.models.grounder import Place

# Boxes of one thing that a model draws twice overlap by half and more; those of neighbours hardly at all.
SAME_IOU: Final = 0.3
# Two points of one thing: models put them anywhere on it. A share of the searched picture's longer side; neighbouring controls
# are further apart (44 of 1,280 px and more).
SAME_DISTANCE: Final = 0.02


def same_place(one: Place, other: Place, area: Box) -> bool:
    """
    Whether two places on the picture `area` (pixels) are one: the boxes overlap, or each middle lies in the other box; with a
    point, whether it lies in the box or near the other point.
    """
    if not one.is_point and not other.is_point:
        middles = one.box.contains(other.box.center) and other.box.contains(one.box.center)
        return middles or one.box.iou(other.box) >= SAME_IOU
    if not one.is_point and one.box.contains(other.box.center):
        return True
    if not other.is_point and other.box.contains(one.box.center):
        return True
    (x1, y1), (x2, y2) = one.box.center, other.box.center
    return max(abs(x1 - x2), abs(y1 - y2)) <= SAME_DISTANCE * max(area.width, area.height)


def grouped(places: Sequence[Place], area: Box) -> list[list[Place]]:
    """The places in groups that are one place each, the largest group first; a place joins the first group it fits."""
    groups: list[list[Place]] = []
    for place in places:
        home = next((group for group in groups if any(same_place(place, each, area) for each in group)), None)
        if home is None:
            groups.append([place])
        else:
            home.append(place)
    return sorted(groups, key=lambda group: -len(group))

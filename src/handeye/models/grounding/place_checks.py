"""Comparison of places, and removal of implausible ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handeye.geometry import Box
from handeye.models.grounding.grounder import Grounding, Place
from handeye.screen import Screen

# Least IoU of two boxes of one element. A model's two boxes for it overlap by half and more; those of neighbours hardly at all.
SAME_IOU: Final = 0.3
# Greatest distance of two points of one element, as models put them anywhere on it: a share of the searched picture's longer
# side. Neighbouring controls are further apart (44 of 1,280 px and more).
SAME_DISTANCE: Final = 0.02


def same_place(one: Place, other: Place, area: Box) -> bool:
    """
    Return True if two places on the picture `area` (pixels) are the same: the boxes overlap, or each centre lies in the
    other box; for a point, if it lies in the box or near the other point.
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
    """Return the places in groups of the same place, the largest group first; a place joins the first group it fits."""
    groups: list[list[Place]] = []
    for place in places:
        home = next((group for group in groups if any(same_place(place, each, area) for each in group)), None)
        if home is None:
            groups.append([place])
        else:
            home.append(place)
    return sorted(groups, key=lambda group: -len(group))


# Implausible places, which models answer when they did not find the element.

# A box with more than this share of the picture is the page, not an element on it.
MOST_OF_PICTURE: Final = 0.9
# Least shorter side in pixels. The smallest control that people click is a checkbox or a close button of 8 px.
LEAST_SIDE: Final = 4


def plausible_places(grounding: Grounding, screen: Screen, within: Box | None = None) -> Grounding:
    """
    Return the answer without implausible places, the others cut to the picture that was searched.

    Each dropped place leaves a note; if none remains, the answer is "not here", with that note as its reason.
    """
    area = (within or screen.box).clip(screen.size)
    kept: list[Place] = []
    notes: list[str] = []
    for place in grounding.places:
        visible = place.box.intersect(area)
        why = _implausible(place, visible, area)
        if why or visible is None:
            notes.append(why)
        else:
            kept.append(replace(place, box=visible, confidence=_stated(place.confidence)))
    reason = grounding.reason or (notes[0] if notes and not kept else "")
    return replace(grounding, places=tuple(kept), reason=reason, notes=(*grounding.notes, *dict.fromkeys(notes)))


def _implausible(place: Place, visible: Box | None, area: Box) -> str:
    """Return why the place is implausible; "" when it is plausible."""
    if visible is None:
        return "a place outside of the picture was named"
    if not place.is_point and visible.area > MOST_OF_PICTURE * area.area:
        return "the whole picture was named instead of a thing on it"
    if not place.is_point and min(visible.width, visible.height) < min(LEAST_SIDE, area.width, area.height):
        return "a place of no size was named"
    return ""


def _stated(confidence: float | None) -> float | None:
    """Return a confidence from 0 to 1; None for anything else."""
    return confidence if confidence is not None and 0 <= confidence <= 1 else None

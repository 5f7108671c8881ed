"""Places that cannot be meant: what models answer when they did not find the thing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handeye.geometry import Box
from handeye.models.grounder import Grounding, Place
from handeye.screen import Screen

# More than this share of the picture is the page, not an element on it.
MOST_OF_PICTURE: Final = 0.9
# Pixels of the shorter side. The smallest thing people click is a checkbox or a close sign of 8 px.
LEAST_SIDE: Final = 4


def plausible(grounding: Grounding, screen: Screen, within: Box | None = None) -> Grounding:
    """
    The answer without places that are none on the picture that was looked at, the others cut to it.

    Each place that falls away leaves a note; an answer of nothing else is "not here", with that as its reason.
    """
    area = (within or screen.box).clip(screen.size)
    kept: list[Place] = []
    notes: list[str] = []
    for place in grounding.places:
        visible = place.box.intersect(area)
        why = _fault(place, visible, area)
        if why or visible is None:
            notes.append(why)
        else:
            kept.append(replace(place, box=visible, confidence=_stated(place.confidence)))
    reason = grounding.reason or (notes[0] if notes and not kept else "")
    return replace(grounding, places=tuple(kept), reason=reason, notes=(*grounding.notes, *dict.fromkeys(notes)))


def _fault(place: Place, visible: Box | None, area: Box) -> str:
    """Why it is no place; "" when it may be one."""
    if visible is None:
        return "a place outside of the picture was named"
    if not place.is_point and visible.area > MOST_OF_PICTURE * area.area:
        return "the whole picture was named instead of a thing on it"
    if not place.is_point and min(visible.width, visible.height) < min(LEAST_SIDE, area.width, area.height):
        return "a place of no size was named"
    return ""


def _stated(confidence: float | None) -> float | None:
    """A confidence from 0 to 1; anything else states none."""
    return confidence if confidence is not None and 0 <= confidence <= 1 else None

"""Moving an answer onto the element that is known to stand there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.elements import UIElement, UIState
from handeye.models.grounding.escalation import Use
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.tree_agreement import TreeAgreement, at, said_at, said_of

# How far a snap may move the place to click, where no text says that it is right: a share of the frame's shorter side. A row
# that is one element may hold an icon that is none; its middle is far from the icon.
FARTHEST: Final = 0.1
# An element this much larger than the box that was named is what the thing stands on, not the thing.
_MOST_GROWTH: Final = 4.0


def snap(grounder: Grounder, *, when: Use = "on") -> Grounder:
    """
    Moves each place onto the smallest element of the question's state that lies under its middle, what a click reaches first.
    Costs no call; `auto` and `on` are the same, and nothing happens where no elements are known.

    An element with the asked label bears the place out ("text"). One with another label is never snapped to, and is a doubt. An
    element without a label is snapped to where it is about as large and as near as what was named; a page never is.
    """
    return grounder if when == "off" else _Snap(grounder, when)


@dataclass(frozen=True, slots=True)
class _Snap:
    grounder: Grounder
    when: Literal["auto", "on"]

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        answer = self.grounder.ground(question, deadline)
        state = question.state
        if state is None or not answer.places:
            return answer
        snapped = [_snapped(place, state, question.label) for place in answer.places]
        notes = (*answer.notes, *dict.fromkeys(note for _place, note in snapped if note))
        return replace(answer, places=_without_repeats([place for place, _note in snapped]), notes=notes)


def _snapped(place: Place, state: UIState, label: str) -> tuple[Place, str]:
    under = at(state, place.box.center)
    if not under or place.element is not None:
        return place, ""
    element = under[0]
    says = said_of(state, element, label)
    if says is TreeAgreement.SAME:
        at_place = _onto(place, element, state)
        return replace(at_place, confirmed_by=(*place.confirmed_by, "text")), f"{label!r} is read there"
    if says is TreeAgreement.OTHER:
        if said_at(state, place.box, label, is_point=place.is_point) is TreeAgreement.SAME:
            return place, ""  # a row was named, with the label somewhere in it
        doubt = f"{_shown(element)} is read there"
        return replace(place, doubts=(*place.doubts, doubt)), doubt
    if _fits(place, element, state):
        return _onto(place, element, state), "moved onto the element there"
    return place, ""


def _onto(place: Place, element: UIElement, state: UIState) -> Place:
    box = (element.visible_region or element.bbox).clip(state.screen.size)
    return replace(place, box=box, is_point=False, element=element)


def _fits(place: Place, element: UIElement, state: UIState) -> bool:
    (x1, y1), (x2, y2) = place.box.center, element.center
    if max(abs(x1 - x2), abs(y1 - y2)) > FARTHEST * min(state.screen.size):
        return False
    return place.is_point or element.bbox.area <= _MOST_GROWTH * place.box.area


def _shown(element: UIElement) -> str:
    return repr(element.text[:40]) if element.text.strip() else "another text"


def _without_repeats(places: list[Place]) -> tuple[Place, ...]:
    """Places that are the same element now are one place."""
    kept: list[Place] = []
    for place in places:
        if place.element is None or all(place.element is not each.element for each in kept):
            kept.append(place)
    return tuple(kept)

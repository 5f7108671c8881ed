"""Snap an answer to the known element at its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.elements import UIElement, UIState
from handeye.models.grounding.escalation import Use
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.tree_agreement import TreeAgreement, agreement_at, agreement_with, at

# How far a snap may move the click point without confirmation by a text: a share of the frame's shorter side. A row that is one
# element may contain an icon that is not an element; the row's centre is far from the icon.
FARTHEST: Final = 0.1
# An element that is larger than the named box by more than this factor is a container of the requested element.
_MOST_GROWTH: Final = 4.0


def snap(grounder: Grounder, *, when: Use = "on") -> Grounder:
    """
    Wrap `grounder`: move each place to the smallest known element under its centre, the one that a click reaches first.
    Costs no call; `auto` and `on` are the same, and nothing happens where no elements are known.

    An element with the requested label confirms the place ("text"). The place is never snapped to an element with
    another label, which adds a doubt. It is snapped to an element without a label only if that is of similar size and
    near; never to a page.
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
    says = agreement_with(state, element, label)
    if says is TreeAgreement.SAME:
        at_place = _onto(place, element, state)
        return replace(at_place, confirmed_by=(*place.confirmed_by, "text")), f"{label!r} is read there"
    if says is TreeAgreement.OTHER:
        if agreement_at(state, place.box, label, is_point=place.is_point) is TreeAgreement.SAME:
            return place, ""  # the named box is a row that contains the label
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
    """Return the places without repeats of the same element."""
    kept: list[Place] = []
    for place in places:
        if place.element is None or all(place.element is not each.element for each in kept):
            kept.append(place)
    return tuple(kept)

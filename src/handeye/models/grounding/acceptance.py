"""How far an answer is believed: what becomes of places when nobody but the model has seen them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.models.grounding.grounder import Grounding, Place, Question
from handeye.models.grounding.place_checks import plausible_places
from handeye.models.grounding.tree_agreement import TreeAgreement, said_at, stands_elsewhere

# A model's own number is not calibrated: models say 0.95 of things that are not there as of those that are. Up to 0.79 it may
# speak for itself, above that is "sure" (seed 001), which somebody else has to bear out.
UNCONFIRMED_MOST: Final = 0.79
# For a place without a number, or with a very low one that was borne out.
UNSTATED: Final = 0.6
# A model that says less than even chance itself does not believe it (seed 001: its 0.3 falls back to OCR).
LEAST_STATED: Final = 0.5
# Below the 0.5 from which a chain takes a find: a candidate.
DOUBTFUL_MOST: Final = 0.4
REFUSED: Final = 0.2
# By the best of what bears it out. A text is read by something that is no model; a second model and a second question may share
# the first one's mistakes; a vote is the same question once more.
CONFIRMED: Final = {"text": 0.9, "second model": 0.85, "verify": 0.85, "vote": 0.8}


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer as elements: what was `found` (several: none is chosen), what was refused, and the evidence in words."""

    found: tuple[UIElement, ...]
    candidates: tuple[UIElement, ...]
    note: str

    @property
    def elements(self) -> tuple[UIElement, ...]:
        """All of them, what was found first. What is doubted has less than 0.5, what was refused 0.2: nobody acts on those."""
        return (*self.found, *self.candidates)


def accept(question: Question, grounding: Grounding) -> Accepted:
    """
    The places as elements of the frame, with the confidence they deserve. Every box lies on the frame, whoever made it.

    A place is doubtful (`reliable` False, at most `DOUBTFUL_MOST`) when the model itself or a wrapper doubted it and nothing
    bears it out, when another label is read there, or when the label is read elsewhere and nothing bears the place out.
    """
    checked = plausible_places(grounding, question.screen)
    found = tuple(_element(place, question) for place in checked.places)
    refused = plausible_places(replace(grounding, places=grounding.candidates, notes=()), question.screen).places
    by_box = {place.box: place for place in reversed(refused)}  # the same place may have been refused more than once
    candidates = tuple(
        replace(_element(place, question), confidence=REFUSED, reliable=False) for place in reversed(by_box.values())
    )
    said = [*(doubt for place in checked.places[:1] for doubt in place.doubts), *checked.notes]
    said += [_hesitation(place) for place in checked.places[:1]]
    if not found:
        said += [checked.reason, checked.suggestion]
    contradiction = _contradiction(checked.places[0], question) if checked.places else ""
    said.append(contradiction)
    return Accepted(found, candidates, "; ".join(dict.fromkeys(_line(each) for each in said if each.strip())))


def _element(place: Place, question: Question) -> UIElement:
    doubted = bool(place.doubts) or (place.confidence is not None and place.confidence < LEAST_STATED)
    doubtful = (doubted and not place.confirmed_by) or bool(_contradiction(place, question))
    known = place.element
    return UIElement(
        element_type=(known.element_type if known else "") or question.role or "element",
        description=question.words or "the reference picture",
        bbox=place.box,
        confidence=_confidence(place, doubtful=doubtful),
        source="visual",
        text=known.text if known else "",
        reliable=not doubtful,
        id=known.id if known else None,
        enabled=known.enabled if known else None,
        interactive=known.interactive if known else None,
    )


def _confidence(place: Place, *, doubtful: bool) -> float:
    stated = place.confidence if place.confidence is not None else UNSTATED
    if doubtful:
        return min(stated, DOUBTFUL_MOST)
    confirmed = max((CONFIRMED.get(by, 0.0) for by in place.confirmed_by), default=0.0)
    if not confirmed or place.doubts:  # what is both doubted and borne out is as good as unsaid
        return min(max(stated, UNSTATED) if confirmed else stated, UNCONFIRMED_MOST)
    return confirmed


def _contradiction(place: Place, question: Question) -> str:
    """What is read on the screen against this place, whatever models say; "" for nothing."""
    says = said_at(question.state, place.box, question.label, is_point=place.is_point)
    if says is TreeAgreement.OTHER:
        return "another text is read there"
    if (
        says is TreeAgreement.OPEN
        and not place.confirmed_by
        and stands_elsewhere(question.state, place.box, question.label)
    ):
        return f"{question.label!r} is read elsewhere"
    return ""


def _hesitation(place: Place) -> str:
    """What the model's own low confidence says; "" where that takes nothing away."""
    if place.confidence is None or place.confidence >= LEAST_STATED:
        return ""
    return f"the model itself says {place.confidence:.2f}"


def _line(text: str) -> str:
    """Foreign words on one line of bounded length, as notes are shown."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= 200 else line[:199] + "…"

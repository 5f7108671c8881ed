"""Acceptance of an answer: its confidence, and whether it is an element, a doubtful element or only a candidate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.models.grounding.grounder import Grounding, Place, Question
from handeye.models.grounding.place_checks import plausible_places
from handeye.models.grounding.tree_agreement import TreeAgreement, agreement_at, is_shown_elsewhere

# Highest confidence without confirmation. A model's own number is not calibrated: models state 0.95 for elements that do not
# exist too. From 0.8 on is "sure" (docs/spec/visual-locator.md), which needs confirmation from another source.
UNCONFIRMED_MOST: Final = 0.79
# Confidence of a place without a stated one, or with a very low one that was confirmed.
UNSTATED: Final = 0.6
# A model that states less than an even chance does not trust its answer (docs/spec/visual-locator.md: 0.3 falls back to OCR).
LEAST_STATED: Final = 0.5
# Highest confidence of a doubtful place, below the 0.5 from which the locate chain accepts an element: a candidate.
DOUBTFUL_MOST: Final = 0.4
REFUSED: Final = 0.2
# Confidence by the best confirmation. A text is read by a reader that is not a model; a second model and a second question may
# share the first one's mistakes; a vote repeats the same question.
CONFIRMED: Final = {"text": 0.9, "second model": 0.85, "verify": 0.85, "vote": 0.8}


@dataclass(frozen=True, slots=True)
class Accepted:
    """
    An answer as elements: those `found` (if several, none is chosen), the rejected ones, and the evidence in words.
    """

    found: tuple[UIElement, ...]
    candidates: tuple[UIElement, ...]
    note: str

    @property
    def elements(self) -> tuple[UIElement, ...]:
        """
        All elements, the found ones first. Doubtful ones have less than 0.5, rejected ones 0.2: those are not acted on.
        """
        return (*self.found, *self.candidates)


def accept(question: Question, grounding: Grounding) -> Accepted:
    """
    Return the places as elements of the frame, with a confidence based on the evidence. Every box lies on the frame,
    even if a wrapper made it.

    A place is doubtful (`reliable` False, at most `DOUBTFUL_MOST`) when the model itself or a wrapper doubted it and
    nothing confirms it, when another label is read there, or when the label is read elsewhere and nothing confirms the
    place.
    """
    checked = plausible_places(grounding, question.screen)
    found = tuple(_element(place, question) for place in checked.places)
    refused = plausible_places(replace(grounding, places=grounding.candidates, notes=()), question.screen).places
    by_box = {place.box: place for place in reversed(refused)}  # the same place may have been rejected more than once
    candidates = tuple(
        replace(_element(place, question), confidence=REFUSED, reliable=False) for place in reversed(by_box.values())
    )
    said = [*(doubt for place in checked.places[:1] for doubt in place.doubts), *checked.notes]
    said += [_low_confidence_note(place) for place in checked.places[:1]]
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
    if not confirmed or place.doubts:  # a doubt and a confirmation cancel each other
        return min(max(stated, UNSTATED) if confirmed else stated, UNCONFIRMED_MOST)
    return confirmed


def _contradiction(place: Place, question: Question) -> str:
    """Return the text evidence on the screen against this place, even if models confirm it; "" for none."""
    says = agreement_at(question.state, place.box, question.label, is_point=place.is_point)
    if says is TreeAgreement.OTHER:
        return "another text is read there"
    if (
        says is TreeAgreement.OPEN
        and not place.confirmed_by
        and is_shown_elsewhere(question.state, place.box, question.label)
    ):
        return f"{question.label!r} is read elsewhere"
    return ""


def _low_confidence_note(place: Place) -> str:
    """Return a note on the model's own low confidence; "" if it is not low."""
    if place.confidence is None or place.confidence >= LEAST_STATED:
        return ""
    return f"the model itself says {place.confidence:.2f}"


def _line(text: str) -> str:
    """Return a text from a model on one line of bounded length, as notes are shown."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= 200 else line[:199] + "…"

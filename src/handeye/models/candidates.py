"""A model's answer held against the candidates that a ranker has weighed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import Levenshtein

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.models.grounder import Place, Question
from handeye.models.standing import at, compared

SURE: Final = 0.8
"""From this probability on the ranker and a model together are surer than a model alone may be."""
EVEN: Final = 0.5
LEAST_SIDE: Final = 8
"""Pixels. What is smaller is a separator or a dot, which a number beside it would hide."""

# How often a model names a candidate that is meant (recorded: Qwen3-VL 8B and 32B are right in 59 to 74 of 100 cases), this one
# although another candidate is meant, and this one although nothing is. The last two are assumed.
_MEANT: Final = 0.65
_ANOTHER_MEANT: Final = 0.1
_NONE_MEANT: Final = 0.3
_ANOTHER_NAME: Final = 0.5
"""From this similarity (0-1) on, another text is another name, and no other words: 王五 for 王六, Sarah for Sara."""
_MOST_GROWTH: Final = 4.0  # times: what is larger than a named box is what the thing stands on


def named_candidate(question: Question, place: Place) -> UIElement | None:
    """Return the smallest of the question's candidates that holds the middle of a place, and is about as large; None: none."""
    most = None if place.is_point else _MOST_GROWTH * place.box.area
    holding = [each for each in question.candidates if _shown(each, question).contains(place.box.center)]
    fitting = [each for each in holding if most is None or _shown(each, question).area <= most]
    return min(fitting, key=lambda each: _shown(each, question).area, default=None)


def probability(question: Question, place: Place) -> float:
    """
    Return the probability (0-1) that a place is meant, now that a model has named it; 0 where no candidate is.

    That a model names one of several equal candidates says nothing about which of them is meant.
    """
    named = named_candidate(question, place)
    if named is None:
        return 0.0
    others = [each for each in question.candidates if each is not named]
    equal = sum(each.confidence for each in others if are_alike(each, named))
    different = sum(each.confidence for each in others) - equal
    none = max(0.0, 1.0 - named.confidence - equal - different)
    meant = _MEANT * named.confidence
    total = meant + _MEANT * equal + _ANOTHER_MEANT * different + _NONE_MEANT * none
    return meant / total if total else 0.0


def is_borne_out(question: Question, place: Place) -> bool:
    """Return True if the ranker and the model together are sure of a place, and what is read there is no other name."""
    return _has_the_label(question, place) is not False and probability(question, place) >= SURE


def is_other_wording(question: Question, place: Place) -> bool:
    """
    Return True if the ranker and the model are sure of a place that is called by other words than were said. The ranker has
    weighed what is read there, so that is no evidence against the place.
    """
    return _has_the_label(question, place) is None and is_borne_out(question, place)


def _has_the_label(question: Question, place: Place) -> bool | None:
    """
    Return True if the candidate at a place has the asked label, or one of both has no text; None for other words; False for a
    text that is nearly spelled alike and so another name, and for one that is not what is known to be read there.
    """
    named = named_candidate(question, place)
    text, label = compared(named.text) if named else "", compared(question.label)
    if not text or not label or text == label:
        return True
    under = at(question.state, place.box.center) if question.state is not None else ()
    if under and compared(under[0].text) != text:
        return False
    return None if Levenshtein.normalized_similarity(text, label) < _ANOTHER_NAME else False


def choices(question: Question) -> Sequence[UIElement]:
    """Return the candidates that the picture of a question shows, in reading order; none where there are no two of them."""
    area = question.within or question.screen.box
    seen = []
    for each in question.candidates:
        visible = _shown(each, question).intersect(area)
        if visible is not None and min(visible.width, visible.height) >= LEAST_SIDE:
            seen.append(each)
    seen.sort(key=lambda each: (each.bbox.center.y // LEAST_SIDE, each.bbox.center.x))
    return seen if len(seen) > 1 else []


def are_alike(one: UIElement, other: UIElement) -> bool:
    """Return True if nothing but their place tells two elements apart."""
    return one.element_type == other.element_type and _label(one) == _label(other)


def _shown(element: UIElement, question: Question) -> Box:
    return (element.visible_region or element.bbox).clip(question.screen.size)


def _label(element: UIElement) -> str:
    return (element.text or element.description or str(element.metadata.get("icon", ""))).strip().casefold()

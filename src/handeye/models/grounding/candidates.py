"""Candidates that a ranker has scored: which one a model named, how probable it is then, and which are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.models.grounding.grounder import Place, Question

EVEN: Final = 0.5
LEAST_SIDE: Final = 8
"""Pixels. A smaller element is a separator or a dot, which its number would hide."""

# Probability that a model names a candidate if it is meant (recorded: Qwen3-VL 8B and 32B are right in 59 to 74 of 100 cases),
# if another candidate is meant, and if none is. The last two are assumed.
_MEANT: Final = 0.65
_ANOTHER_MEANT: Final = 0.1
_NONE_MEANT: Final = 0.3
_MOST_GROWTH: Final = 4.0  # factor; a candidate that is larger than the named box by more is a container of the element


def sound(candidates: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """Return the candidates that have a box and a probability."""
    return tuple(
        each for each in candidates if each.bbox.area and math.isfinite(each.confidence) and 0 <= each.confidence <= 1
    )


def named_candidate(question: Question, place: Place) -> UIElement | None:
    """
    Return the smallest of the question's candidates that contains the centre of a place and is of similar size, or
    None.
    """
    most = math.inf if place.is_point else _MOST_GROWTH * place.box.area
    holding = [each for each in question.candidates if _shown(each, question).contains(place.box.center)]
    fitting = [each for each in holding if _shown(each, question).area <= most]
    return min(fitting, key=lambda each: _shown(each, question).area, default=None)


def probability(question: Question, place: Place) -> float:
    """
    Return the probability (0-1) that a place is meant, after a model has named it; 0 where there is no candidate.

    If several candidates have the same label, the model's choice of one of them is no evidence for it.
    """
    named = named_candidate(question, place)
    if named is None:
        return 0.0
    others = [each for each in question.candidates if each is not named]
    equal = sum(each.confidence for each in others if _label(each) == _label(named))
    different = sum(each.confidence for each in others) - equal
    none = max(0.0, 1.0 - named.confidence - equal - different)
    meant = _MEANT * named.confidence
    total = meant + _MEANT * equal + _ANOTHER_MEANT * different + _NONE_MEANT * none
    return meant / total if total else 0.0


def choices(question: Question) -> Sequence[UIElement]:
    """
    Return the candidates that the question's picture shows, in reading order; an empty list if there are fewer than
    two.
    """
    area = question.within or question.screen.box
    seen = []
    for each in question.candidates:
        visible = _shown(each, question).intersect(area)
        if visible is not None and min(visible.width, visible.height) >= LEAST_SIDE:
            seen.append(each)
    return sorted(seen, key=reading_order) if len(seen) > 1 else []


def reading_order(element: UIElement) -> tuple[int, int]:
    """Return a key that sorts elements by rows, and each row from the left."""
    return element.bbox.center.y // LEAST_SIDE, element.bbox.center.x


def _shown(element: UIElement, question: Question) -> Box:
    return (element.visible_region or element.bbox).clip(question.screen.size)


def _label(element: UIElement) -> str:
    return (element.text or element.description or str(element.metadata.get("icon", ""))).strip().casefold()

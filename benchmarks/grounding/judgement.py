"""Judging answers: right, wrong, refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from grounding.cases import Question
from handeye.elements import UIElement
from handeye.target import LocateResult

Verdict = Literal["right", "wrong", "refused", "rightly refused"]
PRESENT: Final = frozenset({"find", "count"})  # questions whose thing is there, so that a refusal is a failure
SLACK_PX: Final = 2  # a click this far outside of a box that was rounded is still on the element
LEAST_IOU: Final = 0.5  # an element that shares so much with the truth is the same thing


def judge(question: Question, result: LocateResult) -> Verdict:
    """
    Return the verdict on one answer. An answer that is not reliable is a refusal, as nothing is clicked then.

    Right: the centre of a reliable answer lies in a true place. Wrong: a reliable answer elsewhere, and every reliable
    answer to a question that only a refusal answers.
    """
    if not (result.reliable and result.element is not None):
        return "refused" if question.expected in PRESENT else "rightly refused"
    return "right" if question.expected != "refuse" and hits(question, result.element) else "wrong"


def hits(question: Question, element: UIElement) -> bool:
    """Return True if a click on the element hits a true place."""
    if any(element.bbox.expand(SLACK_PX).contains(point) for point in question.points):
        return True
    return any(box.expand(SLACK_PX).contains(element.center) for box in question.boxes)


def first_is_right(question: Question, result: LocateResult) -> bool:
    """Return True if the first candidate of a refusal is what was meant."""
    first = next(iter(result.candidates), result.element)
    return first is not None and question.expected != "refuse" and hits(question, first)


def covered(question: Question, elements: Iterable[UIElement]) -> bool:
    """Return True if an element that the sources saw could be the answer: its click or its box is right."""
    return any(
        hits(question, each) or any(each.bbox.iou(box) >= LEAST_IOU for box in question.boxes)
        for each in elements
        if each.element_type != "window"
    )

"""Tests of the signs of an uncertain answer and of the table that selects a wrapper for each sign."""

from __future__ import annotations

import numpy as np
import pytest

from handeye.elements import UIElement, UIState
from handeye.geometry import Box, Size
from handeye.models import Grounding, Place, Question
from handeye.models.grounding.escalation import AUTO, Sign, is_triggered, signs
from handeye.screen import Screen

SCREEN = Screen(np.zeros((1000, 1000, 3), np.uint8))
LARGE, SMALL = Box(100, 100, 200, 160), Box(100, 100, 120, 120)
SEND_HERE = UIElement("button", "", Box(90, 90, 210, 170), text="Send", source="accessibility", interactive=True)
SEND_AWAY = UIElement("button", "", Box(700, 700, 800, 750), text="Send", source="accessibility", interactive=True)
CANCEL_HERE = UIElement("button", "", Box(90, 90, 210, 170), text="Cancel", source="accessibility", interactive=True)


@pytest.mark.parametrize(
    ("place", "known", "expected"),
    [
        (Place(LARGE, 0.9), (), set()),
        (Place(LARGE, 0.79), (), {Sign.UNSURE}),
        (Place(LARGE), (), {Sign.UNSTATED}),
        (Place(SMALL, 0.9), (), {Sign.SMALL}),
        (Place(LARGE, 0.9, doubts=("gone",)), (), {Sign.UNSURE}),
        (Place(LARGE, 0.9, confirmed_by=("verify",)), (), {Sign.BACKED}),
        (Place(LARGE, 0.9), (SEND_HERE,), {Sign.BACKED}),
        (Place(LARGE, 0.9), (SEND_AWAY,), {Sign.CONTRADICTED, Sign.UNREAD}),
        (Place(LARGE, 0.9), (CANCEL_HERE,), {Sign.CONTRADICTED, Sign.UNREAD}),
        (Place(LARGE, 0.9, confirmed_by=("vote",)), (CANCEL_HERE,), {Sign.BACKED, Sign.CONTRADICTED}),
        (None, (), {Sign.ABSENT}),
        (None, (SEND_AWAY,), {Sign.ABSENT, Sign.CONTRADICTED}),
    ],
)
def test_signs_of_an_answer(place: Place | None, known: tuple[UIElement, ...], expected: set[Sign]) -> None:
    question = Question(SCREEN, "Send", label="Send", state=UIState(SCREEN, known) if known else None)
    assert signs(question, Grounding((place,) if place else ())) == expected


def test_unread_label_is_a_sign() -> None:
    elsewhere = UIState(SCREEN, (UIElement("text", "", Box(0, 0, 50, 20), text="Title"),))
    answer = Grounding((Place(LARGE, 0.9),))
    assert signs(Question(SCREEN, "Send", label="Send", state=elsewhere), answer) == {Sign.UNREAD}
    assert signs(Question(SCREEN, "the plane", state=elsewhere), answer) == set(), "a description is not read"


def test_small_is_measured_in_pixels_sent() -> None:
    question, answer = Question(SCREEN, "Send"), Grounding((Place(LARGE, 0.9),))
    assert Sign.SMALL not in signs(question, answer)
    assert {Sign.SMALL, Sign.SHRUNK} <= signs(question, answer, lambda size: Size(size.width // 3, size.height // 3))
    point = Grounding((Place(SMALL, 0.9, is_point=True),))
    assert Sign.SMALL not in signs(question, point), "a point's box says nothing about the thing"


def test_several_places_or_candidates_are_a_sign() -> None:
    two = Grounding((Place(LARGE, 0.9), Place(SEND_AWAY.bbox, 0.9)))
    assert Sign.SEVERAL in signs(Question(SCREEN, "x"), two)
    assert Sign.SEVERAL in signs(Question(SCREEN, "x"), Grounding(candidates=(Place(LARGE),)))


@pytest.mark.parametrize(
    ("found", "used"),
    [
        (set(), set()),
        ({Sign.SMALL}, {"zoom"}),
        ({Sign.UNSURE}, {"zoom", "vote", "verify", "strong"}),
        ({Sign.UNSURE, Sign.SHRUNK}, {"zoom", "vote", "verify", "strong", "tiles"}),
        ({Sign.UNSTATED}, {"verify"}),
        ({Sign.UNREAD}, {"verify"}),
        ({Sign.SEVERAL}, {"vote", "strong"}),
        ({Sign.ABSENT}, set()),
        ({Sign.ABSENT, Sign.SHRUNK}, {"tiles"}),
        ({Sign.CONTRADICTED}, {"zoom", "vote", "verify", "strong", "marks"}),
        ({Sign.BACKED}, set()),
        ({Sign.BACKED, Sign.SMALL, Sign.UNSURE, Sign.UNSTATED}, set()),
        ({Sign.BACKED, Sign.CONTRADICTED}, {"zoom", "vote", "verify", "strong", "marks"}),
    ],
)
def test_auto_mode_uses_wrappers_for_signs(found: set[Sign], used: set[str]) -> None:
    assert {wrapper for wrapper in AUTO if is_triggered(wrapper, frozenset(found))} == used

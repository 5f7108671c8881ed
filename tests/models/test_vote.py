"""Several looks: what they cost, when they settle it, and when nothing is chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.models.grounder import Grounding, Place, Question
from handeye.models.vote import vote
from handeye.screen import Screen
from handeye.testing.models import ScriptedGrounder

SCREEN = Screen(np.zeros((1000, 1600, 3), np.uint8))
TRUTH = Box(700, 400, 760, 430)


def ground(answer: Callable[[Question], Grounding], **settings: object) -> tuple[Grounding, list[Question]]:
    model = ScriptedGrounder(answer)
    return vote(model, **settings).ground(Question(SCREEN, "Send")), model.questions  # type: ignore[arg-type]


def test_two_that_agree_settle_three() -> None:
    found, asked = ground(lambda _q: Grounding((Place(TRUTH, 0.6),)))
    assert found.places[0].box == TRUTH
    assert found.places[0].confirmed_by == ("vote",)
    assert found.usage.calls == len(asked) == 2
    assert "2 of 2 answers agree" in found.notes


def test_the_third_look_decides_and_is_not_agreement_of_all() -> None:
    answers = iter([TRUTH, Box(10, 10, 50, 50), TRUTH.translate(3, 2)])
    found, asked = ground(lambda _q: Grounding((Place(next(answers)),)))
    assert found.places[0].box == TRUTH
    assert not found.places[0].confirmed_by
    assert len(asked) == 3
    assert [place.box for place in found.candidates] == [Box(10, 10, 50, 50)]


def test_without_a_majority_nothing_is_chosen() -> None:
    answers = iter([TRUTH, Box(10, 10, 50, 50), Box(1500, 900, 1550, 950)])
    found, asked = ground(lambda _q: Grounding((Place(next(answers)),)))
    assert found.places == ()
    assert len(found.candidates) == len(asked) == 3
    assert "differ" in found.reason


def test_a_look_that_sees_nothing_is_a_vote_against() -> None:
    answers = iter([Grounding((Place(TRUTH),)), Grounding(), Grounding()])
    found, asked = ground(lambda _q: next(answers))
    assert found.places == ()
    assert len(asked) == 3


def test_it_stops_when_it_cannot_be_settled_any_more() -> None:
    far = iter(range(0, 1500, 100))
    found, asked = ground(lambda _q: Grounding((Place(Box(x := next(far), 0, x + 20, 20)),)), samples=5)
    assert found.places == ()
    assert len(asked) == 4, "of five, a fifth could only be the second of its kind"


def test_what_is_not_there_is_asked_once() -> None:
    found, asked = ground(lambda _q: Grounding(reason="no"))
    assert (found.places, len(asked)) == ((), 1)


@pytest.mark.parametrize("at", [(0.5, 0.5), (0.4, 0.6), (0.3, 0.3)])
def test_a_model_that_says_the_same_numbers_whatever_it_is_shown_does_not_agree_with_itself(
    at: tuple[float, float],
) -> None:
    def same_numbers(question: Question) -> Grounding:
        area = question.within or question.screen.box
        x, y = area.left + round(at[0] * area.width), area.top + round(at[1] * area.height)
        return Grounding((Place(Box.at((x, y), 20), 1.0),))

    found, _asked = ground(same_numbers)
    assert not (found.places and found.places[0].confirmed_by)


@settings(deadline=None)
@given(st.integers(0, 1500), st.integers(0, 900), st.integers(4, 400), st.integers(2, 9))
def test_every_view_is_another_one_and_shows_the_answer(x: int, y: int, side: int, samples: int) -> None:
    place = Box(x, y, x + side, y + side).clip(SCREEN.size)
    odd = iter(range(100))

    def answer(question: Question) -> Grounding:
        if question.within is None:
            return Grounding((Place(place),))
        return Grounding((Place(Box.at((next(odd) * 16, 5), 1)),)) if next(odd) % 2 else Grounding()

    _found, asked = ground(answer, samples=samples)
    views = [question.within for question in asked[1:]]
    for view in views:
        assert view is not None
        assert view.intersect(SCREEN.box) == view
        assert view.intersect(place) == place
    assert len(asked) <= samples


def test_settings_that_make_no_sense_are_refused() -> None:
    model = ScriptedGrounder(lambda _q: Grounding())
    for wrong in ({"samples": 1}, {"samples": 10}, {"cut": 0.0}, {"cut": 0.5}):
        with pytest.raises(UsageError):
            vote(model, **wrong)  # type: ignore[arg-type]
    assert vote(model, when="off") is model


def test_auto_votes_on_doubt_only() -> None:
    for confidence, calls in ((0.95, 1), (0.5, 2)):
        _found, asked = ground(lambda _q, sure=confidence: Grounding((Place(TRUTH, sure),)), when="auto")
        assert len(asked) == calls

"""Tests of voting over several views: cost, majority, and answers without a majority."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.models import Grounding, Place, Question
from handeye.models.grounding.vote import vote
from handeye.screen import Screen
from handeye.testing.models import ScriptedGrounder

SCREEN = Screen(np.zeros((1000, 1600, 3), np.uint8))
TRUTH = Box(700, 400, 760, 430)


def ground(answer: Callable[[Question], Grounding], **settings: object) -> tuple[Grounding, list[Question]]:
    model = ScriptedGrounder(answer)
    return vote(model, **settings).ground(Question(SCREEN, "Send")), model.questions  # type: ignore[arg-type]


def test_two_agreeing_answers_end_the_vote() -> None:
    found, asked = ground(lambda _q: Grounding((Place(TRUTH, 0.6),)))
    assert found.places[0].box == TRUTH
    assert found.places[0].confirmed_by == ("vote",)
    assert found.usage.calls == len(asked) == 2
    assert "2 of 2 answers agree" in found.notes


def test_third_answer_decides_without_confirming() -> None:
    answers = iter([TRUTH, Box(10, 10, 50, 50), TRUTH.translate(3, 2)])
    found, asked = ground(lambda _q: Grounding((Place(next(answers)),)))
    assert found.places[0].box == TRUTH
    assert not found.places[0].confirmed_by
    assert len(asked) == 3
    assert [place.box for place in found.candidates] == [Box(10, 10, 50, 50)]


def test_without_majority_nothing_is_chosen() -> None:
    answers = iter([TRUTH, Box(10, 10, 50, 50), Box(1500, 900, 1550, 950)])
    found, asked = ground(lambda _q: Grounding((Place(next(answers)),)))
    assert found.places == ()
    assert len(found.candidates) == len(asked) == 3
    assert "differ" in found.reason


def test_empty_answer_is_a_vote_against() -> None:
    answers = iter([Grounding((Place(TRUTH),)), Grounding(), Grounding()])
    found, asked = ground(lambda _q: next(answers))
    assert found.places == ()
    assert len(asked) == 3


def test_vote_stops_when_majority_is_impossible() -> None:
    far = iter(range(0, 1500, 100))
    found, asked = ground(lambda _q: Grounding((Place(Box(x := next(far), 0, x + 20, 20)),)), samples=5)
    assert found.places == ()
    assert len(asked) == 4, "of five, a fifth could only be the second of its kind"


def test_absent_answer_is_asked_once() -> None:
    found, asked = ground(lambda _q: Grounding(reason="no"))
    assert (found.places, len(asked)) == ((), 1)


RIVAL = Box(100, 100, 160, 130)


def test_repeated_several_places_stay_several() -> None:
    """Two Save buttons: asking again does not make one of them the right one."""
    found, asked = ground(lambda _q: Grounding((Place(TRUTH), Place(RIVAL))), when="auto")
    assert [place.box for place in found.places] == [TRUTH, RIVAL]
    assert not any(place.confirmed_by or place.doubts for place in found.places)
    assert len(asked) == 2, "of three, one answer alone would be no majority"


def test_views_contain_every_place_of_first_answer() -> None:
    corners = Place(Box(0, 0, 60, 30)), Place(Box(1540, 970, 1600, 1000))
    _found, asked = ground(lambda _q: Grounding(corners))
    assert len(asked) == 1, "only the whole picture shows both"
    _found, asked = ground(lambda _q: Grounding((Place(TRUTH), Place(RIVAL))), samples=9)
    for question in asked[1:]:
        assert question.within is not None
        assert question.within.contains((TRUTH.left, TRUTH.top))
        assert question.within.contains((RIVAL.left, RIVAL.top))


def test_answer_with_several_places_confirms_nothing() -> None:
    answers = iter([(TRUTH,), (TRUTH, RIVAL), (TRUTH,)])
    found, _asked = ground(lambda _q: Grounding(tuple(map(Place, next(answers)))))
    assert [(place.box, place.confirmed_by) for place in found.places] == [(TRUTH, ())]
    assert [place.box for place in found.candidates] == [RIVAL]


def test_majority_decides_between_two_places() -> None:
    answers = iter([(RIVAL, TRUTH), (TRUTH,), (TRUTH,)])
    found, _asked = ground(lambda _q: Grounding(tuple(map(Place, next(answers)))))
    assert [(place.box, place.confirmed_by) for place in found.places] == [(TRUTH, ())]
    assert [place.box for place in found.candidates] == [RIVAL]


def test_unsettled_places_get_doubts() -> None:
    answers = iter([(RIVAL, TRUTH), (TRUTH,), ()])
    found, _asked = ground(lambda _q: Grounding(tuple(map(Place, next(answers)))))
    assert [place.box for place in found.places] == [RIVAL, TRUTH]
    assert all(place.doubts for place in found.places)


def test_overlapping_places_of_one_answer_are_merged() -> None:
    found, _asked = ground(lambda _q: Grounding((Place(TRUTH), Place(TRUTH.translate(2, 1)))))
    assert [place.confirmed_by for place in found.places] == [("vote",)]


@pytest.mark.parametrize("at", [(0.5, 0.5), (0.4, 0.6), (0.3, 0.3)])
def test_constant_relative_coordinates_do_not_confirm_themselves(
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
def test_every_view_contains_the_answer(x: int, y: int, side: int, samples: int) -> None:
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


def test_invalid_settings_are_refused() -> None:
    model = ScriptedGrounder(lambda _q: Grounding())
    for wrong in ({"samples": 1}, {"samples": 10}, {"cut": 0.0}, {"cut": 0.5}):
        with pytest.raises(UsageError):
            vote(model, **wrong)  # type: ignore[arg-type]
    assert vote(model, when="off") is model


def test_auto_votes_only_on_uncertain_answers() -> None:
    for confidence, calls in ((0.95, 1), (0.5, 2)):
        _found, asked = ground(lambda _q, sure=confidence: Grounding((Place(TRUTH, sure),)), when="auto")
        assert len(asked) == calls

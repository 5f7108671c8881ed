"""Tests of the verifier model: the outlined crop that is sent, and the effect of each verdict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import InvalidReply
from handeye.geometry import Box
from handeye.models import OUTLINE, Grounding, Place, Question, Verdict, boxed, read_verdict
from handeye.models.grounding.verification import MOST_SHOWN, verify
from handeye.screen import Screen
from handeye.testing.models import ScriptedGrounder, ScriptedModel, pictures

SCREEN = Screen(np.full((1080, 1920, 3), 200, np.uint8))
PLACE = Place(Box(900, 500, 960, 530), 0.6)


def verified(*answers: str, places: tuple[Place, ...] = (PLACE,), when: str = "on") -> tuple[Grounding, ScriptedModel]:
    model = ScriptedModel(answers)
    grounder = verify(ScriptedGrounder(lambda _q: Grounding(places)), model, when=when)  # type: ignore[arg-type]
    return grounder.ground(Question(SCREEN, "Send")), model


def test_yes_confirms_the_place_with_one_crop() -> None:
    found, model = verified('{"answer": "yes", "reason": "a button that reads Send"}')
    assert found.places[0].confirmed_by == ("verify",)
    assert found.usage.calls == 2
    (shown,) = pictures(model.prompts[0])
    assert shown.size == (480, 480)
    assert shown.width * shown.height < 0.12 * 1920 * 1080


def test_outline_surrounds_place_without_covering_it() -> None:
    for box in (Box(900, 500, 960, 530), Box(0, 0, 30, 30), Box(1890, 1050, 1920, 1080)):
        picture = np.asarray(boxed(SCREEN, box))
        inside = np.argwhere((picture == OUTLINE).all(axis=2))
        top, left = inside.min(axis=0)
        bottom, right = inside.max(axis=0) + 1
        assert bottom - top >= 30
        assert right - left >= 30
        untouched = (picture == 200).all(axis=2)
        if box == Box(900, 500, 960, 530):
            assert untouched[240 - 15 : 240 + 15, 240 - 30 : 240 + 30].all()


def test_no_turns_place_into_candidate_with_reason() -> None:
    found, _ = verified('{"answer": "no", "reason": "it reads Cancel"}')
    assert found.places == ()
    assert found.candidates == (PLACE,)
    assert "it reads Cancel" in found.reason


def test_unsure_adds_a_doubt() -> None:
    found, _ = verified("unsure")
    assert found.places[0].doubts


def test_only_confirmed_place_of_several_is_chosen() -> None:
    other = Place(Box(0, 0, 50, 50), 0.6)
    for answers, chosen, refused in ((("yes", "no"), PLACE, other), (("no", "yes"), other, PLACE)):
        found, model = verified(*answers, places=(PLACE, other))
        assert [(place.box, place.confirmed_by) for place in found.places] == [(chosen.box, ("verify",))]
        assert found.candidates == (refused,)
        assert model.calls == 2


@pytest.mark.parametrize(
    ("answers", "left"),
    [(("yes", "yes"), 3), (("yes", "unsure", "no"), 2), (("unsure", "no", "no"), 1), (("no", "no", "no"), 0)],
)
def test_several_possible_places_are_not_confirmed(answers: tuple[str, ...], left: int) -> None:
    places = (PLACE, Place(Box(0, 0, 50, 50), 0.6), Place(Box(100, 0, 150, 50), 0.6))
    found, model = verified(*answers, places=places)
    assert len(found.places) == left
    assert not any(place.confirmed_by for place in found.places)
    assert bool(found.reason) is not bool(left)
    assert model.calls == len(answers)


def test_at_most_four_places_are_verified() -> None:
    places = tuple(Place(Box(100 * at, 0, 100 * at + 50, 50)) for at in range(6))
    found, model = verified("yes", "no", "no", "no", places=places)
    assert model.calls == 4
    assert len(found.places) == 3
    assert not any(place.confirmed_by for place in found.places)


def test_unreadable_verdict_is_retried_then_doubted() -> None:
    found, model = verified("It looks like a button.", "yes")
    assert found.places[0].confirmed_by
    assert model.calls == 2
    found, _ = verified("maybe", "who knows")
    assert found.places[0].doubts
    assert not found.places[0].confirmed_by


def test_absent_target_is_not_verified() -> None:
    _found, model = verified(places=())
    assert model.calls == 0


def test_auto_verifies_only_uncertain_answers() -> None:
    for confidence, calls in ((0.95, 0), (0.5, 1), (None, 1)):
        _found, model = verified(*["yes"] * calls, places=(Place(PLACE.box, confidence),), when="auto")
        assert model.calls == calls


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("yes", Verdict.YES),
        ("Yes.", Verdict.YES),
        ("是", Verdict.YES),
        ('```json\n{"answer": "no"}\n```', Verdict.NO),
        ('<think>yes, no, yes</think>{"answer": "unsure", "reason": "blurred"}', Verdict.UNSURE),
        ('{"Answer": true}', Verdict.YES),
        ("不是", Verdict.NO),
        ('{"answer": "yes", "confidence": 0.9, "reason": "it reads Send"}', Verdict.YES),
        ('{"answer": "yes", "confidence": null, "reason": "it reads “Not now”, as described"}', Verdict.YES),
        ('{"answer": "yes", "confidence": "high"}', Verdict.YES),
        ('{"answer": "yes", "confidence": "95%"}', Verdict.YES),
        ('{"answer": "yes", "confidence": 95}', Verdict.YES),
        ('{"answer": "no", "reason": "it is not the Save button"}', Verdict.NO),
        ('{"answer": "no", "confidence": 0.9}', Verdict.NO),
        ('{"answer": "no", "confidence": 0.2}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": 0.05, "reason": "it is not the Save button"}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": 0.05}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": 5}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": "low"}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": -1}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": true}', Verdict.UNSURE),
        ('{"answer": "yes", "confidence": [0.9]}', Verdict.UNSURE),
        ('{"answer": "yes", "reason": "it isn’t the Save button"}', Verdict.UNSURE),
        ('{"answer": "yes", "reason": "the box encloses something else"}', Verdict.UNSURE),
        ('{"answer": "yes", "reason": "这不是保存按钮"}', Verdict.UNSURE),
    ],
)
def test_verdicts_are_read(reply: str, verdict: Verdict) -> None:
    assert read_verdict(reply)[0] is verdict


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "yes and no",
        "I think yes",
        '{"answer": "perhaps"}',
        '{"answer": 1}',
        '{"reason": "yes"}',
        '{"answer": "yes", "action": "tap"}',
        '{"answer": "yes"} {"answer": "no"}',
        '{"answer": "yes',
        "yes" * 10_000,
    ],
)
def test_unreadable_verdicts_are_refused(reply: str) -> None:
    with pytest.raises(InvalidReply):
        read_verdict(reply)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_verdict_or_invalid_reply(reply: str) -> None:
    try:
        read_verdict(reply)
    except InvalidReply:
        return


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1900), st.integers(0, 1060), st.integers(1, 1900), st.integers(1, 1000))
def test_any_box_can_be_outlined(x: int, y: int, width: int, height: int) -> None:
    picture = boxed(SCREEN, Box(x, y, x + width, y + height).clip(SCREEN.size))
    assert max(picture.size) <= MOST_SHOWN


def test_off_returns_the_grounder_itself() -> None:
    grounder = ScriptedGrounder(lambda _q: Grounding())
    assert verify(grounder, ScriptedModel([]), when="off") is grounder

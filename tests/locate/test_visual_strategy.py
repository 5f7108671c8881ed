"""Tests of the checks on a vision model's answers before they are used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement
from handeye.errors import LocateError
from handeye.geometry import Box
from handeye.locate import LocateStrategy, VisualLocator, VisualStrategy
from handeye.locate.base import LEAST_SURE
from handeye.models import UNCONFIRMED_MOST, Accepted
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import TextLine

SCREEN = Screen(np.full((600, 400, 3), 240, np.uint8))
TARGET = Target(description="绿色运行按钮")


class Model:
    """Answers as it is told, and remembers what it was asked for."""

    def __init__(self, *answer: UIElement, error: Exception | None = None) -> None:
        self.answer, self.error = answer, error
        self.asked: list[Target] = []

    def find(self, target: Target, screen: Screen) -> Sequence[UIElement] | None:
        self.asked.append(target)
        if self.error:
            raise self.error
        return self.answer or None


class Reader:
    """One line of text."""

    name = "reader"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return (TextLine("运行", Box(50, 500, 114, 532), 1.0),)


def seen(*box: object, confidence: object = 0.95) -> UIElement:
    return UIElement("button", "绿色运行按钮", box, confidence, "model")  # type: ignore[arg-type]


def located(*elements: UIElement) -> tuple[UIElement, ...] | None:
    match = VisualStrategy(Model(*elements)).locate(TARGET, SCREEN)
    return match.elements if match else None


def test_valid_model_answer_is_used_unchanged() -> None:
    assert located(seen(100, 200, 200, 260, confidence=0.7)) == (
        UIElement("button", "绿色运行按钮", Box(100, 200, 200, 260), 0.7, "visual"),
    )
    assert located() is None


def test_box_over_the_edge_is_clipped() -> None:
    (element,) = located(seen(-50, 200, 100, 260)) or ()
    assert (element.bbox, element.visible_region) == (Box(0, 200, 100, 260), Box(0, 200, 100, 260))


@pytest.mark.parametrize(
    "box",
    [
        (0, 0, 400, 600),
        (500, 700, 600, 800),
        (-500, 0, 5, 40),
        (100, 100, 101, 101),
        (float("nan"), 0, 1, 1),
        (0, 0, float("inf"), 10),
        (1, 2, 3),
        ("1", "2", "3", "4"),
    ],
)
def test_invalid_or_offscreen_box_is_dropped(box: tuple[object, ...]) -> None:
    assert located(seen(*box)) == ()
    assert len(located(seen(*box), seen(100, 200, 200, 260)) or ()) == 1


@pytest.mark.parametrize("confidence", [float("nan"), float("inf"), -0.1, 95, True, "high", None])
def test_invalid_confidence_becomes_zero(confidence: object) -> None:
    locator = VisualLocator(parser=None, vision=Model(seen(100, 200, 200, 260, confidence=confidence)))
    result = locator.locate(TARGET, SCREEN)
    assert not result.success
    assert [each.confidence for each in result.candidates] == [0.0]


@given(st.lists(st.floats(allow_nan=True), min_size=4, max_size=4), st.floats())
def test_any_answer_is_on_screen_or_dropped(box: list[float], confidence: float) -> None:
    for element in located(seen(*box, confidence=confidence)) or ():
        assert element.bbox.intersect(SCREEN.box) == element.bbox
        assert 0 <= element.confidence <= 1


def test_uncertain_model_answer_falls_back_to_ocr() -> None:
    model = Model(seen(100, 200, 200, 260, confidence=0.3))
    result = VisualLocator(parser=None, vision=model, reader=Reader()).locate_with_fallback(
        "运行", ["visual", "ocr", "fixed"], SCREEN
    )
    assert (result.method_used, result.element and result.element.bbox.top) == ("ocr", 500)
    assert "0.30" in result.attempts[0].note


def test_model_error_falls_through_to_next_strategy() -> None:
    locator = VisualLocator(parser=None, vision=Model(error=LocateError("no answer")), reader=Reader())
    result = locator.locate_with_fallback("运行", LocateStrategy.AI_FIRST, SCREEN)
    assert result.method_used == "ocr"
    assert [(each.strategy, each.outcome) for each in result.attempts][1] == ("visual", "failed")


def test_several_model_answers_become_candidates() -> None:
    result = VisualLocator(parser=None, vision=Model(seen(0, 0, 50, 50), seen(100, 100, 150, 150))).locate(
        TARGET, SCREEN
    )
    assert (result.success, len(result.candidates)) == (False, 2)


@pytest.mark.parametrize("words", ["the second Run button", "“运行”右边的按钮", "the last Run"])
def test_model_resolves_ordinals_and_relations_itself(words: str) -> None:
    model = Model(seen(100, 200, 200, 260, confidence=0.7))
    result = VisualLocator(parser=None, vision=model, reader=None).locate_with_fallback(words, ["visual"], SCREEN)
    assert result.success, result.attempts
    assert model.asked[0].phrase == words


@pytest.mark.parametrize("stated", [0.8, 0.95, 1.0])
def test_stated_confidence_is_capped_unless_judged(stated: float) -> None:
    class Judging(Model):
        def judge(self, target: Target, screen: Screen) -> Accepted:
            return Accepted(tuple(self.find(target, screen) or ()), (), "")

    (element,) = located(seen(100, 200, 200, 260, confidence=stated)) or ()
    assert element.confidence == UNCONFIRMED_MOST < LEAST_SURE
    judged = VisualStrategy(Judging(seen(100, 200, 200, 260, confidence=stated))).locate(TARGET, SCREEN)
    assert judged is not None
    assert judged.elements[0].confidence == stated
    several = Judging(seen(100, 200, 200, 260, confidence=stated), seen(100, 400, 200, 460, confidence=0.1))
    left = VisualStrategy(several).locate(TARGET, SCREEN)
    assert left is not None
    assert len(left.elements) == 2  # whoever judged them could not choose


class Speaking(Model):
    """Says why."""

    def __init__(self, note: str, *answer: UIElement) -> None:
        super().__init__(*answer)
        self.note = note

    def judge(self, target: Target, screen: Screen) -> Accepted:
        return Accepted(self.answer, (), self.note)


def test_model_note_is_part_of_the_error() -> None:
    result = VisualLocator(parser=None, vision=Speaking("a login page; log in first")).locate(TARGET, SCREEN)
    assert not result.success
    assert "a login page; log in first" in (result.error or "")


def test_attempt_note_contains_confidence_and_judge_note() -> None:
    doubtful = seen(100, 200, 200, 260, confidence=0.4)
    result = VisualLocator(parser=None, vision=Speaking("another text is read there", doubtful)).locate(TARGET, SCREEN)
    note = next(attempt.note for attempt in result.attempts if attempt.strategy == "visual")
    assert "0.40" in note
    assert "another text is read there" in note
    assert "as the model says" not in note


def test_overlapping_model_answers_are_merged() -> None:
    model = Model(seen(100, 200, 200, 260, confidence=0.6), seen(102, 198, 200, 262, confidence=0.7))
    result = VisualLocator(parser=None, vision=model).locate(TARGET, SCREEN)
    assert result.element is not None
    assert (result.element.bbox, result.confidence) == (Box(102, 198, 200, 262), 0.7)


@pytest.mark.parametrize(
    ("stated", "taken"), [((0.3, 0.9), True), ((0.9, 0.7), True), ((0.9, 0.75), False), ((0.4, 0.1), False)]
)
def test_clearly_preferred_model_answer_is_chosen(stated: tuple[float, float], taken: bool) -> None:
    places = [seen(0, at, 50, at + 50, confidence=each) for at, each in zip((0, 300), stated, strict=True)]
    result = VisualLocator(parser=None, vision=Model(*places)).locate(TARGET, SCREEN)
    assert result.success is taken
    assert len(result.candidates) == (0 if taken else 2)
    if result.element is not None:
        assert result.element.bbox == max(places, key=lambda each: each.confidence).bbox


@pytest.mark.parametrize("target", [Target(reference="logo"), Target(text="\u200b \u3000"), Target(role="button")])
def test_target_without_text_does_not_call_model(target: Target) -> None:
    model = Model(seen(100, 200, 200, 260))
    result = VisualLocator(parser=None, vision=model).locate(target, SCREEN)
    assert (result.success, model.asked) == (False, [])


@pytest.mark.parametrize(
    "error", [TimeoutError("30 s"), ConnectionError("refused"), ZeroDivisionError(), KeyError("x")]
)
def test_client_exception_is_a_failed_attempt(error: Exception) -> None:
    locator = VisualLocator(parser=None, vision=Model(error=error), reader=Reader())
    result = locator.locate_with_fallback("运行", ["visual", "ocr"], SCREEN)
    assert (result.method_used, result.attempts[0].outcome) == ("ocr", "failed")
    assert type(error).__name__ in result.attempts[0].note


@pytest.mark.parametrize("answer", ["hello", [None, 3], 5, {"x": 1}])
def test_non_element_model_answer_is_ignored(answer: object) -> None:
    class Junk:
        def find(self, target: Target, screen: Screen) -> object:
            return answer

    result = VisualLocator(parser=None, vision=Junk(), reader=Reader()).locate_with_fallback(
        "运行", ["visual", "ocr"], SCREEN
    )  # type: ignore[arg-type]
    assert result.method_used == "ocr"

"""Tests of a model's answer against the ranked candidates, among which it chooses when it is uncertain."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye.elements import UIElement
from handeye.errors import ModelError
from handeye.geometry import Box
from handeye.locate import VisualLocator
from handeye.models import Accepted, LLMConfig, Place, Prompt, Question, VisionAgent
from handeye.models.configured import ConfiguredVision
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.candidates import named_candidate, probability
from handeye.models.grounding.vision_agent import Wrappers
from handeye.screen import Screen
from handeye.target import Target, parse_target
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye.testing.models import ScriptedModel
from handeye.testing.perceiving import FakeProvider

SCREEN = Screen(np.full((1000, 1000, 3), 240, np.uint8))
STORE = Box(400, 800, 500, 850)
HELP = Box(100, 100, 200, 150)
ELSEWHERE = Box(700, 700, 760, 740)
TARGET = parse_target("keep what I changed")
SURE, UNSURE = 0.95, 0.7
KEY = "sk-test-0123456789abcdef"
FRAME_ONLY = Wrappers(zoom="off", vote="off")  # a scripted model says the same about a crop


def candidate(text: str, at: Box, chance: float = 1.0, role: str = "button") -> UIElement:
    return UIElement(role, "", at, chance, "accessibility", text=text, interactive=True)


def at(box: Box, confidence: float = SURE) -> str:
    edges = {"xmin": box.left, "ymin": box.top, "xmax": box.right, "ymax": box.bottom}
    return json.dumps({"found": True, **edges, "confidence": confidence})


class Model(ScriptedModel):
    """Points at a place, chooses the number, and answers "is this it?"; counts how often numbers were shown."""

    def __init__(self, place: str, choice: int | None = None, verdict: str = "unsure") -> None:
        self.shown: list[str] = []

        def answer(prompt: Prompt) -> str:
            text = "\n".join(part for part in prompt.parts if isinstance(part, str))
            if "boxes with numbers" in text:
                self.shown.append(text)
                return json.dumps({"mark": choice, "reason": None})
            return verdict if "magenta box" in text else place

        super().__init__(answer)


def judged(model: ScriptedModel, *candidates: UIElement) -> Accepted:
    agent = VisionAgent(model, profile_named("generic"), wrappers=FRAME_ONLY)
    return agent.judge_among(TARGET, SCREEN, candidates)


def question(*candidates: UIElement, within: Box | None = None) -> Question:
    return Question(SCREEN, "x", candidates=candidates, within=within)


def test_confident_answer_is_unchanged_by_candidates() -> None:
    for place in (STORE, ELSEWHERE):
        model = Model(at(place), choice=1)
        found = judged(model, candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.2)).found
        assert [(each.bbox, each.confidence) for each in found] == [(place, 0.79)]
        assert model.calls == 1


# How probable a named candidate is


def test_model_choice_raises_candidate_probability() -> None:
    weighed = question(candidate("Store", STORE, 0.6), candidate("Help", HELP, 0.3))
    assert 0.85 < probability(weighed, Place(STORE)) < 0.9
    assert probability(weighed, Place(ELSEWHERE)) == 0.0


@pytest.mark.parametrize("count", range(2, 6))
@pytest.mark.parametrize("role", ["button", "text"])
def test_choice_among_equal_candidates_proves_nothing(count: int, role: str) -> None:
    roles = ["button", *[role] * (count - 1)]
    boxes = [Box(400, y, 500, y + 40) for y in range(0, 100 * count, 100)]
    equal = [candidate("Delete", box, 0.95 / count, role) for box, role in zip(boxes, roles, strict=True)]
    assert probability(question(*equal), Place(equal[0].bbox)) < 0.6


def test_button_in_row_is_not_the_row() -> None:
    row = candidate("Alarm 8:30", Box(0, 200, 1000, 280), 0.7, "list item")
    assert probability(question(row), Place(Box(890, 220, 940, 260))) == 0.0
    button = candidate("", Box(890, 220, 940, 260), 0.2)
    assert named_candidate(question(row, button), Place(Box(890, 220, 940, 260))) is button


def test_point_names_the_element_under_it() -> None:
    bold, italic = candidate("Bold", Box(100, 10, 120, 30), 0.1), candidate("Italic", Box(124, 10, 144, 30), 0.7)
    assert named_candidate(question(bold, italic), Place(Box(108, 18, 112, 22), is_point=True)) is bold


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("王六", "王五"),
        ("和张三的聊天", "张三丰"),
        ("Anna Schmidt", "Anna Schmitt"),
        ("the conversation with Jon", "John"),
        ("remove Stephen", "Remove Steven"),
        ("the 8:30 alarm", "Alarm 9:30"),
        ("cancel deletion", "Delete"),
    ],
)
def test_exact_name_contradicts_other_model_choice(words: str, there: str) -> None:
    tree = FakeProvider([candidate(there, STORE), candidate("Help", HELP)])
    agent = VisionAgent(
        Model(at(STORE), choice=2, verdict="yes"), profile_named("generic"), state=tree, wrappers=FRAME_ONLY
    )
    found = VisualLocator(reader=None, parser=None, vision=agent, tree=tree).locate(words, SCREEN)
    assert found.method_used != "visual"


# In doubt it chooses


def test_confident_answer_is_not_asked_again() -> None:
    model = Model(at(HELP), choice=1)
    assert judged(model, candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.1)).found[0].bbox == HELP
    assert not model.shown


def test_probable_candidate_replaces_uncertain_answer() -> None:
    model = Model(at(HELP, UNSURE), choice=2, verdict="yes")
    answer = judged(model, candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.1))
    assert [each.bbox for each in answer.found] == [STORE]
    assert HELP in [each.bbox for each in answer.candidates]


@pytest.mark.parametrize("chance", [0.05, 0.4, 0.7])
@pytest.mark.parametrize("verdict", ["yes", "no", "unsure"])
def test_repeated_choice_is_not_evidence(chance: float, verdict: str) -> None:
    alone = judged(Model(at(HELP, UNSURE), verdict=verdict))
    model = Model(at(HELP, UNSURE), choice=1, verdict=verdict)
    answer = judged(model, candidate("Help", HELP, chance), candidate("Store", STORE, 0.2))
    assert [each.confidence for each in answer.elements] == [each.confidence for each in alone.elements]
    assert model.shown


def test_other_improbable_choice_makes_answer_unreliable() -> None:
    answer = judged(Model(at(HELP, UNSURE), choice=2), candidate("Help", HELP, 0.2), candidate("Store", STORE, 0.2))
    assert not any(each.reliable for each in answer.elements)
    assert STORE in [each.bbox for each in answer.elements]


def test_visible_candidates_are_numbered_in_reading_order() -> None:
    shown = [candidate("Store", STORE, 0.5), candidate("Help", HELP, 0.3)]
    hidden = [candidate("Dot", Box(10, 10, 12, 12), 0.1), candidate("Gone", Box(2000, 0, 2100, 50), 0.1)]
    model = Model(at(ELSEWHERE, UNSURE), choice=1)
    answer = judged(model, *shown, *hidden)
    assert "2 elements" in model.shown[0]
    assert HELP in [each.bbox for each in answer.candidates]


def test_single_candidate_is_not_offered_as_choice() -> None:
    model = Model(at(HELP, UNSURE), choice=1)
    judged(model, candidate("Store", STORE, 0.7))
    assert not model.shown


# In a search


class Says:
    """A judged finder with one answer."""

    def __init__(self, found: Sequence[UIElement], refused: Sequence[UIElement]) -> None:
        self.answer = Accepted(tuple(found), tuple(refused), "")

    def find(self, target: Target, screen: Screen) -> None:
        return None

    def judge(self, target: Target, screen: Screen) -> Accepted:
        return self.answer


@pytest.mark.parametrize(("confidence", "chosen"), [(0.85, True), (0.79, False)])
def test_refused_place_is_no_rival_of_confirmed_place(confidence: float, chosen: bool) -> None:
    refused = replace(candidate("", HELP, 0.2), reliable=False)
    locator = VisualLocator(reader=None, parser=None, vision=Says([candidate("", STORE, confidence)], [refused]))
    found = locator.locate("the disk", SCREEN)
    assert found.success == chosen
    assert (found.element or found.candidates[0]).bbox == STORE


def test_two_found_places_are_ambiguous() -> None:
    both = VisualLocator(
        reader=None, parser=None, vision=Says([candidate("", STORE, 0.79), candidate("", HELP, 0.79)], [])
    )
    assert not both.locate("the disk", SCREEN).success


def test_refused_place_is_candidate_if_nothing_found() -> None:
    refused = replace(candidate("", HELP, 0.2), reliable=False)
    answer = VisualLocator(reader=None, parser=None, vision=Says([], [refused])).locate("the disk", SCREEN)
    assert not answer.success
    assert [each.bbox for each in answer.candidates] == [HELP]


class Spy:
    """A finder that keeps the candidates it was given."""

    def __init__(self) -> None:
        self.given: list[UIElement] = []

    def find(self, target: Target, screen: Screen) -> None:
        return None

    def judge(self, target: Target, screen: Screen) -> Accepted:
        return Accepted((), (), "asked without candidates")

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted:
        self.given = list(candidates)
        return Accepted((), (), "")


def drawn(*labels: tuple[str, Box]) -> Screen:
    image = Image.new("RGB", (1000, 1000), "white")
    pen = ImageDraw.Draw(image)
    for text, box in labels:
        pen.rectangle(tuple(box), outline="black")
        pen.text((box.left + 8, box.top + 8), text.encode("ascii", "replace"), fill="black")
    return Screen.from_image(image)


def test_search_passes_ranked_candidates_to_the_model() -> None:
    tree = FakeProvider([candidate("Store settings", STORE), candidate("Help", HELP), candidate("Language", ELSEWHERE)])
    spy = Spy()
    locator = VisualLocator(reader=None, parser=None, vision=spy, tree=tree)
    assert not locator.locate("keep what I changed", SCREEN).success
    assert {"Store settings", "Help"} <= {each.text for each in spy.given}
    assert sum(each.confidence for each in spy.given) <= 1


def test_exact_names_pass_no_candidates() -> None:
    tree = FakeProvider([candidate("王五", STORE), candidate("赵六", HELP)])
    spy = Spy()
    locator = VisualLocator(reader=None, parser=None, vision=spy, tree=tree)
    assert "asked without candidates" in str(locator.locate("“王六”", SCREEN).error)
    assert "asked without candidates" in str(locator.locate(Target(text="王六", exact=True), SCREEN).error)
    assert not spy.given


def test_negated_labels_are_not_candidates() -> None:
    tree = FakeProvider([candidate("Don't save", STORE), candidate("Save it", HELP), candidate("Language", ELSEWHERE)])
    spy = Spy()
    VisualLocator(reader=None, parser=None, vision=spy, tree=tree).locate("store my changes", SCREEN)
    assert "Don't save" not in {each.text for each in spy.given}


def test_candidates_without_box_or_probability_are_omitted() -> None:
    odd = [
        candidate("Odd", Box(10, 10, 10, 50), 0.5),
        candidate("Odd", HELP, -0.5),
        candidate("Odd", HELP, float("nan")),
    ]
    model = Model(at(ELSEWHERE, UNSURE), choice=1)
    judged(model, candidate("Store", STORE, 0.5), candidate("Help", HELP, 0.3), *odd)
    assert "2 elements" in model.shown[0]


def test_configured_model_receives_candidates() -> None:
    qwen = '[{"bbox_2d": [100, 100, 200, 150], "label": "x", "confidence": 0.7}]'
    weighed = [candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.1)]
    with ModelServer(ScriptedReply(qwen), KEY) as server:
        finder = ConfiguredVision(LLMConfig.custom(KEY, server.base_url, "qwen3-vl-8b"))
        with contextlib.suppress(ModelError):
            finder.judge_among(TARGET, SCREEN, weighed)
        assert any("boxes with numbers" in json.dumps(each.body) for each in server.questions)

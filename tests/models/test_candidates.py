"""A model's answer is held against what the ranker has weighed, and in doubt the model chooses among that."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.locator import VisualLocator
from handeye.models.candidates import probability
from handeye.models.chat import Prompt
from handeye.models.grounder import Place, Question
from handeye.models.judging import Judged
from handeye.models.profiles import profile_named
from handeye.models.vision_agent import VisionAgent, Wrappers
from handeye.run.other_words import against_press, is_by_other_words
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.testing.models import ScriptedModel
from handeye.testing.trees import FakeProvider

SCREEN = Screen(np.full((1000, 1000, 3), 240, np.uint8))
STORE = Box(400, 800, 500, 850)
HELP = Box(100, 100, 200, 150)
ELSEWHERE = Box(700, 700, 760, 740)
TARGET = Target.parse("keep what I changed")
SURE, UNSURE = 0.95, 0.7
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


def judged(model: ScriptedModel, *candidates: UIElement) -> Judged:
    agent = VisionAgent(model, profile_named("generic"), wrappers=FRAME_ONLY)
    return agent.judge_among(TARGET, SCREEN, candidates)


def question(*candidates: UIElement, within: Box | None = None) -> Question:
    return Question(SCREEN, "x", candidates=candidates, within=within)


# A point is one more piece of evidence


def test_what_both_find_probable_is_surer() -> None:
    found = judged(Model(at(STORE)), candidate("Store settings", STORE, 0.7), candidate("Help", HELP, 0.1)).found
    assert found[0].bbox == STORE
    assert found[0].confidence > 0.8


def test_a_place_without_a_candidate_is_as_sure_as_before() -> None:
    model = Model(at(ELSEWHERE))
    found = judged(model, candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.2)).found
    assert found[0].confidence == 0.79
    assert model.calls == 1


@pytest.mark.parametrize("count", range(2, 6))
def test_one_of_several_equal_candidates_is_not_surer(count: int) -> None:
    equal = [candidate("Delete", Box(400, y, 500, y + 40), 0.95 / count) for y in range(0, 100 * count, 100)]
    assert judged(Model(at(equal[0].bbox)), *equal).found[0].confidence == 0.79


@pytest.mark.parametrize("confidence", [0.3, UNSURE])
def test_a_doubted_answer_is_not_surer_by_a_candidate(confidence: float) -> None:
    answer = judged(Model(at(STORE, confidence)), candidate("Store", STORE, 0.75), candidate("Help", HELP, 0.1))
    before = judged(Model(at(STORE, confidence)))
    assert answer.elements[0].reliable == before.elements[0].reliable


def test_a_button_in_a_row_is_itself_and_not_the_row() -> None:
    row = candidate("Alarm 8:30", Box(0, 200, 1000, 280), 0.7, "list item")
    assert probability(question(row), Place(Box(890, 220, 940, 260))) == 0.0
    button = candidate("", Box(890, 220, 940, 260), 0.2)
    both = question(row, button)
    assert probability(both, Place(Box(890, 220, 940, 260))) < 0.6


def test_a_neighbour_of_the_named_point_is_not_the_candidate() -> None:
    bold, italic = candidate("Bold", Box(100, 10, 120, 30), 0.1), candidate("Italic", Box(124, 10, 144, 30), 0.7)
    assert probability(question(bold, italic), Place(Box(108, 18, 112, 22), is_point=True)) < 0.5


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("王六", "王五"),
        ("Anna Schmidt", "Anna Schmitt"),
        ("chat with Anna", "Chat with Anne"),
        ("remove Stephen", "Remove Steven"),
        ("call Sara", "Call Sarah"),
    ],
)
def test_a_model_that_names_another_person_is_still_contradicted(words: str, there: str) -> None:
    screen = drawn((there, STORE), ("Help", HELP))
    tree = FakeProvider([candidate(there, STORE), candidate("Help", HELP)])
    agent = VisionAgent(Model(at(STORE), choice=2), profile_named("generic"), state=tree)
    found = VisualLocator(reader=None, parser=None, vision=agent, tree=tree).locate(words, screen)
    assert found.method_used != "visual"


# In doubt it chooses


def test_a_sure_answer_is_not_asked_about_again() -> None:
    model = Model(at(HELP), choice=1)
    assert judged(model, candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.1)).found[0].bbox == HELP
    assert not model.shown


def test_a_chosen_probable_candidate_replaces_an_unsure_answer() -> None:
    model = Model(at(HELP, UNSURE), choice=2, verdict="yes")
    answer = judged(model, candidate("Store", STORE, 0.7), candidate("Help", HELP, 0.1))
    assert [each.bbox for each in answer.found] == [STORE]
    assert answer.found[0].confidence > 0.8
    assert HELP in [each.bbox for each in answer.candidates]


def test_choosing_the_same_place_again_ends_the_questions() -> None:
    model = Model(at(HELP, UNSURE), choice=1)
    answer = judged(model, candidate("Store", STORE, 0.3), candidate("Help", HELP, 0.3))
    assert [each.bbox for each in answer.found] == [HELP]
    assert answer.found[0].confidence <= 0.79
    assert not answer.candidates


def test_choosing_one_of_equals_again_bears_nothing_out() -> None:
    model = Model(at(HELP, UNSURE), choice=1)
    answer = judged(model, candidate("Delete", HELP, 0.4), candidate("Delete", STORE, 0.4))
    assert not any(each.reliable for each in answer.elements)


def test_choosing_another_improbable_place_is_a_doubt() -> None:
    answer = judged(Model(at(HELP, UNSURE), choice=2), candidate("Help", HELP, 0.2), candidate("Store", STORE, 0.2))
    assert not any(each.reliable for each in answer.elements)
    assert STORE in [each.bbox for each in answer.elements]


def test_numbers_stand_in_reading_order_on_what_the_picture_shows() -> None:
    shown = [candidate("Store", STORE, 0.5), candidate("Help", HELP, 0.3)]
    hidden = [candidate("Dot", Box(10, 10, 12, 12), 0.1), candidate("Gone", Box(2000, 0, 2100, 50), 0.1)]
    model = Model(at(ELSEWHERE, UNSURE), choice=1)
    answer = judged(model, *shown, *hidden)
    assert "2 elements" in model.shown[0]
    assert HELP in [each.bbox for each in answer.candidates]


def test_a_single_candidate_is_no_choice() -> None:
    model = Model(at(HELP, UNSURE), choice=1)
    judged(model, candidate("Store", STORE, 0.7))
    assert not model.shown


# In a search


class Spy:
    """A finder that keeps the candidates it was given."""

    def __init__(self) -> None:
        self.given: list[UIElement] = []

    def find(self, target: Target, screen: Screen) -> None:
        return None

    def judge(self, target: Target, screen: Screen) -> Judged:
        return Judged((), (), "asked without candidates")

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Judged:
        self.given = list(candidates)
        return Judged((), (), "")


def drawn(*labels: tuple[str, Box]) -> Screen:
    image = Image.new("RGB", (1000, 1000), "white")
    pen = ImageDraw.Draw(image)
    for text, box in labels:
        pen.rectangle(tuple(box), outline="black")
        pen.text((box.left + 8, box.top + 8), text.encode("ascii", "replace"), fill="black")
    return Screen.from_image(image)


def test_a_search_gives_the_model_what_the_ranker_weighed() -> None:
    tree = FakeProvider([candidate("Store settings", STORE), candidate("Help", HELP), candidate("Language", ELSEWHERE)])
    spy = Spy()
    locator = VisualLocator(reader=None, parser=None, vision=spy, tree=tree)
    assert not locator.locate("keep what I changed", SCREEN).success
    assert {"Store settings", "Help"} <= {each.text for each in spy.given}
    assert sum(each.confidence for each in spy.given) <= 1


def test_exact_names_have_no_other_candidates() -> None:
    tree = FakeProvider([candidate("王五", STORE), candidate("赵六", HELP)])
    spy = Spy()
    locator = VisualLocator(reader=None, parser=None, vision=spy, tree=tree)
    assert "asked without candidates" in str(locator.locate("“王六”", SCREEN).error)
    assert "asked without candidates" in str(locator.locate(Target(text="王六", exact=True), SCREEN).error)
    assert not spy.given


def test_other_words_for_a_label_are_no_contradiction() -> None:
    tree = FakeProvider([candidate("Store settings", STORE), candidate("Help", HELP)])
    agent = VisionAgent(Model(at(STORE), verdict="yes"), profile_named("generic"), state=tree, wrappers=FRAME_ONLY)
    assert not agent.judge(TARGET, SCREEN).found[0].reliable
    weighed = [candidate("Store settings", STORE, 0.7), candidate("Help", HELP, 0.1)]
    found = agent.judge_among(TARGET, SCREEN, weighed).found[0]
    assert found.reliable
    assert found.text == "Store settings"


def test_the_verifier_still_has_its_say_about_other_words() -> None:
    tree = FakeProvider([candidate("Store settings", STORE), candidate("Help", HELP)])
    agent = VisionAgent(Model(at(STORE), verdict="no"), profile_named("generic"), state=tree, wrappers=FRAME_ONLY)
    weighed = [candidate("Store settings", STORE, 0.7), candidate("Help", HELP, 0.1)]
    assert not agent.judge_among(TARGET, SCREEN, weighed).found


def test_other_words_for_a_final_act_need_what_the_ranker_needs() -> None:
    weighed = [candidate("Checkout", STORE, 0.7), candidate("Help", HELP, 0.1)]
    target = Target.parse("pay now")
    agent = VisionAgent(Model(at(STORE)), profile_named("generic"), wrappers=FRAME_ONLY)
    found = agent.judge_among(target, SCREEN, weighed).found[0]
    located = LocateResult(True, found, "visual")
    assert is_by_other_words(located)
    assert against_press(target, located)


def test_a_text_inside_a_candidate_is_not_the_candidates() -> None:
    tree = FakeProvider([candidate("Cancel", STORE)])
    agent = VisionAgent(Model(at(STORE), verdict="yes"), profile_named("generic"), state=tree, wrappers=FRAME_ONLY)
    card = candidate("Store settings", STORE.expand(20), 0.8, "list item")
    assert not agent.judge_among(TARGET, SCREEN, [card, candidate("Help", HELP, 0.1)]).elements[0].reliable

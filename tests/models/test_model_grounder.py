"""Tests of `ModelGrounder`: every family's prompt, the pictures sent, and the handling of invalid answers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from handeye.errors import InvalidReply, ModelBusy, ModelError, UsageError
from handeye.geometry import Box
from handeye.models import Picture, Profile, Question, Reply
from handeye.models.families.general import FAMILIES
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.model_grounder import ModelGrounder
from handeye.screen import Screen
from handeye.testing.models import ScriptedModel, pictures
from handeye.usage import Usage

SCREEN = Screen(np.full((600, 800, 3), 240, np.uint8))
GENERIC = profile_named("generic")
FOUND = '{"found": true, "xmin": 250, "ymin": 500, "xmax": 300, "ymax": 600, "confidence": 0.9}'


def asked(*answers: str, profile: Profile = GENERIC) -> tuple[ModelGrounder, ScriptedModel]:
    model = ScriptedModel(answers)
    return ModelGrounder(model, profile), model


def test_text_and_screenshot_give_frame_box() -> None:
    grounder, model = asked(FOUND)
    found = grounder.ground(Question(SCREEN, "Send", role="button", context="a chat"))
    assert found.places[0].box == Box(200, 300, 240, 360)
    assert found.places[0].confidence == 0.9
    assert found.usage.calls == 1
    assert found.usage.tokens_in > 1000
    assert len(pictures(model.prompts[0])) == 1
    assert '{"find": "Send", "kind": "button", "about the screen": "a chat"}' in model.texts[0]
    assert "0 to 1000" in model.texts[0]


def test_reference_image_is_sent_first_and_downscaled() -> None:
    grounder, model = asked(FOUND)
    grounder.ground(Question(SCREEN, reference=Image.new("RGBA", (1000, 500), (0, 0, 0, 0))))
    reference, screenshot = pictures(model.prompts[0])
    assert reference.size == (256, 128)
    assert reference.getpixel((0, 0)) == (255, 255, 255), "transparent is white, not black"
    assert screenshot.size == (800, 600)
    assert "reference (image 1)" in model.texts[0]
    assert "shape, colour, icon design" in model.texts[0]


def test_text_and_reference_image_are_sent_together() -> None:
    grounder, model = asked(FOUND)
    grounder.ground(Question(SCREEN, "the blue one", reference=Image.new("RGB", (20, 20))))
    assert len(pictures(model.prompts[0])) == 2
    assert '"the blue one"' in model.texts[0]


def test_absent_target_has_reason_and_suggestion() -> None:
    grounder, _ = asked('{"found": false, "reason": "a login page", "suggestion": "log in"}')
    found = grounder.ground(Question(SCREEN, "Send"))
    assert (found.places, found.reason, found.suggestion) == ((), "a login page", "log in")


@pytest.mark.parametrize("profile", FAMILIES, ids=lambda profile: profile.name)
def test_every_family_prompt_allows_not_found(profile: Profile) -> None:
    model = ScriptedModel(['{"found": false, "reason": "a login page"}'])
    found = ModelGrounder(model, profile).ground(Question(SCREEN, "Send"))
    assert (found.places, found.reason) == ((), "a login page")
    assert '"find": "Send"' in model.texts[0]
    assert '{"found": false' in model.texts[0]


def test_object_formats_are_sent_with_a_schema() -> None:
    grounder, model = asked(FOUND)
    grounder.ground(Question(SCREEN, "Send"))
    schema = model.prompts[0].schema
    assert schema is not None
    assert set(schema["required"]) == set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_schema_conforming_answers_are_read() -> None:
    names = ("xmin", "ymin", "xmax", "ymax", "confidence", "reason", "suggestion")
    absent = {"found": False, **dict.fromkeys(names), "reason": "no"}
    there = {"found": True, **dict.fromkeys(names), "xmin": 0, "ymin": 0, "xmax": 100, "ymax": 100, "confidence": 0.5}
    grounder, _ = asked(json.dumps(absent), json.dumps(there))
    assert grounder.ground(Question(SCREEN, "Send")).places == ()
    assert grounder.ground(Question(SCREEN, "Send")).places[0].box == Box(0, 0, 80, 60)


def test_unreadable_answer_is_requested_again_with_problem() -> None:
    grounder, model = asked("It is somewhere on the left.", FOUND)
    found = grounder.ground(Question(SCREEN, "Send"))
    assert found.places
    assert found.usage.calls == 2
    assert "could not be used" not in model.texts[0]
    assert "could not be used" in model.texts[1]


def test_second_attempt_allows_more_tokens() -> None:
    grounder, model = asked("left", FOUND)
    grounder.ground(Question(SCREEN, "Send"))
    assert [prompt.max_tokens for prompt in model.prompts] == [2048, 8192]


def test_tiny_reference_image_is_upscaled() -> None:
    grounder, model = asked(FOUND)
    grounder.ground(Question(SCREEN, reference=Image.new("RGB", (8, 12))))
    assert pictures(model.prompts[0])[0].size == (40, 60)


def test_second_unreadable_answer_raises_invalid_reply() -> None:
    grounder, model = asked("left", "right")
    with pytest.raises(InvalidReply, match="right"):
        grounder.ground(Question(SCREEN, "Send"))
    assert model.calls == 2


def test_truncated_answer_is_refused() -> None:
    cut = Reply(FOUND, Usage(calls=1), "m", "length")
    model = ScriptedModel([cut, cut])
    with pytest.raises(InvalidReply, match="cut off"):
        ModelGrounder(model, GENERIC).ground(Question(SCREEN, "Send"))


def test_refused_answer_is_invalid_reply() -> None:
    refused = Reply(FOUND, Usage(calls=1), "m", "refused")
    with pytest.raises(InvalidReply, match="declined"):
        ModelGrounder(ScriptedModel([refused, refused]), GENERIC).ground(Question(SCREEN, "Send"))


def test_server_errors_propagate_without_retry() -> None:
    model = ScriptedModel([ModelBusy("busy")])
    with pytest.raises(ModelBusy):
        ModelGrounder(model, GENERIC).ground(Question(SCREEN, "Send"))
    assert model.calls == 1


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"found": true, "xmin": 0, "ymin": 0, "xmax": 1000, "ymax": 1000, "confidence": 1}', "whole picture"),
        ('{"found": true, "xmin": 500, "ymin": 500, "xmax": 500, "ymax": 600, "confidence": 1}', "no size"),
    ],
)
def test_degenerate_boxes_are_not_found(reply: str, why: str) -> None:
    grounder, _ = asked(reply)
    found = grounder.ground(Question(SCREEN, "Send"))
    assert found.places == ()
    assert why in found.reason


def test_frame_part_is_enlarged_and_mapped_back() -> None:
    grounder, model = asked(FOUND)
    found = grounder.ground(Question(SCREEN, "Send", within=Box(400, 300, 600, 500)))
    assert found.places[0].box == Box(450, 400, 460, 420)
    (shown,) = pictures(model.prompts[0])
    assert 380 <= shown.width <= 400


@pytest.mark.parametrize("question", [Question(SCREEN), Question(SCREEN, "  "), Question(SCREEN, "x" * 5000)])
def test_invalid_questions_are_refused_without_a_call(question: Question) -> None:
    grounder, model = asked()
    with pytest.raises(UsageError):
        grounder.ground(question)
    assert not model.calls


def test_other_action_in_reply_is_invalid() -> None:
    tars = profile_named("ui-tars")
    grounder, _ = asked(*["Thought: pay\nAction: type(content='password')"] * 2, profile=tars)
    with pytest.raises(InvalidReply):
        grounder.ground(Question(SCREEN, "Send"))


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(FAMILIES), st.text(max_size=200), st.lists(st.integers(-50, 3000), max_size=6), st.booleans())
def test_every_place_lies_inside_the_searched_part(profile: Profile, text: str, numbers: list[int], part: bool) -> None:
    within = Box(100, 200, 333, 555) if part else None
    for reply in (text, str(numbers), json.dumps({"found": True, "bbox": numbers, "label": text}), f"({text})"):
        model = ScriptedModel(lambda _prompt, reply=reply: reply)
        try:
            found = ModelGrounder(model, profile).ground(Question(SCREEN, "Send", within=within))
        except ModelError:
            continue
        for place in found.places:
            area = within or SCREEN.box
            assert place.box.area
            assert place.box.intersect(area) == place.box


def test_prompt_contains_only_text_and_pictures() -> None:
    grounder, model = asked(FOUND)
    grounder.ground(Question(SCREEN, "Send"))
    assert all(isinstance(part, str | Picture) for part in model.prompts[0].parts)

"""Tests of detecting window elements with a vision model (docs/spec/perception-tiers.md, tier 2), in desktop pixels."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from handeye.elements import UIElement, UIState
from handeye.errors import CaptureFailed, InvalidReply, MissingPart, UsageError
from handeye.geometry import Box, Size
from handeye.models import GUESSED, Picture, Profile, Prompt, SentImage, Shape
from handeye.models.families.general import FAMILIES
from handeye.models.families.lookup import profile_named
from handeye.perceive import VisionStateProvider
from handeye.perceive.vision_model import LONG_SIDE, ModelScreenParser
from handeye.screen import Pixels, Screen
from handeye.testing.model_replies import written_numbers
from handeye.testing.models import ScriptedModel, pictures
from handeye.testing.perceiving import FixedWindows, window_of

BOXES = [profile for profile in FAMILIES if profile.shape is not Shape.POINT]
CLAUDE = next(profile for profile in BOXES if "claude" in profile.name)
HEART = Box(300, 200, 340, 236)


def picture_of(width: int, height: int) -> Pixels:
    return np.full((height, width, 3), 240, np.uint8)


def saw(*elements: dict[str, Any]) -> str:
    return json.dumps({"elements": elements})


def seen(rect: list[float], **about: Any) -> dict[str, Any]:
    return {"name": "heart icon", "type": "Icon", "rect": rect, "confidence": 0.9} | about


def looking_at(profile: Profile, box: Box, size: tuple[int, int]) -> Callable[[Prompt], str]:
    """Answers of a model of the family that sees a heart at `box` of a window of `size`."""

    def answer(prompt: Prompt) -> str:
        shown = pictures(prompt)[0].size
        sent = SentImage(Picture(b""), Size(*shown), Box(0, 0, *size), Size(*size))
        return saw(seen([float(number) for number in _ordered(profile, written_numbers(profile, sent, box))]))

    return answer


def _ordered(profile: Profile, numbers: list[str]) -> list[str]:
    if profile.order.name == "XY":
        return numbers
    left, top, right, bottom = numbers
    return [top, left, bottom, right]


def parsed(*elements: dict[str, Any], profile: Profile = CLAUDE) -> UIState:
    parser = ModelScreenParser(ScriptedModel([saw(*elements)]), profile)
    return parser.detect(Screen(picture_of(800, 600)))


@pytest.mark.parametrize("profile", BOXES, ids=lambda profile: profile.name)
def test_coordinates_of_every_model_family_are_converted(profile: Profile) -> None:
    """On a monitor left of the primary one; within two pixels, as the screenshot is downscaled."""
    size, box = (1900, 1000), (-1920, -200, -20, 800)
    model = ScriptedModel(looking_at(profile, HEART, size))
    windows = FixedWindows(picture_of(*size), window_of(box))
    (target,), controls = VisionStateProvider(windows, ModelScreenParser(model, profile)).detect(window_of(box))
    assert isinstance(target, UIElement)
    expected = HEART.translate(-1920, -200)
    assert max(abs(one - other) for one, other in zip(target.bbox, expected, strict=True)) <= 2
    assert (target.element_type, target.description, target.source, target.id) == ("icon", "heart icon", "vision", 1)
    assert controls == (None,)
    assert max(pictures(model.prompts[0])[0].size) <= LONG_SIDE


def test_4k_screenshot_is_downscaled_and_boxes_scaled_back() -> None:
    model = ScriptedModel(looking_at(CLAUDE, Box(3600, 2000, 3700, 2060), (3840, 2160)))
    windows = FixedWindows(picture_of(3840, 2160), window_of((0, 0, 3840, 2160)))
    detection = VisionStateProvider(windows, ModelScreenParser(model, CLAUDE)).detect(window_of((0, 0, 3840, 2160)))
    assert LONG_SIDE / 2 < max(pictures(model.prompts[0])[0].size) <= LONG_SIDE
    target = detection.targets[0].bbox
    assert max(abs(a - b) for a, b in zip(target, (3600, 2000, 3700, 2060), strict=True)) <= 3


def test_boxes_follow_window_moved_during_model_call() -> None:
    before, after = window_of((0, 0, 800, 600)), window_of((50, 70, 850, 670))
    parser = ModelScreenParser(ScriptedModel([saw(seen([10, 20, 30, 40]))]), CLAUDE)
    detection = VisionStateProvider(FixedWindows(picture_of(800, 600), before, after), parser).detect(before)
    assert detection.targets[0].bbox == (60, 90, 80, 110)


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (window_of((0, 0, 700, 600)), "changed its size"),
        (None, "is gone"),
        (replace(window_of(), minimized=True), "is minimized"),
    ],
)
def test_window_changed_during_model_call_is_refused(after: Any, why: str) -> None:
    before = window_of((0, 0, 800, 600))
    parser = ModelScreenParser(ScriptedModel([saw(seen([10, 20, 30, 40]))]), CLAUDE)
    with pytest.raises(CaptureFailed, match=why):
        VisionStateProvider(FixedWindows(picture_of(800, 600), before, after), parser).detect(before)


def test_closed_window_is_not_sent_to_model() -> None:
    model = ScriptedModel([])
    with pytest.raises(CaptureFailed, match="is gone"):
        VisionStateProvider(FixedWindows(picture_of(8, 8), None), ModelScreenParser(model, CLAUDE)).detect(window_of())
    assert model.calls == 0


def test_screenshot_pixels_are_scaled_to_desktop_pixels() -> None:
    """Some systems capture a window at twice its size in desktop pixels."""
    window = window_of((100, 100, 500, 400))
    parser = ModelScreenParser(ScriptedModel([saw(seen([80, 60, 120, 100]))]), CLAUDE)
    detection = VisionStateProvider(FixedWindows(picture_of(800, 600), window), parser).detect(window)
    assert detection.targets[0].bbox == (140, 130, 160, 150)


def test_missing_model_names_the_install_command() -> None:
    windows = FixedWindows(picture_of(8, 8), window_of())
    with pytest.raises(MissingPart, match=r"handeye\[llm\]"):
        VisionStateProvider(windows).detect(window_of())
    assert not windows.grabbed


def test_any_screen_parser_can_be_used() -> None:
    """An embedded parser can take the place of a model."""

    class Parser:
        name = "embedded"
        slow = False

        def detect(self, screen: Screen) -> UIState:
            return UIState(screen, (UIElement("button", "Go", Box(5, 5, 9000, 25), source="parser"),), ("a note",))

    window = window_of((100, 100, 900, 700))
    detection = VisionStateProvider(FixedWindows(picture_of(800, 600), window), Parser()).detect(window)
    assert detection.targets[0].bbox == (105, 105, 900, 125)
    assert (detection.targets[0].source, detection.notes) == ("parser", ("a note",))


@pytest.mark.parametrize(
    ("element", "why"),
    [
        (seen([0, 0, 800, 600]), "whole window"),
        (seen([900, 700, 950, 750]), "not on a picture"),
        (seen([-300, 10, 20, 40]), "not on a picture"),
        (seen([30, 20, 10, 40]), "no area"),
        (seen([10, 20, 10, 20]), "no area"),
        (seen([10, 20, 30]), "3 numbers"),
        (seen([10, 20, 30, 40], confidence=90), "confidence"),
    ],
)
def test_invalid_detections_are_dropped_with_note(element: dict[str, Any], why: str) -> None:
    state = parsed(element, seen([10, 20, 30, 40]))
    assert [each.bbox for each in state.elements] == [(10, 20, 30, 40)]
    assert why in state.notes[0]


def test_duplicate_boxes_count_once() -> None:
    assert len(parsed(seen([10, 20, 30, 40]), seen([10, 20, 30, 40], name="heart")).elements) == 1


def test_detected_types_become_roles() -> None:
    state = parsed(
        seen([1, 1, 9, 9], type="ColumnBorder"), seen([11, 1, 19, 9], type="Edit"), seen([21, 1, 29, 9], type="Blob")
    )
    assert [each.element_type for each in state.elements] == ["column border", "input", "element"]


def test_detections_of_low_confidence_are_dropped() -> None:
    assert not parsed(seen([10, 20, 30, 40], confidence=0.3)).elements
    assert parsed(seen([10, 20, 30, 40], confidence=None)).elements[0].confidence == 0.7


def test_model_family_without_boxes_is_refused() -> None:
    pointing = next(profile for profile in FAMILIES if profile.shape is Shape.POINT)
    with pytest.raises(UsageError, match=pointing.name):
        ModelScreenParser(ScriptedModel([]), pointing)


def test_guessed_model_family_adds_doubts() -> None:
    guessed = replace(profile_named("generic"), guessed=GUESSED)
    element = parsed(seen([10, 20, 30, 40]), profile=guessed).elements[0]
    assert element.metadata["doubts"]


def test_usage_includes_unreadable_replies() -> None:
    parser = ModelScreenParser(ScriptedModel([saw(), "no", "no"]), CLAUDE)
    parser.detect(Screen(picture_of(80, 60)))
    assert parser.usage.calls == 1
    with pytest.raises(InvalidReply):
        parser.detect(Screen(picture_of(80, 60)))
    assert parser.usage.calls == 3

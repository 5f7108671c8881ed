"""Tests of the check before a tap, on real frames of the virtual phone, with and without its tree."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from phone_frames import Phone
from PIL import Image, ImageDraw

from handeye.blockers import BlockerType, SuggestionAction
from handeye.elements import UIElement, UIState
from handeye.errors import ModelUnreachable, TreeFailed
from handeye.geometry import Box
from handeye.locate import OcrStrategy
from handeye.matching import Reference
from handeye.ocr import CachedReader
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.models import ScriptedModel
from handeye.verify import ScreenVerifier
from handeye_phone.artwork import icon


class Shelf:
    def find(self, name: str) -> tuple[Reference, ...]:
        return (Reference(name, np.asarray(icon("camera", 128)).copy()),) if name == "camera" else ()


class TreeOf:
    """A provider with a given state, or one that fails."""

    name = "fixed"
    slow = False

    def __init__(self, *elements: UIElement) -> None:
        self.elements = elements

    def detect(self, screen: Screen) -> UIState:
        if not self.elements:
            raise TreeFailed("no idle state")
        return UIState(screen, self.elements)


@pytest.fixture(scope="module")
def chats() -> Phone:
    return Phone().open()


def found(reader: CachedReader, screen: Screen, text: str) -> UIElement:
    match = OcrStrategy(reader).locate(Target(text=text), screen)
    assert match is not None
    return match.elements[0]


def test_located_element_matching_the_target_is_verified(reader: CachedReader, chats: Phone) -> None:
    screen = chats.frame()
    verdict = ScreenVerifier(reader).verify_before(
        Target(text="文件传输助手"), found(reader, screen, "文件传输助手"), screen
    )
    assert verdict.verified
    assert verdict.suggestion is SuggestionAction.CONTINUE
    assert any("is read there" in line for line in verdict.evidence)


def test_another_text_at_the_place_contradicts_target(reader: CachedReader, chats: Phone) -> None:
    screen = chats.frame()
    there = found(reader, screen, "妈妈")
    verdict = ScreenVerifier(reader).verify_before(Target(text="文件传输助手"), there, screen)
    assert verdict.matches_expected is False
    assert any("another text stands there: '妈妈'" in line for line in verdict.evidence)
    # A longer name is another one.
    for name in ("妈", "妈妈呀"):
        assert ScreenVerifier(reader).verify_before(Target(text=name), there, screen).matches_expected is not True


def test_empty_place_contradicts_the_target(reader: CachedReader, chats: Phone) -> None:
    screen = chats.frame()
    there = replace(found(reader, screen, "文件传输助手"), bbox=Box(500, 60, 560, 90), label_box=None)
    verdict = ScreenVerifier(reader).verify_before(Target(text="文件传输助手"), there, screen)
    assert verdict.matches_expected is False


def test_place_outside_the_screen_contradicts_target(reader: CachedReader, chats: Phone) -> None:
    there = UIElement("button", "x", Box(5000, 10, 5100, 60), text="x")
    verdict = ScreenVerifier(reader).verify_before(Target(text="x"), there, chats.frame())
    assert verdict.matches_expected is False


def test_target_covered_by_dialog_is_refused(reader: CachedReader, chats: Phone) -> None:
    there = found(reader, chats.frame(), "文件传输助手")
    covered = Phone("permission").open().frame()
    verdict = ScreenVerifier(reader).verify_before(Target(description="the first chat"), there, covered)
    assert verdict.matches_expected is False
    assert verdict.blocker is not None
    assert verdict.blocker.type is BlockerType.PERMISSION
    assert verdict.suggestion is SuggestionAction.DISMISS


def test_button_on_the_dialog_is_verified(reader: CachedReader) -> None:
    screen = Phone("permission").open().frame()
    there = found(reader, screen, "拒绝")
    assert ScreenVerifier(reader).verify_before(Target(text="拒绝"), there, screen).verified


def test_image_target_is_compared_with_its_reference(reader: CachedReader) -> None:
    device = Phone()
    screen = device.frame()
    verifier = ScreenVerifier(reader, Shelf())
    places = (device.box_of("相机"), device.box_of("相册"))
    icons = [Box(place.left, place.top, place.right, place.top + place.width) for place in places]
    camera, other = (UIElement("icon", "camera", place, source="template") for place in icons)
    assert verifier.verify_before(Target(reference="camera"), camera, screen).verified
    assert verifier.verify_before(Target(reference="camera"), other, screen).matches_expected is False


def test_tree_decides_enabled_state_and_role(reader: CachedReader, chats: Phone) -> None:
    screen = chats.frame()
    there = found(reader, screen, "文件传输助手")

    def judged(enabled: bool) -> bool | None:
        root = UIElement("group", "", screen.box, id=0)
        node = replace(there, id=1, parent=0, element_type="button", interactive=True, enabled=enabled)
        target = Target(text="文件传输助手", role="button")
        verifier = ScreenVerifier(reader, state=TreeOf(root, node))
        return verifier.verify_before(target, there, screen).matches_expected

    assert judged(enabled=True) is True
    assert judged(enabled=False) is False
    other = UIElement("switch", "", there.bbox, id=1, text="文件传输助手", interactive=True)
    verdict = ScreenVerifier(reader, state=TreeOf(other)).verify_before(
        Target(text="文件传输助手", role="input"), there, screen
    )
    assert verdict.matches_expected is False
    assert any("it is a switch, not a input" in line for line in verdict.evidence)


def test_unreadable_tree_decides_nothing(reader: CachedReader, chats: Phone) -> None:
    screen = chats.frame()
    verifier = ScreenVerifier(reader, state=TreeOf())
    assert verifier.verify_before(Target(text="文件传输助手"), found(reader, screen, "文件传输助手"), screen).verified


def test_virtual_phone_tree_confirms_located_elements(reader: CachedReader, chats: Phone) -> None:
    screen = chats.frame()
    state = parse_hierarchy(chats.model.hierarchy(), screen)
    tree = TreeOf(*state.elements)
    there = next(element for element in state.elements if element.text == "文件传输助手")
    assert ScreenVerifier(reader, state=tree).verify_before(Target(text="文件传输助手"), there, screen).verified


@pytest.mark.parametrize(
    ("answers", "holds"),
    [
        (['{"answer": "yes", "reason": "a magnifier"}'], True),
        (['{"answer": "no", "reason": "a plus"}'], False),
        (['{"answer": "unsure", "reason": ""}'], None),
        (["Sorry.", "Sorry."], None),
        ([ModelUnreachable("down")], None),
    ],
)
def test_model_decides_when_no_other_evidence_does(
    reader: CachedReader, chats: Phone, answers: list[str | Exception], holds: bool | None
) -> None:
    screen, model = chats.frame(), ScriptedModel(answers)
    there = UIElement("icon", "search", chats.box_of("搜索"), source="visual")
    target, verifier = Target(description="放大镜图标"), ScreenVerifier(reader, model=model)
    verdict = verifier.verify_before(target, there, screen)
    assert verdict.matches_expected is holds
    assert model.calls == len(answers)
    if not isinstance(answers[0], ModelUnreachable):
        again = verifier.verify_before(target, there, chats.frame())
        assert again.evidence == verdict.evidence
        assert model.calls == len(answers)  # once about each view


def test_model_yes_does_not_prove_unread_text(reader: CachedReader, chats: Phone) -> None:
    screen, place = chats.frame(), chats.box_of("搜索")
    there = UIElement("icon", "search", place, source="visual")
    for said, holds in (("yes", None), ("no", False)):
        model = ScriptedModel([json.dumps({"answer": said, "reason": "it says so"})])
        verdict = ScreenVerifier(reader, model=model).verify_before(Target(text="转账"), there, screen)
        assert verdict.matches_expected is holds


def test_model_is_not_asked_when_text_decides(reader: CachedReader, chats: Phone) -> None:
    screen, model = chats.frame(), ScriptedModel([])
    verifier = ScreenVerifier(reader, model=model)
    there = found(reader, screen, "妈妈")
    assert verifier.verify_before(Target(text="妈妈"), there, screen).verified
    assert verifier.verify_before(Target(text="文件传输助手"), there, screen).matches_expected is False
    assert model.calls == 0


def test_field_by_appearance_is_not_a_button(reader: CachedReader) -> None:
    image = Image.new("RGB", (1080, 2400), "white")
    ImageDraw.Draw(image).rounded_rectangle((60, 300, 1020, 420), 20, fill=(230, 230, 230))
    screen = Screen.from_image(image)
    there = UIElement("input", "", Box(60, 300, 1020, 420), label_box=Box(90, 335, 300, 385), source="ocr")
    verdict = ScreenVerifier(reader).verify_before(Target(description="the button", role="button"), there, screen)
    assert verdict.matches_expected is False
    assert any("looks like a input" in line for line in verdict.evidence)


@pytest.mark.parametrize("wanted", ["文件传输助手", "转账"])
@pytest.mark.parametrize("text", ["", "妈妈"])
def test_matching_role_does_not_prove_the_name(reader: CachedReader, chats: Phone, wanted: str, text: str) -> None:
    """A button in the tree at this place does not confirm its label."""
    screen = chats.frame()
    there = found(reader, screen, "妈妈")
    node = replace(there, id=1, element_type="button", text=text, interactive=True)
    verifier = ScreenVerifier(reader, state=TreeOf(node))
    assert verifier.verify_before(Target(text=wanted, role="button"), there, screen).matches_expected is False


def test_matching_role_does_not_prove_a_description(reader: CachedReader, chats: Phone) -> None:
    screen, place = chats.frame(), chats.box_of("搜索")
    there = UIElement("icon", "search", place, source="visual")
    node = UIElement("button", "", place, id=1, interactive=True)
    described = Target(description="放大镜图标", role="button")
    assert ScreenVerifier(reader, state=TreeOf(node)).verify_before(described, there, screen).matches_expected is None
    model = ScriptedModel(['{"answer": "no", "reason": "a plus"}'])
    verifier = ScreenVerifier(reader, state=TreeOf(node), model=model)
    assert verifier.verify_before(described, there, screen).matches_expected is False
    assert verifier.verify_before(Target(role="button"), there, screen).verified

"""Tests of the order of the tiers, on a desktop in memory: accessibility tree, inferred parts, vision model, none."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from handeye.desktop import DesktopSession, WindowState
from handeye.desktop.element_finder import LEAST_SEEN, DecisionTree
from handeye.devices import DesktopDevice, Window
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, CaptureFailed, StateChanged, TargetNotFound
from handeye.geometry import Box, Point
from handeye.locate.ranker.candidates import Pool
from handeye.locate.ranker.model import Ranked
from handeye.locate.ranker.question import Question
from handeye.perceive import Detection
from handeye.perceive.vision_model import PRECISION_PX
from handeye.screen import Pixels, Screen
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye.testing.perceiving import FixedProvider
from handeye.text import TextLine

WINDOW = replace(fake_window(7, "Notes", Box(100, 100, 500, 400)), focused=True)


def element(number: int, role: str, name: str, box: tuple[int, int, int, int], **about: object) -> UIElement:
    return UIElement(role, "", Box(*box), text=name, id=number, parent=1, source="accessibility", **about)  # type: ignore[arg-type]


ROOT = replace(element(1, "window", "Notes", (100, 100, 500, 400)), parent=None)
SAVE = element(2, "button", "Save", (110, 110, 150, 130), interactive=True)
LABEL = element(2, "text", "Copies", (110, 140, 150, 160), interactive=False)
FIELD = replace(element(3, "spinner", "0", (160, 140, 220, 160), interactive=True), description="Copies")
SEEN = UIElement("icon", "", Box(300, 300, 330, 330), text="heart", id=1, source="vision", interactive=True)


def tree_of(*targets: UIElement, seen: tuple[UIElement, ...] = ()) -> DecisionTree:
    desktop = FakeDesktop([WINDOW])

    def look(infer: bool, vision: bool) -> WindowState:
        said = seen if vision else targets
        return WindowState(WINDOW, Detection(said, (None,) * len(said)), infer, vision)

    return DecisionTree(desktop, look, vision=bool(seen))


def test_accessibility_tree_decides_before_vision() -> None:
    decision = tree_of(ROOT, SAVE, seen=(replace(SEEN, text="Save"),)).decide("the Save button")
    assert (decision.tier, decision.element) == ("1", SAVE)


def test_element_seen_only_by_model_uses_tier_two() -> None:
    decision = tree_of(ROOT, SAVE, seen=(SEEN,)).decide("heart")
    assert (decision.tier, decision.element.bbox) == ("2", SEEN.bbox)


def test_vision_model_is_asked_before_text_reader() -> None:
    class Reader:
        name = "reader"

        def read(self, screen: Screen) -> tuple[TextLine, ...]:
            raise AssertionError("it was read")

    tree = DecisionTree(
        FakeDesktop([WINDOW]),
        lambda infer, vision: WindowState(WINDOW, Detection((SEEN,) if vision else (ROOT,), (None,))),
        vision=True,
        reader=Reader(),
    )
    assert tree.decide("heart").element.bbox == SEEN.bbox


def test_too_small_model_detection_is_refused() -> None:
    small = replace(SEEN, bbox=Box(300, 300, 300 + LEAST_SEEN - 1, 330))
    with pytest.raises(TargetNotFound, match="smaller than 20"):
        tree_of(ROOT, SAVE, seen=(small,)).decide("heart")


def test_no_model_is_asked_without_permission() -> None:
    with pytest.raises(TargetNotFound, match="no model may look"):
        tree_of(ROOT, SAVE).decide("heart")


def test_two_equal_buttons_are_ambiguous() -> None:
    other = replace(SAVE, id=3, bbox=Box(300, 110, 340, 130))
    with pytest.raises(AmbiguousTarget):
        tree_of(ROOT, SAVE, other, seen=(SEEN,)).decide("Save")


def test_control_and_its_label_are_one_candidate() -> None:
    assert tree_of(ROOT, LABEL, FIELD).decide("Copies").element == FIELD


def test_label_with_two_controls_is_ambiguous() -> None:
    with pytest.raises(AmbiguousTarget):
        tree_of(ROOT, LABEL, FIELD, replace(FIELD, id=4, bbox=Box(300, 140, 360, 160))).decide("Copies")


# -- other words than a label


class KnownChance:
    """A ranker that is so sure of the button with a label, and of nothing else."""

    def __init__(self, label: str, chance: float) -> None:
        self._label, self._chance = label, chance

    def rank(self, question: Question, pool: Pool, screen: Screen | None = None) -> tuple[Ranked, ...]:
        found = [each for each in pool.elements if each.text == self._label]
        return tuple(Ranked(each, self._chance) for each in found)


PAGE = (
    ROOT,
    replace(SAVE, text="Save settings"),
    element(3, "button", "Help", (110, 140, 200, 160), interactive=True),
    element(4, "button", "Delete account", (110, 170, 250, 190), interactive=True),
)


@pytest.mark.parametrize(
    ("phrase", "label", "chance", "refusal"),
    [
        ("store my settings", "Save settings", 0.91, ""),
        ("store my settings", "Save settings", 0.89, "not sure enough"),
        ("get rid of everything", "Delete account", 0.94, "needs 0.95"),
        ("get rid of everything", "Delete account", 0.96, ""),
        ("erase the settings", "Save settings", 0.94, "needs 0.95"),
    ],
)
def test_destructive_label_needs_higher_ranker_confidence(
    monkeypatch: pytest.MonkeyPatch, phrase: str, label: str, chance: float, refusal: str
) -> None:
    monkeypatch.setattr("handeye.desktop.element_finder.bundled_ranker", lambda: KnownChance(label, chance))
    if refusal:
        with pytest.raises(TargetNotFound, match=refusal):
            tree_of(*PAGE).decide(phrase)
    else:
        decision = tree_of(*PAGE).decide(phrase)
        assert (decision.tier, decision.element.text) == ("1", label)


@pytest.mark.parametrize("by", ["environment", "argument"])
@pytest.mark.parametrize(("least", "is_clicked"), [("0.8", True), ("0.86", False)])
def test_minimum_confidence_applies_to_desktops(
    monkeypatch: pytest.MonkeyPatch, by: str, least: str, is_clicked: bool
) -> None:
    monkeypatch.setattr("handeye.desktop.element_finder.bundled_ranker", lambda: KnownChance("Save settings", 0.85))
    monkeypatch.setenv("HANDEYE_MIN_CONFIDENCE", least if by == "environment" else "")
    desktop = FakeDesktop([WINDOW])
    session = DesktopSession(
        DesktopDevice(desktop),
        tree=FixedProvider(PAGE),
        reader=None,
        min_confidence=float(least) if by == "argument" else None,
        clock=FakeClock(),
    )
    with contextlib.nullcontext() if is_clicked else pytest.raises(TargetNotFound):
        session.click("store my settings")
    assert bool(desktop.presses) is is_clicked


# -- where the screen gives no picture, as under XWayland


class Unseen(FakeDesktop):
    def grab(self, box: Box) -> Pixels:
        raise CaptureFailed("the whole screen cannot be captured here")


class NoReader:
    """A text reader that nobody may ask: there is no picture."""

    name = "none"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        raise AssertionError("a black picture was read")


def unseen(*targets: UIElement) -> DecisionTree:
    def look(infer: bool, vision: bool) -> WindowState:
        return WindowState(WINDOW, Detection(targets, (None,) * len(targets)), infer, vision)

    return DecisionTree(Unseen([WINDOW]), look, reader=NoReader())


@pytest.mark.parametrize("phrase", ["Save", "the Save button", "the button above Copies", "the button"])
def test_tree_element_is_found_without_screenshot(phrase: str) -> None:
    assert unseen(ROOT, SAVE, replace(LABEL, id=3)).decide(phrase).element == SAVE


@pytest.mark.parametrize("phrase", ["the red Save button", "the Copies field right of the red button"])
def test_colour_cannot_be_matched_without_screenshot(phrase: str) -> None:
    with pytest.raises(TargetNotFound, match="nobody can tell its colour: the whole screen cannot be captured"):
        unseen(ROOT, SAVE).decide(phrase)


@pytest.mark.parametrize("phrase", ["heart", "the icon in Notes"])
def test_drawn_element_needs_a_screenshot(phrase: str) -> None:
    with pytest.raises(TargetNotFound, match="text reader: the whole screen cannot be captured here"):
        unseen(ROOT, SAVE).decide(phrase)


# -- numbers of what was only seen


class Repainted(FakeDesktop):
    """A desktop whose windows can look otherwise."""

    shade = 0

    def grab_window(self, window: Window) -> Pixels:
        pixels: Pixels = super().grab_window(window) ^ self.shade
        return pixels


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    heart = {"name": "heart", "type": "Icon", "rect": [200, 200, 240, 240], "confidence": 0.9}
    with ModelServer(lambda asked: ScriptedReply(json.dumps({"elements": [heart]}))) as server:
        monkeypatch.setenv("CUSTOM_LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("CUSTOM_LLM_MODEL", "qwen2.5-vl-7b")
        monkeypatch.setenv("CUSTOM_LLM_API_KEY", "sk-test")
        yield server


def test_seen_element_is_recognized_by_pixels_without_model(server: ModelServer) -> None:
    desktop = Repainted([WINDOW])
    session = DesktopSession(DesktopDevice(desktop), vision=True, tree=FixedProvider([ROOT, SAVE]), reader=None)
    seen = next(each for each in session.state("Notes").elements if each.source == "vision")
    assert seen.id is not None
    asked = session.usage.calls
    assert asked >= 1
    session.click(seen.id)
    desktop.move_window(7, 15, 25)
    session.click(seen.id)
    centres = [each.at for each in desktop.presses if each.down]
    assert centres == [seen.center, seen.center.translate(15, 25)]
    assert session.usage.calls == asked
    desktop.shade = 255
    with pytest.raises(StateChanged, match="does not look as it did"):
        session.click(seen.id)
    assert len(desktop.presses) == 4


def test_model_answer_is_clicked_at_its_position(server: ModelServer) -> None:
    desktop = FakeDesktop([WINDOW])
    session = DesktopSession(DesktopDevice(desktop), vision=True, tree=FixedProvider([ROOT, SAVE]), reader=None)
    assert "tier 2" in session.click("heart", "Notes").note
    assert desktop.presses[0].at == pytest.approx(Point(320, 320), abs=PRECISION_PX)

"""Tests of tier 2 by the embedded screen parser: drawn icons are found and listed without a model."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw

from handeye.desktop import DesktopSession, WindowState
from handeye.desktop.element_finder import DecisionTree
from handeye.devices import DesktopDevice, Window
from handeye.elements import UIElement, UIState
from handeye.errors import StateChanged, TargetNotFound
from handeye.geometry import Box, Point
from handeye.parse import ParsedScreen
from handeye.perceive import Detection
from handeye.screen import Pixels, Screen
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.perceiving import FixedProvider

WINDOW = replace(fake_window(7, "Notes", Box(100, 100, 500, 400)), focused=True)
ROOT = UIElement("window", "", WINDOW.box, text="Notes", id=1, source="accessibility")
HEART = Box(250, 200, 280, 230)


class Painted(FakeDesktop):
    """A desktop whose window is a white page with one drawing at HEART."""

    def grab(self, box: Box) -> Pixels:
        screen = Image.new("RGB", (1280, 800), "gray")
        pen = ImageDraw.Draw(screen)
        pen.rectangle(WINDOW.box, fill="white")
        pen.ellipse(HEART, outline="red", width=4)
        pen.line((*HEART[:2], *HEART[2:]), fill="red", width=4)
        return np.array(screen.crop(box))

    def grab_window(self, window: Window) -> Pixels:
        return self.grab(window.box)


class SeesHearts:
    """A parser that sees one icon, where anything red is drawn, and takes it for a heart."""

    def look(self, screen: Screen) -> ParsedScreen:
        red = (screen.pixels[:, :, 0] > 200) & (screen.pixels[:, :, 1] < 60)
        rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
        box = Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
        icon = UIElement("icon", "heart", box, 0.8, "parser", id=1, interactive=True)
        vectors: npt.NDArray[np.float32] = np.ones((1, 1), np.float32)
        return ParsedScreen(UIState(screen, (icon,)), (1,), vectors)

    def icon_scores(self, phrase: str, parsed: ParsedScreen) -> dict[int, float]:
        return {1: 0.99 if phrase == "heart" else 0.05}


def look(infer: bool, vision: bool) -> WindowState:
    return WindowState(WINDOW, Detection((ROOT,), (None,)), infer, vision)


def test_drawn_icon_is_found_by_screen_parser() -> None:
    decision = DecisionTree(Painted([WINDOW]), look, parser=SeesHearts()).decide("the heart icon")
    assert decision.tier == "2"
    assert decision.element.bbox.iou(HEART) > 0.8
    assert [each.strategy for each in decision.attempts if each.outcome == "found"] == ["screen parser"]


def test_missing_icon_error_names_best_candidate() -> None:
    with pytest.raises(TargetNotFound, match=r"screen parser: not sure enough for 0\.8: icon at"):
        DecisionTree(Painted([WINDOW]), look, parser=SeesHearts()).decide("the anchor icon")


def test_parser_elements_are_listed_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LLM_PROVIDER", "CUSTOM_LLM_BASE_URL", "CUSTOM_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    tree = FixedProvider([ROOT])
    with DesktopSession(DesktopDevice(Painted([WINDOW])), vision=True, tree=tree, reader=None) as session:
        seen = [each for each in session.state().elements if each.source == "parser"]
    assert any(each.bbox.iou(HEART) > 0.5 for each in seen)


class Scrolled(FakeDesktop):
    """A desktop whose window shows one button, and another shade of grey once that is `moved` down; it is its tree, too."""

    name = "scrolled"
    moved = 0

    def grab_window(self, window: Window) -> Pixels:
        return np.full((window.box.height, window.box.width, 3), 200 + self.moved, np.uint8)

    def detect(self, window: Window) -> Detection:
        place = Box(400, 200, 450, 226).translate(0, self.moved)
        delete = UIElement("button", "", place, text="Delete", id=2, source="parser", interactive=True)
        return Detection((ROOT, delete), (None, None))


def click_the_first(desktop: Scrolled | Rows, **later: object) -> list[Point]:
    """Presses after a click on the number of the first thing that was only seen, once the window has changed."""
    session = DesktopSession(DesktopDevice(desktop), vision=True, tree=desktop, reader=None)
    number = next(each.id for each in session.state("Notes").elements if each.interactive)
    assert number is not None
    vars(desktop).update(later)
    with contextlib.suppress(StateChanged):
        session.click(number)
    return [each.at for each in desktop.presses if each.down]


@pytest.mark.parametrize(("down", "held"), [(1, True), (12, False)])
def test_icon_half_a_row_lower_is_refused(down: int, held: bool) -> None:
    assert click_the_first(Scrolled([WINDOW]), moved=down) == [Point(425, 213 + down)] * held


class Rows(FakeDesktop):
    """A desktop whose window shows rows of a name and a button, which are all drawn alike; it is its tree, too."""

    name = "rows"
    names = ("Alice", "Bob")

    def grab_window(self, window: Window) -> Pixels:
        return np.full((window.box.height, window.box.width, 3), 200, np.uint8)

    def detect(self, window: Window) -> Detection:
        elements = [ROOT]
        for top, name in zip((200, 240), self.names, strict=True):
            label, button = Box(120, top, 180, top + 26), Box(400, top, 450, top + 26)
            elements.append(UIElement("text", "", label, text=name, id=len(elements) + 1, source="parser"))
            delete = UIElement("button", "", button, text="Delete", id=len(elements) + 1, source="parser")
            elements.append(replace(delete, interactive=True))
        return Detection(tuple(elements), (None,) * len(elements))


@pytest.mark.parametrize(("names", "held"), [(("Alice", "Bob"), True), (("Bob", "Carol"), False)])
def test_equal_icons_are_identified_by_row_text(names: tuple[str, str], held: bool) -> None:
    assert click_the_first(Rows([WINDOW]), names=names) == [Point(425, 213)] * held


class Icons(Rows):
    """A window with nameless icons that were only seen, and no texts."""

    names = ("", "")

    def detect(self, window: Window) -> Detection:
        places = [Box(400, 200 + 40 * at, 426, 226 + 40 * at) for at in range(len(self.names))]
        icons = [
            UIElement("icon", "", box, id=at, source="parser", interactive=True) for at, box in enumerate(places, 2)
        ]
        return Detection((ROOT, *icons), (None,) * (len(icons) + 1))


def test_additional_icon_keeps_other_numbers_valid() -> None:
    assert click_the_first(Icons([WINDOW]), names=("", "", "")) == [Point(413, 213)]

"""Tests of switch states: knob and colour together, on the virtual phone and in other platforms' styles."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_dialogs import Known
from phone_frames import Phone
from PIL import Image, ImageDraw

from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.ocr import CachedReader
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.text import TextLine
from handeye.verify import ScreenVerifier

LINES = (TextLine("蓝牙", Box(48, 312, 140, 350), 0.99), TextLine("飞行模式", Box(48, 512, 220, 550), 0.99))


def rows(
    knob_right: bool, track: tuple[int, int, int], *, knob: tuple[int, int, int] = (255, 255, 255), dark: bool = False
) -> Screen:
    """Two rows of a list; the first has a switch."""
    ground = (20, 20, 20) if dark else (255, 255, 255)
    image = Image.new("RGB", (1080, 800), ground)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((900, 296, 1020, 366), 35, fill=track)
    left = 954 if knob_right else 904
    pen.ellipse((left, 300, left + 62, 362), fill=knob)
    return Screen.from_image(image)


@pytest.mark.parametrize(
    ("screen", "on"),
    [
        (rows(True, (52, 199, 89)), True),
        (rows(False, (225, 225, 228)), False),
        (rows(True, (225, 225, 228)), None),  # pale, but its knob on the right
        (rows(True, (52, 199, 89), dark=True), True),
        (rows(False, (60, 60, 64), dark=True), False),
        (rows(True, (20, 20, 20)), True),  # black and white
        (rows(False, (52, 199, 89)), None),  # coloured, but its knob on the left: nobody knows
    ],
)
def test_switch_knob_and_colour_must_agree(screen: Screen, on: bool | None) -> None:
    judge = ScreenVerifier(Known(LINES))
    for wanted in (True, False):
        verdict = judge.verify(Expectation(row="蓝牙", switch=wanted), None, screen)
        assert verdict.matches_expected is (None if on is None else on is wanted)
        assert verdict.evidence


@pytest.mark.parametrize("row", ["飞行模式", "没有这一行"])
def test_a_row_without_a_switch_is_undecided(row: str) -> None:
    verdict = ScreenVerifier(Known(LINES)).verify(Expectation(row=row, switch=True), None, rows(True, (52, 199, 89)))
    assert verdict.matches_expected is None


def test_tree_decides_switches_unclear_in_image() -> None:
    class Told:
        name, slow = "fixed", True

        def detect(self, screen: Screen) -> UIState:
            box = Box(900, 296, 1020, 366)
            return UIState(screen, (UIElement("switch", "", box, metadata={"checked": True}),))

    blank = Screen(np.full((800, 1080, 3), 255, np.uint8))
    judge = ScreenVerifier(Known(LINES), state=Told())
    assert judge.verify(Expectation(row="蓝牙", switch=True), None, blank).verified
    assert judge.verify(Expectation(row="蓝牙", switch=False), None, blank).matches_expected is False
    assert judge.verify(Expectation(row="飞行模式", switch=False), None, blank).matches_expected is None


@pytest.mark.parametrize("look", ["", "dark"])
def test_virtual_phone_switches_are_read(reader: CachedReader, look: str) -> None:
    device = Phone(look).open("com.android.settings")
    screen, judge = device.frame(), ScreenVerifier(reader)
    states = [element for element in _switches(device) if element[0]]
    assert states
    for title, on in states:
        verdict = judge.verify(Expectation(row=title, switch=on), None, screen)
        assert verdict.verified, (title, on, verdict.evidence)
        assert judge.verify(Expectation(row=title, switch=not on), None, screen).matches_expected is False


def _switches(device: Phone) -> list[tuple[str, bool]]:
    """Titles of the rows whose switch is wholly on the screen, and what the phone says of them."""
    state = parse_hierarchy(device.model.hierarchy(), device.frame())
    found = []
    for switch in state.elements:
        if switch.element_type != "switch":
            continue
        y = switch.center.y
        titles = [each for each in state.elements if each.text and abs(each.center.y - y) < 60 and each is not switch]
        if titles and switch.bbox.bottom < 2200:
            found.append((titles[0].text, bool(switch.metadata.get("checked"))))
    return found

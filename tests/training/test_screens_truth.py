"""Tests of the ground truth that the data engine derives from a screen."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from training.screens.desktop import shown, steppers, title_buttons
from training.screens.truth import finish

from handeye.devices import Window
from handeye.geometry import Box

GROUND = (200, 180, 160)


def element(role: str, box: list[int], **more: Any) -> dict[str, Any]:
    told = {
        "role": role,
        "box": box,
        "visible": 1.0,
        "covered": False,
        "state": "",
        "text": "",
        "name": "",
        "parent": None,
    }
    return {**told, "interactive": True, "pointer": False, "tight": False, **more}


def titled(gap: int) -> tuple[Window, np.ndarray]:
    """A window of 600x300 with a title bar of 22 pixels, and three outlined buttons that stand `gap` pixels apart."""
    pixels = np.full((400, 800, 3), 30, np.uint8)
    pixels[50:72, 100:700] = GROUND
    cv2.putText(pixels, "Notes", (350, 66), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1)
    for number in range(3):
        left = 690 - (3 - number) * (14 + gap)
        cv2.rectangle(pixels, (left, 54), (left + 13, 67), (120, 90, 60), 1)
    return Window(1, "Notes", Box(101, 72, 699, 350), Box(100, 50, 700, 350)), pixels


@pytest.mark.parametrize("gap", [4, 6])
def test_title_bar_buttons_are_found_individually(gap: int) -> None:
    window, pixels = titled(gap)
    found = list(title_buttons(window, pixels))
    assert [each["role"] for each in found] == ["button"] * 3
    assert [each["box"][0] for each in found] == [690 - (3 - number) * (14 + gap) for number in range(3)]


def test_empty_title_bar_has_no_buttons() -> None:
    window, pixels = titled(4)
    pixels[50:72, 600:700] = GROUND
    assert not list(title_buttons(window, pixels))


def test_undrawn_scroll_bar_is_not_visible() -> None:
    pixels = np.full((300, 100, 3), 255, np.uint8)
    bar = element("scroll bar", [90, 0, 97, 300])
    assert shown(bar, pixels)["visible"] == 0
    pixels[40:120, 92:96] = 120
    assert shown(bar, pixels)["visible"] == 1


def test_text_under_scroll_bar_is_not_scroll_bar() -> None:
    pixels = np.full((300, 100, 3), 255, np.uint8)
    for top in range(10, 290, 20):
        pixels[top : top + 9, 60:97] = 0
    assert shown(element("scroll bar", [90, 0, 97, 300]), pixels)["visible"] == 0


def test_gtk_number_field_has_minus_and_plus_buttons() -> None:
    fields = [element("input", [10, 10, 150, 40], stepped=True), element("input", [10, 60, 150, 90], stepped=False)]
    minus, plus = steppers(fields, 7)
    assert plus["box"][2] == pytest.approx(150)
    assert minus["box"][2] == pytest.approx(plus["box"][0])
    assert {minus["parent"], plus["parent"]} == {7}


def test_duplicate_boxes_are_merged_and_parents_updated() -> None:
    raw = [
        element("list item", [0, 0, 200, 40]),
        element("button", [2, 2, 198, 38]),
        element("icon", [10, 10, 30, 30], parent=1, tight=True, interactive=False),
    ]
    pixels = np.full((40, 200, 3), 255, np.uint8)
    pixels[14:26, 12:28] = 0
    row, icon = finish(raw, pixels, 1.0)
    assert row["role"] == "list item"
    assert icon["box"] == [12, 14, 28, 26]
    assert icon["parent"] is None or icon["parent"] == 0


def test_barely_visible_element_is_dropped() -> None:
    assert finish([element("button", [0, 0, 50, 20], visible=0.05)], np.zeros((40, 80, 3), np.uint8), 1.0) == []

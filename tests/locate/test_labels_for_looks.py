"""Tests of labels that are colour or style words, and of spin boxes, in accessibility trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import AccessibilityStrategy, LocateChain
from handeye.screen import Screen
from handeye.target import LocateResult, parse_target
from handeye.testing.perceiving import FakeProvider

WIDTH, HEIGHT = 400, 600
PAGE = UIElement("group", "", Box(0, 0, WIDTH, HEIGHT), id=1)


def element(role: str, box: tuple[int, int, int, int], text: str = "", name: str = "") -> UIElement:
    return UIElement(
        role, name, Box(*box), text=text, parent=1, enabled=True, interactive=role != "text", metadata={"class": role}
    )


def locate(phrase: str, *elements: UIElement, red: Box | None = None) -> LocateResult:
    """On a page on which nothing but `red` has a colour."""
    pixels = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    for each in elements:
        left, top, right, bottom = each.bbox
        pixels[top:bottom, left:right] = (200, 30, 30) if each.bbox == red else 180
        pixels[top + 8 : bottom - 8, left + 10 : right - 10 : 4] = 20  # strokes
    numbered = [replace(each, id=number) for number, each in enumerate(elements, 2)]
    chain = LocateChain([AccessibilityStrategy(FakeProvider((PAGE, *numbered)))])
    return chain.locate(parse_target(phrase), Screen(pixels))


def found(phrase: str, *elements: UIElement, red: Box | None = None) -> tuple[int, ...] | None:
    result = locate(phrase, *elements, red=red)
    return tuple(result.element.bbox) if result.element is not None else None


QUANTITY = element("text", (20, 20, 100, 40), "Quantity")
SPIN = element("spinner", (120, 18, 220, 42), "42")
PRICE = element("text", (20, 60, 100, 80), "Price")
OTHER = element("spinner", (120, 58, 220, 82), "7")


@pytest.mark.parametrize(
    "phrase", ["the Quantity spin button", "the Quantity spin box", "the Quantity spinner", "the Quantity field"]
)
def test_spin_box_is_found_by_adjacent_label(phrase: str) -> None:
    assert found(phrase, QUANTITY, SPIN, PRICE, OTHER) == tuple(SPIN.bbox)


def test_spin_box_is_found_by_accessible_name() -> None:
    named = element("spinner", (120, 18, 220, 42), "42", name="数量")
    assert found("数量微调框", named, OTHER) == tuple(named.bbox)
    assert found("点击数值框", named) == tuple(named.bbox)


RED = element("button", (20, 100, 120, 140), "Red")
GREEN = element("button", (140, 100, 240, 140), "Green")
DELETE = element("button", (20, 200, 120, 240), "Delete")


@pytest.mark.parametrize("phrase", ["the Red button", "the red button", "click on the Red button"])
def test_button_labelled_red_matches_the_red_button(phrase: str) -> None:
    assert found(phrase, RED, GREEN, DELETE) == tuple(RED.bbox)


def test_chinese_colour_word_is_a_label() -> None:
    red = element("button", (20, 100, 120, 140), "红色")
    assert found("红色按钮", red, GREEN) == tuple(red.bbox)
    assert found("点击红色的按钮", red, GREEN) == tuple(red.bbox)


def test_colour_word_without_label_selects_by_colour() -> None:
    heading = element("text", (20, 60, 120, 80), "Red")
    assert found("the red button", heading, GREEN, DELETE, red=DELETE.bbox) == tuple(DELETE.bbox)


def test_combo_box_labelled_colour_is_found() -> None:
    label = element("text", (20, 300, 100, 320), "Colour")
    box = element("combo box", (120, 298, 220, 322), "Amber")
    size = element("combo box", (120, 338, 220, 362), "Large")
    assert found("the Colour combo box", label, box, size) == tuple(box.bbox)


def test_radio_labelled_dark_is_found() -> None:
    dark, light = element("radio", (20, 400, 120, 420), "Dark"), element("radio", (20, 440, 120, 460), "Light")
    assert found("the Dark radio button", dark, light) == tuple(dark.bbox)
    assert found("the dark radio button", dark, light) == tuple(dark.bbox)

"""Tests of template matching against similar images, and against the same image in another state."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageEnhance

from handeye import typeface
from handeye.geometry import Box
from handeye.locate import TemplateStrategy, find_all
from handeye.matching import Reference
from handeye.screen import Screen
from handeye.target import Target

PAGE = (700, 500)


def reference(image: Image.Image) -> Reference:
    return Reference("picture", np.asarray(image.convert("RGB")).copy())


def page(*pictures: tuple[Image.Image, tuple[int, int]], colour: str = "white") -> Screen:
    image = Image.new("RGB", PAGE, colour)
    for picture, at in pictures:
        image.paste(picture, at)
    return Screen.from_image(image)


def button(label: str, face: str = "#1664c8", ink: str = "white", size: tuple[int, int] = (220, 56)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rounded_rectangle((2, 2, size[0] - 3, size[1] - 3), 8, fill=face)
    drawn, _margin = typeface.line_mask(label, 24)
    image.paste(ink, ((size[0] - drawn.width) // 2, (size[1] - drawn.height) // 2), drawn)
    return image


def folder(emblem: str) -> Image.Image:
    """A folder with a faint sign on it: a note, a house, or nothing."""
    image = Image.new("RGB", (96, 80), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((6, 6, 40, 20), fill="#7fb2d9")
    draw.rectangle((6, 14, 89, 73), fill="#8cc0e6", outline="#6a9cc4")
    faint = "#6d9fc6"
    if emblem == "note":
        draw.ellipse((36, 52, 48, 62), fill=faint)
        draw.rectangle((45, 28, 48, 57), fill=faint)
        draw.polygon([(48, 28), (62, 34), (62, 40), (48, 34)], fill=faint)
    if emblem == "house":
        draw.polygon([(34, 42), (48, 28), (62, 42)], fill=faint)
        draw.rectangle((39, 42, 57, 60), fill=faint)
    return image


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("Save Encounter", "New Encounter"),
        ("New Encounter", "Save Encounter"),
        ("Sign in", "Sign up"),
        ("保存", "删除"),
        ("上一页", "下一页"),
        ("Item 1", "Item 7"),
    ],
)
def test_same_button_with_another_label_is_rejected(asked: str, shown: str) -> None:
    assert find_all(reference(button(asked)), page((button(shown), (150, 200)))) == []
    both = page((button(shown), (150, 100)), (button(asked), (300, 300)))
    (place,) = find_all(reference(button(asked)), both)
    assert place.peak.box == Box(300, 300, 520, 356)


@pytest.mark.parametrize("shown", ["house", "", "note"])
def test_folder_icon_with_another_emblem_is_rejected(shown: str) -> None:
    found = find_all(reference(folder("note")), page((folder(shown), (200, 200))))
    assert len(found) == (shown == "note")


@pytest.mark.parametrize("shown", ["black", "#ff1a1a", "#4452cf", "#00882d"])
def test_button_of_another_colour_is_rejected(shown: str) -> None:
    found = find_all(reference(button("", "black")), page((button("", shown), (200, 200))))
    assert len(found) == (shown == "black")


@pytest.mark.parametrize("brightness", [0.75, 0.9])
def test_button_on_dimmed_page_is_found(brightness: float) -> None:
    clear = Image.fromarray(page((button("Save"), (200, 200))).pixels)
    dimmed = Screen.from_image(ImageEnhance.Brightness(clear).enhance(brightness))
    (place,) = find_all(reference(button("Save")), dimmed)
    assert place.peak.box.iou(Box(200, 200, 420, 256)) > 0.9


@pytest.mark.parametrize("count", [2, 5, 20])
def test_all_equal_icons_are_found(count: int) -> None:
    at = [(30 + 130 * (index % 5), 20 + 110 * (index // 5)) for index in range(count)]
    found = find_all(reference(folder("note")), page(*((folder("note"), place) for place in at)))
    assert {(place.peak.box.left, place.peak.box.top) for place in found} == set(at)


def test_two_equal_buttons_are_both_returned() -> None:
    class Shelf:
        def find(self, name: str) -> tuple[Reference, ...]:
            return (reference(button("Save")),)

    match = TemplateStrategy(Shelf()).locate(
        Target(reference="save"), page((button("Save"), (20, 20)), (button("Save"), (400, 300)))
    )
    assert match is not None
    assert len(match.elements) == 2

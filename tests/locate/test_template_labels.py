"""Tests of template matching for labels a few pixels apart, parts of other symbols, and tightly cropped images."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye import typeface
from handeye.geometry import Box
from handeye.locate import find_all
from handeye.matching import Reference
from handeye.screen import Screen

AT = (52, 44)
SIZE = (261, 71)
MARGIN = 10


def page(*labels: str, size: int = 26) -> Image.Image:
    """Blue buttons one below the other."""
    image = Image.new("RGB", (500, 700), "white")
    draw = ImageDraw.Draw(image)
    for index, label in enumerate(labels):
        left, top = AT[0], AT[1] + 120 * index
        draw.rounded_rectangle((left, top, left + SIZE[0] - 1, top + SIZE[1] - 1), 6, fill="#1677ff")
        ink, _margin = typeface.line_mask(label, size)
        image.paste("white", (left + (SIZE[0] - ink.width) // 2, top + (SIZE[1] - ink.height) // 2), ink)
    return image


def cut(image: Image.Image, margin: int) -> Reference:
    """The first button with so much of the page around it."""
    left, top = AT
    box = (left - margin, top - margin, left + SIZE[0] + margin, top + SIZE[1] + margin)
    return Reference("button", np.asarray(image.crop(box)).copy())


@pytest.mark.parametrize("margin", [0, MARGIN])
@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("3", "8"),
        ("6", "8"),
        ("8", "6"),
        ("末尾", "未尾"),
        ("已读", "己读"),
        ("Item 10", "Item 19"),
        ("Lot B", "Lot 8"),
        ("Follow", "Fellow"),
        ("Enable", "Enables"),
        ("Save", "Saved"),
    ],
)
def test_label_differing_by_few_pixels_is_rejected(asked: str, shown: str, margin: int) -> None:
    reference = cut(page(asked), margin)
    assert find_all(reference, Screen.from_image(page(shown))) == []
    (place,) = find_all(reference, Screen.from_image(page(shown, asked)))
    left, top = AT[0] - margin, AT[1] + 120 - margin
    assert place.peak.box == Box(left, top, left + SIZE[0] + 2 * margin, top + SIZE[1] + 2 * margin)


@pytest.mark.parametrize("size", [18, 30])
@pytest.mark.parametrize("label", ["1", "3", "6", "8", "保存", "取消", "末尾", "Save", "Cancel"])
def test_button_cropped_at_its_border_is_found(label: str, size: int) -> None:
    image = page(label, "Help", "9", size=size)
    (place,) = find_all(cut(image, 0), Screen.from_image(image))
    assert place.peak.box == Box(AT[0], AT[1], AT[0] + SIZE[0], AT[1] + SIZE[1])
    assert place.peak.score > 0.97


SIGNS = {
    "cross": [(0, 0, 80, 80), (0, 80, 80, 0)],
    "up": [(0, 40, 40, 0), (40, 0, 80, 40)],
    "left": [(40, 0, 0, 40), (0, 40, 40, 80)],
    "minus": [(0, 40, 80, 40)],
    "square": [(0, 0, 80, 0), (80, 0, 80, 80), (80, 80, 0, 80), (0, 80, 0, 0)],
}


def sign(*names: str) -> Image.Image:
    image = Image.new("RGB", (600, 300), "white")
    draw = ImageDraw.Draw(image)
    for index, name in enumerate(names):
        for x0, y0, x1, y1 in SIGNS[name]:
            draw.line((80 + 200 * index + x0, 80 + y0, 80 + 200 * index + x1, 80 + y1), fill="#333333", width=8)
    return image


@pytest.mark.parametrize(("asked", "shown"), [("up", "cross"), ("left", "cross"), ("minus", "square")])
def test_part_of_another_symbol_is_not_matched(asked: str, shown: str) -> None:
    alone = sign(asked)
    inked = np.argwhere(np.asarray(alone.convert("L")) < 128)
    (top, left), (bottom, right) = inked.min(axis=0).tolist(), inked.max(axis=0).tolist()
    reference = Reference(asked, np.asarray(alone.crop((left - 4, top - 4, right + 5, bottom + 5))).copy())
    assert find_all(reference, Screen.from_image(sign(shown))) == []
    (place,) = find_all(reference, Screen.from_image(sign(shown, asked)))
    assert place.peak.box == Box(left + 196, top - 4, right + 205, bottom + 5)


@pytest.mark.parametrize(
    ("asked", "shown", "size"), [("Save", "Save.", 24), ("Save", "Save.", 36), ("保存", "保存。", 18)]
)
def test_label_with_trailing_period_is_rejected(asked: str, shown: str, size: int) -> None:
    reference = cut(page(asked, size=size), 0)
    assert find_all(reference, Screen.from_image(page(shown, size=size))) == []
    assert len(find_all(reference, Screen.from_image(page(shown, asked, size=size)))) == 1


@pytest.mark.parametrize(
    ("asked", "shown", "size"),
    [
        ("Save", "Save.", 32),
        ("Save", "Save:", 32),
        ("Enable", "Enable.", 36),
        ("Enable", "Enable.", 38),
        ("Delete", "Delete.", 38),
        ("Next", "Next,", 42),
        ("Item i", "Item l", 38),
    ],
)
def test_punctuation_after_large_label_is_rejected(asked: str, shown: str, size: int) -> None:
    reference = cut(page(asked, size=size), 0)
    assert find_all(reference, Screen.from_image(page(shown, size=size))) == []
    (place,) = find_all(reference, Screen.from_image(page(shown, asked, size=size)))
    assert place.peak.score > 0.97

"""Tests of proposals: possible controls and icons found in the pixels of drawn frames."""

import cv2
import numpy as np
import pytest

from handeye.geometry import Box
from handeye.parse import propose
from handeye.parse.proposals import Proposals

GREY, WHITE, DARK = (243, 243, 243), (255, 255, 255), (60, 60, 60)


def page(height: int = 700, width: int = 400) -> np.ndarray:
    return np.full((height, width, 3), GREY, np.uint8)


def near(one: Box, other: Box) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 1


@pytest.mark.parametrize("top", range(96, 132, 3))
def test_button_is_proposed_at_every_vertical_offset(top: int) -> None:
    pixels, button = page(), Box(50, top, 170, top + 32)
    cv2.rectangle(pixels, (button.left, button.top), (button.right - 1, button.bottom - 1), WHITE, -1)
    assert any(near(shape.box, button) for shape in propose(pixels, [], 1.0).shapes)


@pytest.mark.parametrize("top", [10, 118, 126, 127, 128, 129, 254, 256])
def test_mark_box_equals_drawn_pixels(top: int) -> None:
    pixels = page()
    cv2.line(pixels, (60, top + 9), (78, top + 9), DARK, 2)
    cv2.line(pixels, (69, top), (69, top + 18), DARK, 2)
    x, y, wide, high = cv2.boundingRect((pixels != GREY).any(axis=2).astype(np.uint8))
    assert propose(pixels, [], 1.0).marks == (Box(x, y, x + wide, y + high),)


def test_shape_inside_text_line_is_ignored() -> None:
    pixels, face = page(), Box(50, 100, 66, 116)
    cv2.rectangle(pixels, (face.left, face.top), (face.right - 1, face.bottom - 1), DARK, 1)
    assert propose(pixels, [], 1.0).shapes
    assert not propose(pixels, [Box(40, 96, 200, 120)], 1.0).shapes


def test_one_pixel_frame_has_no_proposals() -> None:
    assert propose(page(1, 1), [], 1.0) == Proposals((), (), ())

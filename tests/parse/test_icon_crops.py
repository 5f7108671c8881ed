"""Tests of icon masks: independent of colour, theme and padding."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.geometry import Box
from handeye.parse.icon_crops import SIDE, icon_mask, icon_masks

Pixels = npt.NDArray[np.uint8]


def _ring_on(ground: tuple[int, int, int], ink: tuple[int, int, int], size: int = 24) -> Pixels:
    """A frame of 80x80 with a ring of `size` pixels in its middle."""
    frame = np.full((80, 80, 3), ground, np.uint8)
    cv2.circle(frame, (40, 40), size // 2 - 2, ink, 2, cv2.LINE_AA)
    return frame


_AROUND = Box(28, 28, 53, 53)


@pytest.mark.parametrize(
    ("ground", "ink"),
    [((0, 0, 0), (255, 255, 255)), ((22, 119, 255), (255, 255, 255)), ((250, 250, 250), (200, 200, 205))],
    ids=["dark", "in a button", "disabled"],
)
def test_mask_is_independent_of_colour_and_theme(ground: tuple[int, int, int], ink: tuple[int, int, int]) -> None:
    plain = icon_mask(_ring_on((255, 255, 255), (0, 0, 0)), _AROUND)
    assert np.abs(icon_mask(_ring_on(ground, ink), _AROUND) - plain).mean() < 0.05


def test_mask_is_independent_of_padding() -> None:
    frame = _ring_on((255, 255, 255), (0, 0, 0))
    assert np.abs(icon_mask(frame, Box(12, 18, 66, 70)) - icon_mask(frame, _AROUND)).mean() < 0.02


def test_mask_is_one_on_ink_zero_on_background() -> None:
    mask = icon_mask(_ring_on((255, 255, 255), (0, 0, 0), size=40), Box(18, 18, 62, 62))
    assert mask.shape == (SIDE, SIDE)
    assert mask.dtype == np.float32
    assert mask[SIDE // 2, SIDE // 2] == 0
    assert mask[SIDE // 2, :8].max() == pytest.approx(1, abs=0.05)


def test_mask_keeps_aspect_ratio_of_bar() -> None:
    frame = np.full((60, 60, 3), 255, np.uint8)
    frame[28:32, 10:50] = 0
    mask = icon_mask(frame, Box(8, 20, 52, 40))
    assert (mask > 0.5).any(axis=0).sum() >= 60
    assert 4 <= (mask > 0.5).any(axis=1).sum() <= 9


def test_mask_of_invisible_content_is_empty() -> None:
    flat = np.full((40, 40, 3), 128, np.uint8)
    flat[20:, :] = 131  # less than noise
    for box in (Box(5, 5, 35, 35), Box(50, 50, 60, 60), Box(-20, -20, -1, -1), Box(10, 10, 10, 20)):
        assert not icon_mask(flat, box).any()


def test_no_boxes_give_no_masks() -> None:
    assert icon_masks(np.zeros((4, 4, 3), np.uint8), []).shape == (0, SIDE, SIDE)


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(*[st.integers(-30, 90)] * 4),
    st.integers(1, 50),
    st.integers(1, 50),
    st.integers(0, 2**32 - 1),
)
def test_any_box_gives_a_finite_mask(edges: tuple[int, int, int, int], width: int, height: int, seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    mask = icon_mask(noise, Box(*edges))
    assert mask.shape == (SIDE, SIDE)
    assert np.isfinite(mask).all()
    assert 0 <= mask.min() <= mask.max() <= 1

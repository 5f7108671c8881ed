"""Tests of screen stability: two equal frames, ignoring clocks, carets and small animations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.geometry import Box
from handeye.matching import ScreenStability, View, changes, is_same_view
from handeye.screen import Screen

WIDTH, HEIGHT = 1080, 2400
PAGE = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)


def frame(*boxes: Box, shade: int = 0) -> Screen:
    """The page with these boxes on it."""
    pixels = PAGE.copy()
    for left, top, right, bottom in boxes:
        pixels[top:bottom, left:right] = shade
    return Screen(pixels)


def is_stable(*frames: Screen) -> list[bool]:
    stillness = ScreenStability()
    return [stillness.is_stable(each) for each in frames]


CLOCK = Box(60, 20, 200, 60)
CARET = Box(300, 1200, 304, 1260)
LETTER = Box(300, 1200, 340, 1250)
SPINNER = Box(480, 1100, 600, 1220)


def test_second_equal_frame_makes_the_screen_stable() -> None:
    assert is_stable(frame(), frame()) == [False, True]


@pytest.mark.parametrize("box", [CLOCK, CARET], ids=["clock", "caret"])
def test_clock_and_caret_changes_are_ignored(box: Box) -> None:
    assert is_stable(frame(), frame(box), frame()) == [False, True, True]


def test_changed_letter_makes_the_screen_unstable() -> None:
    assert is_stable(frame(), frame(LETTER), frame(LETTER)) == [False, False, True]


def test_small_animation_is_ignored_after_four_frames() -> None:
    turning = [frame(SPINNER, shade=shade) for shade in (0, 60, 120, 180, 0, 60)]
    assert is_stable(*turning) == [False, False, False, True, True, True]


def test_page_sliding_in_is_not_stable() -> None:
    sliding = [frame(Box(left, 0, WIDTH, HEIGHT)) for left in (900, 700, 500, 300, 100, 0, 0)]
    assert is_stable(*sliding) == [False] * 6 + [True]


def test_change_outside_an_animation_makes_screen_unstable() -> None:
    frames = [frame(SPINNER, shade=shade) for shade in (0, 60, 120, 180)]
    moved = frame(SPINNER, LETTER, shade=60)
    assert is_stable(*frames, moved)[-1] is False


def test_frame_of_another_size_counts_as_changed() -> None:
    turned = Screen(np.zeros((WIDTH, HEIGHT, 3), np.uint8))
    assert changes(View.of(frame()), View.of(turned)) == [turned.box]
    assert is_stable(frame(), turned, turned) == [False, False, True]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 700), st.integers(1, 700), st.data())
def test_changed_pixels_lie_inside_the_reported_boxes(width: int, height: int, data: st.DataObject) -> None:
    """Any frame size, and any change above the minimum size."""
    before = np.zeros((height, width, 3), np.uint8)
    after = before.copy()
    left, top = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    right, bottom = data.draw(st.integers(left + 1, width)), data.draw(st.integers(top + 1, height))
    after[top:bottom, left:right] = 255
    found = changes(View.of(Screen(before)), View.of(Screen(after)))
    for box in found:
        assert box == box.clip((width, height))
        assert box.intersect(Box(left, top, right, bottom)) is not None
    bar = round(height * 0.04) + 8 if height > width else 0
    if right - left > 24 and bottom - max(top, bar) > 24 + 0.06 * height:
        assert found
    assert is_same_view(View.of(Screen(before)), View.of(Screen(before.copy())))

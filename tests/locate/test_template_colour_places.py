"""Tests of restricting template matching to regions of the image's colour without losing a match."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from handeye.geometry import Box
from handeye.locate import find_all
from handeye.matching import Reference, coloured_parts
from handeye.screen import Screen
from handeye_phone.artwork import icon

SIDE = 96
SCALES = [0.5, 0.75, 1.0, 1.25, 1.5]


def reference(name: str) -> Reference:
    return Reference(name, np.asarray(icon(name, SIDE)).copy())


def page(name: str, side: int, left: int, top: int, *, ground: tuple[int, int, int] = (245, 245, 245)) -> Screen:
    image = Image.new("RGB", (720, 1280), ground)
    drawn = icon(name, side)
    image.paste(drawn, (left, top), drawn)
    return Screen.from_image(image)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["wechat", "mail", "music"]), st.integers(48, 144), st.integers(0, 576), st.integers(0, 1136))
def test_coloured_parts_contain_the_image(name: str, side: int, left: int, top: int) -> None:
    screen = page(name, side, left, top)
    parts = coloured_parts(reference(name), screen, screen.box, SCALES, 6)
    assert parts is not None
    place = Box(left, top, left + side, top + side)
    assert any(part.intersect(place) == place for part in parts)


def test_frame_without_the_colour_has_no_parts() -> None:
    screen = page("music", SIDE, 300, 300)
    assert coloured_parts(reference("wechat"), screen, screen.box, SCALES, 6) == []


@pytest.mark.parametrize("ground", [(7, 193, 96), (30, 200, 110)])
def test_background_of_same_colour_searches_whole_frame(ground: tuple[int, int, int]) -> None:
    screen = page("wechat", SIDE, 100, 100, ground=ground)
    assert coloured_parts(reference("wechat"), screen, screen.box, SCALES, 6) is None


def test_gray_reference_searches_whole_frame() -> None:
    gray = np.asarray(icon("wechat", SIDE).convert("L").convert("RGB")).copy()
    screen = page("wechat", SIDE, 100, 100)
    assert coloured_parts(Reference("gray", gray), screen, screen.box, SCALES, 6) is None


@pytest.mark.parametrize("place", [(0, 0), (624, 1184), (624, 0)])
def test_image_in_frame_corner_is_found(place: tuple[int, int]) -> None:
    left, top = place
    (found,) = find_all(reference("wechat"), page("wechat", SIDE, left, top))
    assert found.peak.box == Box(left, top, left + SIDE, top + SIDE)


def test_colours_of_transparent_pixels_are_ignored() -> None:
    picture = np.asarray(icon("wechat", SIDE)).copy()
    picture[picture[:, :, 3] == 0, :3] = (255, 0, 0)
    hidden = Reference("hidden", picture)
    assert hidden.main_colour is not None
    (found,) = find_all(hidden, page("wechat", 120, 200, 700))
    assert found.peak.box.iou(Box(200, 700, 320, 820)) > 0.9


def test_long_strip_with_400_scales_is_searched() -> None:
    """3600x80 pixels: 400 sizes are compared."""
    cells = np.random.default_rng(1).integers(0, 255, (10, 450, 3), dtype=np.uint8)
    strip = np.kron(cells, np.ones((8, 8, 1), np.uint8))
    frame = np.full((200, 3700, 3), 128, np.uint8)
    frame[60:140, 50:3650] = strip
    reversed_strip = Reference("reversed", np.ascontiguousarray(strip[:, ::-1]))
    assert find_all(reversed_strip, Screen(frame)) == []

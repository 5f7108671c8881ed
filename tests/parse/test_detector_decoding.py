"""Tests of decoding detector maps to boxes, and of scaling and tiling frames for the network."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.geometry import Box, Size
from handeye.parse.decoding import CHANNELS, CLASSES, GROUP_OF, STRIDES, Floats, RawDetections, decode
from handeye.parse.overlap import ious
from handeye.parse.tiling import network_scale, pieces

SIDE = 256
FLOORS = np.full(len(CLASSES), 0.3, np.float32)


class Maps:
    """Output maps of a network that is sure of some boxes and of nothing else."""

    def __init__(self) -> None:
        self.values: list[Floats] = [np.full((CHANNELS, SIDE // s, SIDE // s), -9.0, np.float32) for s in STRIDES]

    def say(self, role: str, box: Box, score: float, *, stride: int = 8, aside: tuple[int, int] = (0, 0)) -> Maps:
        """In the cell at the middle of `box`, or `aside` by so many cells."""
        kind = CLASSES.index(role)
        values = self.values[STRIDES.index(stride)]
        column, row = box.center.x // stride + aside[0], box.center.y // stride + aside[1]
        x, y = (column + 0.5) * stride, (row + 0.5) * stride
        first = len(CLASSES) + 4 * int(GROUP_OF[kind])
        values[kind, row, column] = np.log(score / (1 - score))
        values[first : first + 4, row, column] = np.log(
            np.array([x - box.left, y - box.top, box.right - x, box.bottom - y]) / stride
        )
        return self

    def read(self) -> list[tuple[str, Box, float]]:
        found: RawDetections = decode(self.values, FLOORS)
        boxes = [Box(*(round(value) for value in corners)) for corners in found.boxes.tolist()]
        return [
            (CLASSES[kind], box, round(score, 2))
            for kind, box, score in zip(found.classes.tolist(), boxes, found.scores.tolist(), strict=True)
        ]


BUTTON = Box(40, 60, 120, 92)


def test_empty_maps_decode_to_nothing() -> None:
    assert Maps().read() == []


@pytest.mark.parametrize("stride", STRIDES)
def test_cell_decodes_to_its_bounding_box(stride: int) -> None:
    assert Maps().say("button", BUTTON, 0.9, stride=stride).read() == [("button", BUTTON, 0.9)]


def test_detections_are_sorted_and_cut_at_floor() -> None:
    maps = (
        Maps().say("button", BUTTON, 0.6).say("input", Box(40, 120, 200, 150), 0.8).say("link", Box(9, 9, 60, 30), 0.2)
    )
    assert [(role, score) for role, _, score in maps.read()] == [("input", 0.8), ("button", 0.6)]


def test_adjacent_cells_give_one_detection() -> None:
    maps = Maps().say("button", BUTTON, 0.9).say("button", BUTTON.translate(2, 0), 0.7, aside=(1, 0))
    maps.say("link", BUTTON, 0.5, aside=(-1, 0))
    assert maps.read() == [("button", BUTTON, 0.9)]


def test_scores_of_competing_roles_are_added() -> None:
    torn = Maps().say("link", BUTTON, 0.25).say("button", BUTTON, 0.3)
    assert torn.read() == [("button", BUTTON, 0.55)]
    assert Maps().say("link", BUTTON, 0.25).read() == []


def test_nested_icon_button_and_row_are_all_kept() -> None:
    icon, row = Box(72, 68, 88, 84), Box(0, 48, 160, 104)
    maps = Maps().say("button", BUTTON, 0.9).say("icon", icon, 0.8).say("list item", row, 0.7)
    assert maps.read() == [("button", BUTTON, 0.9), ("icon", icon, 0.8), ("list item", row, 0.7)]


def test_row_and_button_with_same_box_are_merged() -> None:
    assert Maps().say("button", BUTTON, 0.5).say("list item", BUTTON, 0.6).read() == [("list item", BUTTON, 0.6)]


def test_nan_cells_are_ignored() -> None:
    maps = Maps().say("button", BUTTON, 0.9)
    for values in maps.values:
        values[:, :3] = np.nan
    assert maps.read() == [("button", BUTTON, 0.9)]


def test_ious_equal_iou_of_each_box_pair() -> None:
    one, other = Box(0, 0, 10, 10), Box(5, 0, 15, 10)
    found = ious(np.array([one, other], np.float32), np.array([other], np.float32))
    assert found[:, 0].tolist() == pytest.approx([one.iou(other), 1.0])


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((1920, 1080), (1920, 1080)),
        ((3840, 2160), (1920, 1080)),
        ((1280, 800), (1280, 800)),
        ((1080, 2400), (540, 1200)),
        ((320, 640), (320, 640)),
    ],
)
def test_network_scale_gives_trained_size(size: tuple[int, int], shown: tuple[int, int]) -> None:
    scale = network_scale(size)
    assert (round(size[0] * scale), round(size[1] * scale)) == shown


def test_long_page_scale_follows_text_height() -> None:
    long_page = 1280, 6000
    assert network_scale(long_page) < 0.5
    assert network_scale(long_page, text_height=18) == 1.0
    assert network_scale((1920, 1080), text_height=19) == 1.0
    assert network_scale((1920, 1080), text_height=float("nan")) == 1.0


@given(st.integers(8, 16384), st.integers(8, 16384), st.none() | st.floats(allow_nan=True, allow_infinity=True))
def test_network_scale_never_enlarges(width: int, height: int, text_height: float | None) -> None:
    assert 0 < network_scale((width, height), text_height) <= 1


@given(st.integers(8, 5000), st.integers(8, 20000))
def test_tiles_cover_the_frame_without_overlap(width: int, height: int) -> None:
    size = Size(width, height)
    found = pieces(size)
    assert sum(piece.own.area for piece in found) == size.bounds.area
    for piece in found:
        assert piece.shown.intersect(piece.own) == piece.own
        assert piece.shown.intersect(size.bounds) == piece.shown
        assert piece.shown.area <= max(1920 * 1216, 512 * min(size)) + 2 * min(size)

"""Tests of candidate features: independent of position, on frames of any size."""

from __future__ import annotations

import numpy as np
import pytest

from handeye.geometry import Box, Size
from handeye.parse.candidates import candidates
from handeye.parse.detector import DetectorOutput
from handeye.parse.proposals import Proposals
from handeye.screen import Pixels

POSITION = 18  # how many numbers of a place tell where on the frame it is


def drawn(size: Size, at: tuple[int, int]) -> Pixels:
    frame = np.full((size.height, size.width, 3), 255, np.uint8)
    left, top = at
    frame[top : top + 24, left : left + 40] = (200, 30, 90)
    frame[top + 6 : top + 18, left + 8 : left + 14] = (20, 20, 20)
    return frame


def measured(size: Size, at: tuple[int, int]) -> np.ndarray:
    box = Box(at[0], at[1], at[0] + 40, at[1] + 24)
    seen = Proposals((), (box,), ())
    return candidates(drawn(size, at), DetectorOutput([], []), seen, (), 1.0).features[0]


@pytest.mark.parametrize("size", [Size(1920, 1080), Size(5120, 2880), Size(7680, 4320)], ids=str)
def test_features_do_not_depend_on_frame_position(size: Size) -> None:
    """Sums over a white 5K frame exceed 32 bits."""
    first, last = measured(size, (60, 40)), measured(size, (size.width - 120, size.height - 90))
    assert np.count_nonzero(first) > 100
    assert np.count_nonzero(np.abs(first - last) > 1e-3) <= POSITION


def test_edge_and_one_pixel_boxes_have_finite_features() -> None:
    frame = drawn(Size(200, 100), (0, 0))
    seen = Proposals((), (Box(0, 0, 40, 24), Box(199, 99, 200, 100)), ())
    found = candidates(frame, DetectorOutput([], []), seen, (), 1.0)
    assert len(found) == 2
    assert np.isfinite(found.features).all()

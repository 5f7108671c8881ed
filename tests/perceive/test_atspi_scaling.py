"""Tests of scaling reported boxes to desktop pixels by the window size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("dbus_fast")
from handeye.devices import Window
from handeye.geometry import Box
from handeye.perceive.atspi.scaling import UNSCALED, scaling_of


def window(box: Box, frame: Box | None = None) -> Window:
    return Window(1, "x", box, frame or box)


# What was told and what X11 said of real windows of Qt 6.7 and GTK 3.24.
QT = (Box(300, 118, 2100, 1398), Box(299, 96, 2101, 1403))


@pytest.mark.parametrize(
    ("told", "box", "frame", "factor"),
    [
        (Box(750, 438, 1650, 1078), Box(750, 438, 1650, 1078), Box(749, 416, 1651, 1083), 1.0),
        (Box(350, 185, 1250, 825), Box(525, 278, 1875, 1238), Box(524, 256, 1876, 1243), 1.5),
        (Box(150, 59, 1050, 699), *QT, 2.0),
        (Box(749, 416, 1651, 1083), Box(750, 438, 1650, 1078), Box(749, 416, 1651, 1083), 1.0),
        (Box(149, 48, 1051, 702), *QT, 2.0),
    ],
)
def test_scale_of_recorded_windows(told: Box, box: Box, frame: Box, factor: float) -> None:
    scaling = scaling_of(told, window(box, frame))
    assert scaling is not None
    assert scaling == (factor, 0.0, 0.0)


@given(
    st.sampled_from([1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 3.0, 100 / 96, 1.1, 1.7]),
    st.tuples(st.integers(0, 3000), st.integers(0, 2000), st.integers(300, 1500), st.integers(200, 1200)),
)
def test_scaled_boxes_are_accurate_to_three_pixels(factor: float, at: tuple[int, int, int, int]) -> None:
    left, top, width, height = at
    told = Box(left, top, left + width, top + height)
    box = Box(*(round(each * factor) for each in told))
    scaling = scaling_of(told, window(box))
    assert scaling is not None
    pixels = scaling.pixels(told)
    assert all(abs(a - b) <= 3 for a, b in zip(pixels, box, strict=True)), (scaling, pixels, box)


def test_scaling_keeps_the_monitor_origin() -> None:
    """Qt scales from the monitor's corner, which keeps its position: here at 1920 pixels."""
    told, box = Box(2020, 50, 2820, 650), Box(2120, 100, 3720, 1300)
    scaling = scaling_of(told, window(box))
    assert scaling is not None
    assert scaling.factor == 2.0
    assert scaling.pixels(Box(2030, 60, 2040, 70)) == (2140, 120, 2160, 140)


def test_gtk_shadows_are_not_taken_for_scale() -> None:
    box = Box(100, 100, 900, 700)
    assert scaling_of(Box(74, 77, 926, 729), window(box)) == UNSCALED


@pytest.mark.parametrize(
    "told", [None, Box(0, 0, 800, 300), Box(0, 0, 10, 10), Box(100, 100, 500, 700), Box(0, 0, 2000, 700)]
)
def test_inconsistent_sizes_have_no_scale(told: Box | None) -> None:
    assert scaling_of(told, window(Box(100, 100, 900, 700))) is None


def test_window_moved_meanwhile_is_not_scaled() -> None:
    assert scaling_of(Box(400, 300, 1200, 900), window(Box(100, 100, 900, 700))) == UNSCALED

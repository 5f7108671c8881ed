"""Pixel to press for a box, and a check that the box can be pressed (docs/spec/visual-locator.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from handeye.errors import InvalidBox
from handeye.geometry.checks import four_numbers, frame_size, show
from handeye.geometry.values import Box, Point

MIN_VISIBLE_SHARE: Final = 0.25
"""Share of a cut-off element's area that has to be visible before it may be pressed. Below a quarter, the visible part
is mostly border and shadow, and the element usually has to be scrolled into view first."""

MIN_VISIBLE_SIDE: Final = 8
"""Pixels of a cut-off side that have to be visible: the outermost few belong to edge gestures and rounded corners."""

OUT_OF_SCREEN: Final = "坐标超出屏幕范围"
EMPTY_BOX: Final = "边界框为空"


@dataclass(frozen=True, slots=True)
class LocationCheck:
    """Result of checking a pixel box against a screen (docs/spec/visual-locator.md).

    `valid`: the box is not empty and lies wholly on the screen. `error`: why it is not valid, else `None`.
    `can_interact`: enough of it is visible to press it. `safe_region`: its visible part, where a press is safe; `None`
    unless `can_interact`.
    """

    valid: bool
    error: str | None
    can_interact: bool
    safe_region: Box | None


def click_point(box: tuple[int, int, int, int]) -> Point:
    """Return the pixel to press for `box` (pixels): its centre. Raises `InvalidBox` for an empty or malformed box.

    >>> click_point(Box(100, 200, 300, 250))
    Point(x=200, y=225)
    """
    checked = Box(*(math.floor(value) for value in four_numbers(box)))
    if not checked.area:
        raise InvalidBox(f"box {show(box)} is empty, there is nothing to press: expected left < right and top < bottom")
    return checked.center


def check_location(box: tuple[int, int, int, int], size: tuple[int, int]) -> LocationCheck:
    """Check a pixel box against a screen of `size`.

    A box that leaves the screen is not valid, but may be pressed within `safe_region` if at least `MIN_VISIBLE_SHARE`
    of its area and `MIN_VISIBLE_SIDE` pixels of each cut side are visible. Raises `InvalidBox` if `box` is not four
    numbers or `size` has no pixels.

    >>> check_location(Box(-50, 200, 300, 250), Size(1920, 1080))  # doctest: +NORMALIZE_WHITESPACE
    LocationCheck(valid=False, error='坐标超出屏幕范围', can_interact=True,
                  safe_region=Box(left=0, top=200, right=300, bottom=250))
    """
    checked = Box(*(math.floor(value) for value in four_numbers(box)))
    if not checked.area:
        return LocationCheck(valid=False, error=EMPTY_BOX, can_interact=False, safe_region=None)
    visible = checked.intersect(Box(0, 0, *frame_size(size)))
    if visible == checked:
        return LocationCheck(valid=True, error=None, can_interact=True, safe_region=checked)
    enough = (
        visible is not None
        and visible.area >= checked.area * MIN_VISIBLE_SHARE
        and visible.width >= min(checked.width, MIN_VISIBLE_SIDE)
        and visible.height >= min(checked.height, MIN_VISIBLE_SIDE)
    )
    return LocationCheck(valid=False, error=OUT_OF_SCREEN, can_interact=enough, safe_region=visible if enough else None)

"""
Changes between two frames, with every pixel compared, so that a verdict misses nothing.

This module defines when a pixel has changed and where the page begins. handeye.matching.stability uses both to decide from
a sample of the pixels whether the screen is stable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box, Size
from handeye.screen import Pixels, Screen

# A channel that differs by more has changed; smaller differences are video noise, JPEG and animated shadows.
NOISE: Final = 24
# Status bar of an upright frame (a phone), whose clock and icons change on their own: 24 dp of 640-915 dp.
STATUS_BAR: Final = 0.04
# A smaller share of changed pixels is a blinking caret (0.01 % on a phone); one typed Chinese character is 0.03 %.
LEAST_CHANGE: Final = 0.0002


# A caret is 2-6 pixels wide, and not higher than this share of the frame.
_CARET_WIDTH: Final = 6
_CARET_HEIGHT: Final = 0.06


@dataclass(frozen=True, slots=True)
class Change:
    """The `fraction` (0-1) of changed pixels below the status bar, and the bounding box of the change in frame pixels."""

    fraction: float
    box: Box | None = None

    def __bool__(self) -> bool:
        return self.fraction >= LEAST_CHANGE

    def __str__(self) -> str:
        if not self:
            return "the screen did not change"
        return f"the screen changed by {self.fraction * 100:.1f} %"


def page_top(size: Size) -> int:
    """Return the y coordinate of the page in frame pixels: below the status bar of an upright frame, else 0."""
    return round(size.height * STATUS_BAR) if size.height > size.width else 0


def compare(before: Screen, after: Screen) -> Change:
    """Return the change from one frame to the next; frames of different size differ completely."""
    if before.size != after.size:
        return Change(1.0, after.box)
    top = page_top(after.size)
    changed = _differing(before.pixels[top:], after.pixels[top:])
    count = cv2.countNonZero(changed)
    if not count:
        return Change(0.0)
    left, upper, width, height = cv2.boundingRect(changed)
    return Change(count / changed.size, Box(left, top + upper, left + width, top + upper + height))


def frames_match(one: Screen, other: Screen) -> bool:
    """Return True if two frames are equal except for the status bar and a caret; stricter than `compare`'s verdict."""
    if one is other:
        return True
    box = compare(one, other).box
    return box is None or (
        one.size == other.size and box.width <= _CARET_WIDTH and box.height <= _CARET_HEIGHT * one.size.height
    )


def _differing(old: Pixels, new: Pixels) -> Pixels:
    """
    Return a mask that is above 0 where any channel differs by more than noise; takes a fifteenth of the time of numpy.
    """
    _, over = cv2.threshold(cv2.absdiff(old, new), NOISE, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.cvtColor(over, cv2.COLOR_RGB2GRAY), np.uint8)  # the smallest weight, blue's, yields 29 of 255


# Side of a cell in pixels. Changes in one cell or in neighbouring cells are one region: the letters of a line, a control.
_CELL: Final = 16


def changed_regions(before: Screen, after: Screen) -> list[Box]:
    """Return the changed parts of the frame in frame pixels, from top to bottom; the whole frame if the sizes differ."""
    if before.size != after.size:
        return [after.box]
    change = compare(before, after)
    if change.box is None:
        return []
    left, top, right, bottom = change.box
    changed = _differing(before.pixels[top:bottom, left:right], after.pixels[top:bottom, left:right])
    high, wide = (-(-side // _CELL) for side in changed.shape)
    cells = np.zeros((high, wide), np.uint8)
    rows, columns = np.nonzero(changed)
    cells[rows // _CELL, columns // _CELL] = 1
    _count, _labels, stats, _ = cv2.connectedComponentsWithStats(cells, connectivity=8)
    regions = []
    for x, y, across, down, _area in stats[1:].tolist():
        part = changed[y * _CELL : (y + down) * _CELL, x * _CELL : (x + across) * _CELL]
        ys, xs = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        box = Box(int(xs[0]), int(ys[0]), int(xs[-1]) + 1, int(ys[-1]) + 1)
        regions.append(box.translate(left + x * _CELL, top + y * _CELL))
    return sorted(regions, key=lambda region: (region.top, region.left))

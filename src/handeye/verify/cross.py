"""The ✕ that closes a card, known by its two strokes: no text reader knows it for sure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen

Ink = npt.NDArray[np.bool_]

# Sides, as shares of the frame's shorter side: 14 px on a 1080p desktop, 24 dp of a phone's 360 and twice that.
LEAST_SIDE: Final = 0.012
MOST_SIDE: Final = 0.09
_SMALLEST: Final = 8  # pixels: below it strokes cannot be told apart
_ASPECT: Final = 1.34  # the longer side to the shorter one, at most
_FAINT: Final = 8  # gray levels to the mean around: fainter strokes are not meant to be seen
_GRID: Final = 25
_STROKE: Final = 3  # cells to each side of a stroke's middle that a bold stroke covers on the grid
# Share of the cells along each stroke that are inked, and of those far from both: a ✕ has 0.9 and 0.02, an X in a font 0.8 and
# 0.1 (serifs), a K or a star 0.6 or 0.3.
_ON_STROKE: Final = 0.75
_OFF_STROKE: Final = 0.12

_ROW, _COLUMN = np.indices((_GRID, _GRID))
_OFF_DIAGONAL: Final = np.abs(_ROW - _COLUMN) / np.sqrt(2)
_FROM_STROKES: Final = np.minimum(_OFF_DIAGONAL, _OFF_DIAGONAL[:, ::-1])
_ALONG: Final = np.arange(2, _GRID - 2)  # without the ends, which may be round


def find_crosses(screen: Screen, within: Box) -> list[Box]:
    """Every ✕ in a part of the frame, light on dark or dark on light, in frame pixels: the largest first."""
    part = within.intersect(screen.box)
    if part is None:
        return []
    gray = np.asarray(cv2.cvtColor(screen.pixels[part.top : part.bottom, part.left : part.right], cv2.COLOR_RGB2GRAY))
    boxes = (box.translate(part.left, part.top) for box in _drawn(gray.astype(np.uint8), min(screen.size)))
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: -box.area):  # several thresholds find the same drawing
        if not any(other.contains(box.center) or box.contains(other.center) for other in kept):
            kept.append(box)
    return kept


def is_cross(ink: Ink) -> bool:
    """Return True if the ink, cut to its extent, is two diagonal strokes and nothing else."""
    grid = cv2.resize(ink.astype(np.uint8) * 255, (_GRID, _GRID), interpolation=cv2.INTER_AREA) > 96
    least = min(grid[_ALONG, _ALONG].mean(), grid[_ALONG, _GRID - 1 - _ALONG].mean())
    return bool(least >= _ON_STROKE and grid[_FROM_STROKES > _STROKE + 1].mean() <= _OFF_STROKE)


def _drawn(gray: Pixels, side: int) -> Iterator[Box]:
    """The crosses among what differs from its surroundings."""
    least, most = max(_SMALLEST, round(side * LEAST_SIDE)), max(_SMALLEST, round(side * MOST_SIDE))
    for window in (2 * least, least + most, 2 * most):
        for how, offset in ((cv2.THRESH_BINARY, -_FAINT), (cv2.THRESH_BINARY_INV, _FAINT)):
            mask = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, how, window | 1, offset)
            _count, *found, _centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
            labels, stats = (np.asarray(each, np.int32) for each in found)
            width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
            longer, shorter = np.maximum(width, height), np.minimum(width, height)
            fits = (longer >= least) & (longer <= most) & (longer <= _ASPECT * shorter)
            for index in np.flatnonzero(fits[1:]) + 1:
                left, top, wide, high = (int(value) for value in stats[index][:4])
                if is_cross(labels[top : top + high, left : left + wide] == index):
                    yield Box(left, top, left + wide, top + high)

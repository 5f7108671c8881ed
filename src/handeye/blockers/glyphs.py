"""Detect small glyphs that text readers do not recognise reliably: the ✕ in a corner, and the spinner of a loading page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.blockers.layout_heuristics import brightest, downsampled_pixels, downsampling_step
from handeye.geometry import Box
from handeye.screen import Pixels, Screen

# The ✕ that closes a card, recognised by its two strokes.


Ink = npt.NDArray[np.bool_]

# Sides, as shares of the frame's shorter side: 14 px on a 1080p desktop, 24 dp of a phone's 360 and twice that.
LEAST_SIDE: Final = 0.012
MOST_SIDE: Final = 0.09
_SMALLEST: Final = 8  # pixels: below it strokes cannot be distinguished
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
    """Return every ✕ in a part of the frame, light on dark or dark on light, in frame pixels: the largest first."""
    part = within.intersect(screen.box)
    if part is None:
        return []
    gray = np.asarray(cv2.cvtColor(screen.pixels[part.top : part.bottom, part.left : part.right], cv2.COLOR_RGB2GRAY))
    boxes = (box.translate(part.left, part.top) for box in _cross_boxes(gray.astype(np.uint8), min(screen.size)))
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


def _cross_boxes(gray: Pixels, side: int) -> Iterator[Box]:
    """Yield the crosses among the regions that differ from their surroundings."""
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


# Where a card's ✕ is searched for: this share of the card's width from each upper corner, and slightly outside of it.
_CORNER: Final = 0.24
_OUTSIDE: Final = 0.07
_BELOW: Final = 0.35
# The ring: its side as a share of the frame's shorter side, how even its radius is, and the least part of the circle drawn.
_RING_SIDES: Final = (0.05, 0.3)
_RING_UNEVEN: Final = 0.16
_RING_LEAST: Final = 0.2
_PAGE_INK: Final = 40


def find_cross(screen: Screen, card: Box) -> Box | None:
    """
    Return the ✕ in or next to the upper corners of `card`, or below it, in frame pixels; the right corner is searched first.
    """
    reach, outside = round(card.width * _CORNER), round(card.width * _OUTSIDE)
    top, bottom = card.top - outside, card.top + reach
    middle, below = card.center.x, round(card.width * _BELOW)
    for corner in (
        Box(card.right - reach, top, card.right + outside, bottom),
        Box(card.left - outside, top, card.left + reach, bottom),
        Box(middle - reach // 2, card.bottom, middle + reach // 2, card.bottom + below),
    ):
        if crosses := find_crosses(screen, corner):
            return crosses[0]
    return None


def find_spinner(screen: Screen) -> Box | None:
    """Return a ring, or a part of one, in the middle of an otherwise empty page, in frame pixels; None without one."""
    copy, step = downsampled_pixels(screen), downsampling_step(screen)
    height, width = copy.shape[:2]
    page = Box(round(width * 0.15), round(height * 0.2), round(width * 0.85), round(height * 0.8))
    pixels = copy[page.top : page.bottom, page.left : page.right]
    ground = np.broadcast_to(np.median(pixels[::2, ::2], axis=(0, 1)).astype(np.uint8), pixels.shape)
    ink = (brightest(np.asarray(cv2.absdiff(pixels, np.ascontiguousarray(ground)), np.uint8)) > _PAGE_INK).astype(
        np.uint8
    )
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    least, most = (share * min(width, height) for share in _RING_SIDES)
    rings = []
    for index in range(1, count):
        left, top, wide, high, _area = (int(value) for value in stats[index])
        if max(wide, high) > most:
            return None  # something large: not an empty page
        if max(wide, high) < least:
            continue
        if not _is_ring(labels[top : top + high, left : left + wide] == index):
            return None
        rings.append(Box(left, top, left + wide, top + high).translate(page.left, page.top))
    if len(rings) != 1 or abs(rings[0].center.x - width / 2) > 0.1 * width:
        return None
    return rings[0].scale(step, step).clip(screen.size)


def _is_ring(ink: npt.NDArray[np.bool_]) -> bool:
    """Return True if all ink has the same distance from some centre, over a good part of the circle."""
    y, x = np.nonzero(ink)
    # Least squares for x^2 + y^2 = 2ax + 2by + c (Kasa): also right for a part of a circle.
    system = np.column_stack((2 * x, 2 * y, np.ones(len(x))))
    (a, b, c), *_rest = np.linalg.lstsq(system, (x * x + y * y).astype(np.float64), rcond=None)
    if c + a * a + b * b <= 0:
        return False
    radius = float(np.sqrt(c + a * a + b * b))
    distance = np.hypot(x - a, y - b)
    turned = np.unique((np.arctan2(y - b, x - a) * 36 / np.pi).astype(int))
    size = max(ink.shape)
    return bool(distance.std() <= _RING_UNEVEN * radius and radius <= size and len(turned) >= _RING_LEAST * 72)

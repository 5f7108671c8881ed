"""Small signs that no text reader knows for sure: the ✕ in a corner, and the turning ring of a page that loads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen

# Where a card's ✕ is looked for: this share of the card's width from each upper corner, and a bit outside of it.
_CORNER: Final = 0.24
_OUTSIDE: Final = 0.07
# Sides of a ✕, as shares of the frame's shorter side.
_CROSS_LEAST: Final = 0.012
_CROSS_MOST: Final = 0.09
_FAINT: Final = 8  # gray levels to the mean around: fainter strokes are not meant to be seen
_GRID: Final = 25
_STROKE: Final = 3  # cells to each side of a diagonal that a bold stroke covers on the grid
# Share of the cells along each diagonal that are inked, and of those far from both: a ✕ has 0.9 and 0.02, an X in a font 0.8
# and 0.1 (serifs), a K or a star 0.6 or 0.3.
_ON_DIAGONAL: Final = 0.75
_OFF_DIAGONAL: Final = 0.12

# The ring: its side as a share of the frame's shorter side, how even its radius is, and the least part of the circle drawn.
_RING_SIDES: Final = (0.05, 0.3)
_RING_UNEVEN: Final = 0.16
_RING_LEAST: Final = 0.2
_PAGE_INK: Final = 40


def find_cross(screen: Screen, card: Box) -> Box | None:
    """The ✕ in or just beside the upper corners of `card`, in frame pixels; the right corner is looked at first."""
    reach, outside = round(card.width * _CORNER), round(card.width * _OUTSIDE)
    top, bottom = card.top - outside, card.top + reach
    for corner in (
        Box(card.right - reach, top, card.right + outside, bottom),
        Box(card.left - outside, top, card.left + reach, bottom),
    ):
        part = corner.intersect(screen.box)
        if part is None:
            continue
        for box in _crosses(screen.pixels[part.top : part.bottom, part.left : part.right], min(screen.size)):
            return box.translate(part.left, part.top)
    return None


def _crosses(pixels: Pixels, side: int) -> Iterator[Box]:
    """Crosses in a small picture, light on dark or dark on light; the largest first."""
    gray = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    least, most = max(8, round(side * _CROSS_LEAST)), round(side * _CROSS_MOST)
    found: list[Box] = []
    for window in (2 * least, least + most, 2 * most):
        for how, offset in ((cv2.THRESH_BINARY, -_FAINT), (cv2.THRESH_BINARY_INV, _FAINT)):
            mask = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, how, window | 1, offset)
            count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
            for index in range(1, count):
                left, top, width, height, _area = (int(value) for value in stats[index])
                if min(width, height) < least or max(width, height) > most or not 0.75 <= width / height <= 1.34:
                    continue
                if is_cross(labels[top : top + height, left : left + width] == index):
                    found.append(Box(left, top, left + width, top + height))
    return iter(sorted(found, key=lambda box: -box.area))


def is_cross(ink: npt.NDArray[np.bool_]) -> bool:
    """Whether the ink, cut to its extent, is two diagonal strokes and nothing else."""
    grid = cv2.resize(ink.astype(np.uint8) * 255, (_GRID, _GRID), interpolation=cv2.INTER_AREA) > 96
    row, column = np.indices(grid.shape)
    falling, rising = np.abs(row - column), np.abs(row + column - (_GRID - 1))
    middle = slice(2, _GRID - 2)  # round stroke ends leave the very corners empty
    steps = np.arange(_GRID)[middle]
    on_falling, on_rising = grid[steps, steps].mean(), grid[steps, _GRID - 1 - steps].mean()
    far = (falling > _STROKE + 1) & (rising > _STROKE + 1)
    return bool(min(on_falling, on_rising) >= _ON_DIAGONAL and grid[far].mean() <= _OFF_DIAGONAL)


def find_spinner(screen: Screen) -> Box | None:
    """A ring, or a part of one, that stands in the middle of an otherwise empty page, in frame pixels."""
    width, height = screen.size
    page = Box(round(width * 0.15), round(height * 0.2), round(width * 0.85), round(height * 0.8))
    pixels = screen.pixels[page.top : page.bottom, page.left : page.right].astype(np.int16)
    ink = (np.abs(pixels - np.median(pixels, axis=(0, 1))).max(axis=2) > _PAGE_INK).astype(np.uint8)
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
    return rings[0]


def _is_ring(ink: npt.NDArray[np.bool_]) -> bool:
    """Whether all ink lies at one distance from some centre, over a good part of the circle."""
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

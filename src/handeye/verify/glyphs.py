"""Small signs that no text reader knows for sure: the ✕ in a corner, and the turning ring of a page that loads."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.verify.coarse import brightest, coarse_pixels, step_of
from handeye.verify.cross import find_crosses

# Where a card's ✕ is looked for: this share of the card's width from each upper corner, and a bit outside of it.
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
    The ✕ in or just beside the upper corners of `card`, or hanging below it, in frame pixels; the right corner is looked at
    first.
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
    """A ring, or a part of one, that stands in the middle of an otherwise empty page, in frame pixels."""
    copy, step = coarse_pixels(screen), step_of(screen)
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
    """Return True if all ink lies at one distance from some centre, over a good part of the circle."""
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

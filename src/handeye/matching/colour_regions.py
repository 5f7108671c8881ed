"""Parts of a frame that contain a picture's main colour: the rest of the frame need not be searched for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.matching.reference import GLANCE_DRIFT, Reference, lab, near_colour
from handeye.screen import Pixels, Screen

# Smallest sampling step in pixels: from 4 on the colour filter costs less than it saves.
_LEAST_STEP: Final = 4
# A window must contain this share of the picture's amount of its main colour (`evidence.has_main_colour` requires more).
_LEAST_SHARE: Final = 0.3
# Factor between the window sizes that are measured, each for the sizes around it.
_BETWEEN: Final = 1.25
# Fixed cost of searching one part, in pixels.
_PART_COSTS: Final = 4000
# Parts are searched one by one if that takes less than this share of the time for the whole frame.
_WORTH_IT: Final = 0.8
_WHITE: Final = 255


def coloured_parts(
    reference: Reference, screen: Screen, within: Box, scales: Sequence[float], step: int
) -> list[Box] | None:
    """
    Return the parts of `within` that contain enough of the picture's main colour for one of `scales`.

    Boxes are in pixels of the frame and may overlap; every `step`-th pixel is sampled. Returns None if everything must be
    searched: the picture has no main colour or is small, or the colour is everywhere.
    """
    if step < _LEAST_STEP or reference.main_colour is None:
        return None
    colour, share = reference.main_colour
    alike = near_colour(_colours(screen, step), colour, GLANCE_DRIFT)
    near = np.zeros(alike.shape, np.uint8)
    height, width = reference.gray.shape
    for scale in _levels(min(scales), max(scales)):
        wide, high = max(1, round(width * scale / step)), max(1, round(height * scale / step))
        summed = cv2.boxFilter(alike, cv2.CV_32S, (wide, high), normalize=False, borderType=cv2.BORDER_REPLICATE)
        seen = summed >= _LEAST_SHARE * share * wide * high * _WHITE
        # The whole window around each such center, a little larger, and with a pixel of tolerance.
        reach = np.ones((round(high * _BETWEEN) + 3, round(wide * _BETWEEN) + 3), np.uint8)
        near |= np.asarray(cv2.dilate(seen.astype(np.uint8), reach), np.uint8)
    _count, _labels, stats, _centres = cv2.connectedComponentsWithStats(near)
    boxes = [
        Box(left * step, top * step, (left + columns) * step, (top + rows) * step)
        for left, top, columns, rows, _area in stats[1:].tolist()
    ]
    parts = [part for part in (box.intersect(within) for box in boxes) if part]
    cost = sum(part.area / step**2 + _PART_COSTS for part in parts)
    return parts if cost < _WORTH_IT * within.area / step**2 else None


def _levels(low: float, high: float) -> list[float]:
    levels = [low]
    while levels[-1] * _BETWEEN < high:
        levels.append(levels[-1] * _BETWEEN)
    return [*levels, high] if high > low else levels


def _colours(screen: Screen, step: int) -> Pixels:
    """Return every `step`-th pixel in 8-bit CIELAB; cached with the screen until it is released."""
    known: Pixels | None = screen.derived.get(("colours", step))
    if known is None:
        top, left = (min(step, length) // 2 for length in screen.pixels.shape[:2])
        known = screen.derived["colours", step] = lab(screen.pixels[top::step, left::step])
    return known

"""A coarse copy of a frame, taken once: enough to see cards, pages and letters, at a tenth of the cost."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from handeye.screen import Pixels, Screen

# The frame is taken in steps of so many pixels that its shorter side has about this many: letters are still 4 pixels high.
COARSE: Final = 360


def step_of(screen: Screen) -> int:
    """How many pixels of the frame are one of the copy."""
    return max(1, min(screen.size) // COARSE)


def coarse_pixels(screen: Screen) -> Pixels:
    """Every so many-th pixel of every so many-th row, of shape (height, width, 3)."""
    known: Pixels | None = screen.derived.get(("coarse", 3))
    if known is None:
        step, (width, height) = step_of(screen), screen.size
        size = (-(-width // step), -(-height // step))
        # The same as `pixels[::step, ::step]`, which numpy copies byte by byte: a tenth of its time.
        small = cv2.resize(screen.pixels, size, interpolation=cv2.INTER_NEAREST)
        known = screen.derived["coarse", 3] = np.asarray(small, np.uint8)
    return known


def coarse_gray(screen: Screen) -> Pixels:
    """The luma of `coarse_pixels`, of shape (height, width)."""
    known: Pixels | None = screen.derived.get(("coarse", 1))
    if known is None:
        gray = np.asarray(cv2.cvtColor(coarse_pixels(screen), cv2.COLOR_RGB2GRAY), np.uint8)
        known = screen.derived["coarse", 1] = gray
    return known


def brightest(pixels: Pixels) -> Pixels:
    """The largest of the three channels of each pixel."""
    red, green, blue = cv2.split(pixels)
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)

"""Comparing a stored picture of a whole page with the frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.screen import Pixels, Screen

Floats = npt.NDArray[np.float32]

# A state's picture has the screen's shape (seed 004: thumbnails of 360x640) and is no icon.
_SHAPE_TOLERANCE: Final = 0.03
_LEAST_HEIGHT: Final = 320
# Both are compared at this width: text becomes texture, so that the layout counts and not the words.
_WIDTH: Final = 120
_BLUR: Final = 3


def is_whole_screen(shape: Sequence[int], screen: Screen) -> bool:
    """Whether a picture of that shape (height, width, ...) is of a whole screen like this one."""
    height, width = shape[:2]
    wanted, own = width / height, screen.size.width / screen.size.height
    return max(height, width) >= _LEAST_HEIGHT and abs(wanted / own - 1) <= _SHAPE_TOLERANCE


def likeness(page: Pixels, screen: Screen) -> float:
    """How alike a page's picture and the frame are, 0-1: the weaker of the correlations of gray values and of edges."""
    size = (_WIDTH, round(_WIDTH * screen.size.height / screen.size.width))
    gray = [_reduced(pixels, size) for pixels in (page, screen.pixels)]
    edges = [_edges(part) for part in gray]
    return max(0.0, min(_correlation(*gray), _correlation(*edges)))


def _edges(gray: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.abs(cv2.Laplacian(gray, cv2.CV_32F)), (0, 0), _BLUR), np.float32)


def _reduced(pixels: Pixels, size: tuple[int, int]) -> Floats:
    gray = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.float32)


def _correlation(one: Floats, other: Floats) -> float:
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one * one).sum() * (other * other).sum()))
    if scale == 0:
        return float(np.array_equal(one, other))
    return float((one * other).sum() / scale)

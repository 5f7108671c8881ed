"""Comparing a stored picture of a whole page with the frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.screen import Pixels, Screen

Floats = npt.NDArray[np.float32]

# A state's picture as a whole (seed 004: states/*.png): from this likeness on it is the same page. On the virtual phone other
# pages of the same theme came to 0.74 at most; the same page with another clock and another message to 0.9 and more. Between
# the two nobody can say.
SAME_PAGE: Final = 0.88
DIFFERENT_PAGE: Final = 0.78
# The same page in the other theme: light and dark change places, the edges stay. On the virtual phone its edges came to 0.94
# and more, those of two pages in two themes to 0.37 at most.
_SAME_EDGES: Final = 0.82
_SWAPPED: Final = 0.3
# A state's picture as a rule has the screen's shape, and is no icon.
_SHAPE_TOLERANCE: Final = 0.03
_LEAST_HEIGHT: Final = 320
# Of the longer side to the shorter: a phone's or a tablet's screen, whatever the shape of the one that is looked at.
_SCREEN_SHAPES: Final = (1.25, 2.5)
# Gray levels between the darkest and the lightest place of a page; a flat one is like every flat one.
_FLAT: Final = 8
# Both are compared at this width: text becomes texture, so that the layout counts and not the words.
_WIDTH: Final = 120
_BLUR: Final = 3


def is_whole_screen(shape: Sequence[int], screen: Screen) -> bool:
    """Whether a picture of that shape (height, width, ...) is of a whole screen like this one."""
    height, width = shape[:2]
    wanted, own = width / height, screen.size.width / screen.size.height
    return max(height, width) >= _LEAST_HEIGHT and abs(wanted / own - 1) <= _SHAPE_TOLERANCE


def may_be_stretched(page: Pixels, screen: Screen) -> bool:
    """
    Whether a picture may be of a whole screen all the same, brought to another shape: seed 004's thumbnails of 360x640 are, of
    phones with 9:20. On the virtual phone the same page, stretched back, came to 0.99 and more, another one to 0.53 at most.
    """
    height, width = page.shape[:2]
    low, high = _SCREEN_SHAPES
    upright = (height > width) == (screen.size.height > screen.size.width)
    shaped = low <= max(height, width) / min(height, width) <= high and max(height, width) >= _LEAST_HEIGHT
    return upright and shaped and int(np.ptp(page)) > _FLAT


@dataclass(frozen=True, slots=True)
class PageSimilarity:
    """How alike two pages are: the correlations of their gray values and of their edges, -1 to 1."""

    gray: float
    edges: float

    @property
    def whole(self) -> float:
        """The weaker of both, 0-1."""
        return max(0.0, min(self.gray, self.edges))

    @property
    def in_other_colours(self) -> bool:
        """Whether the layout is the same and the brightness is not."""
        return self.edges >= _SAME_EDGES and self.gray < _SWAPPED


def similarity_of_pages(page: Pixels, screen: Screen) -> PageSimilarity:
    """How alike a page's picture and the frame are."""
    size = (_WIDTH, round(_WIDTH * screen.size.height / screen.size.width))
    gray = [_reduced(pixels, size) for pixels in (page, screen.pixels)]
    edges = [_edges(part) for part in gray]
    return PageSimilarity(_correlation(*gray), _correlation(*edges))


def part_similarity(page: Pixels, screen: Screen) -> PageSimilarity:
    """How alike a picture and that part of the frame are, as wide or as high as it, which is most like it."""
    height, width = page.shape[:2]
    scale = min(screen.size.width / width, screen.size.height / height) * _WIDTH / screen.size.width
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    part = _reduced(page, size)
    whole = _reduced(screen.pixels, (_WIDTH, round(_WIDTH * screen.size.height / screen.size.width)))
    part = part[: whole.shape[0], : whole.shape[1]]
    _low, _best, _where, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(whole, part, cv2.TM_CCOEFF_NORMED))
    there = whole[top : top + part.shape[0], left : left + part.shape[1]]
    return PageSimilarity(_correlation(part, there), _correlation(_edges(part), _edges(there)))


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

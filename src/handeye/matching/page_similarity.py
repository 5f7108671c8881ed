"""Compare a stored picture of a whole page with the frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.screen import Pixels, Screen

Floats = npt.NDArray[np.float32]

# Similarity of a picture of a page (states/*.png, docs/spec/vision-agent.md) from which it is the same page, and below
# which it is another one; in between it is undecided. On the virtual phone other pages of the same theme reached 0.74 at
# most; the same page with another clock and another message at least 0.9.
SAME_PAGE: Final = 0.88
DIFFERENT_PAGE: Final = 0.78
# The same page in the other theme: light and dark are swapped, the edges stay. On the virtual phone its edges reached at
# least 0.94, those of two pages in two themes 0.37 at most.
_SAME_EDGES: Final = 0.82
_SWAPPED: Final = 0.3
# A picture of a page normally has the screen's aspect ratio, and is larger than an icon.
_SHAPE_TOLERANCE: Final = 0.03
_LEAST_HEIGHT: Final = 320
# Aspect ratio (longer side to shorter) of the screen of any phone or tablet.
_SCREEN_SHAPES: Final = (1.25, 2.5)
# Least range of a page's gray values; a flat page is similar to every flat page.
_FLAT: Final = 8
# Both are compared at this width: text becomes texture, so that the layout is compared and not the words.
_WIDTH: Final = 120
_BLUR: Final = 3


def is_whole_screen(shape: Sequence[int], screen: Screen) -> bool:
    """Return True if a picture of that shape (height, width, ...) may show a whole screen like this one."""
    height, width = shape[:2]
    wanted, own = width / height, screen.size.width / screen.size.height
    return max(height, width) >= _LEAST_HEIGHT and abs(wanted / own - 1) <= _SHAPE_TOLERANCE


def may_be_stretched(page: Pixels, screen: Screen) -> bool:
    """
    Return True if a picture may show a whole screen that was resized to another aspect ratio.

    docs/spec/vision-agent.md has thumbnails of 360x640 of phones with 9:20. On the virtual phone the same page, stretched
    back, reached at least 0.99, another page 0.53 at most.
    """
    height, width = page.shape[:2]
    low, high = _SCREEN_SHAPES
    upright = (height > width) == (screen.size.height > screen.size.width)
    shaped = low <= max(height, width) / min(height, width) <= high and max(height, width) >= _LEAST_HEIGHT
    return upright and shaped and int(np.ptp(page)) > _FLAT


@dataclass(frozen=True, slots=True)
class PageSimilarity:
    """Similarity of two pages: the correlations of their gray values and of their edges, -1 to 1."""

    gray: float
    edges: float

    @property
    def whole(self) -> float:
        """The lower of both, 0-1."""
        return max(0.0, min(self.gray, self.edges))

    @property
    def in_other_colours(self) -> bool:
        """True if the layout is the same and the brightness is not."""
        return self.edges >= _SAME_EDGES and self.gray < _SWAPPED


def similarity_of_pages(page: Pixels, screen: Screen) -> PageSimilarity:
    """Return the similarity of a page's picture and the frame."""
    size = (_WIDTH, round(_WIDTH * screen.size.height / screen.size.width))
    gray = [_reduced(pixels, size) for pixels in (page, screen.pixels)]
    edges = [_edges(part) for part in gray]
    return PageSimilarity(_correlation(*gray), _correlation(*edges))


def part_similarity(page: Pixels, screen: Screen) -> PageSimilarity:
    """
    Return the similarity of a picture, scaled to the frame's width or height, and the part of the frame that is most
    similar.
    """
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

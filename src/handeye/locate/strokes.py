"""Second evidence for a picture that was found: are its strokes really there, one by one?

Correlation weighs areas: a magnifier without its handle is a circle, 发布 is half of 发送, and both still score 0.8.
Here strokes are counted instead: what share of the picture's edge pixels has an edge in the same place on the screen,
whatever the colours are, and whichever of them is light.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.locate.details import RIM_SHARE, largest
from handeye.locate.pyramid import edges
from handeye.locate.reference import Reference
from handeye.screen import Pixels, Screen

Mask = npt.NDArray[np.bool_]

# A pixel is on a stroke from this share of the picture's strong edges on (their 95th percentile), and at least so strong: the
# share keeps it the same in a faint dark theme, the floor keeps JPEG noise out.
_STRONG_PERCENTILE: Final = 95
_STROKE_SHARE: Final = 0.35
_FAINTEST: Final = 10
# Places are exact to a pixel; scaling moves the strokes of a large picture by a little more.
_OFF_SHARE: Final = 0.02
# What hides a part of an icon hides one side of it, up to this share of its width or height.
_COVERED: Final = 0.4
# Side of the small windows that are compared one by one (here and in evidence.py), as a share of the shorter side.
WINDOW_SHARE: Final = 1 / 6
# In the outer third of a hidden side so few strokes are seen (covered icons: 0.12-0.31, whose rest is there to 1.0). Where
# more are, nothing covers it and the picture itself differs (发布 for 发送: 0.78, and 0.93 of the rest).
_HIDDEN: Final = 1 / 3
_HIDDEN_SEEN: Final = 0.35
# What hides it looks otherwise: half of its pixels differ by so many gray values. On a button that is a little larger than its
# picture, a border is not seen where it should be, but the face beside it is the same.
_HIDDEN_APART: Final = 8


@dataclass(frozen=True, slots=True)
class Strokes:
    """The strokes of a picture as it should look at its place, and which of them are seen there."""

    wanted: Mask
    seen: Mask
    unasked: Mask
    apart: Pixels  # difference of the gray values

    @property
    def share(self) -> float:
        """Return the share (0-1) of the picture's strokes that is there."""
        return _share(self.wanted, self.seen)

    def most_unasked(self) -> float:
        """The largest stroke there that the picture does not have, as a share of a small window's area (see evidence)."""
        side = max(5, round(min(self.unasked.shape) * WINDOW_SHARE))
        return float(largest(self.unasked) / (side * side))

    def share_uncovered(self) -> float:
        """The same without the side that something covers; 0 when no side is covered."""
        best = 0.0
        for wanted, seen, apart in zip(*map(_turned, (self.wanted, self.seen, self.apart)), strict=True):
            hidden, rest = (round(len(wanted) * part) for part in (_HIDDEN, _COVERED))
            is_other = wanted[:hidden].any() and float(np.median(apart[:hidden])) >= _HIDDEN_APART
            if is_other and _share(wanted[:hidden], seen[:hidden]) <= _HIDDEN_SEEN:
                best = max(best, _share(wanted[rest:], seen[rest:]))
        return best


def strokes_at(reference: Reference, screen: Screen, box: Box) -> Strokes:
    """Compares the strokes of the whole picture with those inside `box`, where it was found."""
    visible = box.clip(screen.size)
    size = (visible.width, visible.height)
    how = cv2.INTER_AREA if visible.width < reference.gray.shape[1] else cv2.INTER_LINEAR
    picture = np.asarray(cv2.resize(reference.gray, size, interpolation=how), np.uint8)
    part = np.ascontiguousarray(screen.pixels[visible.top : visible.bottom, visible.left : visible.right])
    gray = np.asarray(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY), np.uint8)
    wanted = edges(picture)
    mask = None
    if reference.mask is not None:
        mask = cv2.erode(cv2.resize(reference.mask, size, interpolation=cv2.INTER_NEAREST), np.ones((3, 3), np.uint8))
        wanted[mask == 0] = 0
    drawn = _strong(wanted)
    off = max(1, round(_OFF_SHARE * min(size)))
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * off + 1, 2 * off + 1))
    shown = _strong(edges(gray))
    there = cv2.dilate(shown.astype(np.uint8), around) > 0
    further = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * off + 3, 2 * off + 3))
    unasked = shown & (cv2.dilate(drawn.astype(np.uint8), further) == 0)
    if mask is not None:
        unasked &= mask > 0
    rim = max(1, round(RIM_SHARE * min(size)))
    unasked[:rim], unasked[-rim:], unasked[:, :rim], unasked[:, -rim:] = False, False, False, False
    return Strokes(drawn, drawn & there, unasked, np.asarray(cv2.absdiff(picture, gray), np.uint8))


def _strong(strength: Pixels) -> Mask:
    counts = cv2.calcHist([strength], [0], None, [256], [0, 256]).ravel().astype(np.intp)
    counts[: _FAINTEST + 1] = 0
    return np.asarray(strength > max(_FAINTEST, _STROKE_SHARE * _percentile(counts, _STRONG_PERCENTILE)))


def _percentile(counts: npt.NDArray[np.intp], percent: int) -> float:
    """As np.percentile, of 8-bit values of which only is known how often each occurs; 0 when none does."""
    upto = np.cumsum(counts)
    if not upto[-1]:
        return 0.0
    rank = (float(upto[-1]) - 1) * percent / 100
    low, high = np.searchsorted(upto, (math.floor(rank), math.ceil(rank)), side="right").tolist()
    return float(low + (high - low) * (rank - math.floor(rank)))


def _share(wanted: Mask, seen: Mask) -> float:
    return float(seen.sum() / max(1, wanted.sum()))


def _turned(values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """With each side in turn on top."""
    return values, values[::-1], values.T, values.T[::-1]

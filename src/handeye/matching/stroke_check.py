"""Second check of a template match: the share of the picture's strokes that are present on the screen.

Correlation weights areas: a magnifier without its handle is a circle, 发布 is half of 发送, and both still score 0.8.
Here strokes are counted instead: the share of the picture's edge pixels with an edge at the same position on the screen,
independent of colour and polarity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.matching.detail_check import LEAST_CONTRAST, RIM_SHARE, largest
from handeye.matching.pyramid import edges
from handeye.matching.reference import Reference
from handeye.screen import Pixels, Screen

Mask = npt.NDArray[np.bool_]

# A pixel is on a stroke from the share _STROKE_SHARE of the picture's strong edges on (their 95th percentile), and from
# _FAINTEST on: the share adapts to a faint dark theme, the minimum excludes JPEG noise.
_STRONG_PERCENTILE: Final = 95
_STROKE_SHARE: Final = 0.35
_FAINTEST: Final = 10
# Tolerance as a share of the shorter side: positions are exact to a pixel, but scaling shifts the strokes of a large
# picture more.
_OFF_SHARE: Final = 0.02
# A covered icon is covered on one side, up to this share of its width or height.
_COVERED: Final = 0.4
# Side of the small windows that are compared one by one (here and in evidence.py), as a share of the shorter side.
WINDOW_SHARE: Final = 1 / 6
# Largest share of strokes visible in the outer third of a covered side (covered icons: 0.12-0.31, with 1.0 of the rest).
# With a larger share nothing covers it and the picture itself differs (发布 for 发送: 0.78, and 0.93 of the rest).
_HIDDEN: Final = 1 / 3
_HIDDEN_SEEN: Final = 0.35
# A covered side looks different: half of its pixels differ by at least this many gray values. On a button that is a little
# larger than its picture, a border is not where it should be, but the face next to it is the same.
_HIDDEN_APART: Final = 8


@dataclass(frozen=True, slots=True)
class Strokes:
    """Strokes of a picture as it should look on the screen, and those of them that are present there."""

    wanted: Mask
    seen: Mask
    unasked: Mask
    apart: Pixels  # absolute difference of the gray values

    @property
    def share(self) -> float:
        """Share (0-1) of the picture's strokes that are present."""
        return _share(self.wanted, self.seen)

    def largest_extra_stroke(self) -> float:
        """
        Return the largest stroke on the screen that the picture lacks, as a share of a small window's area (see
        evidence.py).
        """
        side = max(5, round(min(self.unasked.shape) * WINDOW_SHARE))
        return float(largest(self.unasked) / (side * side))

    def share_uncovered(self) -> float:
        """Return the share without the covered side; 0 if no side is covered."""
        best = 0.0
        for wanted, seen, apart in zip(*map(_rotations, (self.wanted, self.seen, self.apart)), strict=True):
            hidden, rest = (round(len(wanted) * part) for part in (_HIDDEN, _COVERED))
            is_other = wanted[:hidden].any() and float(np.median(apart[:hidden])) >= _HIDDEN_APART
            if is_other and _share(wanted[:hidden], seen[:hidden]) <= _HIDDEN_SEEN:
                best = max(best, _share(wanted[rest:], seen[rest:]))
        return best


def strokes_at(reference: Reference, screen: Screen, box: Box) -> Strokes:
    """Compare the strokes of the whole picture with those inside `box`, where it was found."""
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
    """Return the percentile of 8-bit values from their histogram, as np.percentile does; 0 for an empty histogram."""
    upto = np.cumsum(counts)
    if not upto[-1]:
        return 0.0
    rank = (float(upto[-1]) - 1) * percent / 100
    low, high = np.searchsorted(upto, (math.floor(rank), math.ceil(rank)), side="right").tolist()
    return float(low + (high - low) * (rank - math.floor(rank)))


def _share(wanted: Mask, seen: Mask) -> float:
    return float(seen.sum() / max(1, wanted.sum()))


def _rotations(values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Return the values four times, with each side in turn on top."""
    return values, values[::-1], values.T, values.T[::-1]


# Check for a small added or missing mark in a match by less than gray values alone. "Save." for "Save" on the same blue
# button, in letters of 32 pixels, has gray values 0.82, edges 0.83 and every stroke: a full stop is too small for shares of
# strokes and windows. A mark is a small difference whose surroundings are equal; next to a cover, or on another background,
# they are not.


Floats = npt.NDArray[np.float32]

# From this share of the contrast on a pixel counts as different, with a tolerance of one pixel.
_OTHER: Final = 0.6
# Least connected pixels. In 250 matches of the corpus and the calibration scenes true matches had none, a full stop of
# letters of 32 pixels has 11, of 24 pixels 5.
_LEAST_MARK: Final = 5
# Margin around a mark in which the rest must be equal (pixels), and the share of it that may differ.
_AROUND: Final = 6
_OTHER_AROUND: Final = 0.05
# The contrast is the range of the pixels without this percentage at either end, and at least LEAST_CONTRAST.
_OUTLIERS: Final = 0.5
_SQUARE: Final = np.ones((3, 3), np.uint8)


def has_other_mark(there: Pixels, here: Pixels, mask: Pixels | None) -> bool:
    """
    Return True if `here` (the screen's gray values) has a small piece of ink that `there` (the picture, resized to match)
    lacks, or lacks one that it has, while the surroundings are equal.

    Overall lightness and contrast may differ, even light on dark for dark on light. `mask` marks the pixels that count
    (255). A piece that reaches the border is ignored: it may belong to something next to the match, or covering it.
    """
    wanted, seen = there.astype(np.float32), here.astype(np.float32)
    counts = np.ones(there.shape, bool) if mask is None else cv2.erode(mask, _SQUARE) > 0
    if not counts.any():
        return False
    pieces = _differing_pixels(wanted, seen, counts, counts) & counts
    count, labels, stats, _centres = cv2.connectedComponentsWithStats(pieces.astype(np.uint8))
    height, width = there.shape
    for index in range(1, count):
        left, top, wide, high, area = stats[index].tolist()
        part = slice(max(0, top - _AROUND), top + high + _AROUND), slice(max(0, left - _AROUND), left + wide + _AROUND)
        is_inside = (
            left >= _AROUND and top >= _AROUND and left + wide <= width - _AROUND and top + high <= height - _AROUND
        )
        if area < _LEAST_MARK or not is_inside:
            continue
        piece = labels[part] == index
        around = counts[part] & (cv2.dilate(piece.astype(np.uint8), _SQUARE, iterations=2) == 0)
        if not around.any():
            continue
        other = _differing_pixels(wanted[part], seen[part], around, counts[part])
        if (other & piece).sum() >= _LEAST_MARK and float((other & around).sum()) <= _OTHER_AROUND * float(
            around.sum()
        ):
            return True
    return False


def _differing_pixels(wanted: Floats, seen: Floats, lit_by: Mask, counts: Mask) -> Mask:
    """
    Return the pixels that differ from all pixels of the other image within one pixel, after `lit_by` has aligned the
    lightness.
    """
    there, here = wanted[lit_by], seen[lit_by]
    spread = float(there.var())
    gain = float(((there - there.mean()) * (here - here.mean())).mean()) / spread if spread else 1.0
    lit = np.asarray((wanted - there.mean()) * gain + here.mean(), np.float32)
    low, high = np.percentile(np.concatenate([lit[counts], seen[counts]]), (_OUTLIERS, 100 - _OUTLIERS))
    off = np.maximum(_distance_from_range(seen, lit), _distance_from_range(lit, seen))
    return np.asarray(off >= _OTHER * max(LEAST_CONTRAST, float(high - low)))


def _distance_from_range(values: Floats, others: Floats) -> Floats:
    """Return the distance of each value from the range of the others around it; below 0 inside the range."""
    return np.asarray(np.maximum(values - cv2.dilate(others, _SQUARE), cv2.erode(others, _SQUARE) - values), np.float32)

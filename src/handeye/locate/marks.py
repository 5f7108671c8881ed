"""Is there a mark too many, or one too few, where a picture was found by less than gray values alone?

"Save." for "Save" on the same blue button, in letters of 32 pixels: gray values 0.82, edges 0.83, and every stroke is there. A
stop is too small for shares of strokes and windows. But all around it is as it should be, which is not so beside what covers a
picture, or where it stands on another background: so a piece that alone is another, among what is the same, is a mark.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.locate.details import LEAST_CONTRAST
from handeye.screen import Pixels

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# From this share of the contrast on a pixel is another one, even when it may lie one pixel off.
_OTHER: Final = 0.6
# Pixels in one piece. In 250 places of the corpus and the calibration scenes the thing itself had none, a stop of letters of
# 32 pixels has 11, of 24 pixels 5.
_LEAST_MARK: Final = 5
# How far around a mark it is looked whether the rest is the same (pixels), and how much of that may be another.
_AROUND: Final = 6
_OTHER_AROUND: Final = 0.05
# The contrast is that of all but this percentage of the pixels at either end, and at least LEAST_CONTRAST.
_OUTLIERS: Final = 0.5
_SQUARE: Final = np.ones((3, 3), np.uint8)


def has_other_mark(there: Pixels, here: Pixels, mask: Pixels | None) -> bool:
    """
    Return True if `here` (the screen's gray values) has a small piece of ink that `there` (the picture's, in the same size)
    lacks, or lacks one that it has, while all around that is the same.

    Lightness and contrast may differ as a whole, light on dark for dark on light, too. `mask` says which pixels count (255). A
    piece that reaches the border is none: it may belong to what stands beside the thing, or covers it.
    """
    wanted, seen = there.astype(np.float32), here.astype(np.float32)
    counts = np.ones(there.shape, bool) if mask is None else cv2.erode(mask, _SQUARE) > 0
    if not counts.any():
        return False
    pieces = _apart(wanted, seen, counts, counts) & counts
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
        other = _apart(wanted[part], seen[part], around, counts[part])
        if (other & piece).sum() >= _LEAST_MARK and float((other & around).sum()) <= _OTHER_AROUND * float(
            around.sum()
        ):
            return True
    return False


def _apart(wanted: Floats, seen: Floats, lit_by: Mask, counts: Mask) -> Mask:
    """Return the pixels where one of both differs from all of the other within a pixel, in the light of the pixels `lit_by`."""
    there, here = wanted[lit_by], seen[lit_by]
    spread = float(there.var())
    gain = float(((there - there.mean()) * (here - here.mean())).mean()) / spread if spread else 1.0
    lit = np.asarray((wanted - there.mean()) * gain + here.mean(), np.float32)
    low, high = np.percentile(np.concatenate([lit[counts], seen[counts]]), (_OUTLIERS, 100 - _OUTLIERS))
    off = np.maximum(_beyond(seen, lit), _beyond(lit, seen))
    return np.asarray(off >= _OTHER * max(LEAST_CONTRAST, float(high - low)))


def _beyond(values: Floats, others: Floats) -> Floats:
    """Return the distance of each value from the range of all the others around it; below 0 inside."""
    return np.asarray(np.maximum(values - cv2.dilate(others, _SQUARE), cv2.erode(others, _SQUARE) - values), np.float32)

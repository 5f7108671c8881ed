"""Fourth evidence for a small picture that was found: laid exactly over the place, is anything left over?

⊖ for ⊕ at 22 pixels correlates at 0.92, ◆ for ● at 0.94: where an icon is 20 pixels wide, the other ones of its set are a few
pixels away, and a tolerance of one pixel lets them through. So the picture is first moved and stretched by parts of a pixel
until it fits best; what then still differs is no matter of the grid.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.locate.details import LEAST_CONTRAST, RIM_SHARE
from handeye.screen import Pixels

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# A larger picture has enough pixels for the other evidence; and its words are set anew in another size, letter by letter.
MOST_SIDE: Final = 64
# What is left over, as the mean of so many pixels (side of a square) in the picture's contrast. In its own size, things
# themselves came to 0.22 at most (159 places of real screens; the next to 0.14), ▢ for □ to 0.33, ⊖ for ⊕ to 0.85.
_OWN_SIZE: Final = (2, 0.27)
# Drawn in another size, its strokes lie on the grid otherwise. Signs drawn at 22 pixels for 30, or at 30 and 34 for 22, came
# to 0.2 (six of them to 0.22-0.27, and are refused), ◆ for ♦ to 0.22 and more, ⊗ for ⊠ to 0.32, ⊖ for ⊕ to 0.59.
_OTHER_SIZE: Final = (3, 0.215)
# How far it may be moved, and how much wider or higher it may become (all of it): pixels. With twice as much ◆ becomes ♦.
_MOVED: Final = 1.5
_STRETCHED: Final = 0.5
# Gauss-Newton steps; most places need three until nothing moves by more than a fiftieth of a pixel.
_STEPS: Final = 6
_STILL: Final = 0.02
# Keeps the steps solvable where the picture has edges in one direction only.
_DAMPED: Final = 1e-3
# The contrast is that of all but this percentage of the pixels at either end, and at least LEAST_CONTRAST.
_OUTLIERS: Final = 0.5


def nothing_left_over(there: Pixels, here: Pixels, mask: Pixels | None, *, is_own_size: bool) -> bool:
    """
    Return True if `here` (the screen's gray values) is the drawing `there` (the picture's, in that size) to the last stroke.

    `is_own_size`: neither was scaled to become so. Lightness and contrast may differ as a whole, light on dark for dark on
    light, too. `mask` says which pixels count (255). Always so for a side above MOST_SIDE, where nothing is compared.
    """
    if max(there.shape) > MOST_SIDE:
        return True
    counts = np.ones(there.shape, bool) if mask is None else cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    if not counts.any():
        return True
    seen = here.astype(np.float32)
    laid = _laid_over(there.astype(np.float32), seen, counts)
    low, high = np.percentile(laid[counts], (_OUTLIERS, 100 - _OUTLIERS))
    apart = (seen - laid) / np.float32(max(LEAST_CONTRAST, float(high - low)))
    apart[~counts] = 0
    rim = max(1, round(RIM_SHARE * min(there.shape)))
    side, most = _OWN_SIZE if is_own_size else _OTHER_SIZE
    inner = cv2.blur(apart, (side, side))[rim:-rim, rim:-rim]
    return not inner.size or float(np.abs(inner).max()) < most


def _laid_over(wanted: Floats, seen: Floats, counts: Mask) -> Floats:
    """The wanted values moved, stretched and lit so that they fit the seen ones best (least squares, Gauss-Newton)."""
    height, width = wanted.shape
    across = np.arange(width, dtype=np.float32) - np.float32((width - 1) / 2)
    down = (np.arange(height, dtype=np.float32) - np.float32((height - 1) / 2))[:, None]
    most = np.array([_MOVED, _MOVED, _STRETCHED / width, _STRETCHED / height])
    moved = np.zeros(4)  # right, down, wider, higher
    best, least = wanted, np.inf
    for _ in range(_STEPS + 1):
        right, lower, wider, higher = moved
        columns = np.broadcast_to(across * (1 + wider) + right + (width - 1) / 2, wanted.shape).astype(np.float32)
        rows = np.broadcast_to(down * (1 + higher) + lower + (height - 1) / 2, wanted.shape).astype(np.float32)
        placed = cv2.remap(wanted, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        lit, gain = _lit(np.asarray(placed, np.float32), seen, counts)
        apart = seen - lit
        error = float(np.square(apart[counts]).mean())
        if error < least:
            best, least = lit, error
        slope_x, slope_y = (
            gain * cv2.Sobel(placed, cv2.CV_32F, *axis, ksize=3, scale=1 / 8) for axis in ((1, 0), (0, 1))
        )
        slopes = np.stack([slope_x, slope_y, slope_x * across, slope_y * down], axis=-1)[counts].astype(np.float64)
        normal = slopes.T @ slopes
        normal += np.diag(_DAMPED * (normal.diagonal() + 1))
        step = np.linalg.solve(normal, slopes.T @ apart[counts])
        after = np.clip(moved + step, -most, most)
        if float(np.abs((after - moved) * (1, 1, width / 2, height / 2)).max()) < _STILL:
            break
        moved = after
    return best


def _lit(placed: Floats, seen: Floats, counts: Mask) -> tuple[Floats, float]:
    """The placed values in the lightness and contrast of the seen ones, and their gain."""
    there, here = placed[counts], seen[counts]
    middle, spread = float(there.mean()), float(there.var())
    gain = float(((there - middle) * (here - here.mean())).mean()) / spread if spread else 1.0
    return np.asarray((placed - middle) * gain + here.mean(), np.float32), gain

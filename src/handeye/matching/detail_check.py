"""Third check of a template match: reject it if strokes are missing or added.

8 for 3 on the same button correlates at 0.996 and has every stroke of the 3; ✕ has every stroke of ‹. They differ in a few
pixels of full contrast, or in a line that continues where the picture ends.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.screen import Pixels

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Differences are measured relative to the contrast of the surrounding pixels (7x7), which is at least _LEAST_SHARE of the
# picture's own and at least LEAST_CONTRAST gray values: shading and JPEG artefacts are weaker.
_AROUND: Final = np.ones((7, 7), np.uint8)
_LEAST_SHARE: Final = 0.5
LEAST_CONTRAST: Final = 24.0
# The picture's own contrast is the range of its pixels without this share at either end.
_OUTLIERS: Final = 0.005
# From this share of that contrast on a pixel counts as different: a sharp edge shifted by half a pixel stays below.
_OTHER: Final = 0.6
# A letter's strokes are sharp; a wallpaper's glow inside the picture's border is not, and is ignored.
_SHARP: Final = 0.4
# Rendered identically, pixel for pixel: at least _SAME_SHARE of the patterned pixels differ by no more than _SAME. Then the
# rest must be the same, too: 未 for 末 are 2 pixels. With a shift of half a pixel the share is 0.5 or less.
_SAME: Final = 0.12
_SAME_SHARE: Final = 0.85
_OTHER_SAME: Final = 0.4
_MOST_SAME: Final = 1
# At the original size but shifted by parts of a pixel, buttons had 3-4 connected different pixels, other labels at least 7.
_MOST_SHIFTED: Final = 5
_SHIFTED: Final = 0.98
_OWN_SCALE: Final = 0.011
# At any size, with a tolerance of one pixel: true matches had 1 such pixel, other digits at least 5.
_MOST_SCALED: Final = 4
# A text cursor is a bar of at least this share of the field's height, and at least _CURSOR_THIN times as high as wide.
_CURSOR_TALL: Final = 0.3
_CURSOR_THIN: Final = 5
# Differences of at least this much that reach the border come from the surroundings.
_REACHES: Final = 0.2
# A line drawing on a plain background: tolerance of its border in gray values, and the margin around the match that is
# examined.
_CLEAR: Final = 24
_AROUND_SHARE: Final = 0.05
# Ink has between these shares of the picture's contrast to its background: a badge does not.
_INK: Final = (0.5, 1.5)
# With a larger share of ink it is a filled picture: something that touches it (a glow behind a file's icon) does not
# continue it.
_MOST_INK: Final = 0.4
# Border that may show the surroundings, as a share of the shorter side.
RIM_SHARE: Final = 0.12


def same_in_detail(there: Pixels, here: Pixels, mask: Pixels | None, scale: float, score: float) -> bool:
    """
    Return True if the gray values `here` (of the screen) show the same drawing as `there` (the picture, resized to match).

    Overall lightness and contrast may differ. `mask` marks the pixels that count, `scale` is the factor by which the
    picture was resized, and `score` the correlation.
    """
    square = np.ones((3, 3), np.uint8)
    counts = np.ones(there.shape, bool) if mask is None else cv2.erode(mask, square) > 0
    if not counts.any():
        return True
    seen = here.astype(np.float32)
    wanted = _match_lightness(there.astype(np.float32), seen, counts)
    differ, is_own = np.abs(wanted - seen), abs(scale - 1) <= _OWN_SCALE
    beyond = np.maximum(_distance_from_range(seen, wanted, square), _distance_from_range(wanted, seen, square))
    # Shortcut with the lowest possible contrast: most places are decided here.
    is_plain = not (is_own and (counts & (differ >= _OTHER_SAME * LEAST_CONTRAST)).any())
    if is_plain and largest(counts & (beyond >= _OTHER * LEAST_CONTRAST)) <= _MOST_SCALED:
        return True
    contrast = _contrast(wanted, seen, counts)
    apart, off = differ / contrast, beyond >= _OTHER * contrast
    if not is_own and largest(counts & off) <= _MOST_SCALED:
        return True
    rim = max(1, round(RIM_SHARE * min(there.shape)))
    counts[:rim], counts[-rim:], counts[:, :rim], counts[:, -rim:] = False, False, False, False
    counts &= np.maximum(_local_range(wanted, square), _local_range(seen, square)) >= _SHARP * contrast
    same = apart[counts] <= _SAME
    counts &= ~(_reaching_border(apart >= _REACHES) | _cursor(apart >= _OTHER_SAME, wanted, contrast))
    if is_own:
        if same.size and float(same.mean()) >= _SAME_SHARE:
            return largest(counts & (apart >= _OTHER_SAME)) <= _MOST_SAME
        if score >= _SHIFTED and largest(counts & (apart >= _OTHER)) > _MOST_SHIFTED:
            return False
    return largest(counts & off) <= _MOST_SCALED


def continues_outside(there: Pixels, screen: Pixels, box: Box) -> bool:
    """
    Return True if a drawing whose picture ends on a plain background continues outside `box`, so that it is part of another
    one.

    `there` is the picture in the size of `box`, `screen` the whole frame; both gray values.
    """
    height, width = screen.shape
    room = max(2, round(_AROUND_SHARE * min(there.shape)))
    around = box.expand(room)
    border = np.concatenate([there[0], there[-1], there[:, 0], there[:, -1]]).astype(np.float32)
    ground = float(np.median(border))
    if around.clip(Size(width, height)) != around or float(np.abs(border - ground).max()) > _CLEAR:
        return False
    seen = screen[around.top : around.bottom, around.left : around.right].astype(np.float32)
    wanted = there.astype(np.float32)
    inside = seen[room:-room, room:-room]
    furthest = float(wanted.flat[int(np.abs(wanted - ground).argmax())])
    ends = np.array([[ground, furthest]], np.float32)
    paper, ink = _match_lightness(wanted, inside, np.ones(there.shape, bool), ends).ravel().tolist()
    if abs(ink - paper) < LEAST_CONTRAST:
        return False
    drawn = (wanted - ground) / (furthest - ground) >= _INK[0]
    if drawn.mean() > _MOST_INK:
        return False
    share = (seen - paper) / (ink - paper)
    reaching = _reaching_border((share >= _INK[0]) & (share <= _INK[1]))[room:-room, room:-room]
    return bool((reaching & drawn).any())


def _cursor(differs: Mask, wanted: Floats, contrast: Floats) -> Mask:
    """Return the differences that are upright bars where the picture is plain: a text cursor blinks."""
    plain = _local_range(wanted, _AROUND) < _OTHER * contrast
    count, labels, stats, _centres = cv2.connectedComponentsWithStats(differs.astype(np.uint8))
    cursor = np.zeros(differs.shape, bool)
    for index in range(1, count):
        _left, _top, width, height, area = stats[index].tolist()
        is_bar = height >= _CURSOR_TALL * len(differs) and width * _CURSOR_THIN <= height and area >= width * height
        if is_bar and plain[labels == index].all():
            cursor |= labels == index
    return cursor


def _contrast(wanted: Floats, seen: Floats, counts: Mask) -> Floats:
    """Return the contrast around each pixel in gray values, the unit of the differences."""
    values = wanted[counts]
    few = round(_OUTLIERS * (values.size - 1))
    ordered = np.partition(values, (few, values.size - 1 - few))
    least = max(LEAST_CONTRAST, _LEAST_SHARE * float(ordered[-1 - few] - ordered[few]))
    return np.maximum(np.maximum(_local_range(wanted, _AROUND), _local_range(seen, _AROUND)), np.float32(least))


def _reaching_border(differs: Mask) -> Mask:
    """Return the connected differences that reach the border: something behind or next to the match, not in it."""
    count, labels = cv2.connectedComponents(differs.view(np.uint8))
    reaches = np.zeros(count, bool)
    for border in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        reaches[border] = True
    reaches[0] = False
    return np.asarray(reaches[labels])


def _match_lightness(wanted: Floats, seen: Floats, counts: Mask, values: Floats | None = None) -> Floats:
    """Return the wanted values (or `values`) adjusted to the lightness and contrast of the seen ones (least squares)."""
    there, here = wanted[counts], seen[counts]
    middle, spread = float(there.mean()), float(there.var())
    gain = float(((there - middle) * (here - here.mean())).mean()) / spread if spread else 1.0
    return np.asarray(((wanted if values is None else values) - middle) * gain + here.mean(), np.float32)


def _local_range(values: Floats, around: Pixels) -> Floats:
    """Return the range of the values around each pixel."""
    return np.asarray(cv2.morphologyEx(values, cv2.MORPH_GRADIENT, around), np.float32)


def _distance_from_range(values: Floats, others: Floats, around: Pixels) -> Floats:
    """Return the distance of each value from the range of the others around it; 0 inside the range."""
    above, below = values - cv2.dilate(others, around), cv2.erode(others, around) - values
    return np.asarray(np.maximum(np.maximum(above, below), 0), np.float32)


def largest(mask: Mask) -> int:
    """Return the number of pixels of the largest connected component."""
    if not mask.any():
        return 0
    count, _labels, stats, _centres = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0


# Fourth check, for small pictures: align the picture with subpixel accuracy and compare the residual. ⊖ for ⊕ at 22 pixels
# correlates at 0.92, ◆ for ● at 0.94: icons of one set differ by a few pixels, which a tolerance of one pixel lets through.

# A larger picture has enough pixels for the other checks; and text at another size is aligned out again, letter by letter.
MOST_SIDE: Final = 64
# Averaging window (side in pixels) and largest residual, in units of the picture's contrast. At the original size true
# matches reached 0.22 at most (159 matches on real screens; the second largest 0.14), ▢ for □ 0.33, ⊖ for ⊕ 0.85.
_OWN_SIZE: Final = (2, 0.27)
# At another size the strokes fall differently on the pixel grid. Symbols drawn at 22 pixels for 30, or at 30 and 34 for 22,
# reached 0.2 (six of them 0.22-0.27, which are rejected), ◆ for ♦ at least 0.22, ⊗ for ⊠ 0.32, ⊖ for ⊕ 0.59.
_OTHER_SIZE: Final = (3, 0.215)
# Largest shift, and largest total growth in width or height, in pixels. With twice as much ◆ becomes ♦.
_MOVED: Final = 1.5
_STRETCHED: Final = 0.5
# Gauss-Newton steps; most places need three until nothing moves by more than a fiftieth of a pixel.
_STEPS: Final = 6
_STILL: Final = 0.02
# Damping, which keeps the steps solvable if the picture has edges in one direction only.
_DAMPED: Final = 1e-3
# The contrast is the range of the pixels without this percentage at either end, and at least LEAST_CONTRAST.
_ALIGNMENT_OUTLIERS: Final = 0.5


def matches_aligned(there: Pixels, here: Pixels, mask: Pixels | None, *, is_own_size: bool) -> bool:
    """
    Return True if `here` (the screen's gray values) shows the drawing `there` (the picture, resized to match) without a
    residual.

    `is_own_size`: neither was scaled. Overall lightness and contrast may differ, even light on dark for dark on light.
    `mask` marks the pixels that count (255). Pictures with a side above MOST_SIDE are not compared: always True.
    """
    if max(there.shape) > MOST_SIDE:
        return True
    counts = np.ones(there.shape, bool) if mask is None else cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    if not counts.any():
        return True
    seen = here.astype(np.float32)
    aligned = _aligned(there.astype(np.float32), seen, counts)
    low, high = np.percentile(aligned[counts], (_ALIGNMENT_OUTLIERS, 100 - _ALIGNMENT_OUTLIERS))
    apart = (seen - aligned) / np.float32(max(LEAST_CONTRAST, float(high - low)))
    apart[~counts] = 0
    rim = max(1, round(RIM_SHARE * min(there.shape)))
    side, most = _OWN_SIZE if is_own_size else _OTHER_SIZE
    inner = cv2.blur(apart, (side, side))[rim:-rim, rim:-rim]
    return not inner.size or float(np.abs(inner).max()) < most


def _aligned(wanted: Floats, seen: Floats, counts: Mask) -> Floats:
    """Return the wanted values shifted, stretched and lit to fit the seen ones best (least squares, Gauss-Newton)."""
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
        lit, gain = _match_lightness_and_gain(np.asarray(placed, np.float32), seen, counts)
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


def _match_lightness_and_gain(placed: Floats, seen: Floats, counts: Mask) -> tuple[Floats, float]:
    """Return the placed values adjusted to the lightness and contrast of the seen ones, and their gain."""
    there, here = placed[counts], seen[counts]
    middle, spread = float(there.mean()), float(there.var())
    gain = float(((there - middle) * (here - here.mean())).mean()) / spread if spread else 1.0
    return np.asarray((placed - middle) * gain + here.mean(), np.float32), gain

"""Evidence for a correlation: colours, strokes, and the parts of the picture one by one."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.matching.detail_check import RIM_SHARE, largest, nothing_left_over, runs_on, same_in_detail
from handeye.matching.reference import COLOURED, FILLED_SHARE, GLANCE, GLANCE_DRIFT, GRAY, Reference, lab, near_colour
from handeye.matching.stroke_check import WINDOW_SHARE, has_other_mark, strokes_at
from handeye.screen import Pixels, Screen

Floats = npt.NDArray[np.float32]

# No absent target reached this in gray values (measurements: 8-12 % of scenes at 0.8 or more, none at 0.9).
ACCEPT: Final = 0.9
# The strokes must be there too (strokes.py). Found by gray values: 0.91-1.0, another label on the same button 0.84 and less.
STROKES_SURE: Final = 0.87
# Found by less: 0.94-1.0; look-alikes on the phone's pages came to 0.91 at most (a circle for a magnifier: 0.83).
STROKES_DOUBTFUL: Final = 0.93
# The largest stroke that the picture does not have, where it was found by less: things themselves, covered ones too, came to
# 0.25 of a small window's area, Saved for Save to 0.55 and more.
STROKES_UNASKED: Final = 0.4
# The part of a covered icon that is not hidden must be there without a fault.
STROKES_UNCOVERED: Final = 0.97
# A picture with fewer coloured pixels than this share is compared by shape.
COLOURED_SHARE: Final = 0.05
# Difference of the colour (CIELAB a, b; 8 bits) that lighting, scaling and JPEG explain; blue for green is 60 or more.
_COLOUR_DRIFT: Final = 14

# Correlation weighs areas: a folder with another emblem scores 0.98. So each small window (a sixth of the shorter side) that
# has a pattern, here or there, is compared by itself: it agrees from this correlation on.
_WINDOW_AGREES: Final = 0.5
_PATTERN: Final = 8.0  # deviation of gray values, 0-255; less is shading and JPEG
# No pixel differs by more gray values: no window and no stroke can, then.
_IDENTICAL: Final = 4
# Share of the windows with a pattern that may disagree. On real screens (85 pictures) things themselves came to 0.06 below a
# correlation of 0.95 and to 0.12 above it; other digits, labels and emblems to 0.09 and more, or to 0.20 and more above it.
_DISAGREE_NEAR: Final = 0.075
_DISAGREE_EXACT: Final = 0.16
_EXACT: Final = 0.95
# A letter is a small share of a button, but a strong pattern in one piece: its deviation, the share of the whole place's, and
# the most of one window's area that may disagree where the picture has it (where only the screen has, it can be a cursor or a
# badge). Things themselves came to 0.2 of a window; Item 7 for Item 1 to 0.9 and more.
_STRONG: Final = 20.0
_STRONG_SHARE: Final = 0.35
_STRONG_MOST: Final = 0.4

# The quick look: at how many of the screen's pixels a side at most, and what share of the coloured part must be seen (a third
# may be covered, and a turned picture reaches beyond its place).
_GLANCE_PIXELS: Final = 4 * GLANCE
_GLANCE_SHARE: Final = 0.4


class _Drawn(NamedTuple):
    """A picture as it should look at a place, RGB, and which of its pixels count (255; None: all)."""

    pixels: Pixels
    mask: Pixels | None


def proved(reference: Reference, screen: Screen, box: Box, score: float) -> bool:
    """Return True if colours, strokes and parts in `box` bear out a correlation of `score`."""
    sure = score >= ACCEPT
    drawn = _as_there(reference, box, box.clip(screen.size))
    if not _colour_agrees(drawn, screen, box, both_ways=sure):
        return False
    strokes = strokes_at(reference, screen, box)
    if not sure and strokes.most_unasked() > STROKES_UNASKED:
        return False
    enough = strokes.share >= (STROKES_SURE if sure else STROKES_DOUBTFUL)
    parts_agree = enough and _parts_agree(reference, drawn, screen, box, score)
    if parts_agree and _laid_over_agrees(reference, drawn, screen, box):
        return True
    # Nothing that correlates so well has a hidden side.
    return not sure and reference.coloured >= FILLED_SHARE and strokes.share_uncovered() >= STROKES_UNCOVERED


def _colour_agrees(drawn: _Drawn, screen: Screen, box: Box, *, both_ways: bool) -> bool:
    """
    Return True if most of what is coloured in the picture has the same colour on the screen.

    `both_ways`: and most of what is coloured on the screen there, in the picture: a red button is not a black one.
    """
    visible = box.clip(screen.size)
    seen = screen.pixels[visible.top : visible.bottom, visible.left : visible.right]
    there, here, mask = lab(drawn.pixels), lab(seen), drawn.mask
    differs = cv2.bitwise_not(near_colour(np.asarray(cv2.absdiff(there, here), np.uint8), (0, 0), _COLOUR_DRIFT))
    for coloured in (there, here) if both_ways else (there,):
        counts = cv2.bitwise_not(near_colour(coloured, GRAY, COLOURED - 1))
        if mask is not None:
            counts = cv2.bitwise_and(counts, mask)
        of = cv2.countNonZero(counts)
        if of >= COLOURED_SHARE * counts.size and 2 * cv2.countNonZero(cv2.bitwise_and(differs, counts)) > of:
            return False
    return True


def _parts_agree(reference: Reference, drawn: _Drawn, screen: Screen, box: Box, score: float) -> bool:
    """Return True if the small windows with a pattern look as they should: all but a few, and no strong pattern among those."""
    visible = box.clip(screen.size)
    there, mask = np.asarray(cv2.cvtColor(drawn.pixels, cv2.COLOR_RGB2GRAY), np.uint8), drawn.mask
    here = screen.gray[visible.top : visible.bottom, visible.left : visible.right]
    is_drawing = reference.coloured < FILLED_SHARE and mask is None and visible == box
    inner = None if mask is None else cv2.erode(mask, np.ones((3, 3), np.uint8))
    if cv2.minMaxLoc(cv2.absdiff(there, here), inner)[1] <= _IDENTICAL:
        return not (is_drawing and runs_on(there, screen.gray, box))
    side = max(5, round(min(there.shape) * WINDOW_SHARE)) | 1
    likeness, wanted, seen = _windows(there.astype(np.float32), here.astype(np.float32), side)
    if score < ACCEPT:  # the other theme: light on dark is the same drawing
        likeness = np.abs(likeness)
    counts = np.maximum(wanted, seen) >= _PATTERN
    if mask is not None:
        counts &= cv2.erode(mask, np.ones((side, side), np.uint8), borderValue=0) > 0
    rim = max(1, round(RIM_SHARE * min(there.shape)))
    other = counts & (likeness < _WINDOW_AGREES)
    other[:rim], other[-rim:], other[:, :rim], other[:, -rim:] = False, False, False, False
    strong = other & (wanted >= max(_STRONG, _STRONG_SHARE * float(here.std())))
    if largest(strong) > _STRONG_MOST * side * side:
        return False
    if score < ACCEPT:
        return not is_marked(reference, screen, box)
    if is_drawing and runs_on(there, screen.gray, box):
        return False
    most = _DISAGREE_EXACT if score >= _EXACT else _DISAGREE_NEAR
    scale = box.width / reference.gray.shape[1]
    return float(other.sum()) <= most * float(counts.sum()) and same_in_detail(there, here, mask, scale, score)


def is_marked(reference: Reference, screen: Screen, box: Box) -> bool:
    """Return True if a small piece of ink more or less makes what is in `box` another thing: see marks.py."""
    visible = box.clip(screen.size)
    drawn = _as_there(reference, box, visible)
    there = np.asarray(cv2.cvtColor(drawn.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    return has_other_mark(there, screen.gray[visible.top : visible.bottom, visible.left : visible.right], drawn.mask)


def _laid_over_agrees(reference: Reference, drawn: _Drawn, screen: Screen, box: Box) -> bool:
    """Return True if the picture, laid exactly over its place, leaves nothing over: in the smaller of both sizes."""
    visible = box.clip(screen.size)
    there = np.asarray(cv2.cvtColor(drawn.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    here, mask = screen.gray[visible.top : visible.bottom, visible.left : visible.right], drawn.mask
    if visible == box and box.width > reference.gray.shape[1]:
        there, mask = reference.gray, reference.mask
        here = np.asarray(cv2.resize(here, there.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    return nothing_left_over(there, here, mask, is_own_size=box.width == reference.gray.shape[1])


def _windows(there: Floats, here: Floats, side: int) -> tuple[Floats, Floats, Floats]:
    """Around each pixel: the correlation of the two, and the deviation of each, both in gray values of the screen."""

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.blur(values, (side, side), borderType=cv2.BORDER_REPLICATE), np.float32)

    middle_there, middle_here = mean(there), mean(here)
    spread_there = np.maximum(mean(there * there) - middle_there * middle_there, 0)
    spread_here = np.maximum(mean(here * here) - middle_here * middle_here, 0)
    common = mean(there * here) - middle_there * middle_here
    least = np.float32(4.0)
    likeness = common / np.sqrt(np.maximum(spread_there, least) * np.maximum(spread_here, least))
    gain = np.float32(np.clip(here.std() / max(1.0, float(there.std())), 0.3, 3.0))
    return likeness, np.sqrt(spread_there) * gain, np.sqrt(spread_here)


def _as_there(reference: Reference, box: Box, visible: Box) -> _Drawn:
    """The picture in the size of `box`: the part of it that is on the screen."""
    size = (box.width, box.height)
    rows = slice(visible.top - box.top, visible.bottom - box.top)
    columns = slice(visible.left - box.left, visible.right - box.left)
    how = cv2.INTER_AREA if box.width < reference.gray.shape[1] else cv2.INTER_LINEAR
    wanted = cv2.resize(reference.rgb, size, interpolation=how)[rows, columns]
    mask = None
    if reference.mask is not None:
        whole = cv2.resize(reference.mask, size, interpolation=cv2.INTER_NEAREST)
        mask = np.ascontiguousarray(whole[rows, columns], np.uint8)
    return _Drawn(np.ascontiguousarray(wanted, np.uint8), mask)


def colour_near(reference: Reference, screen: Screen, box: Box) -> bool:
    """Return True if about as much there has about the picture's colour: a first look at a place not yet known exactly."""
    wanted = reference.main_colour
    if wanted is None:
        return True
    colour, share = wanted
    step = max(1, min(box.width, box.height) // _GLANCE_PIXELS)
    part = np.ascontiguousarray(screen.pixels[box.top : box.bottom : step, box.left : box.right : step])
    seen = cv2.resize(part, (GLANCE, GLANCE), interpolation=cv2.INTER_AREA)
    alike = near_colour(lab(np.asarray(seen, np.uint8)), colour, GLANCE_DRIFT)
    return cv2.countNonZero(alike) >= _GLANCE_SHARE * share * alike.size

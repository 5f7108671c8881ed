"""Checks of a template match beyond its correlation: colours, strokes, and the parts of the picture one by one."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.matching.detail_check import RIM_SHARE, continues_outside, largest, matches_aligned, same_in_detail
from handeye.matching.reference import COLOURED, FILLED_SHARE, GLANCE, GLANCE_DRIFT, GRAY, Reference, lab, near_colour
from handeye.matching.stroke_check import WINDOW_SHARE, has_other_mark, strokes_at
from handeye.screen import Pixels, Screen

Floats = npt.NDArray[np.float32]

# No absent target reached this correlation of gray values (measured: 8-12 % of the scenes at 0.8 or more, none at 0.9).
ACCEPT: Final = 0.9
# Least share of strokes (stroke_check.py) for a match by gray values: true matches 0.91-1.0, another label on the same button
# 0.84 or less.
STROKES_SURE: Final = 0.87
# The same for a weaker match: true matches 0.94-1.0, look-alikes on the phone's pages 0.91 at most (a circle for a magnifier:
# 0.83).
STROKES_DOUBTFUL: Final = 0.93
# Largest extra stroke of a weaker match, as a share of a small window's area: true matches, even covered ones, reached 0.25,
# Saved for Save at least 0.55.
STROKES_UNASKED: Final = 0.4
# Least share of strokes in the visible part of a covered icon.
STROKES_UNCOVERED: Final = 0.97
# A picture with fewer coloured pixels than this share is compared by shape.
COLOURED_SHARE: Final = 0.05
# Colour difference (CIELAB a, b; 8 bits) caused by lighting, scaling and JPEG; blue for green is 60 or more.
_COLOUR_DRIFT: Final = 14

# Correlation weights areas: a folder with another emblem scores 0.98. So each small window (a sixth of the shorter side)
# with a pattern in either image is compared on its own; it agrees from this correlation on.
_WINDOW_AGREES: Final = 0.5
_PATTERN: Final = 8.0  # deviation of gray values, 0-255; less is shading and JPEG
# If no pixel differs by more gray values, no window or stroke can differ.
_IDENTICAL: Final = 4
# Share of the windows with a pattern that may disagree. On real screens (85 pictures) true matches reached 0.06 below a
# correlation of 0.95 and 0.12 above it; other digits, labels and emblems at least 0.09 below it and at least 0.20 above it.
_DISAGREE_NEAR: Final = 0.075
_DISAGREE_EXACT: Final = 0.16
_EXACT: Final = 0.95
# A letter is a small share of a button, but a strong connected pattern: its least standard deviation, that as a share of the
# whole match's, and the largest disagreeing share of a window's area where the picture has the pattern (a pattern only on the
# screen may be a cursor or a badge). True matches reached 0.2 of a window; Item 7 for Item 1 at least 0.9.
_STRONG: Final = 20.0
_STRONG_SHARE: Final = 0.35
_STRONG_MOST: Final = 0.4

# Quick colour check: the most screen pixels per side that are sampled, and the share of the coloured part that must be
# visible (a third may be covered, and a rotated picture extends beyond its box).
_GLANCE_PIXELS: Final = 4 * GLANCE
_GLANCE_SHARE: Final = 0.4


class _Rendered(NamedTuple):
    """A picture as it should look on the screen, RGB, and the mask of the pixels that count (255; None: all)."""

    pixels: Pixels
    mask: Pixels | None


def is_verified(reference: Reference, screen: Screen, box: Box, score: float) -> bool:
    """Return True if colours, strokes and parts in `box` confirm a correlation of `score`."""
    sure = score >= ACCEPT
    drawn = _rendered(reference, box, box.clip(screen.size))
    if not _colour_agrees(drawn, screen, box, both_ways=sure):
        return False
    strokes = strokes_at(reference, screen, box)
    if not sure and strokes.largest_extra_stroke() > STROKES_UNASKED:
        return False
    enough = strokes.share >= (STROKES_SURE if sure else STROKES_DOUBTFUL)
    parts_agree = enough and _parts_agree(reference, drawn, screen, box, score)
    if parts_agree and _alignment_agrees(reference, drawn, screen, box):
        return True
    # A covered picture does not correlate at ACCEPT or more.
    return not sure and reference.coloured >= FILLED_SHARE and strokes.share_uncovered() >= STROKES_UNCOVERED


def _colour_agrees(drawn: _Rendered, screen: Screen, box: Box, *, both_ways: bool) -> bool:
    """
    Return True if most of the picture's coloured pixels have the same colour on the screen.

    `both_ways` also requires that most coloured pixels on the screen have the picture's colour: a red button is not a black
    one.
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


def _parts_agree(reference: Reference, drawn: _Rendered, screen: Screen, box: Box, score: float) -> bool:
    """
    Return True if the small windows with a pattern look as they should: all but a few, and no strong pattern among those.
    """
    visible = box.clip(screen.size)
    there, mask = np.asarray(cv2.cvtColor(drawn.pixels, cv2.COLOR_RGB2GRAY), np.uint8), drawn.mask
    here = screen.gray[visible.top : visible.bottom, visible.left : visible.right]
    is_drawing = reference.coloured < FILLED_SHARE and mask is None and visible == box
    inner = None if mask is None else cv2.erode(mask, np.ones((3, 3), np.uint8))
    if cv2.minMaxLoc(cv2.absdiff(there, here), inner)[1] <= _IDENTICAL:
        return not (is_drawing and continues_outside(there, screen.gray, box))
    side = max(5, round(min(there.shape) * WINDOW_SHARE)) | 1
    likeness, wanted, seen = _windows(there.astype(np.float32), here.astype(np.float32), side)
    if score < ACCEPT:  # the other theme: light on dark counts as the same drawing
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
        return not has_extra_mark(reference, screen, box)
    if is_drawing and continues_outside(there, screen.gray, box):
        return False
    most = _DISAGREE_EXACT if score >= _EXACT else _DISAGREE_NEAR
    scale = box.width / reference.gray.shape[1]
    return float(other.sum()) <= most * float(counts.sum()) and same_in_detail(there, here, mask, scale, score)


def has_extra_mark(reference: Reference, screen: Screen, box: Box) -> bool:
    """
    Return True if a small piece of ink in `box` is added or missing, so that it shows something else
    (`stroke_check.has_other_mark`).
    """
    visible = box.clip(screen.size)
    drawn = _rendered(reference, box, visible)
    there = np.asarray(cv2.cvtColor(drawn.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    return has_other_mark(there, screen.gray[visible.top : visible.bottom, visible.left : visible.right], drawn.mask)


def _alignment_agrees(reference: Reference, drawn: _Rendered, screen: Screen, box: Box) -> bool:
    """Return True if the picture aligned with its match leaves no residual, compared at the smaller of both sizes."""
    visible = box.clip(screen.size)
    there = np.asarray(cv2.cvtColor(drawn.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    here, mask = screen.gray[visible.top : visible.bottom, visible.left : visible.right], drawn.mask
    if visible == box and box.width > reference.gray.shape[1]:
        there, mask = reference.gray, reference.mask
        here = np.asarray(cv2.resize(here, there.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    return matches_aligned(there, here, mask, is_own_size=box.width == reference.gray.shape[1])


def _windows(there: Floats, here: Floats, side: int) -> tuple[Floats, Floats, Floats]:
    """
    Return the local correlation of both images and the standard deviation of each around every pixel, in gray values of the
    screen.
    """

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


def _rendered(reference: Reference, box: Box, visible: Box) -> _Rendered:
    """Return the picture in the size of `box`, cut to the part on the screen."""
    size = (box.width, box.height)
    rows = slice(visible.top - box.top, visible.bottom - box.top)
    columns = slice(visible.left - box.left, visible.right - box.left)
    how = cv2.INTER_AREA if box.width < reference.gray.shape[1] else cv2.INTER_LINEAR
    wanted = cv2.resize(reference.rgb, size, interpolation=how)[rows, columns]
    mask = None
    if reference.mask is not None:
        whole = cv2.resize(reference.mask, size, interpolation=cv2.INTER_NEAREST)
        mask = np.ascontiguousarray(whole[rows, columns], np.uint8)
    return _Rendered(np.ascontiguousarray(wanted, np.uint8), mask)


def has_main_colour(reference: Reference, screen: Screen, box: Box) -> bool:
    """
    Return True if `box` contains roughly the picture's share of its main colour: a quick check of an approximate position.
    """
    wanted = reference.main_colour
    if wanted is None:
        return True
    colour, share = wanted
    step = max(1, min(box.width, box.height) // _GLANCE_PIXELS)
    part = np.ascontiguousarray(screen.pixels[box.top : box.bottom : step, box.left : box.right : step])
    seen = cv2.resize(part, (GLANCE, GLANCE), interpolation=cv2.INTER_AREA)
    alike = near_colour(lab(np.asarray(seen, np.uint8)), colour, GLANCE_DRIFT)
    return cv2.countNonZero(alike) >= _GLANCE_SHARE * share * alike.size

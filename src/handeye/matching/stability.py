"""Detect whether the screen is stable: two equal frames, except for a clock, a blinking caret or a small animation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box, Size
from handeye.matching.diff import NOISE, page_top
from handeye.screen import Pixels, Screen

# Frames are compared by a sample of their pixels: every 8th row, and every 4th pixel of it. A caret of 2-6 pixels may be
# missed, a letter is not.
_CELL: Final = 8
_ROW, _COLUMN = _CELL, _CELL // 2
# A caret is 2-6 pixels wide, which is two cells at most, and not higher than this share of the frame.
_CARET_WIDTH: Final = 2 * _CELL
_CARET_HEIGHT: Final = 0.06
# A small change that repeats at one place is an animation: a spinner, a progress bar, a moving advert. A page that slides in
# covers more than this share of the frame, or moves.
_ANIMATION_AREA: Final = 0.2
# Number of consecutive changes at the same place that make an animation.
_AGAIN: Final = 3


Mask = np.ndarray[tuple[int, int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A sample of a frame's pixels, 1 in 32: enough to detect whether another frame shows the same, and cheap to store."""

    pixels: Pixels = field(repr=False)
    size: Size

    @classmethod
    def of(cls, screen: Screen) -> View:
        """Return the view of a frame, computed once per frame."""
        known: View | None = screen.derived.get(("view", _CELL))
        if known is None:
            known = cls(screen.pixels[_ROW // 2 :: _ROW, ::_COLUMN].copy(), screen.size)
            screen.derived["view", _CELL] = known
        return known


def changes(earlier: View, later: View) -> list[Box]:
    """
    Return the boxes of connected differences between two frames in frame pixels, without the status bar and carets.

    Frames of different size differ completely.
    """
    if earlier.size != later.size:
        return [Box(0, 0, *later.size)]
    differs = differing(earlier, later)
    differs[: -(-page_top(later.size) // _CELL)] = False
    if not differs.any():
        return []
    return [box for box in _components(differs, later.size) if not _is_caret(box, later.size)]


def differing(earlier: View, later: View) -> Mask:
    """Return a mask of the differing pixels of two views of one size: boolean, of their shape (rows, columns)."""
    apart = np.maximum(earlier.pixels, later.pixels) - np.minimum(earlier.pixels, later.pixels)
    return np.asarray(np.any(apart > NOISE, axis=2))


def part_of(mask: Mask, box: Box) -> Mask:
    """Return the part of such a mask within `box`, which is in frame pixels."""
    return mask[box.top // _ROW : -(-box.bottom // _ROW), box.left // _COLUMN : -(-box.right // _COLUMN)]


def is_same_view(earlier: View, later: View) -> bool:
    """Return True if two frames show the same, except for the status bar and a caret."""
    return not changes(earlier, later)


class ScreenStability:
    """Compares consecutive frames to detect when the screen is stable."""

    def __init__(self) -> None:
        self._last: View | None = None
        self._moving: list[tuple[Box, int]] = []

    def is_stable(self, screen: Screen) -> bool:
        """
        Return True if `screen` equals the frame before it, except for animations and carets. False for the first frame.
        """
        last, self._last = self._last, View.of(screen)
        if last is None:
            return False
        changed = changes(last, self._last)
        self._moving = [(box, self._repetitions(box) + 1) for box in changed]
        return all(times >= _AGAIN and _is_small(box, screen.size) for box, times in self._moving)

    def _repetitions(self, box: Box) -> int:
        """Return the number of consecutive earlier changes at that place."""
        return max((times for other, times in self._moving if _at_one_place(box, other)), default=0)


def _components(differs: Mask, size: Size) -> list[Box]:
    """
    Return the boxes of connected differences in frame pixels. The gaps between the letters of a line are closed first.
    """
    cells = np.pad(differs, ((0, 0), (0, differs.shape[1] % 2)))
    cells = cells[:, ::2] | cells[:, 1::2]
    # A margin of one cell leaves room for the dilation at the edges.
    joined = cv2.dilate(np.pad(cells.astype(np.uint8), 1), np.ones((3, 3), np.uint8))
    count, _labels, stats, _centres = cv2.connectedComponentsWithStats(joined, connectivity=8)
    boxes = []
    for left, top, width, height, _area in stats[1:count].tolist():
        corner = (left + width - 2) * _CELL, (top + height - 2) * _CELL
        boxes.append(Box(left * _CELL, top * _CELL, *corner).clip(size))
    return boxes


def _is_caret(box: Box, size: Size) -> bool:
    return box.width <= _CARET_WIDTH and box.height <= max(_CELL, _CARET_HEIGHT * size.height)


def _is_small(box: Box, size: Size) -> bool:
    return box.area <= _ANIMATION_AREA * size.width * size.height


def _at_one_place(box: Box, other: Box) -> bool:
    return box.contains(other.center) and other.contains(box.center)

"""Has the screen come to rest? Two equal frames, but for what never rests: a clock, a blinking caret, a small animation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box, Size
from handeye.matching.diff import NOISE, page_top
from handeye.screen import Pixels, Screen

# Frames are compared by a part of their pixels: every 8th row, and every 4th pixel of it. A caret of 2-6 pixels may be missed,
# a letter is not.
_CELL: Final = 8
_ROW, _COLUMN = _CELL, _CELL // 2
# A caret is 2-6 pixels wide, which is two cells at most, and lower than this share of the frame.
_CARET_WIDTH: Final = 2 * _CELL
_CARET_HEIGHT: Final = 0.06
# What changes again and again at one place is an animation, if it is small: a spinner, a progress bar, a moving advert. A page
# that slides in covers more than this share of the frame, or does not stay at its place.
_ANIMATION_AREA: Final = 0.2
# So many changes in a row at the same place make an animation.
_AGAIN: Final = 3


Mask = np.ndarray[tuple[int, int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A frame by a part of its pixels, 1 in 32: enough to tell whether another frame shows the same, and small to keep."""

    pixels: Pixels = field(repr=False)
    size: Size

    @classmethod
    def of(cls, screen: Screen) -> View:
        """Computed once per frame."""
        known: View | None = screen.derived.get(("view", _CELL))
        if known is None:
            known = cls(screen.pixels[_ROW // 2 :: _ROW, ::_COLUMN].copy(), screen.size)
            screen.derived["view", _CELL] = known
        return known


def changes(earlier: View, later: View) -> list[Box]:
    """
    Where two frames differ, in frame pixels: boxes around what hangs together, without the status bar and carets.

    A frame of another size has changed altogether.
    """
    if earlier.size != later.size:
        return [Box(0, 0, *later.size)]
    differs = differing(earlier, later)
    differs[: -(-page_top(later.size) // _CELL)] = False
    if not differs.any():
        return []
    return [box for box in _components(differs, later.size) if not _is_caret(box, later.size)]


def differing(earlier: View, later: View) -> Mask:
    """The pixels of two views of one size that differ: boolean, of their shape (rows, columns)."""
    apart = np.maximum(earlier.pixels, later.pixels) - np.minimum(earlier.pixels, later.pixels)
    return np.asarray(np.any(apart > NOISE, axis=2))


def part_of(mask: Mask, box: Box) -> Mask:
    """The part of such a mask that lies within `box`, in frame pixels."""
    return mask[box.top // _ROW : -(-box.bottom // _ROW), box.left // _COLUMN : -(-box.right // _COLUMN)]


def is_same_view(earlier: View, later: View) -> bool:
    """Whether two frames show the same, but for the status bar and a caret."""
    return not changes(earlier, later)


class ScreenStability:
    """Watches frames, one after the other, and says when the screen is at rest."""

    def __init__(self) -> None:
        self._last: View | None = None
        self._moving: list[tuple[Box, int]] = []

    def rests(self, screen: Screen) -> bool:
        """Whether `screen` shows the same as the frame before it, animations and carets aside. False for the first frame."""
        last, self._last = self._last, View.of(screen)
        if last is None:
            return False
        changed = changes(last, self._last)
        self._moving = [(box, self._times(box) + 1) for box in changed]
        return all(times >= _AGAIN and _is_small(box, screen.size) for box, times in self._moving)

    def _times(self, box: Box) -> int:
        """How often in a row something changed at that place before."""
        return max((times for other, times in self._moving if _at_one_place(box, other)), default=0)


def _components(differs: Mask, size: Size) -> list[Box]:
    """Boxes around what hangs together, in frame pixels. Letters of one line do: their gaps are closed first."""
    cells = np.pad(differs, ((0, 0), (0, differs.shape[1] % 2)))
    cells = cells[:, ::2] | cells[:, 1::2]
    # A margin of one cell takes what closing the gaps adds at the edges.
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

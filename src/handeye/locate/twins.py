"""The same label again, where nobody read it: of equal blocks in a row or a column one may be read and another one not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.locate.correlation import likeness
from handeye.locate.patch import LEAST_CONTRAST
from handeye.screen import Pixels, Screen

# A label is compared with the empty room around it, in shares of its height: "Save" in "Saved" has a letter there.
_ROOM: Final = (0.5, 0.15)
# How far a block may stand out of line, in the label's heights.
_SLACK: Final = 0.5
# Correlation, light on dark or dark on light, in a picture reduced to so many rows, then in full. Of the same label drawn again
# at any fraction of a pixel the median is 0.93 (1.0 on whole pixels); of labels that differ in one letter it is 0.76, and 0.93
# for one in ten. So this is a doubt and no proof: it counts where nobody read what stands there.
_REDUCED: Final = 10
_LIKELY: Final = 0.65
_SAME: Final = 0.87
# Smaller ones prove nothing.
_LEAST: Final = (12, 8)
_MOST_TWINS: Final = 40


def unread_twins(screen: Screen, label: Box, known: Sequence[Box]) -> list[Box]:
    """
    Return the places in the label's row and column where the same picture seems to stand, outside of `known`; in frame pixels.

    `label` is the ink of a text that was read. Takes 1-2 ms on a phone's screen.
    """
    if label.width < _LEAST[0] or label.height < _LEAST[1] or label.intersect(screen.box) != label:
        return []
    across, along = (round(share * label.height) for share in _ROOM)
    pattern = Box(label.left - across, label.top - along, label.right + across, label.bottom + along).clip(screen.size)
    slack = round(_SLACK * label.height)
    size = screen.size
    column = Box(pattern.left - slack, 0, pattern.right + slack, size.height).clip(size)
    row = Box(0, pattern.top - slack, size.width, pattern.bottom + slack).clip(size)
    found: list[Box] = []
    for strip in (column, row):
        for place in _alike(_gray(screen, strip), _gray(screen, pattern)):
            dx, dy = strip.left + place[0] - pattern.left, strip.top + place[1] - pattern.top
            twin = label.translate(dx, dy)
            if not any(box.intersect(twin) for box in (label, *known, *found)):
                found.append(twin)
    return found


def _gray(screen: Screen, part: Box) -> Pixels:
    pixels = screen.pixels[part.top : part.bottom, part.left : part.right]
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY), np.uint8)


def _alike(strip: Pixels, pattern: Pixels) -> Iterator[tuple[int, int]]:
    """Yield each (x, y) where the pattern's picture begins in the strip, itself included."""
    if float(pattern.std()) < LEAST_CONTRAST:
        return
    times = max(1, pattern.shape[0] // _REDUCED)
    coarse = likeness(_reduced(strip, times), _reduced(pattern, times))
    if coarse is None:
        return
    for _peak in range(_MOST_TWINS):
        _low, score, _where, (column, row) = cv2.minMaxLoc(coarse)
        if score < _LIKELY:
            return
        high, wide = max(1, pattern.shape[0] // times // 2), max(1, pattern.shape[1] // times // 2)
        coarse[max(0, row - high) : row + high + 1, max(0, column - wide) : column + wide + 1] = 0
        left, top = max(0, (column - 1) * times), max(0, (row - 1) * times)
        window = strip[top : top + pattern.shape[0] + 3 * times, left : left + pattern.shape[1] + 3 * times]
        close = likeness(window, pattern)
        if close is not None:
            _low, score, _where, (x, y) = cv2.minMaxLoc(close)
            shown = window[y : y + pattern.shape[0], x : x + pattern.shape[1]]
            if score >= _SAME and float(shown.std()) >= LEAST_CONTRAST:
                yield left + x, top + y


def _reduced(gray: Pixels, times: int) -> Pixels:
    height, width = gray.shape[0] // times, gray.shape[1] // times
    if times == 1 or not height or not width:
        return gray
    even = gray[: height * times, : width * times]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

"""How a frame is shown to the detector: at which size, and in which pieces.

The network learned controls of one apparent size range: text of 12-26 px. A desktop frame is of that size as it is; a phone's
or a 4K monitor's is drawn two to four times larger and is shrunk first, which also makes it quick.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from handeye.geometry import Box, Size
from handeye.screen import Pixels

# A landscape frame is shown at most this wide: 1080p as it is, 4K (drawn at 150-200 %) at half its size.
_LANDSCAPE: Final = 1920
# A portrait frame is a phone or a tablet. 1080x2400 is seen as 540x1200, about 1.5 pixels per unit of its layout (3 there).
_PORTRAIT: Final = 1200
_NARROWEST: Final = 480
# Median heights of text lines, as they would be shown, that the network has learned; and what others are brought to.
_READABLE: Final = (12.0, 36.0)
_TEXT_HEIGHT: Final = 18.0
_SMALLEST_SCALE: Final = 0.2
# One piece has at most this many pixels: 1920x1200 goes through in one, memory stays near 200 MB.
_PIECE: Final = 1920 * 1216
_OVERLAP: Final = 256
FOLD: Final = 4


class Piece(NamedTuple):
    """A part of the shrunk frame: what is shown, and the part of it whose detections count (the rest is a neighbour's)."""

    shown: Box
    own: Box


def network_scale(size: tuple[int, int], text_height: float | None = None) -> float:
    """
    The factor (0-1) that a frame of `size` (width, height in pixels) is resized by for the network; it never grows.

    `text_height` is the median height of the frame's text lines in pixels, where it is known (from OCR): it corrects frames
    whose size misleads, such as a long page captured whole.
    """
    width, height = size
    short, long = min(size), max(size)
    scale = min(1.0, _LANDSCAPE / long if width >= height else max(_PORTRAIT / long, _NARROWEST / short))
    if text_height is None or not math.isfinite(text_height) or text_height <= 0:
        return scale
    if _READABLE[0] <= text_height * scale <= _READABLE[1]:
        return scale
    return min(1.0, max(_SMALLEST_SCALE, _TEXT_HEIGHT / text_height))


def pieces(size: Size) -> list[Piece]:
    """The parts of a shrunk frame of `size`: itself when it is small enough, else overlapping strips along its longer side."""
    along_x = size.width >= size.height
    length, across = (size.width, size.height) if along_x else (size.height, size.width)
    longest = max(2 * _OVERLAP, _PIECE // across)
    count = 1 if length <= longest else math.ceil(length / (longest - _OVERLAP))
    found = []
    for index in range(count):
        start, end = round(index * length / count), round((index + 1) * length / count)
        first, last = max(0, start - _OVERLAP // 2), min(length, end + _OVERLAP // 2)
        found.append(Piece(_strip(first, last, across, along_x), _strip(start, end, across, along_x)))
    return found


def folded(pixels: Pixels) -> Pixels:
    """
    Pixels (height, width, 3), sides multiples of FOLD, as (height/4, width/4, 48): squares of 4x4 pixels in one place.

    The network's first layer reads them so: on three channels it would take a third of the whole time.
    """
    height, width, channels = pixels.shape
    squares = pixels.reshape(height // FOLD, FOLD, width // FOLD, FOLD, channels)
    return np.ascontiguousarray(squares.transpose(0, 2, 1, 3, 4)).reshape(height // FOLD, width // FOLD, -1)


def _strip(start: int, end: int, across: int, along_x: bool) -> Box:
    return Box(start, 0, end, across) if along_x else Box(0, start, across, end)

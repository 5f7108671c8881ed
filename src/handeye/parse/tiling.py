"""
Scale and tile a frame for the detector.

The network was trained on one range of apparent sizes: text of 12-26 px. A desktop frame has that size already; a phone's
or a 4K monitor's is drawn two to four times larger and is shrunk first, which also saves time.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from handeye.geometry import Box, Size
from handeye.screen import Pixels

# Largest width of a landscape frame for the network: 1080p unscaled, 4K (drawn at 150-200 %) at half its size.
_LANDSCAPE: Final = 1920
# A portrait frame is a phone or a tablet. 1080x2400 becomes 540x1200, about 1.5 pixels per layout unit (3 before).
_PORTRAIT: Final = 1200
_NARROWEST: Final = 480
# Range of the median text height after scaling that the network handles, and the target height for others.
_READABLE: Final = (12.0, 36.0)
_TEXT_HEIGHT: Final = 18.0
_SMALLEST_SCALE: Final = 0.2
# Most pixels of one piece: 1920x1200 is one piece, and memory stays near 200 MB.
_PIECE: Final = 1920 * 1216
_OVERLAP: Final = 256
FOLD: Final = 4


class Tile(NamedTuple):
    """
    A part of the shrunk frame: the part shown to the network, and the part whose detections count (the rest is a
    neighbour's).
    """

    shown: Box
    own: Box


def network_scale(size: tuple[int, int], text_height: float | None = None) -> float:
    """
    Return the resize factor (0-1) of a frame of `size` (width, height in pixels) for the network; frames are never
    enlarged.

    `text_height` is the median height of the frame's text lines in pixels, if known (from OCR): it corrects frames with a
    misleading size, such as a long page captured as a whole.
    """
    width, height = size
    short, long = min(size), max(size)
    scale = min(1.0, _LANDSCAPE / long if width >= height else max(_PORTRAIT / long, _NARROWEST / short))
    if text_height is None or not math.isfinite(text_height) or text_height <= 0:
        return scale
    if _READABLE[0] <= text_height * scale <= _READABLE[1]:
        return scale
    return min(1.0, max(_SMALLEST_SCALE, _TEXT_HEIGHT / text_height))


def pieces(size: Size) -> list[Tile]:
    """
    Return the parts of a shrunk frame of `size`: itself if it is small enough, else overlapping strips along its longer
    side.
    """
    along_x = size.width >= size.height
    length, across = (size.width, size.height) if along_x else (size.height, size.width)
    longest = max(2 * _OVERLAP, _PIECE // across)
    count = 1 if length <= longest else math.ceil(length / (longest - _OVERLAP))
    found = []
    for index in range(count):
        start, end = round(index * length / count), round((index + 1) * length / count)
        first, last = max(0, start - _OVERLAP // 2), min(length, end + _OVERLAP // 2)
        found.append(Tile(_strip(first, last, across, along_x), _strip(start, end, across, along_x)))
    return found


def space_to_depth(pixels: Pixels) -> Pixels:
    """
    Return pixels (height, width, 3), sides multiples of FOLD, as (height/4, width/4, 48): each 4x4 block becomes channels.

    The network's first layer takes this format: on three channels it would take a third of the whole time.
    """
    height, width, channels = pixels.shape
    squares = pixels.reshape(height // FOLD, FOLD, width // FOLD, FOLD, channels)
    return np.ascontiguousarray(squares.transpose(0, 2, 1, 3, 4)).reshape(height // FOLD, width // FOLD, -1)


def _strip(start: int, end: int, across: int, along_x: bool) -> Box:
    return Box(start, 0, end, across) if along_x else Box(0, start, across, end)

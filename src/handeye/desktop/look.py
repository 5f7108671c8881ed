"""
How something without a name looks, in a few bytes: its picture is all that tells an icon from the one that takes its place.

Kept are the edges, and the tint of what is drawn: not how light it is, nor the colour behind a row. A row that is selected, or
a button under the pointer, looks as it did; a red icon and a green one of one outline do not.
"""

from __future__ import annotations

import base64
import zlib
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Screen

MOST_PIXELS: Final = 40_000
"""Of what is kept: a row or an icon. What is larger is a page, which looks different at every moment."""

MOST_ROW_PIXELS: Final = 160_000
"""Of a row that is looked at for what stands in it: as wide as a large monitor."""

# A ring around what has the keyboard stands there.
_MARGIN: Final = 4
# Of the strongest step from one pixel to the next: text and its smoothing, not a background's gradient.
_EDGE: Final = 0.35
# A flat place has no strong step: noise is no picture.
_FLAT: Final = 12
# The share of edges that two looks have in common: equal ones have nearly all, two icons or names a third.
_ALIKE: Final = 0.5
_FEW: Final = 8
# How far two tints are apart, of 255: orange and red differ by 90, a button and the same below the pointer by 15.
_TINTED: Final = 40
# From the colour behind: what is nearer is its smoothing.
_DRAWN: Final = 24
# Rows are wider, and show that they are selected by the colour behind them.
_ICON_PX: Final = 64
_TINTS: Final = 4

Edges = npt.NDArray[np.bool_]
Tints = npt.NDArray[np.int16]


def look_of(picture: Screen, box: Box) -> str:
    """The look of a part of a window's picture, as text: see `is_alike`."""
    pixels = _pixels(picture, box)
    tints = _tints(pixels).astype(np.int8).tobytes()
    return base64.b85encode(zlib.compress(tints + np.packbits(_edges(pixels)).tobytes())).decode()


def is_alike(kept: str, picture: Screen, box: Box) -> bool:
    """Whether a part of the picture, as large as the one that was kept, looks as that did; False for what is no look."""
    pixels = _pixels(picture, box)
    now = np.packbits(_edges(pixels))
    try:
        told = zlib.decompress(base64.b85decode(kept))
    except (ValueError, zlib.error):
        return False
    before = np.frombuffer(told[_TINTS:], np.uint8)
    if before.shape != now.shape or len(told) < _TINTS:
        return False
    tints = np.frombuffer(told[:_TINTS], np.int8).astype(np.int16)
    if int(np.abs(tints - _tints(pixels)).max()) * 2 > _TINTED:
        return False
    larger = max(_count(before), _count(now))
    return larger < _FEW or _count(before & now) >= _ALIKE * larger


def _pixels(picture: Screen, box: Box) -> npt.NDArray[np.int16]:
    inner = box if min(box.width, box.height) <= 4 * _MARGIN else _shrunk(box)
    return picture.crop(inner).pixels.astype(np.int16)


def _edges(pixels: npt.NDArray[np.int16]) -> Edges:
    gray = _light(pixels)
    steps = np.zeros(gray.shape, np.int16)
    steps[:, 1:] = np.abs(np.diff(gray, axis=1))
    steps[1:] = np.maximum(steps[1:], np.abs(np.diff(gray, axis=0)))
    strongest = int(steps.max(initial=0))
    return steps >= max(_FLAT, round(_EDGE * strongest))


def _light(pixels: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """ITU-R BT.601 luma."""
    red, green, blue = (pixels[..., at].astype(np.int32) for at in range(3))
    return ((299 * red + 587 * green + 114 * blue) // 1000).astype(np.int16)


def _tints(pixels: npt.NDArray[np.int16]) -> Tints:
    """
    Halves of how much bluer and redder than gray what is drawn is, in the mean, and then what it is drawn on: of icons alone.
    """
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    behind = np.median(edge, axis=0)
    drawn = pixels[np.abs(pixels - behind).max(axis=2) > _DRAWN]
    of_icon = max(pixels.shape[:2]) <= _ICON_PX
    return np.concatenate([_tint(drawn), _tint(behind[None] if of_icon else drawn[:0])])


def _tint(pixels: npt.NDArray[np.int16] | npt.NDArray[np.float64]) -> Tints:
    if not len(pixels):
        return np.zeros(2, np.int16)
    red, green, blue = pixels.mean(axis=0)
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    return np.array([0.564 * (blue - light), 0.713 * (red - light)]).round().astype(np.int16) // 2


def _shrunk(box: Box) -> Box:
    return Box(box.left + _MARGIN, box.top + _MARGIN, box.right - _MARGIN, box.bottom - _MARGIN)


def _count(bits: npt.NDArray[np.uint8]) -> int:
    return int(np.unpackbits(bits).sum())

"""
Pictures of elements without a name, in a few bytes: all that tells an icon from the one that takes its place.

Kept are the edges, and the tint of what is drawn, of an icon also of what it is drawn on. A row that is selected, or a button
under the pointer, or with a ring around it, looks as it did; a red icon and a green one of one outline do not.
"""

from __future__ import annotations

import base64
import zlib
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.matching import NOISE
from handeye.screen import Pixels, Screen

MOST_PIXELS: Final = 40_000
"""Of what is kept. What is larger is a page, which looks different at every moment."""

MOST_ROW_PIXELS: Final = 160_000
"""Of a row that is looked at for what stands in it: as wide as a large monitor."""

# A ring around what has the keyboard stands there.
_MARGIN: Final = 4
# The share of edges that two looks have in common: equal ones have nearly all, two icons or names a third.
_ALIKE: Final = 0.5
# How far two tints are apart, of 255: orange and red differ by 90, a button and the same below the pointer by 15.
_TINTED: Final = 40
# Of the strongest step from one pixel to the next: text and its smoothing, not a background's gradient. Noise is no picture.
_EDGE: Final = 0.35
_FLAT: Final = 12
# Rows are wider, and show that they are selected by the colour behind them.
_ICON_PX: Final = 64


def look_of(picture: Screen, box: Box) -> str:
    """The look of a part of a window's picture, as text: see `is_alike`."""
    return base64.b85encode(zlib.compress(b"".join(map(bytes, _look(picture, box))))).decode()


def is_alike(kept: str, picture: Screen, box: Box) -> bool:
    """Return True if a part of the picture looks as the one of the same size that was kept; False for what is no look."""
    tints, edges = _look(picture, box)
    try:
        told = np.frombuffer(zlib.decompress(base64.b85decode(kept)), np.uint8)
    except (ValueError, zlib.error):
        return False
    if len(told) != len(tints) + len(edges):
        return False
    before = told[len(tints) :]
    larger, common = max(_count(before), _count(edges)), _count(before & edges)
    return int(cv2.absdiff(told[: len(tints)], tints).max()) <= _TINTED and common >= _ALIKE * larger


def _look(picture: Screen, box: Box) -> tuple[Pixels, Pixels]:
    """The mean tints (Cr, Cb) of what is drawn, and behind an icon, and the packed bits of the pixels at edges."""
    inner = box.expand(-min(_MARGIN, box.width // 4, box.height // 4))
    pixels = cv2.cvtColor(picture.crop(inner).pixels, cv2.COLOR_RGB2YCrCb)
    behind = np.median(np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]), axis=0)
    drawn = pixels[np.abs(pixels - behind).max(axis=2) > NOISE]
    no_tint = np.full(2, 128.0)
    of_icon = max(pixels.shape[:2]) <= _ICON_PX
    tints = np.concatenate([drawn.mean(axis=0)[1:] if len(drawn) else no_tint, behind[1:] if of_icon else no_tint])
    light = pixels[..., 0].astype(np.int16)
    steps = np.zeros_like(light)
    steps[:, 1:] = np.abs(np.diff(light, axis=1))
    steps[1:] = np.maximum(steps[1:], np.abs(np.diff(light, axis=0)))
    edges = steps >= max(_FLAT, _EDGE * int(steps.max(initial=0)))
    return tints.round().astype(np.uint8), np.packbits(edges)


def _count(bits: npt.NDArray[np.uint8]) -> int:
    return int(np.unpackbits(bits).sum())

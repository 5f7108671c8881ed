"""
Pictures of elements without a name, in a few bytes: all that tells an icon from the one that takes its place.

Kept are the edges, and the tints of what is drawn and of what it is drawn on. A button under the pointer, or with a ring around
it, looks as it did; a red icon and a green one of one outline do not.
"""

from __future__ import annotations

import base64
import zlib
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen
from handeye.verify.pixels import NOISE

MOST_PIXELS: Final = 40_000
"""Of what is kept. What is larger is a page, which looks different at every moment."""

# A ring around what has the keyboard stands there.
_MARGIN: Final = 4
# The share of edges that two looks have in common: equal ones have nearly all, two icons or names a third.
_ALIKE: Final = 0.5
# How far two tints are apart, of 255: orange and red differ by 90, a button and the same below the pointer by 15.
_TINTED: Final = 40


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
    """The mean tints (Cr, Cb) of what is drawn and of what is behind, and the packed bits of the pixels at edges."""
    inner = box.expand(-min(_MARGIN, box.width // 4, box.height // 4))
    pixels = cv2.cvtColor(picture.crop(inner).pixels, cv2.COLOR_RGB2YCrCb)
    behind = np.median(np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]), axis=0)
    drawn = pixels[np.abs(pixels - behind).max(axis=2) > NOISE]
    tints = np.concatenate([drawn.mean(axis=0)[1:] if len(drawn) else behind[1:], behind[1:]])
    light = pixels[..., 0].astype(np.int16)
    edges = np.zeros(light.shape, np.bool_)
    edges[:, 1:] = np.abs(np.diff(light, axis=1)) > NOISE
    edges[1:] |= np.abs(np.diff(light, axis=0)) > NOISE
    return tints.round().astype(np.uint8), np.packbits(edges)


def _count(bits: npt.NDArray[np.uint8]) -> int:
    return int(np.unpackbits(bits).sum())

"""
Compact picture signatures of nameless elements, which distinguish an icon from another one that takes its place.

A signature has the edges and the tint of the drawing, and for an icon also the tint of its background. A selected row, a button
under the pointer and a focused one still match; a red icon and a green one of the same outline do not.
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
"""Most pixels of an element with a signature. A larger one is a page, whose picture changes all the time."""

MOST_ROW_PIXELS: Final = 160_000
"""Most pixels of a row whose signature identifies an element in it: as wide as a large monitor."""

# Pixels at the edge that are ignored, because of focus rings.
_MARGIN: Final = 4
# Least share of common edges of equal signatures: equal pictures share nearly all, two icons or names a third.
_ALIKE: Final = 0.5
# Most difference of equal tints, of 255: orange and red differ by 90, a button with and without the pointer by 15.
_TINTED: Final = 40
# Least step of an edge, as a share of the strongest step and absolute: text and its antialiasing, but no gradient and no noise.
_EDGE: Final = 0.35
_FLAT: Final = 12
# Largest side of an icon; rows are wider, and their background changes when they are selected.
_ICON_PX: Final = 64


def picture_signature(picture: Screen, box: Box) -> str:
    """Return the signature of a part of a window's picture, as text for `is_alike`."""
    return base64.b85encode(zlib.compress(b"".join(map(bytes, _look(picture, box))))).decode()


def is_alike(kept: str, picture: Screen, box: Box) -> bool:
    """Return True if a part of the picture matches a signature of the same size; False for an invalid signature."""
    tints, edges = _look(picture, box)
    try:
        saved = np.frombuffer(zlib.decompress(base64.b85decode(kept)), np.uint8)
    except (ValueError, zlib.error):
        return False
    if len(saved) != len(tints) + len(edges):
        return False
    before = saved[len(tints) :]
    larger, common = max(_count(before), _count(edges)), _count(before & edges)
    return int(cv2.absdiff(saved[: len(tints)], tints).max()) <= _TINTED and common >= _ALIKE * larger


def _look(picture: Screen, box: Box) -> tuple[Pixels, Pixels]:
    """Return the mean tints (Cr, Cb) of the drawing and of an icon's background, and the packed mask of edge pixels."""
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

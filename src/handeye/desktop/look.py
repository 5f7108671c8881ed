"""
How something without a name looks, in a few bytes: its picture is all that tells an icon from the one that takes its place.

Kept are the edges, not the colours: a row that is selected, or a button under the pointer, looks as it did.
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

# A ring around what has the keyboard stands there.
_MARGIN: Final = 4
# Of the strongest step from one pixel to the next: text and its smoothing, not a background's gradient.
_EDGE: Final = 0.35
# A flat place has no strong step: noise is no picture.
_FLAT: Final = 12
# The share of edges that two looks have in common: equal ones have nearly all, two icons or names a third.
_ALIKE: Final = 0.5
_FEW: Final = 8

Edges = npt.NDArray[np.bool_]


def look_of(picture: Screen, box: Box) -> str:
    """The look of a part of a window's picture, as text: see `is_alike`."""
    edges = _edges(picture, box)
    return base64.b85encode(zlib.compress(np.packbits(edges).tobytes())).decode()


def is_alike(kept: str, picture: Screen, box: Box) -> bool:
    """Whether a part of the picture, as large as the one that was kept, looks as that did; False for what is no look."""
    now = np.packbits(_edges(picture, box))
    try:
        before = np.frombuffer(zlib.decompress(base64.b85decode(kept)), np.uint8)
    except (ValueError, zlib.error):
        return False
    if before.shape != now.shape:
        return False
    larger = max(_count(before), _count(now))
    return larger < _FEW or _count(before & now) >= _ALIKE * larger


def _edges(picture: Screen, box: Box) -> Edges:
    inner = box if min(box.width, box.height) <= 4 * _MARGIN else _shrunk(box)
    gray = picture.crop(inner).gray.astype(np.int16)
    steps = np.zeros(gray.shape, np.int16)
    steps[:, 1:] = np.abs(np.diff(gray, axis=1))
    steps[1:] = np.maximum(steps[1:], np.abs(np.diff(gray, axis=0)))
    strongest = int(steps.max(initial=0))
    return steps >= max(_FLAT, round(_EDGE * strongest))


def _shrunk(box: Box) -> Box:
    return Box(box.left + _MARGIN, box.top + _MARGIN, box.right - _MARGIN, box.bottom - _MARGIN)


def _count(bits: npt.NDArray[np.uint8]) -> int:
    return int(np.unpackbits(bits).sum())

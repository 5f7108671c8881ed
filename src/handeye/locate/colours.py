"""Colour names of elements, from the pixels of their face or of the drawing on it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import COLOURS

# Upper limit of the hue (0-180, as in OpenCV) of each colour name; above the last one it is red again.
_HUES: Final = (
    (8, "red"),
    (21, "orange"),
    (34, "yellow"),
    (85, "green"),
    (130, "blue"),
    (152, "purple"),
    (173, "pink"),
)
_GRAY: Final = 45  # saturation (0-255) below which no hue is visible
_BLACK, _WHITE = 60, 215  # values (0-255) below and above which a pixel without hue is black or white
_BROWN: Final = 150  # orange with a lower value is brown
_PALE: Final = 110  # light red with a lower saturation is pink
_PLAIN: Final = frozenset({"black", "gray", "white"})
# Share of the box, or of the drawing on its background, from which the element has the colour, or may have it.
_HAS: Final = 0.5
_MAY: Final = 0.3


class Shows(IntEnum):
    """Degrees to which an element has a colour."""

    NOT = 0
    PERHAPS = 1
    SURELY = 2


def shows_colour(screen: Screen, box: Box, colour: str) -> Shows:
    """
    Return how surely the face in `box`, or else the drawing on it, has that colour (a name of target.COLOURS).

    Black letters do not make a white button black, and a red badge does not make a blue one red; a red bell on the page is
    red.
    """
    names = _names(screen, box)
    if names is None:
        return Shows.NOT
    wanted = names == COLOURS.index(colour)
    counts = np.bincount(names.ravel(), minlength=len(COLOURS))
    ground = int(np.argmax(counts))
    ink = names != ground
    drawing = COLOURS[ground] in _PLAIN and colour not in _PLAIN and ink.any()
    drawn = float(wanted[ink].mean()) if drawing else 0.0
    share = max(float(wanted.mean()), drawn)
    return Shows.SURELY if share >= _HAS else Shows.PERHAPS if share >= _MAY else Shows.NOT


def _names(screen: Screen, box: Box) -> npt.NDArray[np.intp] | None:
    """Return the colour of each pixel as an index into COLOURS; None if the box is not on the frame."""
    inner = box.expand(-(min(box.width, box.height) // 12)).intersect(screen.box)  # without its border
    if inner is None:
        return None
    pixels = np.ascontiguousarray(screen.pixels[inner.top : inner.bottom, inner.left : inner.right])
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV))
    index = COLOURS.index
    hues = np.array([*(index(name) for _limit, name in _HUES), index("red")])
    named = hues[np.searchsorted([limit for limit, _name in _HUES], hue, side="right")]
    shades = {
        "black": value < _BLACK,
        "white": (saturation < _GRAY) & (value > _WHITE),
        "gray": saturation < _GRAY,
        "brown": (named == index("orange")) & (value < _BROWN),
        "pink": (named == index("red")) & (saturation < _PALE) & (value > _BROWN),
    }
    return np.select(list(shades.values()), [index(name) for name in shades], named)

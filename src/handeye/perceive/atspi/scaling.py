"""
Convert the coordinates that a toolkit reports to desktop pixels.

Qt 6 and GTK 3 use logical pixels on a scaled desktop (QT_SCALE_FACTOR, GDK_SCALE, a font resolution above 96 dpi), Chromium
physical ones; none of them reports which. The window decides: X11 knows its size in pixels.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from handeye.devices import Window
from handeye.geometry import Box, Point

# Reported widths are rounded, GTK's outwards on both sides: they may be off by this many reported pixels.
_ROUNDED: Final = 1.5
_LEAST: Final = 0.5
_MOST: Final = 8.0
# Steps in which desktops are scaled: whole numbers, quarters, twentieths, dots per inch (96 are a factor of 1).
_STEPS: Final = (1, 4, 20, 96)
_EXACT: Final = 1e-6
# GTK draws shadows around windows without a title bar of the window manager, and includes them: 26 pixels on each side,
# and up to 45 in some themes.
_SHADOWS: Final = 128
# GTK's windows begin at whole logical pixels, X11's need not.
_BEGINS_AT: Final = 1.0


class Scaling(NamedTuple):
    """
    Desktop pixels are reported pixels times `factor`, plus `dx` and `dy`: a scaled monitor's corner keeps its position.
    """

    factor: float = 1.0
    dx: float = 0.0
    dy: float = 0.0

    def pixels(self, told: Box) -> Box:
        """Return the box in desktop pixels."""
        if self == UNSCALED:
            return told
        left, top, right, bottom = (each * self.factor for each in told)
        return Box(round(left + self.dx), round(top + self.dy), round(right + self.dx), round(bottom + self.dy))

    def told(self, at: Point) -> Point:
        """Return a desktop point in the application's coordinates."""
        return Point(round((at.x - self.dx) / self.factor), round((at.y - self.dy) / self.factor))


UNSCALED: Final = Scaling()


def scaling_of(told: Box | None, window: Window) -> Scaling | None:
    """
    Return the scaling of an application's coordinates, from the box that it reports for its `window` and X11's. Return None
    if the two do not fit: then no position is known.
    """
    if told is None:
        return None
    for box in (window.box, window.frame):  # GTK includes the decorations
        factor = _factor(told, box)
        if factor is not None:
            return _from(told, box, factor)
    return _with_shadows(told, window.box)


def _factor(told: Box, box: Box) -> float | None:
    """Return the roundest factor that fits both sides, or None."""
    sides = ((told.width, box.width), (told.height, box.height))
    low = max(pixels / (reported + _ROUNDED) for reported, pixels in sides)
    high = min(pixels / max(reported - _ROUNDED, 1.0) for reported, pixels in sides)
    if low > high or high < _LEAST or low > _MOST:
        return None
    for parts in _STEPS:
        step = math.ceil(low * parts - _EXACT) / parts
        if step <= high + _EXACT:
            return step
    return (low + high) / 2


def _from(told: Box, box: Box, factor: float) -> Scaling:
    """
    Return the scaling with the window's offset. A moving window and its content are reported elsewhere: without scaling,
    reported positions are used unchanged.
    """
    if factor == 1.0:
        return UNSCALED
    away = (box.left - told.left * factor, box.top - told.top * factor)
    dx, dy = (0.0 if abs(each) <= factor * _BEGINS_AT + 1 else each for each in away)
    return Scaling(factor, dx, dy)


def _with_shadows(told: Box, box: Box) -> Scaling | None:
    for factor in range(1, int(_MOST) + 1):  # GTK's factors are integers
        spare = (told.width * factor - box.width, told.height * factor - box.height)
        if min(spare) >= -factor * _ROUNDED:
            return Scaling(float(factor)) if max(spare) <= factor * _SHADOWS else None
    return None

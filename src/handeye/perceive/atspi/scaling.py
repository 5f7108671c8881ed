"""
From the numbers that a toolkit tells to desktop pixels.

Qt 6 and GTK 3 count in logical pixels where the desktop is scaled (QT_SCALE_FACTOR, GDK_SCALE, a font resolution above 96 dpi),
Chromium in those of the screen; none of them says so. What tells them apart is the window: X11 knows how large it is in pixels.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from handeye.devices import Window
from handeye.geometry import Box, Point

# A told width is rounded, GTK's outwards on both sides: by so many told pixels it may be off.
_ROUNDED: Final = 1.5
_LEAST: Final = 0.5
_MOST: Final = 8.0
# Steps in which desktops are scaled: whole numbers, quarters, twentieths, dots per inch (96 are a factor of 1).
_STEPS: Final = (1, 4, 20, 96)
_EXACT: Final = 1e-6
# GTK draws shadows around windows that have no title bar of the window manager's, and counts them in: 26 pixels on each side,
# and up to 45 in some themes.
_SHADOWS: Final = 128
# GTK's windows begin at whole logical pixels, X11's need not.
_BEGINS_AT: Final = 1.0


class Scaling(NamedTuple):
    """Desktop pixels are told ones times `factor`, and `dx` and `dy` further: a scaled monitor's corner stays in its place."""

    factor: float = 1.0
    dx: float = 0.0
    dy: float = 0.0

    def pixels(self, told: Box) -> Box:
        """The box on the desktop."""
        if self == UNSCALED:
            return told
        left, top, right, bottom = (each * self.factor for each in told)
        return Box(round(left + self.dx), round(top + self.dy), round(right + self.dx), round(bottom + self.dy))

    def told(self, at: Point) -> Point:
        """A place on the desktop as the application counts."""
        return Point(round((at.x - self.dx) / self.factor), round((at.y - self.dy) / self.factor))


UNSCALED: Final = Scaling()


def scaling_of(told: Box | None, window: Window) -> Scaling | None:
    """
    How what an application tells is to be scaled, by what it says of its `window` and what X11 does; None when the two do not
    fit: then nobody knows where anything is.
    """
    if told is None:
        return None
    for box in (window.box, window.frame):  # GTK counts the decorations in
        factor = _factor(told, box)
        if factor is not None:
            return _from(told, box, factor)
    return _with_shadows(told, window.box)


def _factor(told: Box, box: Box) -> float | None:
    """The roundest that both sides allow."""
    sides = ((told.width, box.width), (told.height, box.height))
    low = max(pixels / (said + _ROUNDED) for said, pixels in sides)
    high = min(pixels / max(said - _ROUNDED, 1.0) for said, pixels in sides)
    if low > high or high < _LEAST or low > _MOST:
        return None
    for parts in _STEPS:
        step = math.ceil(low * parts - _EXACT) / parts
        if step <= high + _EXACT:
            return step
    return (low + high) / 2


def _from(told: Box, box: Box, factor: float) -> Scaling:
    """A window that moves is told elsewhere, and what is in it too: where nothing is scaled, that is taken as it is told."""
    if factor == 1.0:
        return UNSCALED
    away = (box.left - told.left * factor, box.top - told.top * factor)
    dx, dy = (0.0 if abs(each) <= factor * _BEGINS_AT + 1 else each for each in away)
    return Scaling(factor, dx, dy)


def _with_shadows(told: Box, box: Box) -> Scaling | None:
    for factor in range(1, int(_MOST) + 1):  # GTK's are whole
        spare = (told.width * factor - box.width, told.height * factor - box.height)
        if min(spare) >= -factor * _ROUNDED:
            return Scaling(float(factor)) if max(spare) <= factor * _SHADOWS else None
    return None

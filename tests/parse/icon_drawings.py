"""Icons drawn by hand for the tests, and a toolbar of them: no icon set has exactly these."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.screen import Pixels

_FINE: Final = 8  # drawn this much larger, then shrunk: anti-aliased as on a screen
_UNITS: Final = 24  # the grid that the drawings below are given in

Draw = ImageDraw.ImageDraw
Ink = str | tuple[int, int, int]


def _scaled(*numbers: float) -> tuple[float, ...]:
    return tuple(number * _FINE for number in numbers)


def _line(draw: Draw, ink: Ink, *points: float) -> None:
    draw.line(_scaled(*points), fill=ink, width=2 * _FINE, joint="curve")
    for x, y in zip(points[::2], points[1::2], strict=True):
        draw.ellipse(_scaled(x - 1, y - 1, x + 1, y + 1), fill=ink)


def _ring(draw: Draw, ink: Ink, x: float, y: float, radius: float) -> None:
    draw.ellipse(_scaled(x - radius, y - radius, x + radius, y + radius), outline=ink, width=2 * _FINE)


def _magnifier(draw: Draw, ink: Ink) -> None:
    _ring(draw, ink, 10, 10, 7)
    _line(draw, ink, 15, 15, 21, 21)


def _gear(draw: Draw, ink: Ink) -> None:
    for tooth in range(8):
        angle = tooth * math.pi / 4
        x, y = math.cos(angle), math.sin(angle)
        draw.line(_scaled(12 + 6 * x, 12 + 6 * y, 12 + 10 * x, 12 + 10 * y), fill=ink, width=4 * _FINE)
    draw.ellipse(_scaled(4.5, 4.5, 19.5, 19.5), fill=ink)
    draw.ellipse(_scaled(8.5, 8.5, 15.5, 15.5), fill="white")


def _arrow_left(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 20, 12, 4, 12)
    _line(draw, ink, 11, 5, 4, 12, 11, 19)


def _plus(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 12, 4, 12, 20)
    _line(draw, ink, 4, 12, 20, 12)


def _cross(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 5, 5, 19, 19)
    _line(draw, ink, 5, 19, 19, 5)


def _bars(draw: Draw, ink: Ink) -> None:
    for y in (6, 12, 18):
        _line(draw, ink, 3, y, 21, y)


def _bin(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 4, 6, 20, 6)
    _line(draw, ink, 9, 6, 9, 3, 15, 3, 15, 6)
    _line(draw, ink, 6, 6, 7, 21, 17, 21, 18, 6)
    _line(draw, ink, 10, 10, 10, 17)
    _line(draw, ink, 14, 10, 14, 17)


def _envelope(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 3, 5, 21, 5, 21, 19, 3, 19, 3, 5)
    _line(draw, ink, 3, 6, 12, 13, 21, 6)


def _play(draw: Draw, ink: Ink) -> None:
    draw.polygon(_scaled(6, 3, 20, 12, 6, 21), fill=ink)


def _house(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 3, 11, 12, 3, 21, 11)
    _line(draw, ink, 5, 10, 5, 21, 19, 21, 19, 10)
    _line(draw, ink, 10, 21, 10, 14, 14, 14, 14, 21)


def _check(draw: Draw, ink: Ink) -> None:
    _line(draw, ink, 4, 12, 10, 18, 20, 6)


DRAWINGS: Final[dict[str, Callable[[Draw, Ink], None]]] = {
    "search": _magnifier,
    "settings": _gear,
    "back": _arrow_left,
    "add": _plus,
    "close": _cross,
    "menu": _bars,
    "delete": _bin,
    "mail": _envelope,
    "play": _play,
    "home": _house,
    "check": _check,
}


def toolbar(names: Sequence[str], size: int = 24, ink: Ink = (40, 40, 44), gap: int = 20) -> tuple[Pixels, list[Box]]:
    """A white strip with these icons side by side, RGB, and the box of each."""
    frame = Image.new("RGB", ((size + gap) * len(names) + gap, size + 2 * gap), "white")
    boxes = []
    for at, name in enumerate(names):
        large = Image.new("RGB", (_UNITS * _FINE, _UNITS * _FINE), "white")
        DRAWINGS[name](ImageDraw.Draw(large), ink)
        left = gap + at * (size + gap)
        frame.paste(large.resize((size, size), Image.Resampling.LANCZOS), (left, gap))
        boxes.append(Box(left, gap, left + size, gap + size))
    return np.asarray(frame), boxes

"""Input validation for boxes and sizes, and a short `repr` for messages."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, Final

from handeye.errors import InvalidBox

MAX_COORDINATE: Final = 2**31 - 1
"""Larger numbers are rejected: no display system (X11, Win32, Android) has coordinates outside 32 bits."""

_LOW: Final = -MAX_COORDINATE
_PLAIN: Final = frozenset({int, float})
_UNORDERED: Final = (Mapping, Set, str, bytes, bytearray)


def frame_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return width and height of a frame or image. Raise `InvalidBox` unless they are two positive integers within 32
    bits."""
    try:
        width, height = size
        if not (type(width) is type(height) is int):
            width, height = operator.index(width), operator.index(height)
    except (TypeError, ValueError):
        width = height = 0
    if 0 < width <= MAX_COORDINATE and 0 < height <= MAX_COORDINATE:
        return width, height
    raise InvalidBox(f"{show(size)} is not a size: expected (width, height) in whole pixels, both 1 or more")


def four_numbers(values: Iterable[Any]) -> tuple[float, float, float, float]:
    """Return `values` as four finite plain numbers, or raise `InvalidBox`."""
    try:
        left, top, right, bottom = values
    except (TypeError, ValueError):
        raise InvalidBox(f"{show(values)} is not a box: expected four numbers, left, top, right, bottom") from None
    if type(values) is not list and isinstance(values, _UNORDERED):
        raise InvalidBox(f"{show(values)} is not a box: expected a list of left, top, right, bottom, in order")
    if not (type(left) in _PLAIN and type(top) in _PLAIN and type(right) in _PLAIN and type(bottom) in _PLAIN):
        left, top, right, bottom = (_number(value, values) for value in (left, top, right, bottom))
    low, high = _LOW, MAX_COORDINATE
    if low <= left <= high and low <= top <= high and low <= right <= high and low <= bottom <= high:
        return left, top, right, bottom
    raise InvalidBox(f"{show(values)} is not a box: NaN, infinite or beyond 32 bits")


def _number(value: Any, values: object) -> float:
    """Return a single value as int or float. Strings and booleans are not numbers: a reply that has them is malformed."""
    if isinstance(value, (Real, Decimal)) and not isinstance(value, bool):
        try:
            return int(value) if isinstance(value, Integral) else float(value)
        except (OverflowError, ValueError):  # a Fraction or Decimal beyond floats, a signalling NaN
            pass
    raise InvalidBox(f"{show(values)} is not a box: {show(value)} is not a finite number")


def show(value: object) -> str:
    """Return a short `repr` for messages and logs: a model's reply can be a megabyte long."""
    try:
        return reprlib.repr(value)
    except ValueError:  # pragma: no cover; an integer of more digits than Python prints, before 3.14
        return f"<{type(value).__name__} too long to print>"

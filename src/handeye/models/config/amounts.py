"""Numbers that people set: which of them can be meant."""

from __future__ import annotations

import sys
from typing import TypeGuard

_MOST_SHOWN = 40


def is_amount(value: object) -> TypeGuard[int | float]:
    """
    Whether it is a number from 0 up that sums can be made of: no NaN, not infinite, not True, no text, no whole number that is
    larger than any float.
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


def is_count(value: object) -> TypeGuard[int | float]:
    """Whether it is an amount of whole things."""
    return is_amount(value) and value == int(value)


def short_repr(value: object) -> str:
    """`value` in an error, cut where it is long: a number has up to thousands of digits, and Python refuses to write more."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"

"""Validation of numbers that users set, such as limits and prices."""

from __future__ import annotations

import sys
from typing import TypeGuard

_MOST_SHOWN = 40


def is_amount(value: object) -> TypeGuard[int | float]:
    """
    Return True if `value` is a finite number from 0 up: no NaN, no bool, no text, and no integer that is larger than
    any float.
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


def is_count(value: object) -> TypeGuard[int | float]:
    """Return True if `value` is an amount of whole things."""
    return is_amount(value) and value == int(value)


def short_repr(value: object) -> str:
    """
    Return `repr(value)` for an error message, shortened: a number may have thousands of digits, which Python refuses to
    print.
    """
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"

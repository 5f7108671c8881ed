"""Retry policy: transient statuses, and the wait before each retry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Final

# Request timeout, conflict, too early, rate limit, and the statuses of gateways and overloaded servers (529 is Anthropic's).
# Source: the retry rules of the openai and anthropic client libraries; 425 is RFC 8470.
TRANSIENT_STATUSES: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})

# Headers with which a server asks to wait, and the unit of their number, in seconds.
_UNITS: Final[Mapping[str, float]] = {"retry-after-ms": 0.001, "retry-after": 1.0}
# RFC 9110 allows whole seconds; fractions are in use. Python would read "1_0" and "1e300" as numbers too.
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
# In seconds, 11 days. A longer wait exceeds any call's deadline.
_LONGEST_ASKED: Final = 1_000_000.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """
    `tries` in total. The n-th wait is `first` x 2^(n-1) seconds, at most `longest`, minus a random part of up to a
    half, so that clients that failed together do not retry together. The figures are those of the vendors' own
    libraries (0.5 s, 8 s) with two more tries.
    """

    tries: int = 4
    first: float = 0.5
    longest: float = 8.0

    def wait(self, failures: int, asked: float | None, chance: Callable[[], float]) -> float:
        """
        Return the seconds to wait after `failures` failures (1 or more). `asked` is the server's request, and the
        minimum. `chance` returns random numbers from 0 to 1.
        """
        own = min(self.longest, self.first * 2.0 ** min(failures - 1, 30)) * (1 - chance() / 2)
        return own if asked is None else max(own, asked)


def retry_after(headers: Mapping[str, str], wall: float) -> float | None:
    """
    Return the seconds that a server asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date
    (RFC 9110, 10.2.3), counted from `wall`; at most 11 days. None without a valid header. Names are lower case.
    """
    for name in _UNITS:
        asked = _asked(name, headers.get(name, ""))
        if asked is not None:
            wait = asked.timestamp() - wall if isinstance(asked, datetime) else asked
            return min(max(0.0, wait), _LONGEST_ASKED)
    return None


def wait_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """
    Return the valid ones of the `headers` that ask to wait, with normalised values: the server's own text is not passed
    on.
    """
    asked = {name: _asked(name, headers.get(name, "")) for name in _UNITS}
    return {name: _written(name, wait) for name, wait in asked.items() if wait is not None}


def _asked(name: str, text: str) -> float | datetime | None:
    """Return seconds or a point in time; None if the value is not valid."""
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return min(float(text) * _UNITS[name], _LONGEST_ASKED)
    if name != "retry-after":
        return None
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return None


def _written(name: str, wait: float | datetime) -> str:
    return format_datetime(wait, usegmt=True) if isinstance(wait, datetime) else f"{wait / _UNITS[name]:.3f}"

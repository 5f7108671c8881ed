"""When a question is asked again, and how long to wait before."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

# Request timeout, conflict, too early, rate limit, and what a gateway or an overloaded server says (529 is Anthropic's).
# Source: the retry rules of the openai and anthropic client libraries; 425 is RFC 8470.
TRANSIENT_STATUSES: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """
    `tries` in all. The n-th wait is `first` x 2^(n-1) seconds, `longest` at most, less up to half of it by chance, so that
    clients that failed together do not come back together. The figures are those of the vendors' own libraries (0.5 s, 8 s)
    with two tries more.
    """

    tries: int = 4
    first: float = 0.5
    longest: float = 8.0

    def wait(self, failures: int, asked: float | None, chance: Callable[[], float]) -> float:
        """
        Seconds to wait after so many failures (1 or more). `asked` is what the server wants: never less than that. `chance`
        gives numbers from 0 to 1.
        """
        own = min(self.longest, self.first * 2.0 ** min(failures - 1, 30)) * (1 - chance() / 2)
        return own if asked is None else max(own, asked)


def asked_wait(headers: Mapping[str, str], wall: float) -> float | None:
    """
    The seconds that a server asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date (RFC 9110,
    10.2.3), counted from `wall`. None when it says nothing that makes sense. Names are lower case.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _seconds(text)
    if seconds is not None or text is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - wall)
    except (ValueError, TypeError, OverflowError):
        return None


def _seconds(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None

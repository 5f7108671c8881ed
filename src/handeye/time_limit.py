"""A limit for computing that takes longer the more there is on a picture: a picture of noise has ten thousand lines to read."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from handeye.errors import SearchTimedOut

# When the time is over, by time.monotonic, and the seconds that there were.
_LIMIT: Final[ContextVar[tuple[float, float]]] = ContextVar("limit", default=(math.inf, math.inf))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """From now on, in this thread, `check_time` raises after so many seconds; a limit around this one holds, too."""
    token = _LIMIT.set(min(_LIMIT.get(), (time.monotonic() + seconds, seconds)))
    try:
        yield
    finally:
        _LIMIT.reset(token)


def check_time() -> None:
    """Raise SearchTimedOut when the time that a caller has set is over; for loops that may be long."""
    ends, seconds = _LIMIT.get()
    if time.monotonic() > ends:
        raise SearchTimedOut(seconds)

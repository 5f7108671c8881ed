"""Time limit for computations whose duration depends on the picture: a picture of noise has ten thousand lines to read."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from handeye.errors import SearchTimedOut

# End of the limit, by time.monotonic, and its duration in seconds.
_LIMIT: Final[ContextVar[tuple[float, float]]] = ContextVar("limit", default=(math.inf, math.inf))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Make `check_time` raise in this thread after `seconds`; an enclosing limit still applies."""
    token = _LIMIT.set(min(_LIMIT.get(), (time.monotonic() + seconds, seconds)))
    try:
        yield
    finally:
        _LIMIT.reset(token)


def check_time() -> None:
    """Raise SearchTimedOut if the caller's time limit has passed; for loops that may run long."""
    ends, seconds = _LIMIT.get()
    if time.monotonic() > ends:
        raise SearchTimedOut(seconds)

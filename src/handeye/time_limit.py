"""A limit for computing that takes longer the more there is on a picture: a picture of noise has ten thousand lines to read."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from handeye.errors import SearchTimedOut

_ENDS: Final[ContextVar[float]] = ContextVar("ends", default=math.inf)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """From now on, in this thread, `check_time` raises after so many seconds; a limit around this one holds, too."""
    token = _ENDS.set(min(_ENDS.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _ENDS.reset(token)


def check_time() -> None:
    """Raise SearchTimedOut when the time that a caller has set is over; for loops that may be long."""
    if time.monotonic() > _ENDS.get():
        raise SearchTimedOut

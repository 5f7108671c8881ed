"""Clocks passed as arguments, so that waits have deadlines and tests do not sleep."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Return monotonic seconds."""
        ...

    def wall(self) -> float:
        """Return seconds since the epoch."""
        ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The system's clock."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class Deadline:
    """A point in time that a wait must not exceed."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock = clock
        self._end = clock.now() + seconds

    @property
    def left(self) -> float:
        """Seconds until the deadline, never below 0."""
        return max(0.0, self._end - self.clock.now())

    @property
    def passed(self) -> bool:
        return self.left <= 0.0

    def at_most(self, seconds: float) -> Deadline:
        """Return a deadline `seconds` from now, or this one's time if that is earlier."""
        return Deadline(self.clock, min(seconds, self.left))

    def pause(self, seconds: float) -> None:
        """Sleep `seconds` between two polls of a condition, but not beyond the deadline."""
        self.clock.sleep(min(seconds, self.left))

    def looks(self, every: float) -> Iterator[None]:
        """Yield for each poll of a loop, with pauses of `every` seconds: first at once, last at the deadline."""
        while True:
            yield
            if self.passed:
                return
            self.pause(every)

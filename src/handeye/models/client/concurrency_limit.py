"""Limit on the concurrent requests to one server, over all models."""

from __future__ import annotations

import threading
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from handeye.forks import register_after_fork
from handeye.models.config.validation import address_of

_PORTS: Final = {"http": 80, "https": 443}


class ConcurrencyLimit:
    """
    Counts the requests in progress. A request may start while there are fewer than its own model's limit, counting
    those of other models.
    """

    def __init__(self) -> None:
        self.after_fork()
        register_after_fork(self)

    def after_fork(self) -> None:
        """Reset the count: requests of the parent process do not end in this one."""
        self._under_way = 0
        self._left = threading.Condition()

    def enter(self, most: int, seconds: float) -> bool:
        """
        Wait for a turn. Return True when fewer than `most` requests are in progress, False if `seconds` pass before.
        """
        with self._left:
            free = self._left.wait_for(lambda: self._under_way < most, min(seconds, threading.TIMEOUT_MAX))
            self._under_way += free
            return free

    def leave(self) -> None:
        with self._left:
            self._under_way -= 1
            self._left.notify_all()


class _LimitsByServer:
    """The concurrency limits by server."""

    def __init__(self) -> None:
        self._limits: WeakValueDictionary[tuple[str, int], ConcurrencyLimit] = WeakValueDictionary()
        self.after_fork()
        register_after_fork(self)

    def after_fork(self) -> None:
        self._lock = threading.Lock()

    def at(self, server: tuple[str, int]) -> ConcurrencyLimit:
        with self._lock:
            limit = self._limits.get(server)
            if limit is None:
                limit = self._limits[server] = ConcurrencyLimit()
            return limit


_limits: Final = _LimitsByServer()


def limit_for(base_url: str) -> ConcurrencyLimit:
    """Return the limit that all models at one server share, independent of the spelling of its address."""
    parts = urlsplit(base_url)
    host = (parts.hostname or "").lower()
    address = address_of(host)
    if address is not None:
        host = "localhost" if address.is_loopback or address.is_unspecified else str(address)
    return _limits.at((host, parts.port or _PORTS.get(parts.scheme, 0)))

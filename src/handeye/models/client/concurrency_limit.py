"""How many requests are under way to one server, over all models."""

from __future__ import annotations

import threading
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from handeye.forks import renew_after_fork
from handeye.models.config.private_hosts import address_of

_PORTS: Final = {"http": 80, "https": 443}


class ConcurrencyLimit:
    """Counts the requests under way. Each enters while there are fewer than its own model allows, whoever sends the others."""

    def __init__(self) -> None:
        self.after_fork()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """What the parent has under way never leaves here."""
        self._under_way = 0
        self._left = threading.Condition()

    def enter(self, most: int, seconds: float) -> bool:
        """Wait for a turn: True when fewer than `most` are under way, False when `seconds` pass before."""
        with self._left:
            free = self._left.wait_for(lambda: self._under_way < most, min(seconds, threading.TIMEOUT_MAX))
            self._under_way += free
            return free

    def leave(self) -> None:
        with self._left:
            self._under_way -= 1
            self._left.notify_all()


class _Gates:
    """The gates by server."""

    def __init__(self) -> None:
        self._gates: WeakValueDictionary[tuple[str, int], ConcurrencyLimit] = WeakValueDictionary()
        self.after_fork()
        renew_after_fork(self)

    def after_fork(self) -> None:
        self._lock = threading.Lock()

    def at(self, server: tuple[str, int]) -> ConcurrencyLimit:
        with self._lock:
            gate = self._gates.get(server)
            if gate is None:
                gate = self._gates[server] = ConcurrencyLimit()
            return gate


_gates: Final = _Gates()


def limit_for(base_url: str) -> ConcurrencyLimit:
    """The gate that all models at one server share, however its address is written."""
    parts = urlsplit(base_url)
    host = (parts.hostname or "").lower()
    address = address_of(host)
    if address is not None:
        host = "localhost" if address.is_loopback or address.is_unspecified else str(address)
    return _gates.at((host, parts.port or _PORTS.get(parts.scheme, 0)))

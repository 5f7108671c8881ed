"""
Reset objects in forked processes: connections, concurrency slots held by other threads, locks.

If two processes read from one connection, each receives answers to the other's requests: clicks in the wrong place.
"""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakSet


class Forkable(Protocol):
    """An object that is reset in a forked process."""

    def after_fork(self) -> None:
        """Give up what belongs to the parent. Runs first in the child, which has a single thread."""


_forkables: Final[WeakSet[Forkable]] = WeakSet()


def register_after_fork(thing: Forkable) -> None:
    """Call `thing.after_fork` in every process that is forked from this one, as long as `thing` lives."""
    _forkables.add(thing)


def _renew_all() -> None:
    for thing in list(_forkables):
        thing.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no forks
    os.register_at_fork(after_in_child=_renew_all)

"""
What a process that was forked from another one must not take along: connections, turns that others hold, locks.

A connection that two processes read from gives each of them answers to the other's questions: clicks in the wrong place.
"""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakSet


class Forkable(Protocol):
    """Something that starts anew in a forked process."""

    def after_fork(self) -> None:
        """Give up what belongs to the parent. Runs in the child, alone, before anything else does there."""


_forkables: Final[WeakSet[Forkable]] = WeakSet()


def renew_after_fork(thing: Forkable) -> None:
    """Have `thing.after_fork` called in every process that is forked from this one, as long as `thing` lives."""
    _forkables.add(thing)


def _renew_all() -> None:
    for thing in list(_forkables):
        thing.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no forks
    os.register_at_fork(after_in_child=_renew_all)

"""Who can say what is on the screen without looking at pixels."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from handeye.elements import UIState
from handeye.screen import Screen


class StateProvider(Protocol):
    """
    Reads all elements of the moment that `screen` shows; boxes are in pixels of that frame.

    Raises a HandeyeError when it could not look. `slow` says that a reading costs seconds, so that cheaper ways go first.
    """

    @property
    def name(self) -> str: ...

    @property
    def slow(self) -> bool: ...

    def detect(self, screen: Screen) -> UIState: ...


@runtime_checkable
class KeepingProvider(StateProvider, Protocol):
    """A provider that answers equal frames from memory."""

    def clear(self) -> None:
        """Forget what was read."""
        ...

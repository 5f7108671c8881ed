"""Panic stop: the user ends a run by moving the pointer into a screen corner or pressing a key."""

from __future__ import annotations

import contextlib
from enum import StrEnum
from typing import Protocol, runtime_checkable

from handeye.devices.desktop.base import BetweenPieces, DesktopBackend, MouseButton, PointerMemory
from handeye.devices.desktop.keys import StopKey, key_named
from handeye.errors import DeviceError, DeviceLost, UnsupportedAction, UsageError
from handeye.geometry import Point

_REACH_PX = 2  # a pointer pushed against the edges stops at the last pixel or the one before


class StoppedByPerson(KeyboardInterrupt):
    """
    The user ended the run from the desktop. A KeyboardInterrupt, as Ctrl-C raises in a terminal, and not a
    HandeyeError, so that nothing retries, dismisses or replans: the run ends as aborted.
    """


class Corner(StrEnum):
    """A corner of the screen."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


@runtime_checkable
class KeyWatcher(Protocol):
    """A backend that can report whether the user has pressed a key since the last query."""

    def watch(self, key: str) -> None:
        """Watch a key from now on; on Linux applications no longer receive it. Raises UsageError, DeviceError."""
        ...

    def was_pressed(self) -> bool: ...


class PanicStop:
    """
    Input of `backend` that checks for the user's stop signal before each movement, press and piece of text, and raises
    StoppedByPerson once the pointer is in `corner` (None: disabled) without having been put there by Handeye, or `key`
    was pressed. From then on every call raises it until `reset`. Releasing keys and buttons is never refused.

    If the backend is a PointerMemory, successive commands count as one run: a pointer that is in the corner and was not
    left there by the previous command stops the next one before it acts. On other backends the first check never stops.

    A corner is where the pointer can go no further: a corner of any monitor that no other monitor adjoins. A `key`
    needs a backend that is a KeyWatcher, else UnsupportedAction is raised; UsageError for a key that cannot be used
    (`stop_key_named`). The stop key is reserved for the user: pressing it is refused. While it cannot be watched,
    actions are refused, but captures work.
    """

    def __init__(
        self,
        backend: DesktopBackend,
        corner: Corner | str | None = Corner.TOP_LEFT,
        key: StopKey | str | None = None,
    ) -> None:
        self._backend = backend
        self._corner = Corner(corner) if corner is not None else None
        self._last_position: Point | None = None  # by Handeye, or observed there since
        self._stop_reason = ""
        self._memory = backend if isinstance(backend, PointerMemory) else None
        self._key = StopKey.of(key) if key is not None else None
        self._watcher: KeyWatcher | None = None
        if self._key is not None and not isinstance(backend, KeyWatcher):
            raise UnsupportedAction(
                f"{self._key.place}: {backend.uri} cannot tell whether a person presses a key: "
                f"{self._key.key.name!r} would stop nothing"
            )
        with contextlib.suppress(DeviceError):  # capturing is harmless, and the first action tries again
            self._watch()

    def check(self) -> None:
        """
        Raise StoppedByPerson if the user asked to stop; DeviceError, which names the setting, while the stop key cannot
        be watched.
        """
        self._watch()
        if not self._stop_reason:
            self._stop_reason = self._find_stop_reason()
        if self._stop_reason:
            raise StoppedByPerson(f"a person stopped the run: {self._stop_reason}")

    def reset(self) -> None:
        """Clear the stop. The pointer's current position counts as put there by Handeye."""
        self._stop_reason = ""
        self._remember_position(self._backend.pointer())

    # -- input

    def move(self, to: Point) -> None:
        self.check()
        self._remember_position(to)
        self._backend.move(to)

    def pointer(self) -> Point:
        """Return the pointer's position; raises StoppedByPerson if the user has moved it into the corner."""
        self.check()
        return self._backend.pointer()

    def button(self, button: MouseButton, *, down: bool) -> None:
        if down:
            self.check()
        self._backend.button(button, down=down)

    def wheel(self, across: int, down: int) -> None:
        self.check()
        self._backend.wheel(across, down)

    def key(self, name: str, *, down: bool) -> None:
        if down:
            self.check()
            if self._key is not None and key_named(name) == self._key.key:
                raise UsageError(
                    f"{self._key.key.name!r} is the key that a person stops the run with: it is not pressed"
                )
        self._backend.key(name, down=down)

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        def look(typed: int) -> None:
            self.check()
            between(typed)

        return self._backend.type(text, look)

    # -- stop signals

    def _watch(self) -> None:
        if self._key is None or self._watcher is not None or not isinstance(self._backend, KeyWatcher):
            return
        try:
            self._backend.watch(self._key.key.name)
        except UnsupportedAction as error:
            raise UnsupportedAction(f"{self._key.place}: {error}") from error
        except DeviceLost:
            raise
        except DeviceError as error:
            raise DeviceError(f"{self._key.place}: {error}") from error
        self._watcher = self._backend

    def _find_stop_reason(self) -> str:
        if self._watcher is not None and self._watcher.was_pressed():
            return f"the stop key{f' {self._key.key.name!r}' if self._key is not None else ''} was pressed"
        if self._corner is None:
            return ""
        at = self._backend.pointer()
        if self._last_position is None:
            self._last_position = self._memory.left_at() if self._memory is not None else at
        if at != self._last_position and self._is_in_corner(at, self._corner):
            return f"the pointer was moved into the {self._corner} corner; move it out of there to go on"
        if at != self._last_position:
            self._remember_position(at)
        return ""

    def _remember_position(self, at: Point) -> None:
        self._last_position = at
        if self._memory is not None:
            self._memory.leave_at(at)

    def _is_in_corner(self, at: Point, corner: Corner) -> bool:
        vertical, horizontal = corner.split("-")
        boxes = [monitor.box for monitor in self._backend.monitors()]
        for box in boxes:
            x = box.left if horizontal == "left" else box.right - 1
            y = box.top if vertical == "top" else box.bottom - 1
            next_horizontally = (x - 1 if horizontal == "left" else x + 1, y)
            next_vertically = (x, y - 1 if vertical == "top" else y + 1)
            ends = not any(other.contains(next_horizontally) or other.contains(next_vertically) for other in boxes)
            if ends and box.contains(at) and abs(at.x - x) < _REACH_PX and abs(at.y - y) < _REACH_PX:
                return True
        return False

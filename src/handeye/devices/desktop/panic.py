"""The panic stop: a person ends a run by moving the pointer into a corner, or by a key."""

from __future__ import annotations

import contextlib
from enum import StrEnum
from typing import Protocol, runtime_checkable

from handeye.devices.desktop.base import BetweenPieces, DesktopBackend, MouseButton, PointerMemory
from handeye.devices.desktop.keys import key_named
from handeye.devices.desktop.stop_key import StopKey
from handeye.errors import DeviceError, DeviceLost, UnsupportedAction, UsageError
from handeye.geometry import Point

_REACH_PX = 2  # a pointer that is pushed against the edges stands at the last pixel or the one before


class StoppedByPerson(KeyboardInterrupt):
    """
    A person ended the run from the desktop itself. It is what Ctrl-C raises in a terminal, and not a HandeyeError, so that
    nothing retries, dismisses or plans anew: the run ends as one that was aborted.
    """


class Corner(StrEnum):
    """A corner of the screen."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


@runtime_checkable
class KeyWatcher(Protocol):
    """A backend that can tell whether a person has pressed a key since it was asked last."""

    def watch(self, key: str) -> None:
        """Watch a key from now on; on Linux no application gets it any more. Raises UsageError, DeviceError."""
        ...

    def was_pressed(self) -> bool: ...


class PanicStop:
    """
    The hands of `backend`, which look at the person before each movement, press and piece of text, and raise StoppedByPerson
    once the pointer stands in `corner` (None: no corner counts) where they have not put it, or `key` was pressed. From then on
    they always raise it, until `reset`. Letting go is never refused.

    Where the backend is a PointerMemory, commands that follow each other are one run: a pointer that stands in the corner, and
    was not left there by the one before, stops the next one before it does anything. With others the first look says nothing.

    A corner is where the pointer can go no further: one of any monitor that no other monitor continues. A `key` needs a backend
    that is a KeyWatcher, or UnsupportedAction is raised; UsageError for what cannot be one (`stop_key_named`). It is the
    person's alone: pressing it is refused. Where it cannot be watched, nothing is done, but everything can be looked at.
    """

    def __init__(
        self,
        backend: DesktopBackend,
        corner: Corner | str | None = Corner.TOP_LEFT,
        key: StopKey | str | None = None,
    ) -> None:
        self._backend = backend
        self._corner = Corner(corner) if corner is not None else None
        self._left_at: Point | None = None  # by us, or seen there since
        self._why = ""
        self._memory = backend if isinstance(backend, PointerMemory) else None
        self._key = StopKey.of(key) if key is not None else None
        self._watcher: KeyWatcher | None = None
        if self._key is not None and not isinstance(backend, KeyWatcher):
            raise UnsupportedAction(
                f"{self._key.place}: {backend.uri} cannot tell whether a person presses a key: "
                f"{self._key.key.name!r} would stop nothing"
            )
        with contextlib.suppress(DeviceError):  # to look is harmless, and the first act tries once more
            self._watch()

    def check(self) -> None:
        """Raises StoppedByPerson; DeviceError while the stop key cannot be watched, which says where it was named."""
        self._watch()
        if not self._why:
            self._why = self._asked_to_stop()
        if self._why:
            raise StoppedByPerson(f"a person stopped the run: {self._why}")

    def reset(self) -> None:
        """Go on after a stop. Where the pointer stands now counts as put there."""
        self._why = ""
        self._leave(self._backend.pointer())

    # -- the hands

    def move(self, to: Point) -> None:
        self.check()
        self._leave(to)
        self._backend.move(to)

    def pointer(self) -> Point:
        """Where it is; a person who has moved it into the corner is noticed."""
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

    # -- the person

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

    def _asked_to_stop(self) -> str:
        if self._watcher is not None and self._watcher.was_pressed():
            return f"the stop key{f' {self._key.key.name!r}' if self._key is not None else ''} was pressed"
        if self._corner is None:
            return ""
        at = self._backend.pointer()
        if self._left_at is None:
            self._left_at = self._memory.left_at() if self._memory is not None else at
        if at != self._left_at and self._is_in_corner(at, self._corner):
            return f"the pointer was moved into the {self._corner} corner; move it out of there to go on"
        if at != self._left_at:
            self._leave(at)
        return ""

    def _leave(self, at: Point) -> None:
        self._left_at = at
        if self._memory is not None:
            self._memory.leave_at(at)

    def _is_in_corner(self, at: Point, corner: Corner) -> bool:
        vertical, horizontal = corner.split("-")
        boxes = [monitor.box for monitor in self._backend.monitors()]
        for box in boxes:
            x = box.left if horizontal == "left" else box.right - 1
            y = box.top if vertical == "top" else box.bottom - 1
            beside = (x - 1 if horizontal == "left" else x + 1, y)
            beyond = (x, y - 1 if vertical == "top" else y + 1)
            ends = not any(other.contains(beside) or other.contains(beyond) for other in boxes)
            if ends and box.contains(at) and abs(at.x - x) < _REACH_PX and abs(at.y - y) < _REACH_PX:
                return True
        return False

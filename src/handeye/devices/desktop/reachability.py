"""Check that a window still exists, has keyboard focus, and receives clicks at a point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import DesktopBackend, Surface, Window
from handeye.devices.desktop.panic import PanicStop
from handeye.errors import DeviceError, DeviceLost, KeyboardTaken
from handeye.geometry import Point

T = TypeVar("T")

_ATTEMPTS: Final = 3  # a window that is being dragged moves between two captures
_TIP_S: Final = 1.0
_FOCUS_CHANGE_S: Final = 1.0  # for a window manager that is moving the focus from one window to another
_POLL_S: Final = 0.02


class Reachability:
    """
    Reachability checks for the windows of `backend`. Every method checks for a panic stop first (`panic`), and raises
    DeviceError if something is in the way, DeviceLost if the window is gone.
    """

    def __init__(self, backend: DesktopBackend, panic: PanicStop, clock: Clock) -> None:
        self._backend = backend
        self._panic = panic
        self._clock = clock

    def in_front(self, window: Window) -> Window:
        """
        Return the window's current state, with keyboard focus. Refused while another program's menu is open, as it
        would receive the input.
        """
        return self._in_front(window, self._backend.menus())

    def places(
        self, seen: Window, *places: Point, is_own: Callable[[Surface], bool] | None = None, beside_menus: bool = True
    ) -> tuple[Window, tuple[Point, ...]]:
        """
        Return the current state of the window `seen`, focused, and the current positions of `places`, as it may have
        moved. Refused if its size has changed, or if something else would receive a click at one of them. `is_own`
        decides which menus and lists count as part of the window; by default those of its process. A click outside an
        open menu only closes the menu, so it is refused too unless `beside_menus`.
        """
        menus = self._backend.menus()
        now = self._in_front(seen, menus)
        if (now.box.width, now.box.height) != (seen.box.width, seen.box.height):
            raise DeviceError(f"the window {now} has changed its size: look at it anew")
        moved = tuple(place.translate(now.box.left - seen.box.left, now.box.top - seen.box.top) for place in places)
        for place in moved:
            there = self.check(now, place, is_own or (lambda popup: popup.process == now.process))
            if menus and not beside_menus and not there.popup:
                raise DeviceError(
                    f"{menus[0]} is open, and a press beside it only closes it: close it first, with escape"
                )
        return now, moved

    def check(self, window: Window, at: Point, is_own: Callable[[Surface], bool]) -> Surface:
        """
        Return what receives a click at `at`. Raises DeviceError if that is neither the window nor a menu accepted by
        `is_own`. A tool tip is dismissed by moving the pointer.
        """
        self.check_on_monitor(at)
        there = self._backend.surface_at(at)
        limit = Deadline(self._clock, _TIP_S)
        while there is not None and there.tip and not limit.passed:
            self._panic.move(at)
            limit.pause(_POLL_S)
            there = self._backend.surface_at(at)
        if there is None:
            raise DeviceError(f"the place {tuple(at)} of the window {window} is outside of it")
        if not (is_own(there) if there.popup else there.id == window.id):
            remedy = "close it first, with escape" if there.popup else "move that away"
            raise DeviceError(f"the place {tuple(at)} of the window {window} is covered by {there}: {remedy}")
        return there

    def check_keyboard(self, window: int, done: str) -> None:
        """Raise KeyboardTaken unless `window` has keyboard focus; `done` ends the message."""
        limit = Deadline(self._clock, _FOCUS_CHANGE_S)
        while (holder := self._backend.keyboard_holder()) is None and not limit.passed:
            limit.pause(_POLL_S)
        if holder is None or holder.id != window:
            who = f"{holder} has" if holder is not None else "no window has"
            named = self._backend.window(window)
            raise KeyboardTaken(f"{who} the keyboard{f', not {named}' if named is not None else ''}: {done}")

    def check_on_monitor(self, at: Point) -> None:
        """Raise DeviceError for a point that no monitor shows."""
        if not any(monitor.box.contains(at) for monitor in self._backend.monitors()):
            raise DeviceError(f"the place {tuple(at)} is on no monitor: move its window onto the screen first")

    def _in_front(self, window: Window, menus: Sequence[Surface]) -> Window:
        self._panic.check()
        for menu in menus:
            if menu.process is not None and window.process is not None and menu.process != window.process:
                raise DeviceError(f"{menu} is open and takes every press: close it first, with escape")
        now = self._backend.window(window.id)
        if now is not None and (not now.focused or now.minimized):
            self._backend.focus(now)
            now = self._backend.window(window.id)
        if now is None or now.process != window.process:
            raise DeviceLost(f"the window {window} was closed")
        return now


def capture_unmoved(
    backend: DesktopBackend, window: Window, look: Callable[[Window], T], failure: type[DeviceError]
) -> tuple[Window, T]:
    """
    Return the window, and what `look` returned for it while it did not move. Raises DeviceLost if it is gone, `failure`
    if it keeps moving.
    """
    for _ in range(_ATTEMPTS):
        seen = look(window)
        after = backend.window(window.id)
        if after is None:
            raise DeviceLost(f"the window {window} was closed")
        if after.box == window.box:
            return after, seen
        window = after
    raise failure(f"the window {window} keeps moving: nobody can say what stands where")

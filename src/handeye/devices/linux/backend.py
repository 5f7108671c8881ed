"""`X11Backend`: windows, pixels, pointer, keyboard and programs of an X server behind `DesktopBackend`."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Literal

from Xlib.error import ConnectionClosedError

from handeye.clock import Clock, SystemClock
from handeye.devices.desktop.base import BetweenPieces, Monitor, MouseButton, Surface, Window
from handeye.devices.linux.capture.capture import Capture
from handeye.devices.linux.connection import connect, numbers, translate_x_errors
from handeye.devices.linux.input.release import release_for_ended_processes
from handeye.devices.linux.input.x11_input import X11Input
from handeye.devices.linux.programs import Programs
from handeye.devices.linux.windows.monitors import monitors
from handeye.devices.linux.windows.stacking import Stacking
from handeye.devices.linux.windows.windows import Windows
from handeye.errors import DeviceNotFound
from handeye.geometry import Box, Point
from handeye.screen import Pixels

_LEFT_AT = "_HANDEYE_POINTER"


class X11Backend:
    """
    The desktop of the X server `display`, such as ":99"; None is that of the environment. `environment` is passed to
    programs it starts. `typing` selects whether a text is typed with keys or pasted: see docs/desktop-input.md.

    Raises DeviceNotFound if there is no such server.
    """

    def __init__(
        self,
        display: str | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        typing: Literal["keys", "clipboard"] = "keys",
        clock: Clock | None = None,
    ) -> None:
        self._typing = typing
        self.closed = False
        self._clock = clock or SystemClock()
        self.display = connect(display)
        """The X connection, shared by the parts of this backend."""
        self._lock = threading.RLock()
        self.environment = {**(os.environ if environment is None else environment), "DISPLAY": self.display_name}
        self._windows = Windows(self.display, self._clock)
        self._stacking = Stacking(self.display, self._windows)
        self._capture = Capture(self.display, self._windows, self._clock)
        self._programs = Programs(self.environment)
        with self._talk():
            release_for_ended_processes(self.display)

    def __repr__(self) -> str:
        return f"X11Backend({self.display_name!r})"

    @property
    def display_name(self) -> str:
        return str(self.display.get_display_name())

    @property
    def uri(self) -> str:
        return f"linux:{self.display_name}"

    @property
    def managed(self) -> bool:
        """True if a window manager runs."""
        with self._talk():
            return self._windows.managed

    @contextmanager
    def _talk(self) -> Iterator[None]:
        """Serialize requests: a window may be read and captured in two threads."""
        with self._lock, translate_x_errors(self.display):
            yield

    # -- monitors and windows

    def monitors(self) -> tuple[Monitor, ...]:
        with self._talk():
            return monitors(self.display)

    def windows(self) -> tuple[Window, ...]:
        with self._talk():
            # the server sends keyboard mapping changes to every client; they are not needed here
            while self.display.pending_events():
                self.display.next_event()
            return self._windows.all()

    def window(self, id: int) -> Window | None:
        with self._talk():
            return self._windows.one(id)

    def surface_at(self, at: Point) -> Surface | None:
        with self._talk():
            return self._stacking.surface_at(at)

    def menus(self) -> tuple[Surface, ...]:
        with self._talk():
            return self._stacking.menus()

    def keyboard_holder(self) -> Surface | None:
        with self._talk():
            return self._stacking.keyboard_holder()

    # -- pixels

    def grab(self, box: Box) -> Pixels:
        with self._talk():
            return self._capture.grab(box)

    def grab_window(self, window: Window) -> Pixels:
        with self._talk():
            return self._capture.grab_window(window)

    # -- input

    def focus(self, window: Window) -> None:
        with self._talk():
            self._windows.focus(window)

    def pointer(self) -> Point:
        with self._talk():
            at = self.display.screen().root.query_pointer()
            return Point(at.root_x, at.root_y)

    def left_at(self) -> Point | None:
        """See PointerMemory. Stored in a property of the root window, which lasts as long as the server."""
        with self._talk():
            stored = numbers(self.display.screen().root, self.display, _LEFT_AT)
        return Point(*stored) if len(stored) == 2 else None

    def leave_at(self, at: Point) -> None:
        with self._talk():
            atoms = self.display.get_atom(_LEFT_AT), self.display.get_atom("CARDINAL")
            self.display.screen().root.change_property(*atoms, 32, [max(at.x, 0), max(at.y, 0)])
            self.display.flush()

    def move(self, to: Point) -> None:
        self._input.pointer.move(to)

    def button(self, button: MouseButton, *, down: bool) -> None:
        self._input.pointer.button(button, down=down)

    def wheel(self, across: int, down: int) -> None:
        self._input.pointer.wheel(across, down)

    def prepare(self, keys: Sequence[str]) -> None:
        """See KeyPreparer."""
        self._input.keyboard.prepare(keys)

    def key(self, name: str, *, down: bool) -> None:
        self._input.keyboard.key(name, down=down)

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        way = self._input.paste if self._typing == "clipboard" else self._input.type
        return way(text, between)

    def watch(self, key: str) -> None:
        """See KeyWatcher of `handeye.devices.desktop.panic`."""
        self._input.watch(key)

    def was_pressed(self) -> bool:
        return self._input.was_pressed()

    def release_all(self) -> None:
        if "_input" in self.__dict__:
            self._input.release_all()

    @cached_property
    def _input(self) -> X11Input:
        return X11Input(self.display_name, self._clock, self.environment)

    # -- programs

    def launch(self, program: str) -> str:
        return self._programs.launch(program)

    def quit(self, program: str) -> str:
        with self._talk():
            wanted = [window for window in self._windows.all() if window.program.casefold() == program.casefold()]
            for window in wanted:
                self._windows.close(window)
        if not wanted:
            raise DeviceNotFound(f"no window belongs to a program {program!r}")
        return f"asked to close: {', '.join(map(str, wanted))}"

    def open_url(self, url: str) -> str:
        return self._programs.open_url(url)

    def close(self) -> None:
        self.closed = True
        if "_input" in self.__dict__:
            self._input.close()
        with suppress(ConnectionClosedError, OSError):
            self._capture.close()
            self.display.close()

"""The desktop of Windows: windows, pixels, pointer, keyboard and programs behind `DesktopBackend` and `ProgramStarter`."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Literal

from handeye.clock import Clock, SystemClock
from handeye.devices.desktop.base import USUAL_DPI, BetweenPieces, Monitor, MouseButton, Surface, Window
from handeye.devices.desktop.pressed_state import Input, PressedState
from handeye.devices.windows.api import MonitorRow, Win32
from handeye.devices.windows.capture import Capture
from handeye.devices.windows.keyboard import Keyboard, KeyWatch
from handeye.devices.windows.native import Native
from handeye.devices.windows.pointer import Pointer
from handeye.devices.windows.pressed_record import Record
from handeye.devices.windows.programs import Programs
from handeye.devices.windows.windows import Windows
from handeye.errors import DeviceError, DeviceNotFound, UsageError
from handeye.geometry import Box, Point
from handeye.screen import Pixels

_BUTTONS: Final = tuple(MouseButton)  # a button's code in the record is its index here


class Win32Backend:
    """
    The desktop of the current user. `api` is the Win32 API, by default the real one. `typing` selects how texts are
    typed: as keys, which every program with keyboard input accepts, or through the clipboard, for programs that accept
    no Unicode keys. `record` stores which inputs are held down. Inputs left down by Handeye processes that no longer
    run are released at once.

    Raises UsageError on another operating system.
    """

    def __init__(
        self,
        api: Win32 | None = None,
        *,
        typing: Literal["keys", "clipboard"] = "keys",
        record: Record | None = None,
        clock: Clock | None = None,
    ) -> None:
        clock = clock or SystemClock()
        self.api: Win32 = api if api is not None else Native(clock)
        self._typing = typing
        self._windows = Windows(self.api, clock)
        self._capture = Capture(self.api, self._windows)
        self._programs = Programs(self.api, self._windows)
        self._pointer = Pointer(self.api, clock)
        self._keyboard = Keyboard(self.api, clock)
        self._record = record or Record()
        self._pressed_state = PressedState(self._record.write)
        self._pressed: dict[str, tuple[int, ...]] = {}
        self._watch: KeyWatch | None = None
        atexit.register(self.release_all)
        self._release(self._record.pop_ended_processes(self.api.is_running))

    def __repr__(self) -> str:
        return "Win32Backend()"

    @property
    def uri(self) -> str:
        return "windows:"

    # -- monitors and windows

    def monitors(self) -> tuple[Monitor, ...]:
        rows = self.api.monitors()
        if not rows:
            raise DeviceNotFound("Windows has no monitor: this program runs as a service, or without a session")
        return tuple(_monitor(row) for row in sorted(rows, key=lambda row: not row.primary))

    def windows(self) -> tuple[Window, ...]:
        return self._windows.all()

    def window(self, id: int) -> Window | None:
        return self._windows.one(id)

    def surface_at(self, at: Point) -> Surface | None:
        return self._windows.surface_at(at)

    def menus(self) -> tuple[Surface, ...]:
        return self._windows.menus()

    def keyboard_holder(self) -> Surface | None:
        return self._windows.keyboard_holder()

    def popups(self, window: Window) -> tuple[int, ...]:
        """
        Return the handles of the open menus, lists and tool tips of a window's program, which Windows treats as
        windows.
        """
        return self._windows.popups(window)

    # -- pixels

    def grab(self, box: Box) -> Pixels:
        return self._capture.grab(box)

    def grab_window(self, window: Window) -> Pixels:
        return self._capture.grab_window(window)

    # -- input

    def focus(self, window: Window) -> None:
        self._windows.focus(window)

    def pointer(self) -> Point:
        return self._pointer.at()

    def move(self, to: Point) -> None:
        self._pointer.move(to)

    def button(self, button: MouseButton, *, down: bool) -> None:
        one = Input("button", _BUTTONS.index(button))
        if down:
            self._pressed_state.add([one])
        self._pointer.button(button, down=down)
        if not down:
            self._pressed_state.discard([one])

    def wheel(self, across: int, down: int) -> None:
        self._pointer.wheel(across, down)

    def key(self, name: str, *, down: bool) -> None:
        """Press or release a key. A release uses the codes of the press, even if the layout has changed since."""
        codes = self._pressed.get(name) if not down else None
        codes = codes or self._keyboard.codes_of(name)
        inputs = [Input("key", code) for code in codes]
        if down:
            self._pressed_state.add(inputs)
            self._pressed[name] = codes
        self._keyboard.press(name, codes, down=down)
        if not down:
            self._pressed_state.discard(inputs)
            self._pressed.pop(name, None)

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        way = self._keyboard.paste if self._typing == "clipboard" else self._keyboard.type
        return way(text, between)

    def watch(self, key: str) -> None:
        """See KeyWatcher of `handeye.devices.desktop.panic`; here the focused program receives the key as well."""
        *held, code = self._keyboard.codes_of(key)
        if held:
            raise UsageError(f"{key!r} is typed with more than one key of this keyboard's layout: watch another one")
        watch = KeyWatch(self.api, code)
        if self._watch is not None:
            self._watch.close()
        self._watch = watch

    def was_pressed(self) -> bool:
        return self._watch is not None and self._watch.was_pressed()

    # -- programs

    def launch(self, program: str) -> str:
        return self._programs.launch(program)

    def quit(self, program: str) -> str:
        return self._programs.quit(program)

    def open_url(self, url: str) -> str:
        return self._programs.open_url(url)

    # -- cleanup

    def release_all(self) -> None:
        self._release(self._pressed_state.down)
        if self._pressed_state.down:
            self._record.write(())
        self._pressed_state.forget()
        self._pressed.clear()

    def close(self) -> None:
        atexit.unregister(self.release_all)
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        self.release_all()

    def _release(self, inputs: Sequence[Input]) -> None:
        for one in reversed(inputs):
            with suppress(DeviceError):
                if one.kind == "key":
                    self._keyboard.let_go(one.code)
                elif one.code < len(_BUTTONS):
                    self._pointer.button(_BUTTONS[one.code], down=False)


def _monitor(row: MonitorRow) -> Monitor:
    return Monitor(row.name, row.box, row.primary, row.dpi / USUAL_DPI, 90 * row.turns)

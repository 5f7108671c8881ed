"""Grab a key of an X server: presses are reported here and to no application."""

from __future__ import annotations

from Xlib import X
from Xlib.error import XError

from handeye.devices.desktop.keys import key_named
from handeye.devices.linux.connection import connect, translate_x_errors
from handeye.devices.linux.input.keymap import Keymap, KeyTable
from handeye.errors import DeviceError, UnsupportedAction


class KeyWatch:
    """Grabs the key called `key` on a separate connection. Raises UsageError, UnsupportedAction, DeviceError."""

    def __init__(self, display: str, key: str) -> None:
        wanted = key_named(key)
        self._display = connect(display)
        with translate_x_errors(self._display):
            stroke = Keymap(KeyTable.of(self._display), 0, num_lock=False).key(wanted.keysym)
            if stroke is None:
                raise UnsupportedAction(f"this keyboard has no key {wanted.name!r} to watch: name another one")
            refused: list[XError] = []
            self._display.screen().root.grab_key(
                stroke.code,
                X.AnyModifier,
                False,
                X.GrabModeAsync,
                X.GrabModeAsync,
                onerror=lambda error, _: refused.append(error),
            )
            self._display.sync()
        if refused:
            raise DeviceError(
                f"the key {wanted.name!r} belongs to another program already, the window manager or another Handeye that it "
                "stops: end that one, or name another key"
            )

    def was_pressed(self) -> bool:
        """Return True if it was pressed since the last call."""
        pressed = False
        with translate_x_errors(self._display):
            while self._display.pending_events():
                pressed |= self._display.next_event().type == X.KeyPress
        return pressed

    def close(self) -> None:
        self._display.close()

"""Mouse, keyboard and text input of an X server, on a separate connection."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from Xlib.error import ConnectionClosedError

from handeye.clock import Clock
from handeye.devices.desktop.base import BetweenPieces
from handeye.devices.linux.input.clipboard import Clipboard
from handeye.devices.linux.input.connection import InputConnection
from handeye.devices.linux.input.input_method import active_input_method
from handeye.devices.linux.input.keyboard import Keyboard, KeyWatch
from handeye.devices.linux.input.paste import Paste
from handeye.devices.linux.input.pointer import Pointer
from handeye.devices.linux.input.typing import NoSpareCodes, Typing
from handeye.errors import DeviceError, DeviceLost, KeyboardTaken, TextInputFailed


class X11Input:
    """Input of X11Backend; `environment` is that of the applications. Raises as DesktopInput."""

    def __init__(self, display: str, clock: Clock, environment: Mapping[str, str]) -> None:
        self._hands = InputConnection(display)
        self.pointer = Pointer(self._hands, clock)
        self.keyboard = Keyboard(self._hands, clock)
        self.clipboard = Clipboard(display, clock)
        self._display = display
        self._environment = environment
        self._watch: KeyWatch | None = None
        self._typing = Typing(self._hands, self.keyboard, clock)
        self._paste = Paste(self._hands, self.keyboard, self._typing, self.clipboard, clock)

    def type(self, text: str, between: BetweenPieces) -> str:
        """
        Type key by key; through the clipboard if parts of the text have no key and there are too few spare key codes,
        as pasting is safer than remapping codes while typing, which is the last resort. If an input method would
        intercept the keys, the text is pasted or not typed at all. Raises TextInputFailed.
        """
        with self._hands.talk():
            method = active_input_method(self._hands.display, self._environment)
        if method is not None:
            return self._paste_past_input_method(method, text, between)
        try:
            return self._typing.type(text, between)
        except NoSpareCodes as error:
            why = str(error)
        try:
            return f"{self._paste.paste(text, between)}: {why}"
        except (DeviceLost, KeyboardTaken):
            raise
        except DeviceError as error:
            return f"{self._typing.type(text, between, reusing=True)}: {error}"

    def _paste_past_input_method(self, method: str, text: str, between: BetweenPieces) -> str:
        try:
            return f"{self._paste.paste(text, between)}: {method} takes keys for itself"
        except (DeviceLost, KeyboardTaken):
            raise
        except DeviceError as error:
            raise TextInputFailed(
                f"{method} takes keys for itself, so that text must be pasted, and {error}; or switch it to direct input"
            ) from error

    def paste(self, text: str, between: BetweenPieces) -> str:
        return self._paste.paste(text, between)

    def watch(self, key: str) -> None:
        watch = KeyWatch(self._display, key)
        if self._watch is not None:
            self._watch.close()
        self._watch = watch

    def was_pressed(self) -> bool:
        return self._watch is not None and self._watch.was_pressed()

    def release_all(self) -> None:
        self._hands.release_all()

    def close(self) -> None:
        self._hands.close()
        if self._watch is not None:
            with suppress(ConnectionClosedError, OSError):
                self._watch.close()
        self.clipboard.close()

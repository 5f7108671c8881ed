"""Mouse, keyboard and text of an X server, on one connection of their own."""

from __future__ import annotations

from contextlib import suppress

from Xlib.error import ConnectionClosedError

from handeye.clock import Clock
from handeye.devices.linux.clipboard import Clipboard
from handeye.devices.linux.hands import Hands
from handeye.devices.linux.key_watch import KeyWatch
from handeye.devices.linux.keyboard import Keyboard
from handeye.devices.linux.paste import Paste
from handeye.devices.linux.pointer import Pointer
from handeye.devices.linux.typing import NoSpareCodes, Typing
from handeye.errors import DeviceError, DeviceLost


class X11Input:
    """What X11Backend's hands are made of. Raises as Hands."""

    def __init__(self, display: str, clock: Clock) -> None:
        self._hands = Hands(display)
        self.pointer = Pointer(self._hands, clock)
        self.keyboard = Keyboard(self._hands, clock)
        self.clipboard = Clipboard(display, clock)
        self._display = display
        self._watch: KeyWatch | None = None
        self._typing = Typing(self._hands, self.keyboard, clock)
        self._paste = Paste(self._hands, self.keyboard, self._typing, self.clipboard, clock)

    def type(self, text: str) -> str:
        """
        Key by key; through the clipboard where no key types parts of it and too few key codes are spare: pasting is safer than
        to give these other meanings on the way, which is what is left where nothing can be pasted.
        """
        try:
            return self._typing.type(text)
        except NoSpareCodes as error:
            why = str(error)
        try:
            return f"{self._paste.paste(text)}: {why}"
        except DeviceLost:
            raise
        except DeviceError as error:
            return f"{self._typing.type(text, reusing=True)}: {error}"

    def paste(self, text: str) -> str:
        return self._paste.paste(text)

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

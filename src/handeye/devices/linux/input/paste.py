"""Paste text through the clipboard: for characters that keys cannot type, and on request."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import BetweenPieces
from handeye.devices.desktop.text import typeable
from handeye.devices.linux.input.clipboard import Clipboard
from handeye.devices.linux.input.connection import InputConnection
from handeye.devices.linux.input.keyboard import Keyboard
from handeye.devices.linux.input.typing import Typing
from handeye.devices.linux.windows.window_manager import TAKEN_TIMEOUT_S, Ping
from handeye.errors import DeviceError, TextInputFailed

# An application that ignores ctrl+v never reads the clipboard; Chromium read it after 180 ms on two busy cores.
ASKED_TIMEOUT_S = 3.0
# Chromium reads the clipboard again before it pastes: it pasted the previous text where that was restored at once.
QUIET_S = 0.3
POLL_S = 0.005


class Paste:
    """Pastes with ctrl+v into the focused window, and restores the clipboard."""

    def __init__(
        self, hands: InputConnection, keyboard: Keyboard, typing: Typing, clipboard: Clipboard, clock: Clock
    ) -> None:
        self._connection = hands
        self._keyboard = keyboard
        self._typing = typing
        self._clipboard = clipboard
        self._clock = clock

    def paste(self, text: str, between: BetweenPieces) -> str:
        """
        Paste `text`, return once the application has read it, and describe the method. The text is one piece; `between`
        as in `DesktopInput.type`. Refused if the clipboard holds a picture or files, which could not be restored.
        Raises UsageError, TextInputFailed, DeviceError.
        """
        lines = typeable(text)
        between(0)
        if not lines:
            return "pasted"
        if self._clipboard.holds_other_than_text():
            raise TextInputFailed("the clipboard holds a picture or files, which pasting would lose: nothing was typed")
        with self._temporary_clipboard(lines):
            with self._connection.talk(), self._typing.plain_keys():
                focus = self._focus()
            self._announce_clipboard()
            between(0)
            self._press_paste()
            limit = Deadline(self._clock, ASKED_TIMEOUT_S)
            while not self._clipboard.was_read_by(focus):
                if limit.passed:
                    raise TextInputFailed("the application did not take the text: ctrl+v pastes nothing there")
                limit.pause(POLL_S)
            with self._connection.talk():
                Ping(self._connection.display, self._clock).taken(TAKEN_TIMEOUT_S)
            between(len(lines))
            while self._clipboard.quiet_s() < QUIET_S:
                self._clock.sleep(POLL_S)
        return "pasted"

    def _announce_clipboard(self) -> None:
        """
        Wait until the application has queried the new clipboard. GTK applications do so before they paste: ctrl+v that
        came first had no effect, one time in six if the clipboard was empty before.
        """
        for _ in range(2):  # first it learns of the clipboard and queries it, then it gets the answer
            with self._connection.talk():
                Ping(self._connection.display, self._clock).taken(TAKEN_TIMEOUT_S)
            self._clipboard.settle()

    @contextlib.contextmanager
    def _temporary_clipboard(self, text: str) -> Iterator[None]:
        """Put a text on the clipboard and restore the previous one, unless something else was copied meanwhile."""
        former = self._clipboard.read()
        self._clipboard.write(text, passing=True)
        try:
            yield
        finally:
            if self._clipboard.is_ours:
                self._clipboard.write(former)

    def _press_paste(self) -> None:
        try:
            for name in ("ctrl", "v"):
                self._keyboard.key(name, down=True)
        finally:
            for name in ("v", "ctrl"):
                self._keyboard.key(name, down=False)

    def _focus(self) -> int:
        focus = self._connection.display.get_input_focus().focus
        if not isinstance(focus, XWindow):
            focus = self._connection.display.screen().root.query_pointer().child
        if not isinstance(focus, XWindow):
            raise DeviceError("no window has the keyboard: nothing can be pasted")
        return int(focus.id)

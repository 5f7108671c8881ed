"""Text through the clipboard: for what keys cannot type, and for those who ask for it."""

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
from handeye.devices.linux.windows.ping import TAKEN_TIMEOUT_S, Ping
from handeye.errors import DeviceError, TextInputFailed

# An application that does nothing on ctrl+v never asks; Chromium asked after 180 ms on two busy cores.
ASKED_TIMEOUT_S = 3.0
# Chromium reads the clipboard again before it pastes: the former text came instead where it was put back at once.
QUIET_S = 0.3
POLL_S = 0.005


class Paste:
    """Pastes with ctrl+v into what has the keyboard, and leaves the clipboard as it was."""

    def __init__(
        self, hands: InputConnection, keyboard: Keyboard, typing: Typing, clipboard: Clipboard, clock: Clock
    ) -> None:
        self._hands = hands
        self._keyboard = keyboard
        self._typing = typing
        self._clipboard = clipboard
        self._clock = clock

    def paste(self, text: str, between: BetweenPieces) -> str:
        """
        Returns when the application has taken the text; says how it was done. The text is one piece, and `between` as in
        `DesktopHands.type`. Where the clipboard holds a picture or files, which could not be put back, nothing is done. Raises
        UsageError, TextInputFailed, DeviceError.
        """
        lines = typeable(text)
        between(0)
        if not lines:
            return "pasted"
        if self._clipboard.holds_other_than_text():
            raise TextInputFailed("the clipboard holds a picture or files, which pasting would lose: nothing was typed")
        with self._borrowed(lines):
            with self._hands.talk(), self._typing.plain_keys():
                focus = self._focus()
            self._let_it_look()
            between(0)
            self._press_paste()
            limit = Deadline(self._clock, ASKED_TIMEOUT_S)
            while not self._clipboard.was_read_by(focus):
                if limit.passed:
                    raise TextInputFailed("the application did not take the text: ctrl+v pastes nothing there")
                limit.pause(POLL_S)
            with self._hands.talk():
                Ping(self._hands.display, self._clock).taken(TAKEN_TIMEOUT_S)
            between(len(lines))
            while self._clipboard.quiet_s() < QUIET_S:
                self._clock.sleep(POLL_S)
        return "pasted"

    def _let_it_look(self) -> None:
        """
        GTK's applications ask what a new clipboard holds before they paste from it: ctrl+v that came first did nothing, one
        time in six where the clipboard was empty before.
        """
        for _ in range(2):  # it hears of the clipboard, and asks; it gets the answer
            with self._hands.talk():
                Ping(self._hands.display, self._clock).taken(TAKEN_TIMEOUT_S)
            self._clipboard.settle()

    @contextlib.contextmanager
    def _borrowed(self, text: str) -> Iterator[None]:
        """The text that was on the clipboard comes back, unless somebody has copied something meanwhile."""
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
        focus = self._hands.display.get_input_focus().focus
        if not isinstance(focus, XWindow):
            focus = self._hands.display.screen().root.query_pointer().child
        if not isinstance(focus, XWindow):
            raise DeviceError("no window has the keyboard: nothing can be pasted")
        return int(focus.id)

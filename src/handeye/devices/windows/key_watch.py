"""A key of the keyboard, looked at all the time: whether a person has pressed it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from handeye.devices.windows.api import Win32

# A person holds a key for 50 ms and longer. Windows also remembers that a key went down since somebody asked last, which tells
# of a press between two looks of a busy machine; but any other program that asks takes that away (GetAsyncKeyState's
# documentation warns of it), so it is asked often.
_EVERY_S: Final = 0.01

_PAUSE, _CANCEL = 0x13, 0x03  # what Windows calls the Pause key while Ctrl is held


class KeyWatch:
    """
    Watches a virtual key from now on; one that is down already counts when it is pressed again. The program in front gets the
    key all the same. Windows does not tell of keys that go to a window with more rights.
    """

    def __init__(self, api: Win32, code: int) -> None:
        self._api = api
        self._codes: Sequence[int] = (code, _CANCEL) if code == _PAUSE else (code,)
        self._pressed = threading.Event()
        self._end = threading.Event()
        self._was_down, _ = self._state()
        self._thread = threading.Thread(target=self._look, name="key-watch", daemon=True)
        self._thread.start()

    def was_pressed(self) -> bool:
        """Whether it was pressed since the last question."""
        if not self._pressed.is_set():
            return False
        self._pressed.clear()
        return True

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(_EVERY_S):
            down, went_down = self._state()
            if (down or went_down) and not self._was_down:
                self._pressed.set()
            self._was_down = down

    def _state(self) -> tuple[bool, bool]:
        states = [self._api.key_state(code) for code in self._codes]
        return any(down for down, _ in states), any(went_down for _, went_down in states)

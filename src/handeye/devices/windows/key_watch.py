"""Poll a key in the background to detect that the user pressed it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from handeye.devices.windows.api import Win32

# Users hold a key for at least 50 ms. Windows also remembers that a key went down since the last query, which catches a
# press between two polls on a busy machine; but a query by any other program clears that (as GetAsyncKeyState's
# documentation warns), so it is polled often.
_EVERY_S: Final = 0.01

_PAUSE, _CANCEL = 0x13, 0x03  # Windows reports the Pause key as VK_CANCEL while Ctrl is held


class KeyWatch:
    """
    Watches a virtual key from now on; a key that is already down counts only when it is pressed again. The focused
    program receives the key as well. Windows does not report keys that go to a window with more rights.
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
        """Return True if it was pressed since the last call."""
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

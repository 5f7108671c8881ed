"""Press keys and type text with SendInput."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import BetweenPieces
from handeye.devices.desktop.keys import Key, key_named
from handeye.devices.desktop.text import typeable
from handeye.devices.windows.api import KeyEvent, Win32
from handeye.errors import DeviceError, TextInputFailed, UsageError

# KEYEVENTF_... of winuser.h.
_EXTENDED: Final = 1
_UP: Final = 2
_UNICODE: Final = 4

_RETURN: Final = 0x0D
_KEYS_IN_TEXT: Final = {"\n": _RETURN, "\t": 0x09}
_SHIFT, _CTRL, _ALT, _V = 0x10, 0x11, 0x12, 0x56
_MODIFIERS: Final = ((1, _SHIFT), (2, _CTRL), (4, _ALT))
_WATCHED: Final = (_SHIFT, _CTRL, _ALT, 0x5B, 0x5C)  # the last two are the Windows keys

# Windows queues 10,000 messages for a window that does not fetch them: a piece is far below that, and the window gets
# time to process it.
_PIECE: Final = 100
_BETWEEN_PIECES_S: Final = 0.01
# For a user who still holds the key that started this program.
HELD_TIMEOUT_S: Final = 1.0
_POLL_S: Final = 0.01
# Time for a program to fetch the clipboard after ctrl+v, before the previous text is restored.
PASTE_S: Final = 0.3

_REFUSED: Final = "the window in front has more rights than this program, or the screen is locked"


class Keyboard:
    """Keyboard input through `api`."""

    def __init__(self, api: Win32, clock: Clock) -> None:
        self._api = api
        self._clock = clock

    def codes_of(self, name: str) -> tuple[int, ...]:
        """
        Return the virtual keys of the key called `name` on the layout of the focused window, modifiers first ("?" is
        shift and "/" on a US layout). Raises UsageError for a character that no key types.
        """
        key = key_named(name)
        if key.virtual_key is not None:
            return (key.virtual_key,)
        found = self._api.key_for(key.name)
        if found is None or found[1] & ~7:
            raise UsageError(f"no key of this keyboard's layout types {key.name!r}; type it as a text")
        code, held = found
        return (*(modifier for bit, modifier in _MODIFIERS if held & bit), code)

    def press(self, name: str, codes: Sequence[int], *, down: bool) -> None:
        """Press or release the keys that `codes_of` returned for `name`. Raises DeviceError."""
        key = key_named(name)
        order = codes if down else tuple(reversed(codes))
        self._send([self._event(code, key, down=down) for code in order])

    def let_go(self, code: int) -> None:
        """Release a virtual key."""
        self._send([KeyEvent(code, self._api.scan_code(code), _UP)])

    def type(self, text: str, between: BetweenPieces) -> str:
        """
        Type a text as UTF-16 code units, independent of the layout, and return a description of the method. A line
        break is Enter, a tab the Tab key. `between` as in `DesktopInput.type`.

        Raises UsageError for control characters, TextInputFailed if the user holds a key, or Windows refuses.
        """
        events = [event for character in typeable(text) for event in _typed(character)]
        self._wait_for_free_keys()
        between(0)
        sent = 0
        for first in range(0, len(events), _PIECE):
            piece = events[first : first + _PIECE]
            if first:
                self._clock.sleep(_BETWEEN_PIECES_S)
            taken = self._api.send(piece)
            sent += taken
            if taken < len(piece):
                raise TextInputFailed(f"Windows took {sent // 2} of {len(events) // 2} key presses: {_REFUSED}")
            between(sent // 2)
        return "key by key"

    def paste(self, text: str, between: BetweenPieces) -> str:
        """
        Put a text on the clipboard, press ctrl+v and restore the previous text; return a description of the method.
        Refused if the clipboard holds something other than text, which would be lost. `between` as in
        `DesktopInput.type`. Raises UsageError, TextInputFailed.
        """
        lines = typeable(text).replace("\n", "\r\n")
        if self._api.holds_other_than_text():
            raise TextInputFailed("the clipboard holds a picture or files, which pasting would lose: nothing was typed")
        self._wait_for_free_keys()
        before = self._api.clipboard()
        self._api.set_clipboard(lines)
        try:
            between(0)
            self._send([KeyEvent(_CTRL), KeyEvent(_V), KeyEvent(_V, flags=_UP), KeyEvent(_CTRL, flags=_UP)])
            self._clock.sleep(PASTE_S)
            between(len(text))
        finally:
            if self._api.clipboard() == lines:  # unless the clipboard was changed meanwhile
                self._api.set_clipboard(before)
        return "pasted"

    def _wait_for_free_keys(self) -> None:
        limit = Deadline(self._clock, HELD_TIMEOUT_S)
        while any(self._api.is_down(key) for key in _WATCHED):
            if limit.passed:
                raise TextInputFailed("a key such as Shift or Ctrl is held down by somebody: nothing was typed")
            limit.pause(_POLL_S)

    def _event(self, code: int, key: Key, *, down: bool) -> KeyEvent:
        extended = _EXTENDED if key.extended and code == key.virtual_key else 0
        return KeyEvent(code, self._api.scan_code(code), extended | (0 if down else _UP))

    def _send(self, events: Sequence[KeyEvent]) -> None:
        if self._api.send(events) < len(events):
            raise DeviceError(f"Windows did not take the keys: {_REFUSED}")


def _typed(character: str) -> tuple[KeyEvent, ...]:
    """
    Return the events of a character: both surrogates go down before either goes up, so that no other input comes
    between them.
    """
    key = _KEYS_IN_TEXT.get(character)
    if key is not None:
        return KeyEvent(key), KeyEvent(key, flags=_UP)
    raw = character.encode("utf-16-le")
    units = [int.from_bytes(raw[at : at + 2], "little") for at in range(0, len(raw), 2)]
    return tuple(KeyEvent(0, unit, _UNICODE | up) for up in (0, _UP) for unit in units)


# Poll a key in the background to detect that the user pressed it.


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

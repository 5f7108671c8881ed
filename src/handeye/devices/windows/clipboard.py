"""Text on the Windows clipboard, which one program at a time can open."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Final

from handeye.clock import Clock
from handeye.errors import DeviceError

_UNICODE_TEXT: Final = 13
_MOVEABLE: Final = 2
# Clipboard managers open it for some milliseconds after each change.
_TRIES: Final = 40
_BETWEEN_TRIES_S: Final = 0.025


class Clipboard:
    """Clipboard access. `api` is `functions.load()`."""

    def __init__(self, api: SimpleNamespace, clock: Clock) -> None:
        self._api = api
        self._clock = clock

    def read(self) -> str | None:
        """Return the clipboard's text, or None if it holds no text. Raises DeviceError if another program keeps it open."""
        with self._opened():
            memory = self._api.GetClipboardData(_UNICODE_TEXT)
            at = memory and self._api.GlobalLock(memory)
            if not at:
                return None
            try:
                raw = ctypes.string_at(at, self._api.GlobalSize(memory) & ~1)
            finally:
                self._api.GlobalUnlock(memory)
        return raw.decode("utf-16-le", errors="replace").partition("\0")[0]

    def holds_other_than_text(self) -> bool:
        """Return True if it has content but no text, such as files or pictures."""
        return bool(self._api.CountClipboardFormats()) and not self._api.IsClipboardFormatAvailable(_UNICODE_TEXT)

    def write(self, text: str | None) -> None:
        """Replace the clipboard's content with a text; None only empties it. Raises DeviceError."""
        with self._opened():
            if not self._api.EmptyClipboard():
                raise DeviceError("the clipboard could not be emptied")
            if text is None:
                return
            raw = text.encode("utf-16-le", errors="surrogatepass") + b"\0\0"
            memory = self._api.GlobalAlloc(_MOVEABLE, len(raw))
            at = memory and self._api.GlobalLock(memory)
            if not at:
                raise DeviceError(f"there is no room for {len(text):,} characters on the clipboard")
            ctypes.memmove(at, raw, len(raw))
            self._api.GlobalUnlock(memory)
            if not self._api.SetClipboardData(_UNICODE_TEXT, memory):
                self._api.GlobalFree(memory)  # the system owns the memory only if it accepted it
                raise DeviceError("the clipboard did not take the text")

    @contextmanager
    def _opened(self) -> Iterator[None]:
        for _ in range(_TRIES):
            if self._api.OpenClipboard(None):
                break
            self._clock.sleep(_BETWEEN_TRIES_S)
        else:
            raise DeviceError("another program keeps the clipboard open; try again")
        try:
            yield
        finally:
            self._api.CloseClipboard()

"""Request the content of an X server's clipboard (ICCCM 2.4, and 2.7.2 for large texts)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from Xlib import X
from Xlib.protocol.rq import Event

from handeye.clock import Clock, Deadline
from handeye.devices.linux.connection import connect, translate_x_errors
from handeye.errors import DeviceError

SELECTION = "CLIPBOARD"
TEXT_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING")

TIMEOUT_S = 2.0  # for a program that owns the clipboard and hangs
POLL_S = 0.002
LARGEST = 64_000_000  # bytes; limits the memory for a copied text that is restored later
_LONGEST_PROPERTY = LARGEST // 4


class SelectionRequest:
    """Queries the owner of the clipboard over a separate connection. A context manager. Raises DeviceNotFound."""

    def __init__(self, display: str, clock: Clock) -> None:
        self._display = connect(display)
        self._clock = clock
        self._window = self._display.screen().root.create_window(
            -1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly, event_mask=X.PropertyChangeMask
        )
        self._into = self._display.get_atom("_HANDEYE_CLIPBOARD")

    def __enter__(self) -> SelectionRequest:
        return self

    def __exit__(self, *_: object) -> None:
        self._display.close()

    def kinds(self) -> tuple[str, ...]:
        """Return the available formats; empty for an empty clipboard. Raises DeviceError if the owner does not respond."""
        with translate_x_errors(self._display):
            if self._display.get_selection_owner(self._display.get_atom(SELECTION)) == X.NONE:
                return ()
            reply = self._ask("TARGETS")
            return tuple(self._display.get_atom_name(atom) for atom in reply or () if isinstance(atom, int) and atom)

    def text(self, kinds: Sequence[str]) -> str | None:
        """Return the text, or None if none of `kinds` is a text format. Raises DeviceError."""
        kind = next((one for one in TEXT_TARGETS if one in kinds), None)
        if kind is None:
            return None
        with translate_x_errors(self._display):
            reply = self._ask(kind)
        return bytes(reply).decode("latin-1" if kind == "STRING" else "utf-8", "replace") if reply is not None else None

    def _ask(self, target: str) -> bytes | Sequence[int] | None:
        wanted = self._display.get_atom(target)
        self._window.convert_selection(self._display.get_atom(SELECTION), wanted, self._into, X.CurrentTime)
        limit = Deadline(self._clock, TIMEOUT_S)
        answer = self._wait(X.SelectionNotify, limit)
        if not answer.property:
            return None
        found = self._read_property()
        if found is None or found.property_type != self._display.get_atom("INCR"):
            value: bytes | Sequence[int] | None = None if found is None else found.value
            return value
        return self._pieces(limit)

    def _pieces(self, limit: Deadline) -> bytes:
        parts: list[bytes] = []
        while sum(map(len, parts)) <= LARGEST:
            event = self._wait(X.PropertyNotify, limit)
            if (
                event.state == X.PropertyNewValue
                and event.atom == self._into
                and (part := self._read_property()) is not None
            ):
                if not part.value:
                    return b"".join(parts)
                parts.append(bytes(part.value))
                limit = Deadline(self._clock, TIMEOUT_S)
        raise DeviceError(f"the clipboard holds a text of more than {LARGEST:,} bytes")

    def _read_property(self) -> Any:
        return self._window.get_property(self._into, X.AnyPropertyType, 0, _LONGEST_PROPERTY, delete=True)

    def _wait(self, kind: int, limit: Deadline) -> Event:
        self._display.flush()
        while True:
            while self._display.pending_events():
                event = self._display.next_event()
                if event.type == kind:
                    return event
            if limit.passed:
                raise DeviceError(f"the program that owns the clipboard does not answer ({TIMEOUT_S:g} s)")
            limit.pause(POLL_S)

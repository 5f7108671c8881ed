"""Whether an application has taken what was sent to it (EWMH's _NET_WM_PING)."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol.event import ClientMessage
from Xlib.protocol.rq import Event
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, Deadline
from handeye.devices.linux.connection import numbers

# An application answers after all that it got before. For one that does not know the question, what the slowest of them took
# for a line of text: 120 ms (Chromium on two busy cores).
NO_QUESTION_S = 0.15
TAKEN_TIMEOUT_S = 10.0  # LibreOffice's first text on two busy cores took 2.5 s
POLL_S = 0.002

_serial = itertools.count(1)


class Ping:
    """Asks over `display`, whose events are read and dropped meanwhile."""

    def __init__(self, display: Display, clock: Clock) -> None:
        self._display = display
        self._clock = clock
        self._root: XWindow = display.screen().root

    def taken(self, timeout_s: float) -> bool:
        """Wait until the application with the keyboard has handled every event sent so far. False: not in `timeout_s`."""
        window = self._focused()
        if window is None:
            self._clock.sleep(NO_QUESTION_S)
            return True
        with self.listening():
            serial, limit = self.ask(window), Deadline(self._clock, timeout_s)
            while True:
                if any(self.is_answer(event, window, serial) for event in self.events()):
                    return True
                if limit.passed:
                    return False
                limit.pause(POLL_S)

    def is_known(self, window: XWindow) -> bool:
        """Whether the application of a window says that it answers."""
        return self._display.get_atom("_NET_WM_PING") in numbers(window, self._display, "WM_PROTOCOLS")

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """While answers arrive at this connection. Qt sends them to those who want StructureNotify, others as EWMH says."""
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        try:
            yield
        finally:
            self._root.change_attributes(event_mask=X.NoEventMask)
            self._display.sync()
            for _ in self.events():
                pass

    def ask(self, window: XWindow) -> int:
        """Send the question behind every event sent so far; the number of this question."""
        serial = next(_serial)
        ping, protocols = self._display.get_atom("_NET_WM_PING"), self._display.get_atom("WM_PROTOCOLS")
        message = ClientMessage(window=window, client_type=protocols, data=(32, [ping, serial, window.id, 0, 0]))
        window.send_event(message)
        self._display.flush()
        return serial

    def is_answer(self, event: Event, window: XWindow, serial: int) -> bool:
        """Whether an event is the answer to a question: the same message, sent to the root window."""
        if event.type != X.ClientMessage or event.client_type != self._display.get_atom("WM_PROTOCOLS"):
            return False
        return tuple(event.data[1][:3]) == (self._display.get_atom("_NET_WM_PING"), serial, window.id)

    def events(self) -> Iterator[Event]:
        """Those that have arrived."""
        while self._display.pending_events():
            yield self._display.next_event()

    def _focused(self) -> XWindow | None:
        """The window that has the keyboard, or one around it, that knows the question."""
        focus = self._display.get_input_focus().focus
        window = focus if isinstance(focus, XWindow) else self._root.query_pointer().child
        with contextlib.suppress(XError):
            while isinstance(window, XWindow) and window.id != self._root.id:
                if self.is_known(window):
                    return window
                window = window.query_tree().parent
        return None

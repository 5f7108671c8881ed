"""Wait until the window manager has let a click through.

A manager that raises clicked windows sees a click first, and the server withholds it from the application until the
manager releases it; keys do not wait for that, so text typed after such a click arrives before it. This is the likely,
not proven, cause of 2 wrong texts in 18 (1,000 Chinese letters, two busy cores: Openbox then took seconds to respond,
with remapped spare key codes to read).
"""

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
from handeye.errors import TextInputFailed

BUSY_TIMEOUT_S = 10.0  # Openbox took up to 3 s after 55 changes of the spare key codes
POLL_S = 0.002

_QUESTION, _ANSWER = "_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS"


def wait_for_window_manager(display: Display, own: XWindow, clock: Clock) -> None:
    """
    Return when the window manager has handled everything sent so far: it answers a request about the window `own`
    (EWMH), which need not be shown. Returns at once if no manager runs that supports the request. Raises
    TextInputFailed if it does not answer.
    """
    root: XWindow = display.screen().root
    question = display.get_atom(_QUESTION)
    holder = numbers(root, display, "_NET_SUPPORTING_WM_CHECK")
    if not holder or question not in numbers(root, display, "_NET_SUPPORTED"):
        return
    manager = display.create_resource_object("window", holder[0])
    if numbers(manager, display, "_NET_SUPPORTING_WM_CHECK") != holder:
        return  # it was killed
    own.delete_property(display.get_atom(_ANSWER))
    message = ClientMessage(window=own, client_type=question, data=(32, [0] * 5))
    root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    limit = Deadline(clock, BUSY_TIMEOUT_S)
    while not numbers(own, display, _ANSWER):
        if limit.passed:
            raise TextInputFailed(
                f"the window manager has not answered for {BUSY_TIMEOUT_S:g} s: a click may still be on its way, and keys "
                "would come before it; nothing was typed"
            )
        limit.pause(POLL_S)


# Wait until an application has processed what was sent to it (EWMH's _NET_WM_PING).


# An application answers after processing earlier events. For one without support for the ping, the time that the
# slowest application took for a line of text: 120 ms (Chromium on two busy cores).
NO_QUESTION_S = 0.15
TAKEN_TIMEOUT_S = 10.0  # LibreOffice's first text on two busy cores took 2.5 s

_serial = itertools.count(1)


class Ping:
    """Sends pings over `display`, whose events are read and discarded meanwhile."""

    def __init__(self, display: Display, clock: Clock) -> None:
        self._display = display
        self._clock = clock
        self._root: XWindow = display.screen().root

    def taken(self, timeout_s: float) -> bool:
        """Wait until the focused application has handled every event sent so far. Return False on timeout."""
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
        """Return True if the window's application declares support for pings."""
        return self._display.get_atom("_NET_WM_PING") in numbers(window, self._display, "WM_PROTOCOLS")

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Receive answers on this connection. Qt sends them to clients that select StructureNotify, others as EWMH says."""
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        try:
            yield
        finally:
            self._root.change_attributes(event_mask=X.NoEventMask)
            self._display.sync()
            for _ in self.events():
                pass

    def ask(self, window: XWindow) -> int:
        """Send a ping after every event sent so far, and return its serial number."""
        serial = next(_serial)
        ping, protocols = self._display.get_atom("_NET_WM_PING"), self._display.get_atom("WM_PROTOCOLS")
        message = ClientMessage(window=window, client_type=protocols, data=(32, [ping, serial, window.id, 0, 0]))
        window.send_event(message)
        self._display.flush()
        return serial

    def is_answer(self, event: Event, window: XWindow, serial: int) -> bool:
        """Return True if an event answers a ping: the same message, sent to the root window."""
        if event.type != X.ClientMessage or event.client_type != self._display.get_atom("WM_PROTOCOLS"):
            return False
        return tuple(event.data[1][:3]) == (self._display.get_atom("_NET_WM_PING"), serial, window.id)

    def events(self) -> Iterator[Event]:
        """Yield the events that have arrived."""
        while self._display.pending_events():
            yield self._display.next_event()

    def _focused(self) -> XWindow | None:
        """Return the focused window, or the nearest ancestor of it, that supports pings."""
        focus = self._display.get_input_focus().focus
        window = focus if isinstance(focus, XWindow) else self._root.query_pointer().child
        with contextlib.suppress(XError):
            while isinstance(window, XWindow) and window.id != self._root.id:
                if self.is_known(window):
                    return window
                window = window.query_tree().parent
        return None

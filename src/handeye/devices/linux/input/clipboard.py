"""
Text on the clipboard of an X server (ICCCM 2: the selection CLIPBOARD).

The clipboard stores nothing itself: its owner must answer every request for its content. `Clipboard` answers from a
thread with a separate connection. Run as a program, this module answers for one text until something else is copied, so
that the text stays available when its process ends.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import select
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from Xlib import X
from Xlib.error import ConnectionClosedError, XError
from Xlib.protocol.event import SelectionNotify
from Xlib.protocol.request import SetSelectionOwner
from Xlib.protocol.rq import Event
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, SystemClock
from handeye.devices.linux.connection import connect
from handeye.devices.linux.input.selection import SELECTION, TEXT_TARGETS, SelectionRequest
from handeye.errors import DeviceError, DeviceLost

# One request to a server without BIG-REQUESTS holds 262,140 bytes; ICCCM recommends less. Larger texts go in pieces
# (INCR).
LARGEST_WHOLE = 200_000
PIECE = 65_536

KEEPER_TIMEOUT_S = 10.0  # for a Python that starts on a busy machine

_TEXTS = ("UTF8_STRING", "text/plain;charset=utf-8")
_SECRET = "x-kde-passwordManagerHint"
"""Hint for clipboard managers to store no copy (KDE's Klipper, GNOME's and XFCE's follow it)."""


@dataclass(slots=True)
class _Transfer:
    """A large text being sent to a window in pieces (ICCCM 2.7.2)."""

    window: XWindow
    left: bytes
    kind: int


class Clipboard:
    """The clipboard of the X server `display`. Raises DeviceNotFound."""

    def __init__(self, display: str, clock: Clock) -> None:
        self._name = display
        self._clock = clock
        self._server: Server | None = None

    def read(self) -> str | None:
        """Return the clipboard's text, or None if there is none. Raises DeviceError if its owner does not respond."""
        with SelectionRequest(self._name, self._clock) as question:
            return question.text(question.kinds())

    def holds_other_than_text(self) -> bool:
        """Return True if it has content but no text, such as a picture or files."""
        with SelectionRequest(self._name, self._clock) as question:
            kinds = set(question.kinds())
        return bool(kinds) and kinds.isdisjoint(TEXT_TARGETS)

    def write(self, text: str | None, *, passing: bool = False) -> None:
        """Put `text` on the clipboard; None empties it. `passing`: ask clipboard managers to store no copy."""
        if self._server is None:
            self._server = Server(self._name, self._clock)
        self._server.own(text, passing)

    @property
    def is_ours(self) -> bool:
        """True if nothing has been copied since `write`."""
        return self._server is not None and self._server.owns

    def settle(self) -> None:
        """Return when every pending request for our content is answered."""
        if self._server is not None:
            self._server.settle()

    def quiet_s(self) -> float:
        """Return the seconds since our content was last requested; infinite if never."""
        return self._clock.now() - self._server.asked_at if self._server is not None else math.inf

    def was_read_by(self, client_of: int) -> bool:
        """Return True if the client that created the window `client_of` has read the text since it was written."""
        return self._server is not None and self._server.was_read_by(client_of)

    def close(self) -> None:
        """Close; a text of ours that is not `passing` is handed over to a separate process."""
        server, self._server = self._server, None
        if server is not None:
            text = server.content if server.owns else None
            try:
                if text is not None and not server.passing:
                    _hand_over(self._name, text)
            finally:
                server.stop()


class Server:
    """Answers requests for one text. All use of its connection happens in its thread."""

    def __init__(self, name: str, clock: Clock) -> None:
        self._clock = clock
        self.asked_at = clock.now()
        self._display = connect(name)
        self._window = self._display.screen().root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly)
        self._orders: queue.Queue[tuple[Callable[[], None], threading.Event] | None] = queue.Queue()
        self._wake, self._wakes = os.pipe()
        self._readers: set[int] = set()
        self._transfers: dict[tuple[int, int], _Transfer] = {}
        self.content: str | None = None
        self.passing = False
        self.owns = False
        self.until_lost = False
        self._thread = threading.Thread(target=self._run, name="handeye-clipboard", daemon=True)
        self._thread.start()

    # -- called from other threads

    def own(self, text: str | None, passing: bool) -> None:
        self._do(lambda: self._own(text, passing))

    def settle(self) -> None:
        """Return when every pending request is answered."""
        self._do(self._answer_all)

    def _do(self, order: Callable[[], None]) -> None:
        """Run `order` in the thread and wait for it."""
        done = threading.Event()
        self._orders.put((order, done))
        os.write(self._wakes, b"x")
        while not done.wait(0.1):
            if not self._thread.is_alive():
                raise DeviceLost("the X server ended while the clipboard was written")

    def was_read_by(self, id: int) -> bool:
        mask = self._display.display.info.resource_id_mask
        return any(reader & ~mask == id & ~mask for reader in self._readers)

    def wait(self) -> None:
        """Block until something else is copied, or the X server ends."""
        self._thread.join()

    def stop(self) -> None:
        self._orders.put(None)
        os.write(self._wakes, b"x")
        self._thread.join()
        os.close(self._wake)
        os.close(self._wakes)

    # -- the thread

    def _run(self) -> None:
        with contextlib.suppress(ConnectionClosedError, OSError):
            while self._run_orders() and not (self.until_lost and not self.owns):
                self._answer_all()
                select.select([self._display.fileno(), self._wake], [], [])
            self._display.close()
        self.owns = False

    def _run_orders(self) -> bool:
        while not self._orders.empty():
            os.read(self._wake, 1)
            todo = self._orders.get()
            if todo is None:
                return False
            order, done = todo
            order()
            done.set()
        return True

    def _own(self, text: str | None, passing: bool) -> None:
        self._answer_all()
        self.content, self.passing = text, passing
        self._readers.clear()
        if text is not None:
            self._window.set_selection_owner(self._atom(SELECTION), X.CurrentTime)
        else:
            self._give_up_selection()
        self._display.sync()
        self.owns = text is not None

    def _answer_all(self) -> None:
        while self._display.pending_events():
            while self._display.pending_events():
                with contextlib.suppress(XError):  # the requesting window is gone
                    self._answer(self._display.next_event())
            self._display.flush()  # flushing may read further requests

    def _give_up_selection(self) -> None:
        """Give up the selection, unless something else was copied meanwhile."""
        if self._display.get_selection_owner(self._atom(SELECTION)) == self._window:
            SetSelectionOwner(
                display=self._display.display, window=X.NONE, selection=self._atom(SELECTION), time=X.CurrentTime
            )

    def _answer(self, event: Event) -> None:
        if event.type == X.SelectionClear:
            self.owns = False
            self.content = None
        elif event.type == X.SelectionRequest:
            self._reply(event)
        elif event.type == X.PropertyNotify and event.state == X.PropertyDelete:
            self._continue_transfer(event.window.id, event.atom)

    def _reply(self, asked: Event) -> None:
        self.asked_at = self._clock.now()
        into = asked.property or asked.target
        given = self._write_answer(asked.requestor, asked.target, into)
        asked.requestor.send_event(
            SelectionNotify(
                time=asked.time,
                requestor=asked.requestor,
                selection=asked.selection,
                target=asked.target,
                property=into if given else X.NONE,
            )
        )

    def _write_answer(self, window: XWindow, target: int, into: int) -> bool:
        """Write the answer to the requested property; return False for an unsupported target."""
        if self.content is None:
            return False
        texts = [self._atom(name) for name in _TEXTS]
        if target == self._atom("TARGETS"):
            known = [target, *texts, *([self._atom(_SECRET)] if self.passing else [])]
            window.change_property(into, self._atom("ATOM"), 32, known)
        elif target == self._atom(_SECRET) and self.passing:
            window.change_property(into, target, 8, b"secret")
        elif target in texts:
            content = self.content.encode("utf-8", "replace")
            if len(content) <= LARGEST_WHOLE:
                window.change_property(into, target, 8, content)
                self._readers.add(window.id)
            else:
                window.change_attributes(event_mask=X.PropertyChangeMask)
                window.change_property(into, self._atom("INCR"), 32, [len(content)])
                self._transfers[window.id, into] = _Transfer(window, content, target)
        else:
            return False
        return True

    def _continue_transfer(self, window: int, into: int) -> None:
        """Send the next piece after the window has read the last one; an empty piece marks the end."""
        transfer = self._transfers.get((window, into))
        if transfer is not None:
            piece, transfer.left = transfer.left[:PIECE], transfer.left[PIECE:]
            transfer.window.change_property(into, transfer.kind, 8, piece)
            if not piece:
                del self._transfers[window, into]
                transfer.window.change_attributes(event_mask=X.NoEventMask)
                self._readers.add(window)

    def _atom(self, name: str) -> int:
        return int(self._display.get_atom(name))


def _hand_over(display: str, text: str) -> None:
    """Start a separate process that answers for `text`. It ends when something else is copied, or with the X server."""
    keeper = subprocess.Popen(
        [sys.executable, "-m", __name__, display],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        start_new_session=True,
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    with contextlib.suppress(BrokenPipeError), keeper.stdin as stdin:
        stdin.write(text.encode("utf-8", "replace"))
    with keeper.stdout as stdout:
        ready, _, _ = select.select([stdout], [], [], KEEPER_TIMEOUT_S)
        if not ready or not stdout.read(1):
            keeper.kill()
            keeper.wait()
            raise DeviceError("the text that was on the clipboard could not be kept there")
    keeper.returncode = 0  # the process outlives this one: do not wait for it


def main(display: str) -> None:
    """Answer for the text on standard input; a byte on standard output reports that it is on the clipboard."""
    text = sys.stdin.buffer.read().decode("utf-8")
    server = Server(display, SystemClock())
    server.own(text, passing=False)
    server.until_lost = True
    os.write(sys.stdout.fileno(), b"x")
    os.close(sys.stdout.fileno())
    server.wait()


if __name__ == "__main__":
    main(sys.argv[1])

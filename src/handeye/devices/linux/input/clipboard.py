"""
The text on the clipboard of an X server (ICCCM 2: the selection CLIPBOARD).

The clipboard holds nothing itself: whoever owns it must answer each question for its content. `Clipboard` answers from a thread
with a connection of its own; run as a program, this module answers for one text until something else is copied, so that a text
stays there when its process ends.
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
from handeye.devices.linux.input.selection import SELECTION, TEXT_TARGETS, Question
from handeye.errors import DeviceError, DeviceLost

# What fits into one request of a server without BIG-REQUESTS is 262,140 bytes; ICCCM asks for less. More goes in pieces.
LARGEST_WHOLE = 200_000
PIECE = 65_536

KEEPER_TIMEOUT_S = 10.0  # a Python that starts on a busy machine

_TEXTS = ("UTF8_STRING", "text/plain;charset=utf-8")
_SECRET = "x-kde-passwordManagerHint"
"""Clipboard managers that see it keep no copy (KDE's Klipper, GNOME's and XFCE's follow)."""


@dataclass(slots=True)
class _Transfer:
    """A large text on its way to a window, piece by piece (ICCCM 2.7.2)."""

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
        """The text on it; None when there is none. Raises DeviceError when its owner does not answer."""
        with Question(self._name, self._clock) as question:
            return question.text(question.kinds())

    def holds_other_than_text(self) -> bool:
        """A picture or files: what `read` does not see."""
        with Question(self._name, self._clock) as question:
            kinds = set(question.kinds())
        return bool(kinds) and kinds.isdisjoint(TEXT_TARGETS)

    def write(self, text: str | None, *, passing: bool = False) -> None:
        """Let it hold `text`; None empties it. `passing`: managers shall keep no copy."""
        if self._server is None:
            self._server = Server(self._name, self._clock)
        self._server.own(text, passing)

    @property
    def is_ours(self) -> bool:
        """Whether nobody has copied anything since `write`."""
        return self._server is not None and self._server.owns

    def settle(self) -> None:
        """Returns when every question that has been asked of us is answered."""
        if self._server is not None:
            self._server.settle()

    def quiet_s(self) -> float:
        """Seconds since anybody asked us last."""
        return self._clock.now() - self._server.asked_at if self._server is not None else math.inf

    def was_read_by(self, client_of: int) -> bool:
        """Whether the client that made the window `client_of` has read the text since it was written."""
        return self._server is not None and self._server.was_read_by(client_of)

    def close(self) -> None:
        """A text of ours that is to stay goes over to a process of its own."""
        server, self._server = self._server, None
        if server is not None:
            text = server.content if server.owns else None
            try:
                if text is not None and not server.passing:
                    _keep(self._name, text)
            finally:
                server.stop()


class Server:
    """Answers for one text. Everything about its connection happens in its thread."""

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

    # -- for the others

    def own(self, text: str | None, passing: bool) -> None:
        self._do(lambda: self._own(text, passing))

    def settle(self) -> None:
        """Returns when every question that has been asked is answered."""
        self._do(self._answer_all)

    def _do(self, order: Callable[[], None]) -> None:
        """Let the thread do something, and wait for it."""
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
        """Until something else is copied, or the server ends."""
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
            while self._obeyed() and not (self.until_lost and not self.owns):
                self._answer_all()
                select.select([self._display.fileno(), self._wake], [], [])
            self._display.close()
        self.owns = False

    def _obeyed(self) -> bool:
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
            self._let_go()
        self._display.sync()
        self.owns = text is not None

    def _answer_all(self) -> None:
        while self._display.pending_events():
            while self._display.pending_events():
                with contextlib.suppress(XError):  # who asked is gone
                    self._answer(self._display.next_event())
            self._display.flush()  # which may read the next questions

    def _let_go(self) -> None:
        """Only what is ours: somebody may have copied something meanwhile."""
        if self._display.get_selection_owner(self._atom(SELECTION)) == self._window:
            SetSelectionOwner(
                display=self._display.display, window=X.NONE, selection=self._atom(SELECTION), time=X.CurrentTime
            )

    def _answer(self, event: Event) -> None:
        if event.type == X.SelectionClear:
            self.owns = False
            self.content = None
        elif event.type == X.SelectionRequest:
            self._give(event)
        elif event.type == X.PropertyNotify and event.state == X.PropertyDelete:
            self._go_on(event.window.id, event.atom)

    def _give(self, asked: Event) -> None:
        self.asked_at = self._clock.now()
        into = asked.property or asked.target
        given = self._put(asked.requestor, asked.target, into)
        asked.requestor.send_event(
            SelectionNotify(
                time=asked.time,
                requestor=asked.requestor,
                selection=asked.selection,
                target=asked.target,
                property=into if given else X.NONE,
            )
        )

    def _put(self, window: XWindow, target: int, into: int) -> bool:
        """Write the answer where the asking window wants it. False for what we have not."""
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

    def _go_on(self, window: int, into: int) -> None:
        """The window has taken the last piece; an empty one is the end."""
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


def _keep(display: str, text: str) -> None:
    """Let a process of its own answer for `text`. It ends when something else is copied, or with the X server."""
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
    with contextlib.suppress(BrokenPipeError), keeper.stdin as told:
        told.write(text.encode("utf-8", "replace"))
    with keeper.stdout as said:
        ready, _, _ = select.select([said], [], [], KEEPER_TIMEOUT_S)
        if not ready or not said.read(1):
            keeper.kill()
            keeper.wait()
            raise DeviceError("the text that was on the clipboard could not be kept there")
    keeper.returncode = 0  # it is not ours to wait for


def main(display: str) -> None:
    """Answer for the text on standard input; a byte on standard output says that it is on the clipboard."""
    text = sys.stdin.buffer.read().decode("utf-8")
    server = Server(display, SystemClock())
    server.own(text, passing=False)
    server.until_lost = True
    os.write(sys.stdout.fileno(), b"x")
    os.close(sys.stdout.fileno())
    server.wait()


if __name__ == "__main__":
    main(sys.argv[1])

"""
Keys and buttons of an X server, pressed through XTest, with a record of what is down kept by the server itself.

The record is a property of the root window. A request for it stands before every press in the same stream, so that it is
there whenever a key is; it lasts as long as the server, whatever becomes of the process. It names a window of its writer: when
that window is gone, so is the writer, and its keeper, or the next one to come, lets go of what is recorded.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from Xlib import X
from Xlib.display import Display
from Xlib.error import ConnectionClosedError
from Xlib.ext import xtest
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock
from handeye.devices.desktop.pressed_state import Input, PressedState
from handeye.devices.linux.connection import answering, connect
from handeye.devices.linux.input.key_release_watchdog import KeyReleaseWatchdog
from handeye.devices.linux.input.release import RECORD, give_back, release_for_ended_processes
from handeye.devices.linux.input.xkb import Xkb
from handeye.devices.linux.windows.window_manager import wait_for_window_manager
from handeye.errors import DeviceLost, HandeyeError, UnsupportedAction
from handeye.forks import renew_after_fork

_PRESSES = {("key", True): X.KeyPress, ("key", False): X.KeyRelease, ("button", True): X.ButtonPress}
_EVENTS = {**_PRESSES, ("button", False): X.ButtonRelease}


@dataclass(slots=True)
class Borrowed:
    """What is not as it was found: meanings of spare key codes, and locks that were switched off (None: none were)."""

    spare: dict[int, list[int]] = field(default_factory=dict)
    locked: int | None = None


class InputConnection:
    """
    A connection to the X server `display` for input. Connecting lets go of what dead processes of Handeye have left held; from
    the first movement or press on, a keeper would let go of what this one holds. A process that is forked from this one holds
    nothing: it has a connection of its own as soon as it acts.

    Raises DeviceNotFound, UnsupportedAction for a server without XTest.
    """

    def __init__(self, display: str) -> None:
        self._name = display
        self.held = PressedState(lambda _: self._record())
        self.borrowed = Borrowed()
        self._keeper = KeyReleaseWatchdog(display)
        self._unsure = False
        self._clicked = False
        self.display, self.xkb, self._window = self._connected()
        self._process = os.getpid()
        atexit.register(self.close)
        renew_after_fork(self)

    @contextlib.contextmanager
    def talk(self) -> Iterator[None]:
        """
        Around requests. Raises DeviceLost, DeviceError. What breaks off in the middle, such as Ctrl-C, may leave the connection
        in the middle of a message: the next talk has a new one, and everything is up before it.
        """
        if self._unsure or self._is_parents:
            self._reconnect()
        self._unsure = True
        try:
            with answering(self.display):
                yield
        except HandeyeError:
            self._unsure = False  # said between two requests
            raise
        self._unsure = False

    # -- within a talk

    def get_ready(self) -> None:
        """
        Before what a press follows that must not wait: the start of a keeper took 8 ms and more on two busy cores, in which
        what stands under the pointer may become another thing.
        """
        self._keeper.start()

    def put(self, one: Input, *, down: bool) -> None:
        """Press or let go, without a record: the caller has made it."""
        xtest.fake_input(self.display, _EVENTS[one.kind, down], one.code)
        self._clicked |= one.kind == "button"

    def let_clicks_arrive(self, clock: Clock) -> None:
        """Before keys that must not come before a click. Raises TextInputFailed."""
        if self._clicked:
            wait_for_window_manager(self.display, self._window, clock)
            self._clicked = False

    def press(self, *inputs: Input) -> None:
        """Press what is not down yet."""
        wanted = [one for one in inputs if one not in self.held.down]
        self.held.add(wanted)
        for one in wanted:
            self.put(one, down=True)
        self.display.sync()

    def let_go(self, *inputs: Input) -> None:
        for one in inputs:
            self.put(one, down=False)
        self.held.discard(inputs)
        self.display.sync()

    def record(self) -> None:
        """Write down what is down and borrowed."""
        self._record()

    # -- the end

    def release_all(self) -> None:
        """Let go of everything. Never raises a DeviceError: where the server is gone, nothing is down."""
        if not self.held.down and not self._unsure:
            return
        with contextlib.suppress(DeviceLost), self.talk():
            self.let_go(*reversed(self.held.down))
        self.held.forget()

    def close(self) -> None:
        """Let go of everything, and give back what is borrowed."""
        atexit.unregister(self.close)
        if self._is_parents:
            return
        self.release_all()
        with contextlib.suppress(DeviceLost), self.talk():
            give_back(self.display, self.borrowed.spare, self.borrowed.locked)
            self.borrowed = Borrowed()
            self._root.delete_property(self.display.get_atom(self._property))
            self.display.sync()
        with contextlib.suppress(ConnectionClosedError, OSError):
            self.display.close()
        self._keeper.close()

    def after_fork(self) -> None:
        """
        The server takes its clients for living as long as any process holds their connection: this one gives it up. What is
        down is the parent's.
        """
        with contextlib.suppress(OSError):
            self.display.display.socket.close()
        self.held.forget()
        self.borrowed = Borrowed()
        self._keeper = KeyReleaseWatchdog(self._name)
        self._unsure = False

    # -- the connection

    @property
    def _is_parents(self) -> bool:
        """Whether the connection is that of the process that this one was forked from."""
        return self._process != os.getpid()

    @property
    def _root(self) -> XWindow:
        root: XWindow = self.display.screen().root
        return root

    @property
    def _property(self) -> str:
        return f"{RECORD}_{self._window.id:x}"

    def _connected(self) -> tuple[Display, Xkb, XWindow]:
        display = connect(self._name)
        with answering(display):
            if not display.has_extension("XTEST"):
                raise UnsupportedAction(
                    f"the X server {self._name} has no XTEST extension: it takes no input from programs"
                )
            xkb = Xkb(display)
            release_for_ended_processes(display)
            root = display.screen().root
            window = root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly, override_redirect=True)
            window.change_property(display.get_atom(RECORD), display.get_atom("CARDINAL"), 32, [os.getpid()])
            display.sync()
        return display, xkb, window

    def _reconnect(self) -> None:
        """A new connection in the place of one that may be in the middle of a message; the old one counts as dead."""
        old = self.display
        held, borrowed = self.held.down, self.borrowed
        self.held.forget()
        self.borrowed = Borrowed()
        with contextlib.suppress(OSError):
            old.display.socket.close()
        self._unsure = False
        self.display, self.xkb, self._window = self._connected()
        self._process = os.getpid()
        with answering(self.display):  # the server may not have noticed the end of the old one
            for one in reversed(held):
                self.put(one, down=False)
            give_back(self.display, borrowed.spare, borrowed.locked)
            self.display.sync()

    def _record(self) -> None:
        self._keeper.start()
        told = {
            "window": self._window.id,
            "process": os.getpid(),
            "keys": [one.code for one in self.held.down if one.kind == "key"],
            "buttons": [one.code for one in self.held.down if one.kind == "button"],
            "spare": self.borrowed.spare,
            "locked": self.borrowed.locked,
        }
        kind = self.display.get_atom("UTF8_STRING")
        self._root.change_property(self.display.get_atom(self._property), kind, 8, json.dumps(told).encode())

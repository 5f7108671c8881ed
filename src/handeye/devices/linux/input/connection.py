"""
Press keys and buttons of an X server through XTest, with a record of what is down stored on the server itself.

The record is a property of the root window. A request for it precedes every press in the same stream, so that it exists
whenever a key is down; it lasts as long as the server, whatever happens to the process. It names a window of its
writer: if that window is gone, so is the writer, and its watchdog, or the next connection, releases what is recorded.
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
from handeye.devices.linux.connection import connect, translate_x_errors
from handeye.devices.linux.input.key_release_watchdog import KeyReleaseWatchdog
from handeye.devices.linux.input.release import RECORD, release_for_ended_processes, restore_keyboard
from handeye.devices.linux.input.xkb import Xkb
from handeye.devices.linux.windows.window_manager import wait_for_window_manager
from handeye.errors import DeviceLost, HandeyeError, UnsupportedAction
from handeye.forks import register_after_fork

_PRESSES = {("key", True): X.KeyPress, ("key", False): X.KeyRelease, ("button", True): X.ButtonPress}
_EVENTS = {**_PRESSES, ("button", False): X.ButtonRelease}


@dataclass(slots=True)
class Borrowed:
    """Changes to undo: keysyms assigned to spare key codes, and locks that were switched off (None: none)."""

    spare: dict[int, list[int]] = field(default_factory=dict)
    locked: int | None = None


class InputConnection:
    """
    A connection to the X server `display` for input. Connecting releases what ended Handeye processes have left
    pressed; from the first movement or press on, a watchdog would release what this one holds. A forked process holds
    nothing: it opens its own connection as soon as it acts.

    Raises DeviceNotFound, UnsupportedAction for a server without XTest.
    """

    def __init__(self, display: str) -> None:
        self._name = display
        self.held = PressedState(lambda _: self._record())
        self.borrowed = Borrowed()
        self._watchdog = KeyReleaseWatchdog(display)
        self._interrupted = False
        self._clicked = False
        self.display, self.xkb, self._window = self._connected()
        self._process = os.getpid()
        atexit.register(self.close)
        register_after_fork(self)

    @contextlib.contextmanager
    def talk(self) -> Iterator[None]:
        """
        Context for requests. Raises DeviceLost, DeviceError. An interruption such as Ctrl-C may leave the connection in
        the middle of a message: the next call reconnects and releases everything first.
        """
        if self._interrupted or self._is_inherited:
            self._reconnect()
        self._interrupted = True
        try:
            with translate_x_errors(self.display):
                yield
        except HandeyeError:
            self._interrupted = False  # raised between two requests
            raise
        self._interrupted = False

    # -- inside `talk`

    def start_watchdog(self) -> None:
        """
        Start the watchdog before a press that must not wait: its start took 8 ms and more on two busy cores, during
        which the content under the pointer may change.
        """
        self._watchdog.start()

    def put(self, one: Input, *, down: bool) -> None:
        """Press or release one input without recording it: the caller has done so."""
        xtest.fake_input(self.display, _EVENTS[one.kind, down], one.code)
        self._clicked |= one.kind == "button"

    def wait_for_clicks(self, clock: Clock) -> None:
        """Wait for pending clicks before keys that must not arrive first. Raises TextInputFailed."""
        if self._clicked:
            wait_for_window_manager(self.display, self._window, clock)
            self._clicked = False

    def press(self, *inputs: Input) -> None:
        """Press the inputs that are not down yet."""
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
        """Write the record of what is down and borrowed."""
        self._record()

    # -- cleanup

    def release_all(self) -> None:
        """Release everything. Never raises a DeviceError: if the server is gone, nothing is down."""
        if not self.held.down and not self._interrupted:
            return
        with contextlib.suppress(DeviceLost), self.talk():
            self.let_go(*reversed(self.held.down))
        self.held.forget()

    def close(self) -> None:
        """Release everything and restore what was borrowed."""
        atexit.unregister(self.close)
        if self._is_inherited:
            return
        self.release_all()
        with contextlib.suppress(DeviceLost), self.talk():
            restore_keyboard(self.display, self.borrowed.spare, self.borrowed.locked)
            self.borrowed = Borrowed()
            self._root.delete_property(self.display.get_atom(self._property))
            self.display.sync()
        with contextlib.suppress(ConnectionClosedError, OSError):
            self.display.close()
        self._watchdog.close()

    def after_fork(self) -> None:
        """
        Close the inherited connection: the server considers a client alive while any process holds its connection. What
        is down belongs to the parent.
        """
        with contextlib.suppress(OSError):
            self.display.display.socket.close()
        self.held.forget()
        self.borrowed = Borrowed()
        self._watchdog = KeyReleaseWatchdog(self._name)
        self._interrupted = False

    # -- the connection

    @property
    def _is_inherited(self) -> bool:
        """True if the connection belongs to the parent process."""
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
        with translate_x_errors(display):
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
        """Replace a connection that may be in the middle of a message; the old one counts as lost."""
        old = self.display
        held, borrowed = self.held.down, self.borrowed
        self.held.forget()
        self.borrowed = Borrowed()
        with contextlib.suppress(OSError):
            old.display.socket.close()
        self._interrupted = False
        self.display, self.xkb, self._window = self._connected()
        self._process = os.getpid()
        with translate_x_errors(self.display):  # the server may not have noticed the end of the old one
            for one in reversed(held):
                self.put(one, down=False)
            restore_keyboard(self.display, borrowed.spare, borrowed.locked)
            self.display.sync()

    def _record(self) -> None:
        self._watchdog.start()
        record = {
            "window": self._window.id,
            "process": os.getpid(),
            "keys": [one.code for one in self.held.down if one.kind == "key"],
            "buttons": [one.code for one in self.held.down if one.kind == "button"],
            "spare": self.borrowed.spare,
            "locked": self.borrowed.locked,
        }
        kind = self.display.get_atom("UTF8_STRING")
        self._root.change_property(self.display.get_atom(self._property), kind, 8, json.dumps(record).encode())

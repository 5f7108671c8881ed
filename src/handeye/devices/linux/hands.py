"""
Keys and buttons of an X server, pressed through XTest, with a record of what is down kept by the server itself.

The record is a property of the root window. A request for it stands before every press in the same stream, so that it is
there whenever a key is; it lasts as long as the server, whatever becomes of the process. It names a window of its writer: when
that window is gone, so is the writer, and the next one to come lets go of what is recorded.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from Xlib import X
from Xlib.display import Display
from Xlib.error import ConnectionClosedError, XError
from Xlib.ext import xtest
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock
from handeye.devices.desktop.held import Held, Input
from handeye.devices.linux.connection import answering, connect, text
from handeye.devices.linux.manager import let_manager_catch_up
from handeye.devices.linux.xkb import ALL_MODIFIERS, Xkb
from handeye.errors import DeviceLost, HandeyeError, UnsupportedAction

RECORD = "_HANDEYE_HANDS"

_PRESSES = {("key", True): X.KeyPress, ("key", False): X.KeyRelease, ("button", True): X.ButtonPress}
_EVENTS = {**_PRESSES, ("button", False): X.ButtonRelease}


@dataclass(slots=True)
class Borrowed:
    """What is not as it was found: meanings of spare key codes, and locks that were switched off (None: none were)."""

    spare: dict[int, list[int]] = field(default_factory=dict)
    locked: int | None = None


class Hands:
    """
    A connection to the X server `display` for input. Connecting lets go of what dead processes of Handeye have left held.

    Raises DeviceNotFound, UnsupportedAction for a server without XTest.
    """

    def __init__(self, display: str) -> None:
        self._name = display
        self.held = Held(lambda _: self._record())
        self.borrowed = Borrowed()
        self._unsure = False
        self._clicked = False
        self.display, self.xkb, self._window = self._connected()
        atexit.register(self.close)

    @contextlib.contextmanager
    def talk(self) -> Iterator[None]:
        """
        Around requests. Raises DeviceLost, DeviceError. What breaks off in the middle, such as Ctrl-C, may leave the connection
        in the middle of a message: the next talk has a new one, and everything is up before it.
        """
        if self._unsure:
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

    def put(self, one: Input, *, down: bool) -> None:
        """Press or let go, without a record: the caller has made it."""
        xtest.fake_input(self.display, _EVENTS[one.kind, down], one.code)
        self._clicked |= one.kind == "button"

    def let_clicks_arrive(self, clock: Clock) -> None:
        """Before keys that must not come before a click. Raises TextInputFailed."""
        if self._clicked:
            let_manager_catch_up(self.display, self._window, clock)
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
        self.release_all()
        with contextlib.suppress(DeviceLost), self.talk():
            _give_back(self.display, self.borrowed.spare, self.borrowed.locked)
            self.borrowed = Borrowed()
            self._root.delete_property(self.display.get_atom(self._property))
            self.display.sync()
        with contextlib.suppress(ConnectionClosedError, OSError):
            self.display.close()

    # -- the connection

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
            let_go_of_the_dead(display)
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
        with answering(self.display):  # the server may not have noticed the end of the old one
            for one in reversed(held):
                self.put(one, down=False)
            _give_back(self.display, borrowed.spare, borrowed.locked)
            self.display.sync()

    def _record(self) -> None:
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


def let_go_of_the_dead(display: Display) -> None:
    """Let go of what processes of Handeye held that are gone, and give back what they had borrowed. Raises XError."""
    root = display.screen().root
    for atom in root.list_properties():
        name = display.get_atom_name(atom)
        if name.startswith(f"{RECORD}_"):
            record = _read(text(root, display, name))
            if _is_alive(display, record.get("window")):
                continue
            for one in _inputs(record):
                xtest.fake_input(display, _EVENTS[one.kind, False], one.code)
            spare, locked = record.get("spare"), record.get("locked")
            _give_back(display, spare if isinstance(spare, dict) else {}, locked if isinstance(locked, int) else None)
            root.delete_property(atom)
    display.sync()


def _read(written: str | None) -> Mapping[str, Any]:
    """A record. Whoever may write to the root window may type anyway; but a broken one must stop nobody."""
    with contextlib.suppress(ValueError, RecursionError):
        found = json.loads(written or "")
        if isinstance(found, dict):
            return found
    return {}


def _inputs(record: Mapping[str, Any]) -> Iterator[Input]:
    for kind, name in (("button", "buttons"), ("key", "keys")):
        codes = record.get(name)
        for code in reversed(codes) if isinstance(codes, list) else ():
            if isinstance(code, int) and 0 < code < 256:
                yield Input("button" if kind == "button" else "key", code)


def _is_alive(display: Display, id: object) -> bool:
    """Whether the window is there and still ours: another client may have got its number."""
    if not isinstance(id, int) or not 0 < id < 1 << 32:
        return False
    with contextlib.suppress(XError):
        window = display.create_resource_object("window", id)
        return window.get_property(display.get_atom(RECORD), X.AnyPropertyType, 0, 1) is not None
    return False


def _give_back(display: Display, spare: Mapping[Any, Any], locked: int | None) -> None:
    """Spare key codes mean nothing again, where they still mean what we gave them; locks are as they were."""
    meanings: dict[int, tuple[int, ...]] = {}
    for code, given in _codes(spare):
        if list(display.get_keyboard_mapping(code, 1)[0])[: len(given)] == given:
            meanings[code] = ()
    if meanings:
        Xkb(display).give(meanings)
    if locked is not None:
        Xkb(display).lock(locked & ALL_MODIFIERS, of=ALL_MODIFIERS)


def _codes(spare: Mapping[Any, Any]) -> Iterable[tuple[int, list[int]]]:
    for code, given in spare.items():
        with contextlib.suppress(ValueError, TypeError):
            if 8 <= int(code) <= 255 and given:
                yield int(code), [int(keysym) for keysym in given]

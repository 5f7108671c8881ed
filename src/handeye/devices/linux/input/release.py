"""
Release keys and buttons held by Handeye processes that have ended, from their records
(`handeye.devices.linux.input.connection`).
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.ext import xtest

from handeye.devices.desktop.pressed_state import Input
from handeye.devices.linux.connection import connect, text, translate_x_errors
from handeye.devices.linux.input.xkb import ALL_MODIFIERS, Xkb
from handeye.errors import HandeyeError

RECORD: Final = "_HANDEYE_HANDS"
"""Property of a writer's window, and prefix of the root window's property that holds its record."""

# The server notices the end of a client when it next reads that client's connection.
_NOTICED_S: Final = 5.0
_POLL_S: Final = 0.02

_RELEASES: Final = {"key": X.KeyRelease, "button": X.ButtonRelease}


def release_after_exit(display: str) -> None:
    """Release what a process held that has just ended. Does nothing if the server is gone too."""
    limit = time.monotonic() + _NOTICED_S
    with contextlib.suppress(HandeyeError):
        connection = connect(display)
        with translate_x_errors(connection):
            while time.monotonic() < limit:
                release_for_ended_processes(connection)
                names = map(connection.get_atom_name, connection.screen().root.list_properties())
                if not any(name.startswith(f"{RECORD}_") for name in names):
                    return
                time.sleep(_POLL_S)


def release_for_ended_processes(display: Display) -> None:
    """Release what ended Handeye processes held, and restore what they had borrowed. Raises XError."""
    root = display.screen().root
    for atom in root.list_properties():
        name = display.get_atom_name(atom)
        if name.startswith(f"{RECORD}_"):
            record = _read(text(root, display, name))
            if _is_alive(display, record.get("window")):
                continue
            for one in _inputs(record):
                xtest.fake_input(display, _RELEASES[one.kind], one.code)
            spare, locked = record.get("spare"), record.get("locked")
            restore_keyboard(
                display, spare if isinstance(spare, dict) else {}, locked if isinstance(locked, int) else None
            )
            root.delete_property(atom)
    display.sync()


def _read(written: str | None) -> Mapping[str, Any]:
    """Parse a record. A broken one is ignored; anyone who can write to the root window can type anyway."""
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
    """Return True if the window exists and is still the record's: another client may have got its id."""
    if not isinstance(id, int) or not 0 < id < 1 << 32:
        return False
    with contextlib.suppress(XError):
        window = display.create_resource_object("window", id)
        return window.get_property(display.get_atom(RECORD), X.AnyPropertyType, 0, 1) is not None
    return False


def restore_keyboard(display: Display, spare: Mapping[Any, Any], locked: int | None) -> None:
    """Unassign spare key codes that still have our keysyms, and restore locks. Raises XError."""
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

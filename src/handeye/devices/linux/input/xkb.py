"""
Requests of the X Keyboard Extension (protocol 1.0) that python-xlib lacks: read held and locked modifiers, lock
modifiers, and remap many keys at once.

The core protocol cannot distinguish an active Caps Lock from a held one, nor switch it. It remaps one range of
neighbouring keys at a time and notifies every client each time: 18 spare keys kept Openbox busy for over a second,
during which no click arrived anywhere.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from Xlib.display import Display
from Xlib.error import CatchError
from Xlib.protocol import rq

from handeye.errors import UnsupportedAction

SHIFT, LOCK, CONTROL = 1, 2, 4
ALL_MODIFIERS = 0xFF

_CORE_KEYBOARD = 0x100
_KEY_SYMS = 2  # a component of a keyboard description
_TWO_LEVEL = 1  # index of the key type "with and without Shift" in every description
_KEY_HEAD = struct.Struct("=4BBBH")  # types of four groups, number of groups, width, number of keysyms that follow
_VERSION = 1


class _UseExtension(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength(), rq.Card16("major"), rq.Card16("minor"))
    _reply = rq.Struct(rq.ReplyCode(), rq.Bool("supported"), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Pad(24))


class _GetState(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(), rq.Card16("device"), rq.Pad(2))
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card8("modifiers"),
        rq.Card8("held"),
        rq.Card8("latched"),
        rq.Card8("locked"),
        rq.Card8("group"),
        rq.Pad(19),
    )


class _LatchLockState(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(5),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card8("affected_locks"),
        rq.Card8("locks"),
        rq.Bool("sets_group"),
        rq.Card8("group"),
        rq.Card8("affected_latches"),
        rq.Card8("latches"),
        rq.Pad(4),
    )


class _GetMap(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(8),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("full"),
        rq.Card16("partial"),
        rq.Pad(2),
        rq.Card8("first"),
        rq.Card8("count"),
        rq.Pad(14),
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Pad(9),
        rq.Card8("first"),
        rq.Card16("total"),
        rq.Card8("count"),
        rq.Pad(19),
        rq.Binary("keys"),
    )


class _SetMap(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(9),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("present"),
        rq.Pad(2),
        rq.Card8("least_code"),
        rq.Card8("greatest_code"),
        rq.Pad(2),
        rq.Card8("first"),
        rq.Card8("count"),
        rq.Card16("total"),
        rq.Pad(18),
        rq.Binary("keys"),
    )


@dataclass(frozen=True, slots=True)
class KeyboardState:
    """Modifiers as bit masks of the core protocol: held down, latched for one key, and locked until switched off."""

    held: int
    latched: int
    locked: int
    group: int
    """The active layout, one of up to four, from 0."""


class Xkb:
    """
    The keyboard of `display`. Raises UnsupportedAction for a server without the extension: all have had it since 1996.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        found = display.query_extension("XKEYBOARD")
        if found is None or not found.present:
            raise UnsupportedAction("this X server has no keyboard extension (XKEYBOARD): keys cannot be pressed")
        self._opcode = found.major_opcode
        _UseExtension(display=display.display, opcode=self._opcode, major=_VERSION, minor=0)

    def state(self) -> KeyboardState:
        reply = _GetState(display=self._display.display, opcode=self._opcode, device=_CORE_KEYBOARD)
        return KeyboardState(reply.held, reply.latched, reply.locked, reply.group)

    def give(self, meanings: Mapping[int, Sequence[int]]) -> None:
        """
        Remap each code of `meanings` to its keysyms, without and with Shift; none unassigns it. In one request; if the
        server refuses it (XWayland 22.1 does, over the width of a key type), in one core protocol request for each
        code.
        """
        if not meanings:
            return
        first, last = min(meanings), max(meanings)
        display = self._display.display
        reply = _GetMap(
            display=display,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            full=0,
            partial=_KEY_SYMS,
            first=first,
            count=last - first + 1,
        )
        keys = dict(zip(range(first, last + 1), _keys(reply.keys), strict=True))
        keys |= {code: _key(keysyms) for code, keysyms in meanings.items()}
        refused = CatchError()
        _SetMap(
            display=display,
            onerror=refused,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            present=_KEY_SYMS,
            least_code=display.info.min_keycode,
            greatest_code=display.info.max_keycode,
            first=first,
            count=len(keys),
            total=sum((len(key) - _KEY_HEAD.size) // 4 for key in keys.values()),
            keys=b"".join(keys.values()),
        )
        self._display.sync()
        if refused.get_error():
            for code, keysyms in meanings.items():
                self._display.change_keyboard_mapping(code, [list(keysyms) or [0]])

    def lock(self, modifiers: int, *, of: int) -> None:
        """Lock exactly `modifiers` among the modifiers `of`, and unlatch all of them."""
        _LatchLockState(
            display=self._display.display,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            affected_locks=of,
            locks=modifiers & of,
            sets_group=False,
            group=0,
            affected_latches=of,
            latches=0,
        )


def _keys(described: bytes) -> Iterator[bytes]:
    """Split the server's reply into the description of each key."""
    at = 0
    while at + _KEY_HEAD.size <= len(described):
        *_, keysyms = _KEY_HEAD.unpack_from(described, at)
        end = at + _KEY_HEAD.size + 4 * keysyms
        yield bytes(described[at:end])
        at = end


def _key(keysyms: Sequence[int]) -> bytes:
    if not any(keysyms):
        return _KEY_HEAD.pack(0, 0, 0, 0, 0, 0, 0)
    return _KEY_HEAD.pack(_TWO_LEVEL, 0, 0, 0, 1, 2, 2) + struct.pack("=2I", *keysyms)

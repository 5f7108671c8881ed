"""
Three requests of the X Keyboard Extension (protocol 1.0), which python-xlib has not: what is locked or held, and to lock.

The core protocol does not tell a Caps Lock that is on from one that is held, and can change neither it nor the layout in use.
"""

from __future__ import annotations

from dataclasses import dataclass

from Xlib.display import Display
from Xlib.protocol import rq

from handeye.errors import UnsupportedAction

SHIFT, LOCK, CONTROL = 1, 2, 4
ALL_MODIFIERS = 0xFF

_CORE_KEYBOARD = 0x100
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


@dataclass(frozen=True, slots=True)
class KeyboardState:
    """Modifiers as bits of the core protocol: held down, waiting for one key (latched), on until switched off (locked)."""

    held: int
    latched: int
    locked: int
    group: int
    """The layout in use, of up to four, from 0."""


class Xkb:
    """The keyboard of `display`. Raises UnsupportedAction for a server without the extension: all have had it since 1996."""

    def __init__(self, display: Display) -> None:
        self._display = display
        found = display.query_extension("XKEYBOARD")
        if found is None or not found.present:
            raise UnsupportedAction("this X server has no keyboard extension (XKEYBOARD): keys cannot be pressed")
        self._opcode = found.major_opcode
        _UseExtension(display=display.display, opcode=self._opcode, major=_VERSION, minor=0)

    def state(self) -> KeyboardState:
        told = _GetState(display=self._display.display, opcode=self._opcode, device=_CORE_KEYBOARD)
        return KeyboardState(told.held, told.latched, told.locked, told.group)

    def lock(self, modifiers: int, *, of: int) -> None:
        """Of the modifiers `of`, let `modifiers` be locked and no other; none of them stays latched."""
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

"""Type any text key by key, with spare key codes for characters that the layout lacks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import BetweenPieces
from handeye.devices.desktop.pressed_state import Input
from handeye.devices.desktop.text import typeable
from handeye.devices.linux.input.connection import InputConnection
from handeye.devices.linux.input.keyboard import Keyboard, check_no_keys_held
from handeye.devices.linux.input.keymap import RETURN, TAB, Keymap, Stroke, pair
from handeye.devices.linux.input.xkb import ALL_MODIFIERS
from handeye.devices.linux.windows.window_manager import TAKEN_TIMEOUT_S, Ping
from handeye.errors import TextInputFailed

HELD_TIMEOUT_S = 1.0  # for a user who still holds the key that started this program
POLL_S = 0.01

# Number of characters sent between two checks that the application has processed them and that focus is unchanged.
_LONGEST_PIECE = 50

_KEYS = {"\n": RETURN, "\t": TAB}


class NoSpareCodes(TextInputFailed):
    """The text needs more characters that no key types than this X server has spare key codes."""


class Typing:
    """Types into the focused window."""

    def __init__(self, hands: InputConnection, keyboard: Keyboard, clock: Clock) -> None:
        self._connection = hands
        self._keyboard = keyboard
        self._clock = clock

    def type(self, text: str, between: BetweenPieces, *, reusing: bool = False) -> str:
        """
        Type `text`, return once the application has processed it, and describe the method. A line break is Enter.
        `between` as in `DesktopInput.type`.

        `reusing`: remap spare codes while typing if the text needs more than there are. A slow application may then
        read the wrong character.

        Raises UsageError for control characters, NoSpareCodes before anything is typed, TextInputFailed, which says how
        much was typed, if the user holds a key or the application stops responding.
        """
        left = list(typeable(text))
        whole, borrowed = len(left), 0
        with self._connection.talk(), self.plain_keys():
            self._connection.wait_for_clicks(self._clock)
            self._check_room(left, reusing)
            ping = Ping(self._connection.display, self._clock)
            between(0)
            while left:
                keymap = self._keyboard.keymap()
                strokes, piece, spared = self._piece(keymap, left)
                borrowed += spared
                self._send(strokes)
                del left[:piece]
                if not ping.taken(TAKEN_TIMEOUT_S):
                    raise TextInputFailed(
                        f"the application does not answer: {whole - len(left)} of {whole} characters were sent to it"
                    )
                between(whole - len(left))
        return "key by key" + (f", {borrowed} of them by spare key codes" if borrowed else "")

    def _check_room(self, text: list[str], reusing: bool) -> None:
        keymap = self._keyboard.keymap()
        foreign = {pair(one) for one in text if self._own(keymap, one) is None}
        room = self._keyboard.room(keymap)
        if foreign and (len(foreign) > room if not reusing else not room):
            raise NoSpareCodes(f"it has {len(foreign)} characters that no key types, and {room} key codes are spare")

    def _piece(self, keymap: Keymap, left: list[str]) -> tuple[list[Stroke], int, int]:
        """
        Return the strokes for as much of `left` as one set of spare codes can type, their number, and how many use
        spare codes.
        """
        head = left[:_LONGEST_PIECE]
        foreign = [character for character in head if self._own(keymap, character) is None]
        given = self._keyboard.spare(keymap, foreign) if foreign else {}
        strokes: list[Stroke] = []
        spared = 0
        for character in head:
            own = self._own(keymap, character)
            stroke = own or given.get(character)
            if stroke is None:
                break
            spared += own is None
            strokes.append(stroke)
        return strokes, len(strokes), spared

    @staticmethod
    def _own(keymap: Keymap, character: str) -> Stroke | None:
        return keymap.key(_KEYS[character]) if character in _KEYS else keymap.character(character)

    def _send(self, strokes: list[Stroke]) -> None:
        """Send a piece. All its keys are recorded at once: releasing a key that is not down is harmless."""
        hands = self._connection
        codes = dict.fromkeys(code for stroke in strokes for code in (*stroke.modifiers, stroke.code))
        inputs = [Input("key", code) for code in codes]
        hands.held.add(inputs)
        down: tuple[int, ...] = ()
        for stroke in strokes:
            down = self._hold(down, stroke.modifiers)
            hands.put(Input("key", stroke.code), down=True)
            hands.put(Input("key", stroke.code), down=False)
        self._hold(down, ())
        hands.held.discard(inputs)
        hands.display.sync()

    def _hold(self, down: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
        if down != wanted:
            for code in reversed(down):
                self._connection.put(Input("key", code), down=False)
            for code in wanted:
                self._connection.put(Input("key", code), down=True)
        return wanted

    @contextlib.contextmanager
    def plain_keys(self) -> Iterator[None]:
        """Ensure that no modifier is held or locked meanwhile, except Num Lock, which changes no letter."""
        check_no_keys_held(self._connection)
        xkb, borrowed = self._connection.xkb, self._connection.borrowed
        limit = Deadline(self._clock, HELD_TIMEOUT_S)
        while xkb.state().held:
            if limit.passed:
                raise TextInputFailed("a key such as Shift or Ctrl is held down by somebody: nothing was typed")
            limit.pause(POLL_S)
        state = xkb.state()
        others = ALL_MODIFIERS & ~self._keyboard.num_lock()
        if not (state.locked | state.latched) & others:
            yield
            return
        borrowed.locked = state.locked
        self._connection.record()
        xkb.lock(0, of=others)
        try:
            yield
        finally:
            if borrowed.locked is not None and self._connection.borrowed is borrowed:
                xkb.lock(borrowed.locked, of=others)
                borrowed.locked = None
                self._connection.record()
                self._connection.display.sync()

"""Any text, typed key by key: through the layout's own keys, and spare key codes for what these do not type."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import BetweenPieces
from handeye.devices.desktop.pressed_state import Input
from handeye.devices.desktop.text import typeable
from handeye.devices.linux.input.connection import InputConnection
from handeye.devices.linux.input.keyboard import Keyboard, check_free
from handeye.devices.linux.input.keymap import RETURN, TAB, Keymap, Stroke, pair
from handeye.devices.linux.input.xkb import ALL_MODIFIERS
from handeye.devices.linux.windows.ping import TAKEN_TIMEOUT_S, Ping
from handeye.errors import TextInputFailed

HELD_TIMEOUT_S = 1.0  # for a person who still holds the key that started us
POLL_S = 0.01

# As many letters as go out between two looks at whether the application has taken them, and who has the keyboard.
_LONGEST_PIECE = 50

_KEYS = {"\n": RETURN, "\t": TAB}


class NoSpareCodes(TextInputFailed):
    """No key types parts of this text, and this X server has not as many key codes to spare."""


class Typing:
    """Types into what has the keyboard."""

    def __init__(self, hands: InputConnection, keyboard: Keyboard, clock: Clock) -> None:
        self._hands = hands
        self._keyboard = keyboard
        self._clock = clock

    def type(self, text: str, between: BetweenPieces, *, reusing: bool = False) -> str:
        """
        Returns when the application has taken the last letter; says how it was typed. A line's end is Enter. `between` as in
        `DesktopHands.type`.

        `reusing`: give spare codes other meanings on the way, where the text needs more than there are. An application that is
        late may then read the wrong one.

        Raises UsageError for control characters, NoSpareCodes before anything is typed, TextInputFailed when a person holds a
        key, or the application takes no more: it says how much was typed.
        """
        left = list(typeable(text))
        whole, borrowed = len(left), 0
        with self._hands.talk(), self.plain_keys():
            self._hands.let_clicks_arrive(self._clock)
            self._check_room(left, reusing)
            ping = Ping(self._hands.display, self._clock)
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
        """As much of `left` as can be typed with one set of spare codes: its strokes, its length, how many are spare ones."""
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
        """All of a piece is recorded at once: what is let go of without being down does no harm."""
        hands = self._hands
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
                self._hands.put(Input("key", code), down=False)
            for code in wanted:
                self._hands.put(Input("key", code), down=True)
        return wanted

    @contextlib.contextmanager
    def plain_keys(self) -> Iterator[None]:
        """No modifier is held or locked meanwhile, but for Num Lock, which changes no letter."""
        check_free(self._hands)
        xkb, borrowed = self._hands.xkb, self._hands.borrowed
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
        self._hands.record()
        xkb.lock(0, of=others)
        try:
            yield
        finally:
            if borrowed.locked is not None and self._hands.borrowed is borrowed:
                xkb.lock(borrowed.locked, of=others)
                borrowed.locked = None
                self._hands.record()
                self._hands.display.sync()

"""Keyboard of an X server, for any layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from Xlib import X
from Xlib.error import XError

from handeye.clock import Clock
from handeye.devices.desktop.keys import Key, key_named
from handeye.devices.desktop.pressed_state import Input
from handeye.devices.linux.connection import connect, translate_x_errors
from handeye.devices.linux.input.connection import InputConnection
from handeye.devices.linux.input.keyboard_refresh import refresh_keyboard
from handeye.devices.linux.input.keymap import Keymap, KeyTable, Spares, Stroke, character_of
from handeye.devices.linux.windows.window_manager import TAKEN_TIMEOUT_S, Ping
from handeye.errors import DeviceError, UnsupportedAction, UsageError

_NUM_LOCK = 0xFF7F

# Pause before a used spare code is remapped, in addition to the application's response: without it one in three texts
# of 1,000 Chinese characters was typed wrongly in Qt 6 on two busy cores.
REUSE_S = 0.1


class Keyboard:
    """
    Presses keys by name. Adds Shift or AltGr to characters that need it. A letter that the current layout lacks (s
    under a Russian one) gets a spare key code, so that shortcuts work under every layout.
    """

    def __init__(self, hands: InputConnection, clock: Clock) -> None:
        self._connection = hands
        self._clock = clock
        self._spares = Spares(hands.borrowed.spare)
        self._strokes: dict[Key, Stroke] = {}
        self._changes = 0  # number of times that spare codes were remapped
        self._known: tuple[tuple[KeyTable, int, bool, frozenset[int]], Keymap] | None = None

    def key(self, name: str, *, down: bool) -> None:
        """
        Press or release a key. Raises UsageError for an unknown key, UnsupportedAction for one that this keyboard
        lacks.
        """
        key = key_named(name)
        with self._connection.talk():
            if down:
                self._connection.wait_for_clicks(self._clock)
                stroke = self._stroke(key)
                pressed = [Input("key", code) for code in (*stroke.modifiers, stroke.code)]
                held = set(self._connection.held.down)
                # A modifier that is already down belongs to an earlier press: it stays down when this key is released.
                self._strokes[key] = Stroke(
                    stroke.code, tuple(c for c in stroke.modifiers if Input("key", c) not in held)
                )
                self._connection.press(*pressed)
            elif (stroke := self._strokes.pop(key, Stroke(0))).code:
                self._connection.let_go(*(Input("key", code) for code in (stroke.code, *reversed(stroke.modifiers))))
                if stroke.code in self._connection.borrowed.spare:  # the code is unmapped when this process ends
                    Ping(self._connection.display, self._clock).taken(TAKEN_TIMEOUT_S)

    def prepare(self, names: Sequence[str]) -> None:
        """
        Assign spare codes to those of these keys that the layout lacks, and return when the application knows. Chromium
        reads remapped keys only when another keyboard is used.
        """
        with self._connection.talk():
            before = self._changes
            for name in names:
                self._stroke(key_named(name))
            if self._changes != before:
                refresh_keyboard(self._connection.display)
                Ping(self._connection.display, self._clock).taken(TAKEN_TIMEOUT_S)

    def keymap(self) -> Keymap:
        """
        Return the current keymap; inside `talk`. The server is queried each time, as making sure that all change events
        have arrived would take a request too. The keymap is rebuilt only if the answer changed.
        """
        state = self._connection.xkb.state()
        num_lock = bool(state.locked & self.num_lock())
        reported = (
            KeyTable.of(self._connection.display),
            state.group,
            num_lock,
            frozenset(self._connection.borrowed.spare),
        )
        if self._known is None or self._known[0] != reported:
            table, group, _, borrowed = reported
            self._known = reported, Keymap(table, group, num_lock=num_lock, borrowed=borrowed)
        return self._known[1]

    def num_lock(self) -> int:
        """Return the modifier bit of Num Lock, usually Mod2; 0 if there is none."""
        display = self._connection.display
        code = display.keysym_to_keycode(_NUM_LOCK)
        rows = display.get_modifier_mapping()
        return next((1 << bit for bit, codes in enumerate(rows) if code and code in codes), 0)

    def room(self, keymap: Keymap) -> int:
        """Return how many codes can be remapped."""
        return len({*keymap.spare, *self._connection.borrowed.spare})

    def spare(self, keymap: Keymap, text: Sequence[str]) -> Mapping[str, Stroke]:
        """
        Assign spare codes to as much of `text`, from its start, as there are codes; inside `talk`. No key of these
        codes may be on its way to an application that has not handled it.
        """
        before = set(self._connection.borrowed.spare)
        strokes, changed = self._spares.plan(keymap, text)
        if changed:
            if before & changed.keys():
                self._clock.sleep(REUSE_S)
            self._connection.record()
            self._connection.xkb.give(changed)
            self._connection.display.sync()
            self._changes += 1
        return strokes

    def _stroke(self, key: Key) -> Stroke:
        keymap = self.keymap()
        if (stroke := keymap.key(key.keysym)) is not None:
            return stroke
        character = character_of(key.keysym)
        if character is None:
            raise UnsupportedAction(f"this keyboard has no key {key.name!r}: its layout gives it to none")
        found = self.spare(keymap, [character]).get(character)
        if found is None:
            raise UnsupportedAction(f"no key types {key.name!r}, and no key code is spare for it")
        return found


def check_no_keys_held(hands: InputConnection) -> None:
    """Raise UsageError while keys are held down by Handeye: text typed now would be shortcuts."""
    held = [one for one in hands.held.down if one.kind == "key"]
    if held:
        raise UsageError(f"{len(held)} keys are held down: let go of them before typing")


# Grab a key of an X server: presses are reported here and to no application.


class KeyWatch:
    """Grabs the key called `key` on a separate connection. Raises UsageError, UnsupportedAction, DeviceError."""

    def __init__(self, display: str, key: str) -> None:
        wanted = key_named(key)
        self._display = connect(display)
        with translate_x_errors(self._display):
            stroke = Keymap(KeyTable.of(self._display), 0, num_lock=False).key(wanted.keysym)
            if stroke is None:
                raise UnsupportedAction(f"this keyboard has no key {wanted.name!r} to watch: name another one")
            refused: list[XError] = []
            self._display.screen().root.grab_key(
                stroke.code,
                X.AnyModifier,
                False,
                X.GrabModeAsync,
                X.GrabModeAsync,
                onerror=lambda error, _: refused.append(error),
            )
            self._display.sync()
        if refused:
            raise DeviceError(
                f"the key {wanted.name!r} belongs to another program already, the window manager or another Handeye that it "
                "stops: end that one, or name another key"
            )

    def was_pressed(self) -> bool:
        """Return True if it was pressed since the last call."""
        pressed = False
        with translate_x_errors(self._display):
            while self._display.pending_events():
                pressed |= self._display.next_event().type == X.KeyPress
        return pressed

    def close(self) -> None:
        self._display.close()

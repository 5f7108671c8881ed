"""The keyboard of an X server, whatever layout is in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handeye.clock import Clock
from handeye.devices.desktop.keys import Key, key_named
from handeye.devices.desktop.pressed_state import Input
from handeye.devices.linux.input.connection import InputConnection
from handeye.devices.linux.input.keyboard_refresh import refresh_keyboard
from handeye.devices.linux.input.keymap import Keymap, KeyTable, Spares, Stroke, character_of
from handeye.devices.linux.windows.ping import TAKEN_TIMEOUT_S, Ping
from handeye.errors import UnsupportedAction, UsageError

_NUM_LOCK = 0xFF7F

# Before a code that was typed gets another meaning, beside the application's answer: without it one text of 1,000 Chinese
# letters in three came out wrong in Qt 6 on two busy cores.
REUSE_S = 0.1


class Keyboard:
    """
    Presses keys by name. A sign that needs Shift or AltGr gets it. A letter that the layout in use has not (s under a Russian
    one) gets a spare key code, so that shortcuts work under every layout.
    """

    def __init__(self, hands: InputConnection, clock: Clock) -> None:
        self._hands = hands
        self._clock = clock
        self._spares = Spares(hands.borrowed.spare)
        self._strokes: dict[Key, Stroke] = {}
        self._changes = 0  # how often spare codes were given other meanings
        self._known: tuple[tuple[KeyTable, int, bool, frozenset[int]], Keymap] | None = None

    def key(self, name: str, *, down: bool) -> None:
        """Press or let go. Raises UsageError for what is no key, UnsupportedAction for one that this keyboard has not."""
        key = key_named(name)
        with self._hands.talk():
            if down:
                self._hands.let_clicks_arrive(self._clock)
                stroke = self._stroke(key)
                pressed = [Input("key", code) for code in (*stroke.modifiers, stroke.code)]
                held = set(self._hands.held.down)
                # A modifier that is down already belongs to whoever pressed it: it stays when this key goes up.
                self._strokes[key] = Stroke(
                    stroke.code, tuple(c for c in stroke.modifiers if Input("key", c) not in held)
                )
                self._hands.press(*pressed)
            elif (stroke := self._strokes.pop(key, Stroke(0))).code:
                self._hands.let_go(*(Input("key", code) for code in (stroke.code, *reversed(stroke.modifiers))))
                if stroke.code in self._hands.borrowed.spare:  # which loses its meaning when this process ends
                    Ping(self._hands.display, self._clock).taken(TAKEN_TIMEOUT_S)

    def prepare(self, names: Sequence[str]) -> None:
        """
        Give spare codes to those of these keys that the layout lacks, and return when the application knows. Chromium does not
        read that keys have got other meanings before another keyboard is used.
        """
        with self._hands.talk():
            before = self._changes
            for name in names:
                self._stroke(key_named(name))
            if self._changes != before:
                refresh_keyboard(self._hands.display)
                Ping(self._hands.display, self._clock).taken(TAKEN_TIMEOUT_S)

    def keymap(self) -> Keymap:
        """
        The keys as they are now; within a talk. The server is asked each time: to be sure that it has told of every change
        would take a question too. What it says is made sense of when it differs from the last time.
        """
        state = self._hands.xkb.state()
        num_lock = bool(state.locked & self.num_lock())
        told = (KeyTable.of(self._hands.display), state.group, num_lock, frozenset(self._hands.borrowed.spare))
        if self._known is None or self._known[0] != told:
            table, group, _, borrowed = told
            self._known = told, Keymap(table, group, num_lock=num_lock, borrowed=borrowed)
        return self._known[1]

    def num_lock(self) -> int:
        """The modifier bit of Num Lock, usually Mod2; 0 where there is none."""
        display = self._hands.display
        code = display.keysym_to_keycode(_NUM_LOCK)
        rows = display.get_modifier_mapping()
        return next((1 << bit for bit, codes in enumerate(rows) if code and code in codes), 0)

    def room(self, keymap: Keymap) -> int:
        """How many codes may be given a meaning."""
        return len({*keymap.spare, *self._hands.borrowed.spare})

    def spare(self, keymap: Keymap, text: Sequence[str]) -> Mapping[str, Stroke]:
        """
        Give spare codes to as much of `text`, from its start, as there are codes; within a talk. No key of these codes may be
        on its way to an application that has not handled it.
        """
        before = set(self._hands.borrowed.spare)
        strokes, changed = self._spares.plan(keymap, text)
        if changed:
            if before & changed.keys():
                self._clock.sleep(REUSE_S)
            self._hands.record()
            self._hands.xkb.give(changed)
            self._hands.display.sync()
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


def check_free(hands: InputConnection) -> None:
    """Raises UsageError while keys are held by us: text typed now would be shortcuts."""
    held = [one for one in hands.held.down if one.kind == "key"]
    if held:
        raise UsageError(f"{len(held)} keys are held down: let go of them before typing")

"""Mouse of an X server."""

from __future__ import annotations

from Xlib import X
from Xlib.ext import xtest

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import MouseButton
from handeye.devices.desktop.pressed_state import Input
from handeye.devices.linux.input.connection import InputConnection
from handeye.errors import UnsupportedAction, UsageError
from handeye.geometry import Point

_NUMBERS = {MouseButton.LEFT: 1, MouseButton.MIDDLE: 2, MouseButton.RIGHT: 3}
_UP, _DOWN, _LEFT, _RIGHT = 4, 5, 6, 7  # a wheel notch is a click of one of these

MOST_NOTCHES = 1000

HELD_BACK_S = 1.0  # Openbox took 300 ms on two busy cores; if longer, the user holds the same button
POLL_S = 0.002
_LAST_PIXEL = 32767  # maximum of the protocol's 16-bit coordinates


class Pointer:
    """Moves the pointer and presses the logical buttons: left, middle, right and wheel."""

    def __init__(self, hands: InputConnection, clock: Clock) -> None:
        self._connection = hands
        self._clock = clock

    def move(self, to: Point) -> None:
        if not (0 <= to.x <= _LAST_PIXEL and 0 <= to.y <= _LAST_PIXEL):
            raise UsageError(f"the pointer cannot go to {tuple(to)}: an X screen begins at 0, 0")
        with self._connection.talk():
            self._connection.start_watchdog()
            xtest.fake_input(self._connection.display, X.MotionNotify, x=to.x, y=to.y)
            self._connection.display.sync()

    def button(self, button: MouseButton, *, down: bool) -> None:
        with self._connection.talk():
            one = Input("button", self._physical(_NUMBERS[button]))
            if down:
                self._connection.press(one)
            else:
                self._connection.let_go(one)
                self._wait_until_up(_NUMBERS[button])

    def wheel(self, across: int, down: int) -> None:
        if max(abs(across), abs(down)) > MOST_NOTCHES:
            raise UsageError(f"{across} and {down} notches are too many; {MOST_NOTCHES} at most")
        with self._connection.talk():
            for count, backward, forward in ((down, _UP, _DOWN), (across, _LEFT, _RIGHT)):
                if count:
                    one = Input("button", self._physical(forward if count > 0 else backward))
                    for _ in range(abs(count)):
                        self._connection.press(one)
                        self._connection.let_go(one)

    def _wait_until_up(self, number: int) -> None:
        """
        Wait until the server reports the button as released. A window manager that inspects each click first delays it,
        but not the keyboard: text sent at once would arrive before the click.
        """
        root = self._connection.display.screen().root
        limit = Deadline(self._clock, HELD_BACK_S)
        while root.query_pointer().mask & X.Button1Mask << number - 1 and not limit.passed:
            limit.pause(POLL_S)

    def _physical(self, number: int) -> int:
        """Return the physical button that the server reports as `number`: left-handed users have swapped some."""
        mapping = list(self._connection.display.get_pointer_mapping())
        if number not in mapping:
            raise UnsupportedAction(f"the mouse of this X server has no button {number}")
        return mapping.index(number) + 1

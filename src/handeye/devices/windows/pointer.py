"""The mouse, through SendInput."""

from __future__ import annotations

from typing import Final

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import MouseButton
from handeye.devices.windows.api import MouseEvent, Win32
from handeye.errors import DeviceError
from handeye.geometry import Box, Point

# MOUSEEVENTF_... of winuser.h.
_MOVE: Final = 0x0001
_ABSOLUTE: Final = 0x8000
_ALL_MONITORS: Final = 0x4000
_WHEEL: Final = 0x0800
_WHEEL_ACROSS: Final = 0x1000
_DOWN: Final = {MouseButton.LEFT: 0x0002, MouseButton.RIGHT: 0x0008, MouseButton.MIDDLE: 0x0020}
_UP: Final = {button: flag << 1 for button, flag in _DOWN.items()}
_SWAPPED: Final = {MouseButton.LEFT: MouseButton.RIGHT, MouseButton.RIGHT: MouseButton.LEFT}

NOTCH: Final = 120
"""WHEEL_DELTA: what one notch of the wheel counts."""

UNITS: Final = 1 << 16
"""In how many steps an absolute movement divides all monitors together."""

# Windows answers at once; a remote desktop, and Wine, tell of a movement some milliseconds later.
ARRIVAL_S: Final = 0.25
_POLL_S: Final = 0.005

_REFUSED: Final = (
    "Windows did not take the input: the window in front has more rights than this program, or the screen is locked"
)


class Pointer:
    """Moves and presses through `api`."""

    def __init__(self, api: Win32, clock: Clock) -> None:
        self._api = api
        self._clock = clock

    def at(self) -> Point:
        return self._api.pointer()

    def move(self, to: Point) -> None:
        """
        Exactly there. Raises DeviceError where the pointer cannot go: no monitor is there, or a program confines it.

        A movement by SendInput is one that applications see as a person's; where its arithmetic went to the pixel beside (a
        driver's or a remote desktop's own), the pointer is put right.
        """
        self._send(MouseEvent(_MOVE | _ABSOLUTE | _ALL_MONITORS, *absolute(to, self._api.virtual_screen())))
        if self._api.pointer() != to:
            self._api.put_pointer(to)
            limit = Deadline(self._clock, ARRIVAL_S)
            while self._api.pointer() != to:
                if limit.passed:
                    stays = tuple(self._api.pointer())
                    raise DeviceError(f"the pointer cannot be put at {tuple(to)}: it stays at {stays}")
                limit.pause(_POLL_S)

    def button(self, button: MouseButton, *, down: bool) -> None:
        """Left is the one that clicks, also where the person has swapped them: Windows swaps what is sent as well."""
        sent = _SWAPPED.get(button, button) if self._api.buttons_swapped() else button
        self._send(MouseEvent((_DOWN if down else _UP)[sent]))

    def wheel(self, across: int, down: int) -> None:
        """By notches. Windows counts up and to the right as positive."""
        for flag, notches in ((_WHEEL, -down), (_WHEEL_ACROSS, across)):
            for _ in range(abs(notches)):  # one after the other, as a wheel does: some programs count messages
                self._send(MouseEvent(flag, data=NOTCH if notches > 0 else -NOTCH))

    def _send(self, event: MouseEvent) -> None:
        if not self._api.send((event,)):
            raise DeviceError(_REFUSED)


def absolute(to: Point, screen: Box) -> tuple[int, int]:
    """
    SendInput's coordinates of the pixel `to`, where `screen` is around all monitors: 65,536 steps from its left to its right
    edge and from top to bottom (MOUSEEVENTF_VIRTUALDESK).

    Windows takes the pixel that a step falls into, rounding down; so the middle of the pixel is sent, which no other rounding
    that is in use takes elsewhere. Exact for screens of up to 65,536 pixels.
    """
    return (
        _steps(to.x - screen.left, screen.width),
        _steps(to.y - screen.top, screen.height),
    )


def _steps(pixel: int, pixels: int) -> int:
    return (2 * pixel + 1) * UNITS // (2 * pixels)

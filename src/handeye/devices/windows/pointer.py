"""Control the mouse with SendInput."""

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
"""WHEEL_DELTA: units of one wheel notch."""

UNITS: Final = 1 << 16
"""Number of steps into which absolute coordinates divide the bounding box of all monitors."""

# Windows reports a movement at once; a remote desktop and Wine some milliseconds later.
ARRIVAL_S: Final = 0.25
_POLL_S: Final = 0.005

_REFUSED: Final = (
    "Windows did not take the input: the window in front has more rights than this program, or the screen is locked"
)


class Pointer:
    """Mouse input through `api`."""

    def __init__(self, api: Win32, clock: Clock) -> None:
        self._api = api
        self._clock = clock

    def at(self) -> Point:
        return self._api.pointer()

    def move(self, to: Point) -> None:
        """
        Move exactly to `to`. Raises DeviceError if the pointer cannot go there: no monitor, or a program confines it.

        Applications treat a SendInput movement as the user's. If a driver's or remote desktop's rounding ends at a
        neighbouring pixel, the position is corrected.
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
        """
        Press or release a button. LEFT is the primary one even if the user has swapped them, as Windows also swaps sent
        input.
        """
        sent = _SWAPPED.get(button, button) if self._api.buttons_swapped() else button
        self._send(MouseEvent((_DOWN if down else _UP)[sent]))

    def wheel(self, across: int, down: int) -> None:
        """Turn the wheel by notches. Windows counts up and right as positive."""
        for flag, notches in ((_WHEEL, -down), (_WHEEL_ACROSS, across)):
            for _ in range(abs(notches)):  # one event per notch, as a real wheel does: some programs count messages
                self._send(MouseEvent(flag, data=NOTCH if notches > 0 else -NOTCH))

    def _send(self, event: MouseEvent) -> None:
        if not self._api.send((event,)):
            raise DeviceError(_REFUSED)


def absolute(to: Point, screen: Box) -> tuple[int, int]:
    """
    Return SendInput's coordinates of the pixel `to`, where `screen` is the bounding box of all monitors: 65,536 steps
    from left to right and top to bottom (MOUSEEVENTF_VIRTUALDESK).

    Windows rounds a step down to its pixel; the pixel's centre is sent, which no rounding in use maps to another pixel.
    Exact for screens of up to 65,536 pixels.
    """
    return (
        _steps(to.x - screen.left, screen.width),
        _steps(to.y - screen.top, screen.height),
    )


def _steps(pixel: int, pixels: int) -> int:
    return (2 * pixel + 1) * UNITS // (2 * pixels)

"""Mouse gestures as pointer moves and button presses."""

from __future__ import annotations

import math

from handeye.clock import Clock
from handeye.devices.desktop.base import MouseButton
from handeye.devices.desktop.panic import PanicStop
from handeye.geometry import Point

# Toolkits read the pointer position when they handle the press, not when it was sent, so there is a pause in between.
SETTLE_S = 0.01
HOLD_S = 0.02

DRAG_STEP_S = 0.01


class Gestures:
    """Clicks, scrolls and drags through `hands`. No button stays down, even if an exception is raised."""

    def __init__(self, hands: PanicStop, clock: Clock) -> None:
        self._input = hands
        self._clock = clock

    def click(self, at: Point, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        """Click. If the pointer is at `at` already, press without a pause: what is shown there may change during one."""
        if self._input.pointer() != at:
            self._input.move(at)
            self._clock.sleep(SETTLE_S)
        for _ in range(count):
            self._press(button, HOLD_S)
            self._clock.sleep(SETTLE_S)

    def hold(self, at: Point, seconds: float) -> None:
        """Hold the left button down for `seconds`."""
        self._input.move(at)
        self._clock.sleep(SETTLE_S)
        self._press(MouseButton.LEFT, seconds)

    def scroll(self, at: Point, across: int, down: int) -> None:
        """Turn the wheel at a point."""
        self._input.move(at)
        self._clock.sleep(SETTLE_S)
        self._input.wheel(across, down)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        """
        Press at `start`, move to `end` in a straight line, release there. The pointer rests at both ends for a moment,
        so that the drag ends exactly at `end`.
        """
        self._input.move(start)
        self._clock.sleep(SETTLE_S)
        try:
            self._input.button(MouseButton.LEFT, down=True)
            self._clock.sleep(HOLD_S)
            steps = max(3, round(seconds / DRAG_STEP_S), math.ceil(math.dist(start, end) / _LONGEST_STEP_PX))
            for step in range(1, steps + 1):
                self._input.move(_between(start, end, step / steps))
                self._clock.sleep(max(seconds / steps, _SHORTEST_PAUSE_S))
            self._input.move(end)
            self._clock.sleep(HOLD_S)
        finally:
            self._input.button(MouseButton.LEFT, down=False)

    def _press(self, button: MouseButton, seconds: float) -> None:
        try:
            self._input.button(button, down=True)
            self._clock.sleep(seconds)
        finally:
            self._input.button(button, down=False)


_LONGEST_STEP_PX = 40  # a drop target on the way must notice the pointer
_SHORTEST_PAUSE_S = 0.004


def _between(start: Point, end: Point, part: float) -> Point:
    return Point(round(start.x + (end.x - start.x) * part), round(start.y + (end.y - start.y) * part))

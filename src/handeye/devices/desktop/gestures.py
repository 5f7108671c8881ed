"""What a person does with a mouse, as moves and presses."""

from __future__ import annotations

import math

from handeye.clock import Clock
from handeye.devices.desktop.base import MouseButton
from handeye.devices.desktop.panic import PanicStop
from handeye.geometry import Point

# Toolkits look at where the pointer is when they handle the press, not when it was sent: a moment between them.
SETTLE_S = 0.01
HOLD_S = 0.02

DRAG_STEP_S = 0.01


class Gestures:
    """Clicks and drags of `hands`. No button stays down, whatever happens."""

    def __init__(self, hands: PanicStop, clock: Clock) -> None:
        self._hands = hands
        self._clock = clock

    def click(self, at: Point, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        """Where the pointer rests already, it is pressed at once: what stands there changes while one waits."""
        if self._hands.pointer() != at:
            self._hands.move(at)
            self._clock.sleep(SETTLE_S)
        for _ in range(count):
            self._press(button, HOLD_S)
            self._clock.sleep(SETTLE_S)

    def hold(self, at: Point, seconds: float) -> None:
        """Press the left button for a while."""
        self._hands.move(at)
        self._clock.sleep(SETTLE_S)
        self._press(MouseButton.LEFT, seconds)

    def scroll(self, at: Point, across: int, down: int) -> None:
        """Turn the wheel over a place."""
        self._hands.move(at)
        self._clock.sleep(SETTLE_S)
        self._hands.wheel(across, down)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        """
        Press at `start`, go to `end` in a straight line, let go there. The pointer rests at both
        ends for a moment, so that what is dragged ends exactly at `end`.
        """
        self._hands.move(start)
        self._clock.sleep(SETTLE_S)
        try:
            self._hands.button(MouseButton.LEFT, down=True)
            self._clock.sleep(HOLD_S)
            steps = max(3, round(seconds / DRAG_STEP_S), math.ceil(math.dist(start, end) / _LONGEST_STEP_PX))
            for step in range(1, steps + 1):
                self._hands.move(_between(start, end, step / steps))
                self._clock.sleep(max(seconds / steps, _SHORTEST_PAUSE_S))
            self._hands.move(end)
            self._clock.sleep(HOLD_S)
        finally:
            self._hands.button(MouseButton.LEFT, down=False)

    def _press(self, button: MouseButton, seconds: float) -> None:
        try:
            self._hands.button(button, down=True)
            self._clock.sleep(seconds)
        finally:
            self._hands.button(button, down=False)


_LONGEST_STEP_PX = 40  # a drop target that is only passed over must still be noticed
_SHORTEST_PAUSE_S = 0.004


def _between(start: Point, end: Point, part: float) -> Point:
    return Point(round(start.x + (end.x - start.x) * part), round(start.y + (end.y - start.y) * part))

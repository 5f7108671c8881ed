"""A mouse of the tests' own, straight through XTest: what is proved with it does not rest on the product's hands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from handeye.geometry import Point

STEPS = 10
PAUSE_S = 0.012
"""Between two moves: toolkits compress those that come within one frame, and some begin a drag only with the second."""


class Mouse:
    def __init__(self, display: Display) -> None:
        self._display = display

    def drag(self, start: Point, dx: int, dy: int, wait: Callable[[], object] = lambda: None) -> None:
        """Press at `start`, move by `dx`, `dy` in a straight line, `wait`, let go."""
        self.move(start)
        self._button(X.ButtonPress)
        try:
            for step in range(1, STEPS + 1):
                self.move(start.translate(round(dx * step / STEPS), round(dy * step / STEPS)))
            wait()
        finally:
            self._button(X.ButtonRelease)

    def click(self, at: Point) -> None:
        self.move(at)
        self._button(X.ButtonPress)
        self._button(X.ButtonRelease)

    def move(self, to: Point) -> None:
        xtest.fake_input(self._display, X.MotionNotify, x=to.x, y=to.y)
        self._display.sync()
        time.sleep(PAUSE_S)

    def _button(self, kind: int) -> None:
        xtest.fake_input(self._display, kind, 1)
        self._display.sync()
        time.sleep(PAUSE_S)


@contextmanager
def mouse_on(display: str) -> Iterator[Mouse]:
    connection = Display(display)
    try:
        yield Mouse(connection)
    finally:
        connection.close()

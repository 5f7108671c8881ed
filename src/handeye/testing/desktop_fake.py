"""In-memory desktop: monitors and windows with known pixels, and a record of the input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from handeye.devices import BetweenPieces, Monitor, MouseButton, Surface, Window
from handeye.errors import CaptureFailed, DeviceError, UsageError
from handeye.geometry import Box, Point
from handeye.screen import Pixels

FRAME_EDGE, TITLE_BAR = 2, 20  # frame of the windows that `fake_window` creates
PIECE = 50  # characters typed at once


def fake_window(id: int, title: str, box: Box, **about: object) -> Window:
    """Return a window with a frame and a title bar around `box`."""
    frame = Box(box.left - FRAME_EDGE, box.top - TITLE_BAR, box.right + FRAME_EDGE, box.bottom + FRAME_EDGE)
    return replace(Window(id, title, box, frame, process=1000 + id, program="Fake"), **about)  # type: ignore[arg-type]


def pattern(width: int, height: int, seed: int) -> Pixels:
    """Return a picture whose pixels encode their own position (below 4096 x 4096), in one of 256 shades: see `place_of`."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    code = (x & 0xFFF) << 12 | (y & 0xFFF)
    return np.stack([code >> 16 & 255, code >> 8 & 255, code & 255], axis=-1).astype(np.uint8) ^ np.uint8(seed & 255)


def place_of(pixel: Sequence[int], seed: int) -> Point:
    """Return the position of a pixel in `pattern`."""
    red, green, blue = (int(colour) ^ seed & 255 for colour in pixel)
    code = red << 16 | green << 8 | blue
    return Point(code >> 12, code & 0xFFF)


@dataclass(frozen=True, slots=True)
class Press:
    """A button or key that went down or up, and the pointer's position."""

    what: str
    down: bool
    at: Point


class FakeDesktop:
    """
    A DesktopBackend of `monitors` and `windows` (topmost first). The client area of each window shows `pattern` with
    its id as the seed; the rest of the screen is gray. `popups` are above them, topmost first. `presses`, `wheeled` and
    `typed` record the input.
    """

    uri = "fake:"

    def __init__(
        self,
        windows: Sequence[Window] = (),
        monitors: Sequence[Monitor] = (Monitor("one", Box(0, 0, 1280, 800), primary=True),),
    ) -> None:
        self.shown = list(windows)
        self.popups: list[Surface] = []
        self.screens = tuple(monitors)
        self.at = Point(0, 0)
        self.presses: list[Press] = []
        self.wheeled: list[tuple[Point, int, int]] = []
        self.typed = ""
        self.down: set[str] = set()
        self.closed = False

    def monitors(self) -> tuple[Monitor, ...]:
        return self.screens

    def windows(self) -> tuple[Window, ...]:
        return tuple(self.shown)

    def window(self, id: int) -> Window | None:
        return next((window for window in self.shown if window.id == id), None)

    def surface_at(self, at: Point) -> Surface | None:
        over = next((each for each in self.popups if each.box.contains(at)), None)
        if over is not None:
            return over
        top = self.under(at)
        return _surface(top) if top is not None else None

    def menus(self) -> tuple[Surface, ...]:
        return tuple(self.popups)

    def keyboard_holder(self) -> Surface | None:
        return next((_surface(one) for one in self.shown if one.focused), None)

    def change(self, id: int, **about: object) -> None:
        """Change a window's title, position or state, as its user would."""
        self.shown = [replace(one, **about) if one.id == id else one for one in self.shown]  # type: ignore[arg-type]

    def move_window(self, id: int, dx: int, dy: int) -> None:
        """Move a window, as its user would."""
        window = self._at(id)
        self.change(id, box=window.box.translate(dx, dy), frame=window.frame.translate(dx, dy))

    def close_window(self, id: int) -> None:
        self.shown = [window for window in self.shown if window.id != id]

    def under(self, point: Point) -> Window | None:
        """Return the window that a click at `point` hits."""
        return next((one for one in self.shown if not one.minimized and one.frame.contains(point)), None)

    def grab(self, box: Box) -> Pixels:
        if not any(monitor.box.intersect(box) for monitor in self.screens):
            raise CaptureFailed(f"the region {tuple(box)} is not on the screen")
        pixels = np.zeros((box.height, box.width, 3), np.uint8)
        for monitor in self.screens:
            _paint(pixels, box, monitor.box, np.full((monitor.box.height, monitor.box.width, 3), 128, np.uint8))
        for window in reversed(self.shown):
            if not window.minimized:
                _paint(pixels, box, window.frame, np.zeros((window.frame.height, window.frame.width, 3), np.uint8))
                _paint(pixels, box, window.box, pattern(window.box.width, window.box.height, window.id))
        return pixels

    def grab_window(self, window: Window) -> Pixels:
        now = self.window(window.id)
        if now is None or now.minimized:
            raise CaptureFailed(
                f"the window {window} cannot be captured: it is {'gone' if now is None else 'minimized'}"
            )
        return pattern(now.box.width, now.box.height, now.id)

    def focus(self, window: Window) -> None:
        if self.window(window.id) is None:
            raise DeviceError(f"the keyboard could not be given to the window {window}: it is gone")
        raised = replace(self._at(window.id), focused=True, minimized=False)
        self.shown = [raised, *(replace(one, focused=False) for one in self.shown if one.id != window.id)]

    def pointer(self) -> Point:
        return self.at

    def move(self, to: Point) -> None:
        self.at = to

    def button(self, button: MouseButton, *, down: bool) -> None:
        self._pressed(button.value, down)

    def wheel(self, across: int, down: int) -> None:
        self.wheeled.append((self.at, across, down))

    def key(self, name: str, *, down: bool) -> None:
        if not name.strip():
            raise UsageError(f"there is no key {name!r}")
        self._pressed(name, down)

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        for at in range(0, len(text), PIECE):
            between(at)
            self.typed += text[at : at + PIECE]
        between(len(text))
        return "typed"

    def release_all(self) -> None:
        for what in sorted(self.down):
            self._pressed(what, False)

    def close(self) -> None:
        self.release_all()
        self.closed = True

    def _pressed(self, what: str, down: bool) -> None:
        (self.down.add if down else self.down.discard)(what)
        self.presses.append(Press(what, down, self.at))

    def _at(self, id: int) -> Window:
        found = self.window(id)
        if found is None:
            raise KeyError(id)
        return found


def _surface(window: Window) -> Surface:
    return Surface(window.id, window.title, window.frame, window.process)


def _paint(pixels: Pixels, shown: Box, where: Box, what: Pixels) -> None:
    """Draw `what`, located at `where`, into a picture of `shown`."""
    seen = where.intersect(shown)
    if seen is not None:
        into = seen.translate(-shown.left, -shown.top)
        part = seen.translate(-where.left, -where.top)
        pixels[into.top : into.bottom, into.left : into.right] = what[part.top : part.bottom, part.left : part.right]

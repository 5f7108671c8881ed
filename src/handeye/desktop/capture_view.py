"""Pictures of windows including their open menus, which are separate windows for the system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from handeye.desktop.state import WindowState
from handeye.devices import DesktopBackend, Surface, Window
from handeye.errors import CaptureFailed, TargetNotFound
from handeye.geometry import Box
from handeye.perceive import visible_box
from handeye.screen import InputPoint, Pixels, Screen


def own_menus(backend: DesktopBackend, window: Window) -> Sequence[Surface]:
    """Return the open menus and lists of the window's program, the topmost first."""
    return [each for each in backend.menus() if each.process is not None and each.process == window.process]


class WindowPictures:
    """Takes pictures of windows of `backend`."""

    def __init__(self, backend: DesktopBackend) -> None:
        self._backend = backend

    def window(self, id: int) -> Window | None:
        return self._backend.window(id)

    def grab_window(self, window: Window) -> Pixels:
        """
        Return the client area, even if another program covers it, with the program's own open menus on top. Raises
        CaptureFailed.
        """
        pixels = self._backend.grab_window(window)
        if pixels.shape[:2] != (window.box.height, window.box.width):
            return pixels
        for menu in reversed(own_menus(self._backend, window)):
            part = menu.box.intersect(window.box)
            if part is None:
                continue
            left, top = part.left - window.box.left, part.top - window.box.top
            try:
                shown = self._backend.grab(part)
            except CaptureFailed:  # as under XWayland, which can capture only windows
                return pixels
            pixels = pixels.copy()
            pixels[top : top + part.height, left : left + part.width] = shown
        return pixels


@dataclass(frozen=True)
class CaptureView:
    """
    A frame of the part of the screen with a window and its menus; `shown` are their boxes on the desktop, the window first. If
    no picture can be taken, as under XWayland, it is black and `unseen` is the reason: searches in the accessibility tree need
    only the frame's size.
    """

    screen: Screen
    unseen: str = ""
    shown: tuple[Box, ...] = ()

    def of_window(self) -> Screen:
        """Return the part of the frame with the window and its menus; the area between them is black."""
        area = _around(self.shown).translate(*self._offset).clip(self.screen.size)
        if len(self.shown) == 1:
            return self.screen.crop(area)
        pixels = np.zeros_like(self.screen.pixels)
        for box in self.shown:
            left, top, right, bottom = box.translate(*self._offset).clip(self.screen.size)
            pixels[top:bottom, left:right] = self.screen.pixels[top:bottom, left:right]
        return replace(self.screen, pixels=pixels).crop(area)

    @property
    def _offset(self) -> tuple[int, int]:
        return -round(self.screen.origin.x), -round(self.screen.origin.y)


def capture_view_of(state: WindowState, backend: DesktopBackend) -> CaptureView:
    """Return the view of a window and its open menus. Raises TargetNotFound if no monitor shows any of it."""
    parts = (state.window.box, *(menu.box for menu in own_menus(backend, state.window)))
    boxes = [
        state.window.frame,
        *parts,
        *(visible_box(each) for each in state.elements if not each.metadata.get("offscreen")),
    ]
    shown = _around(boxes).intersect(_around(monitor.box for monitor in backend.monitors()))
    if shown is None:
        raise TargetNotFound(f"anything of {state.window}", ("it is outside of the screen",))
    unseen = ""
    try:
        pixels: Pixels = backend.grab(shown)
    except CaptureFailed as error:
        pixels, unseen = np.zeros((shown.height, shown.width, 3), np.uint8), str(error).partition(". ")[0]
    return CaptureView(
        Screen(pixels, origin=InputPoint(float(shown.left), float(shown.top)), window=state.window.about),
        unseen,
        parts,
    )


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))

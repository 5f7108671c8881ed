"""Pictures of windows as a person sees them: with their own open menus, which are windows of their own to the system."""

from __future__ import annotations

from collections.abc import Sequence

from handeye.devices.desktop.base import DesktopBackend, Surface, Window
from handeye.errors import CaptureFailed
from handeye.screen import Pixels


def own_menus(backend: DesktopBackend, window: Window) -> Sequence[Surface]:
    """The open menus and lists of the window's program, the topmost first."""
    return [each for each in backend.menus() if each.process is not None and each.process == window.process]


class WindowPictures:
    """Takes pictures of windows of `backend`, which also knows where they are."""

    def __init__(self, backend: DesktopBackend) -> None:
        self._backend = backend

    def window(self, id: int) -> Window | None:
        return self._backend.window(id)

    def grab_window(self, window: Window) -> Pixels:
        """
        The client area, also where another program covers it, below the part of its own open menus that reaches over it. Raises
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
            except CaptureFailed:  # as under XWayland, which shows windows alone
                return pixels
            pixels = pixels.copy()
            pixels[top : top + part.height, left : left + part.width] = shown
        return pixels

"""Capture the screen and windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handeye.devices.desktop.base import Window
from handeye.devices.windows.api import Win32
from handeye.devices.windows.windows import Windows
from handeye.errors import CaptureFailed
from handeye.geometry import Box
from handeye.screen import Pixels


class Capture:
    """Screen capture through `api`; `windows` determines which window covers which."""

    def __init__(self, api: Win32, windows: Windows) -> None:
        self._api = api
        self._windows = windows

    def grab(self, box: Box) -> Pixels:
        """Return the pixels of the screen in `box`; black outside the monitors. Raises CaptureFailed."""
        if not box.area:
            raise CaptureFailed(f"the region {tuple(box)} is empty")
        monitors = [row.box for row in self._api.monitors()]
        seen = [part for monitor in monitors if (part := monitor.intersect(box)) is not None]
        if not seen:
            raise CaptureFailed(f"the region {tuple(box)} is on no monitor")
        if box in seen:
            return self._api.copy_screen(box)
        whole = np.zeros((box.height, box.width, 3), np.uint8)
        for part in seen:
            left, top = part.left - box.left, part.top - box.top
            whole[top : top + part.height, left : left + part.width] = self._api.copy_screen(part)
        return whole

    def grab_window(self, window: Window) -> Pixels:
        """
        Return the pixels of a window's client area. Raises CaptureFailed.

        If it is fully visible, it is copied from the screen: exact, fast, and without involving the application.
        Otherwise the application is asked to draw it (PrintWindow).
        """
        row = self._api.about(window.id)
        if row is None:
            raise CaptureFailed(f"the window {window} cannot be captured: it is gone")
        if row.minimized or not row.client.area:
            raise CaptureFailed(f"the window {window} is minimized or has no area: focus it first")
        box = row.client
        cover = self._windows.cover(_at(window, box))
        if cover is None and _is_on(box, [monitor.box for monitor in self._api.monitors()]):
            return self._api.copy_screen(box)
        if self._api.is_hung(window.id):
            raise CaptureFailed(f"the window {window} is covered and does not respond: it cannot draw itself")
        drawn = self._api.print_window(window.id, box.width, box.height)
        if drawn is None:
            why = f"{cover.title!r} covers it" if cover is not None else "a part of it is off the screen"
            raise CaptureFailed(f"the window {window} does not draw itself while {why}: focus it, or move it")
        return drawn


def _at(window: Window, box: Box) -> Window:
    return Window(window.id, window.title, box, window.frame)


def _is_on(box: Box, monitors: Sequence[Box]) -> bool:
    """
    Return True if one monitor shows all of `box`. Windows that span two monitors are drawn by PrintWindow: too rare for
    stitching.
    """
    return any(monitor.intersect(box) == box for monitor in monitors)

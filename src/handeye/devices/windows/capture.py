"""Capture the screen and windows."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from handeye.devices.desktop.base import Window
from handeye.devices.windows.api import Win32
from handeye.devices.windows.structures import BITMAPINFOHEADER
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


# In-memory bitmap for GDI.


_BYTES: Final = 4
_SRCCOPY: Final = 0x00CC0020
_CAPTUREBLT: Final = 0x40000000  # layered windows too
# PrintWindow flags: client area only; and content drawn by DirectX and browsers (Windows 8.1 and later).
_CLIENT_ONLY: Final = 1
_RENDER_FULL_CONTENT: Final = 2
# Fill value that no window is likely to draw everywhere: if it is still there in all pixels, nothing was drawn.
_UNTOUCHED: Final = 0xA5


class Bitmap:
    """A bitmap of `width` by `height` pixels in a device context. `api` is `functions.load()`."""

    def __init__(self, api: SimpleNamespace, context: Any, bits: int, width: int, height: int) -> None:
        self._api = api
        self._context = context
        self._bits = bits
        self._size = width, height

    def copy_screen(self, screen: Any, box: Box) -> bool:
        width, height = self._size
        copied = self._api.BitBlt(self._context, 0, 0, width, height, screen, box.left, box.top, _SRCCOPY | _CAPTUREBLT)
        return bool(copied)

    def print_window(self, window: int) -> bool:
        """Return True if the window drew anything."""
        width, height = self._size
        ctypes.memset(self._bits, _UNTOUCHED, width * height * _BYTES)
        drawn = self._api.PrintWindow(window, self._context, _CLIENT_ONLY | _RENDER_FULL_CONTENT)
        self._api.GdiFlush()
        return bool(drawn) and bool((self._view() != _UNTOUCHED).any())

    def pixels(self) -> Pixels:
        self._api.GdiFlush()
        return self._view()[:, :, 2::-1].copy()

    def _view(self) -> Pixels:
        width, height = self._size
        block = (ctypes.c_uint8 * (width * height * _BYTES)).from_address(self._bits)
        return np.ctypeslib.as_array(block).reshape(height, width, _BYTES)


@contextmanager
def bitmap(api: SimpleNamespace, width: int, height: int) -> Iterator[Bitmap]:
    """Yield a bitmap for the duration of a `with`. Raises CaptureFailed if there is not enough memory."""
    context = api.CreateCompatibleDC(None)
    header = BITMAPINFOHEADER(biWidth=width, biHeight=-height, biPlanes=1, biBitCount=8 * _BYTES)  # top row first
    header.biSize = ctypes.sizeof(header)
    bits = ctypes.c_void_p()
    picture = context and api.CreateDIBSection(context, ctypes.byref(header), 0, ctypes.byref(bits), None, 0)
    if not picture or not bits.value:
        if context:
            api.DeleteDC(context)
        raise CaptureFailed(f"Windows has no room for a picture of {width}x{height} pixels")
    before = api.SelectObject(context, picture)
    try:
        yield Bitmap(api, context, bits.value, width, height)
    finally:
        api.SelectObject(context, before)
        api.DeleteObject(picture)
        api.DeleteDC(context)

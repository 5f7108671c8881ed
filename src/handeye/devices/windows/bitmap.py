"""In-memory bitmap for GDI."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from handeye.devices.windows.structures import BITMAPINFOHEADER
from handeye.errors import CaptureFailed
from handeye.geometry import Box
from handeye.screen import Pixels

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

"""Capture the screen of an X server through mss and single windows through XComposite."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import cv2
import mss
import numpy as np
from mss.exception import ScreenShotError
from Xlib import X
from Xlib.display import Display
from Xlib.error import BadMatch, CatchError, XError
from Xlib.ext import composite
from Xlib.xobject.drawable import Drawable, Pixmap
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock
from handeye.devices.desktop.base import Window
from handeye.devices.linux.capture.redraw import Redraw
from handeye.devices.linux.wayland import refuse_screen
from handeye.devices.linux.windows.windows import Windows
from handeye.errors import CaptureFailed
from handeye.geometry import Box
from handeye.screen import Pixels

_DEPTHS = (24, 32)  # 8 bits per colour; depth 32 has an alpha channel
_BYTES = 4

# python-xlib concatenates what it receives at quadratic cost, so a picture is read in strips.
_STRIP_BYTES = 1 << 17


class Capture:
    """Captures `display`; `windows` provides window positions. Window captures use a separate connection."""

    def __init__(self, display: Display, windows: Windows, clock: Clock) -> None:
        self._display = display
        self._windows = windows
        self._clock = clock
        self._root: XWindow = display.screen().root
        self._screen: mss.MSS | None = None
        self._is_screen_checked = False
        self._redraw: Redraw | None = None

    def grab(self, box: Box) -> Pixels:
        """Return the pixels of the screen in `box`; black outside the screen. Raises CaptureFailed."""
        if not self._is_screen_checked:
            refuse_screen(self._display)  # checked once: a server's type does not change
            self._is_screen_checked = True
        _check_depth(self._root)
        size = self._root.get_geometry()
        if not box.area:
            raise CaptureFailed(f"the region {tuple(box)} is empty")
        seen = box.intersect(Box(0, 0, size.width, size.height))
        if seen is None:
            raise CaptureFailed(f"the region {tuple(box)} is not on the screen of {size.width}x{size.height} pixels")
        pixels = self._grab_seen(seen)
        if seen == box:
            return pixels
        whole = np.zeros((box.height, box.width, 3), np.uint8)
        left, top = seen.left - box.left, seen.top - box.top
        whole[top : top + seen.height, left : left + seen.width] = pixels
        return whole

    def grab_window(self, window: Window) -> Pixels:
        """
        Return the pixels of the client area of `window`, also where it is covered or off the screen. Raises
        CaptureFailed.
        """
        if not self._display.has_extension("Composite"):
            raise CaptureFailed("this X server cannot show covered windows: it has no Composite extension")
        drawable = self._display.create_resource_object("window", window.id)
        try:
            _check_depth(drawable)
            if drawable.get_attributes().map_state != X.IsViewable:
                raise CaptureFailed(f"the window {window} is minimized or on another workspace: focus it first")
            with self._pixmap(drawable) as picture:
                inner = self._windows.client_area(drawable)
                at = self._root.translate_coords(drawable.id, 0, 0)
                border = drawable.get_geometry().border_width  # a window pixmap includes the border
                return _pixels_of(picture, inner.translate(border - at.x, border - at.y))
        except XError as error:
            gone = self._windows.one(window.id) is None
            why = "it is gone" if gone else f"it changed at that moment ({type(error).__name__}); try again"
            raise CaptureFailed(f"the window {window} cannot be captured: {why}") from error

    def close(self) -> None:
        screen, self._screen = self._screen, None
        if screen is not None:
            screen.close()
        redraw, self._redraw = self._redraw, None
        if redraw is not None:
            redraw.close()

    def _grab_seen(self, box: Box) -> Pixels:
        try:
            if self._screen is None:
                self._screen = mss.MSS(display=self._display.get_display_name())
            shot = self._screen.grab((box.left, box.top, box.right, box.bottom))
        except ScreenShotError as error:
            raise CaptureFailed(f"the screen cannot be captured: {error}") from error
        return _rgb(np.frombuffer(shot.raw, np.uint8).reshape(box.height, box.width, _BYTES))

    @contextlib.contextmanager
    def _pixmap(self, drawable: XWindow) -> Iterator[Pixmap]:
        """
        Yield the server's pixmap of a window, creating it if there is none yet. The pixmap is a reference, not a copy:
        the pixels are read from it afterwards. Raises XError.
        """
        picture = self._existing_pixmap(drawable)
        if picture is None:
            if self._redraw is None:
                self._redraw = Redraw(self._display.get_display_name(), self._clock)
            self._redraw.redirect(drawable.id)
            picture = composite.name_window_pixmap(drawable)
        try:
            yield picture
        finally:
            picture.free()

    def _existing_pixmap(self, drawable: XWindow) -> Pixmap | None:
        """Return the window's pixmap, or None if no client has redirected the window."""
        refused = CatchError(BadMatch)
        picture = composite.name_window_pixmap(drawable, onerror=refused)
        self._display.sync()
        return None if refused.get_error() else picture


def _check_depth(drawable: Drawable) -> None:
    depth = drawable.get_geometry().depth
    if depth not in _DEPTHS:
        raise CaptureFailed(
            f"a screen of {depth} bits a pixel cannot be captured, only one of 24 or 32: change its depth"
        )


def _pixels_of(drawable: Drawable, part: Box) -> Pixels:
    """Return the pixels of a part of a drawable, read in strips."""
    rows = max(1, _STRIP_BYTES // (part.width * _BYTES))
    strips = []
    for top in range(part.top, part.bottom, rows):
        height = min(rows, part.bottom - top)
        reply = drawable.get_image(part.left, top, part.width, height, X.ZPixmap, 0xFFFFFFFF)
        strips.append(np.frombuffer(reply.data, np.uint8).reshape(height, part.width, _BYTES))
    return _rgb(np.concatenate(strips))


def _rgb(bgra: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGB), np.uint8)

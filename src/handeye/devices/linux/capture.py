"""Pixels of an X server: of the screen through mss, of single windows through XComposite."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import cv2
import mss
import numpy as np
from mss.exception import ScreenShotError
from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.ext import composite, damage
from Xlib.xobject.drawable import Drawable, Pixmap
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import Window
from handeye.devices.linux.wayland import refuse_screen
from handeye.devices.linux.windows import Windows
from handeye.errors import CaptureFailed
from handeye.geometry import Box
from handeye.screen import Pixels

_DEPTHS = (24, 32)  # 8 bits a colour; 32 has transparency beside it
_BYTES = 4

# python-xlib joins what it receives at quadratic cost: 470 ms for one reply of a 4K window, 60 ms in strips.
_STRIP_BYTES = 1 << 20

# A window that was covered draws its hidden parts anew once it has a picture of its own. GTK and Qt do so within two frames
# of 16 ms; it counts as done when nothing was drawn for three.
_QUIET_S = 0.05
_REDRAW_TIMEOUT_S = 1.0
_POLL_S = 0.004


class Capture:
    """Takes pictures of `display`; `windows` says where windows are."""

    def __init__(self, display: Display, windows: Windows, clock: Clock) -> None:
        self._display = display
        self._windows = windows
        self._clock = clock
        self._root: XWindow = display.screen().root
        self._screen: mss.MSS | None = None
        self._redirected: set[int] = set()
        # Both extensions refuse a client that has not told them its version.
        self._can_redirect = display.has_extension("Composite") and bool(composite.query_version(display))
        self._can_notice = display.has_extension("DAMAGE") and bool(damage.query_version(display))

    def grab(self, box: Box) -> Pixels:
        """The pixels of the screen in `box`; black where there is no screen. Raises CaptureFailed."""
        refuse_screen(self._display)
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
        """The client area of `window`, also where it is covered or off the screen. Raises CaptureFailed."""
        if not self._can_redirect:
            raise CaptureFailed("this X server cannot show covered windows: it has no Composite extension")
        drawable = self._display.create_resource_object("window", window.id)
        try:
            _check_depth(drawable)
            if drawable.get_attributes().map_state != X.IsViewable:
                raise CaptureFailed(f"the window {window} is minimized or on another workspace: focus it first")
            self._redirect(drawable)
            with self._picture_of(drawable) as picture:
                inner = self._windows.client_area(drawable)
                at = self._root.translate_coords(drawable.id, 0, 0)
                border = drawable.get_geometry().border_width  # the picture of a window includes its border
                part = inner.translate(border - at.x, border - at.y)
                return _pixels_of(picture, part)
        except XError as error:
            gone = self._windows.one(window.id) is None
            why = "it is gone" if gone else f"it changed at that moment ({type(error).__name__}); try again"
            raise CaptureFailed(f"the window {window} cannot be captured: {why}") from error

    def close(self) -> None:
        screen, self._screen = self._screen, None
        if screen is not None:
            screen.close()

    def _grab_seen(self, box: Box) -> Pixels:
        try:
            if self._screen is None:
                self._screen = mss.MSS(display=self._display.get_display_name())
            shot = self._screen.grab((box.left, box.top, box.right, box.bottom))
        except ScreenShotError as error:
            raise CaptureFailed(f"the screen cannot be captured: {error}") from error
        return _rgb(np.frombuffer(shot.bgra, np.uint8).reshape(box.height, box.width, _BYTES))

    @contextlib.contextmanager
    def _picture_of(self, drawable: XWindow) -> Iterator[Pixmap]:
        """The server's own picture of a window. It is named, not copied: the pixels are read from it afterwards."""
        picture = composite.name_window_pixmap(drawable)
        try:
            yield picture
        finally:
            picture.free()

    def _redirect(self, drawable: XWindow) -> None:
        """Let the server keep a picture of the window, once; a covered one has to draw its hidden parts first."""
        if drawable.id in self._redirected:
            return
        drawn = damage.damage_create(drawable, damage.DamageReportRawRectangles) if self._can_notice else None
        composite.redirect_window(drawable, composite.RedirectAutomatic)  # type: ignore[arg-type]  # the stub is wrong
        self._display.sync()
        self._redirected.add(drawable.id)
        try:
            self._until_drawn()
        finally:
            if drawn is not None:
                self._display.damage_destroy(drawn)

    def _until_drawn(self) -> None:
        limit = Deadline(self._clock, _REDRAW_TIMEOUT_S)
        quiet = limit.at_most(_QUIET_S)
        while not quiet.passed and not limit.passed:
            if self._display.pending_events():
                while self._display.pending_events():
                    self._display.next_event()
                quiet = limit.at_most(_QUIET_S)
            limit.pause(_POLL_S)


def _check_depth(drawable: Drawable) -> None:
    depth = drawable.get_geometry().depth
    if depth not in _DEPTHS:
        raise CaptureFailed(
            f"a screen of {depth} bits a pixel cannot be captured, only one of 24 or 32: change its depth"
        )


def _pixels_of(drawable: Drawable, part: Box) -> Pixels:
    """The pixels of a part of a drawable, read in strips."""
    rows = max(1, _STRIP_BYTES // (part.width * _BYTES))
    strips = []
    for top in range(part.top, part.bottom, rows):
        height = min(rows, part.bottom - top)
        reply = drawable.get_image(part.left, top, part.width, height, X.ZPixmap, 0xFFFFFFFF)
        strips.append(np.frombuffer(reply.data, np.uint8).reshape(height, part.width, _BYTES))
    return _rgb(np.concatenate(strips))


def _rgb(bgra: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGB), np.uint8)

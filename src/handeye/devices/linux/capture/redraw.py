"""
Wait until a covered window has drawn its hidden parts after it is redirected off-screen for the first time.

The X server stores only visible pixels. A window that is redirected (XComposite) is asked to draw what was hidden
(Expose), but no event reports that it has finished. So this module watches what is drawn (DAMAGE) and that the
application responds (_NET_WM_PING, which it receives after Expose and so answers after it).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from Xlib import X
from Xlib.error import ConnectionClosedError, XError
from Xlib.ext import composite, damage
from Xlib.protocol.rq import Event
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, Deadline
from handeye.devices.linux.connection import connect
from handeye.devices.linux.windows.window_manager import Ping
from handeye.errors import CaptureFailed
from handeye.geometry import Box

# GTK and Qt draw within two frames of 16 ms after Expose; after three frames without drawing the window is complete.
QUIET_S = 0.05
# For an application that responds but does not draw everything (the rest is the server's background), and for one that
# draws everything but does not respond.
CONTENT_S = 0.3
TIMEOUT_S = 2.0
POLL_S = 0.004

Region = npt.NDArray[np.bool_]
"""Mask of shape (height, width) of the window."""


class Redraw:
    """
    Redirects windows of the X server `display` off-screen until `close`. Uses a separate connection, whose events are
    read and discarded.
    """

    def __init__(self, display: str, clock: Clock) -> None:
        self._display = connect(display)
        self._clock = clock
        self._ping = Ping(self._display, clock)
        self._root: XWindow = self._display.screen().root
        # Extensions refuse a client that has not sent its version.
        composite.query_version(self._display)
        self._watches = self._display.has_extension("DAMAGE") and bool(damage.query_version(self._display))

    def close(self) -> None:
        with contextlib.suppress(ConnectionClosedError, OSError):
            self._display.close()

    def redirect(self, id: int) -> None:
        """
        Redirect a window and return when its pixmap is complete. Raises CaptureFailed if it does not become complete,
        XError.
        """
        drawable = self._display.create_resource_object("window", id)
        hidden = self._hidden(drawable)
        if not self._watches or not hidden.any():
            self._redirect(drawable)
            return
        watch = damage.damage_create(drawable, damage.DamageReportRawRectangles)
        try:
            with self._ping.listening():
                with self._server_grabbed():  # no other client draws: only the window's background is drawn
                    self._redirect(drawable)
                    by_server = self._drawn(hidden.shape)
                self._wait(drawable, hidden, by_server)
        finally:
            damage.damage_destroy(self._display, watch)

    @contextlib.contextmanager
    def _server_grabbed(self) -> Iterator[None]:
        """Grab the server, so that it processes requests of this connection only."""
        self._display.grab_server()
        try:
            yield
        finally:
            self._display.ungrab_server()
            self._display.flush()

    def _redirect(self, drawable: XWindow) -> None:
        composite.redirect_window(drawable, composite.RedirectAutomatic)  # type: ignore[arg-type]  # the stub is wrong
        self._display.sync()

    def _wait(self, drawable: XWindow, hidden: Region, by_server: Region) -> None:
        asked = self._ping.ask(drawable) if self._ping.is_known(drawable) else None
        answered = asked is None
        limit = Deadline(self._clock, TIMEOUT_S)
        quiet, content = limit.at_most(QUIET_S), limit.at_most(CONTENT_S)
        drawn = np.zeros_like(hidden)
        while not limit.passed:
            for event in self._ping.events():
                if asked is not None and self._ping.is_answer(event, drawable, asked):
                    answered = True
                elif not _add(drawn, event):
                    continue
                quiet, content = limit.at_most(QUIET_S), limit.at_most(CONTENT_S)
            complete = not (hidden & ~drawn).any()
            if (complete and answered and quiet.passed) or (
                content.passed and (complete or (asked is not None and answered))
            ):
                return
            limit.pause(POLL_S)
        if not answered or (hidden & ~(drawn | by_server)).any():  # the background may be all there is
            raise CaptureFailed(
                f"a covered window does not draw its hidden parts ({TIMEOUT_S:g} s): its application hangs; or focus it first"
            )

    # -- hidden regions

    def _hidden(self, drawable: XWindow) -> Region:
        """Return the mask of pixels that the server does not know: covered by other windows, or off the screen."""
        at, size = self._root.translate_coords(drawable.id, 0, 0), drawable.get_geometry()
        box = Box(at.x, at.y, at.x + size.width, at.y + size.height)
        hidden = np.zeros((box.height, box.width), np.bool_)
        if self._is_composited():
            return hidden  # a compositing manager redirects every window
        screen = self._root.get_geometry()
        hidden[:] = True
        _mark(hidden, Box(0, 0, screen.width, screen.height).translate(-box.left, -box.top), False)
        for cover in self._above(drawable):
            _mark(hidden, cover.translate(-box.left, -box.top), True)
        return hidden

    def _is_composited(self) -> bool:
        name = f"_NET_WM_CM_S{self._display.get_default_screen()}"
        return self._display.get_selection_owner(self._display.get_atom(name)) != X.NONE

    def _above(self, drawable: XWindow) -> Iterator[Box]:
        """Yield the boxes of the visible windows above `drawable`."""
        top = drawable
        while (parent := top.query_tree().parent) is not None and parent.id != self._root.id:
            top = parent
        children = self._root.query_tree().children
        order = [child.id for child in children]
        for child in children[order.index(top.id) + 1 :] if top.id in order else children:
            with contextlib.suppress(XError):
                about = child.get_attributes()
                if about.map_state == X.IsViewable and about.win_class == X.InputOutput:
                    size = child.get_geometry()
                    right = size.x + size.width + 2 * size.border_width
                    yield Box(size.x, size.y, right, size.y + size.height + 2 * size.border_width)

    # -- drawn regions

    def _drawn(self, shape: tuple[int, ...]) -> Region:
        region = np.zeros(shape, np.bool_)
        for event in self._ping.events():
            _add(region, event)
        return region


def _add(region: Region, event: Event) -> bool:
    """Mark the area that a DAMAGE event reports as drawn; return False for other events of the root window."""
    area = getattr(event, "area", None)
    if area is None:
        return False
    _mark(region, Box(area.x, area.y, area.x + area.width, area.y + area.height), True)
    return True


def _mark(region: Region, box: Box, value: bool) -> None:
    seen = box.intersect(Box(0, 0, region.shape[1], region.shape[0]))
    if seen is not None:
        region[seen.top : seen.bottom, seen.left : seen.right] = value

"""Top-level windows of an X server (ICCCM, EWMH). A window may vanish between any two requests."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol.event import ClientMessage
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import Window
from handeye.devices.linux.connection import numbers, text
from handeye.errors import DeviceError
from handeye.geometry import Box

FOCUS_TIMEOUT_S = 3.0  # Openbox needs 5 ms; restoring a minimized window on a busy machine took 400
ASK_AGAIN_S = 0.25
POLL_S = 0.005

_FROM_A_PAGER = 2  # EWMH's source indication for user requests, which no focus-stealing prevention may refuse
_NO_EDGES = (0, 0, 0, 0)
_LISTS = ("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST")
_FRAME_LEVELS = 2  # managers put a window into one frame, or into a part of one


class Windows:
    """Lists, finds and focuses the windows of `display`."""

    def __init__(self, display: Display, clock: Clock) -> None:
        self._display = display
        self._clock = clock
        self._root: XWindow = display.screen().root

    @property
    def managed(self) -> bool:
        """
        True if a window manager that supports EWMH runs: it has a window that names itself (_NET_SUPPORTING_WM_CHECK).
        """
        named = numbers(self._root, self._display, "_NET_SUPPORTING_WM_CHECK")
        return bool(named) and numbers(self._at(named[0]), self._display, "_NET_SUPPORTING_WM_CHECK") == named

    def all(self) -> tuple[Window, ...]:
        """Return all windows, topmost first."""
        focused = self._focused()
        found = (self.one(id, focused=focused) for id in reversed(self.ids()))
        return tuple(window for window in found if window is not None)

    def one(self, id: int, *, focused: int | None = None) -> Window | None:
        """
        Return the current state of a window, or None if it is gone. `focused` is the focused window, if already known.
        """
        drawable = self._at(id)
        try:
            inner = self.client_area(drawable)
            border = drawable.get_geometry().border_width  # most managers set it to 0
            shown = drawable.get_attributes().map_state == X.IsViewable
        except XError:
            return None
        names = (text(drawable, self._display, "WM_CLASS") or "").split("\0")
        return Window(
            id=id,
            title=text(drawable, self._display, "_NET_WM_NAME") or text(drawable, self._display, "WM_NAME") or "",
            box=inner,
            frame=_grown(inner, numbers(drawable, self._display, "_NET_FRAME_EXTENTS") or [border] * 4),
            process=self.process_of(drawable),
            program=names[1] if len(names) > 1 and names[1] else names[0],
            focused=id == (self._focused() if focused is None else focused),
            minimized=not shown,
        )

    def client_area(self, drawable: XWindow) -> Box:
        """
        Return the box that the application draws into, in screen pixels. It excludes the shadow that GTK draws around a
        window with its own title bar (_GTK_FRAME_EXTENTS). Raises XError.
        """
        size = drawable.get_geometry()
        at = self._root.translate_coords(drawable.id, 0, 0)
        whole = Box(at.x, at.y, at.x + size.width, at.y + size.height)
        inner = _shrunk(whole, numbers(drawable, self._display, "_GTK_FRAME_EXTENTS"))
        return inner if inner.area else whole

    def focus(self, window: Window) -> None:
        """Raise the window and give it keyboard focus; return once it has it. Raises DeviceError."""
        drawable = self._at(window.id)
        limit = Deadline(self._clock, FOCUS_TIMEOUT_S)
        asked = limit.at_most(0)
        while not self._has_focus(window.id):
            if self.one(window.id) is None:
                raise DeviceError(f"the keyboard could not be given to the window {window}: it is gone")
            if limit.passed:
                raise DeviceError(
                    f"the window {window} did not get the keyboard in {FOCUS_TIMEOUT_S:g} s; {self._holder()}"
                )
            if asked.passed:  # repeated from time to time: a window that is just being mapped is skipped
                self._ask_for_focus(drawable)
                asked = limit.at_most(ASK_AGAIN_S)
            limit.pause(POLL_S)

    def close(self, window: Window) -> None:
        """Ask a window to close, as its close button does; the application may ask its user first."""
        self._tell_manager(self._at(window.id), "_NET_CLOSE_WINDOW", (X.CurrentTime, _FROM_A_PAGER))
        self._display.flush()

    # -- focus

    def _holder(self) -> str:
        """Describe which window has keyboard focus."""
        holder = self.one(self._focused())
        return f"{holder} has it: that may be a dialog to answer first" if holder is not None else "no window has it"

    def _ask_for_focus(self, drawable: XWindow) -> None:
        if self.managed:
            self._tell_manager(drawable, "_NET_ACTIVE_WINDOW", (_FROM_A_PAGER, X.CurrentTime, 0))
        else:
            drawable.configure(stack_mode=X.Above)
            drawable.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        self._display.flush()

    def _tell_manager(self, drawable: XWindow, message: str, values: Sequence[int]) -> None:
        data = (32, [*values, *[0] * (5 - len(values))])
        event = ClientMessage(window=drawable, client_type=self._display.get_atom(message), data=data)
        self._root.send_event(event, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)

    def _has_focus(self, id: int) -> bool:
        """Return True if both the manager and the server report the focus: a manager may name a window active too early."""
        if self._focused() != id:
            return False
        holder = self._display.get_input_focus().focus
        return isinstance(holder, XWindow) and self.top_of(holder) == id

    def active(self) -> int:
        """Return the window that the manager reports as active; 0 if it reports none, or no manager runs."""
        active = numbers(self._root, self._display, "_NET_ACTIVE_WINDOW")
        return active[0] if active else 0

    def _focused(self) -> int:
        holder = self._display.get_input_focus().focus
        return self.active() or ((self.top_of(holder) or 0) if isinstance(holder, XWindow) else 0)

    def top_of(self, drawable: XWindow) -> int | None:
        """Return the top-level window that contains `drawable`, as an application may give the focus to a child window."""
        known = set(self.ids())
        with contextlib.suppress(XError):
            while drawable.id != self._root.id:
                if drawable.id in known:
                    return int(drawable.id)
                drawable = drawable.query_tree().parent
        return None

    # -- window lists

    def ids(self) -> tuple[int, ...]:
        """
        Return the windows from bottom to top: the manager's list, else the root's visible children. Weston under
        XWayland keeps no list and frames its windows; there the window inside a frame has the state (ICCCM's WM_STATE).
        """
        managed = self.managed
        for name in _LISTS:
            listed = numbers(self._root, self._display, name)
            if listed and managed:  # a manager that was killed leaves its list behind
                return listed
        known = numbers(self._root, self._display, "_NET_SUPPORTED") if managed else ()
        if any(self._display.get_atom(name) in known for name in _LISTS):
            return ()
        shown = [child for child in self._root.query_tree().children if self._is_shown(child)]
        if not managed:
            return tuple(int(child.id) for child in shown)
        return tuple(id for child in shown if (id := self._framed(child, _FRAME_LEVELS)) is not None)

    def _framed(self, drawable: XWindow, levels: int) -> int | None:
        """Return the application window inside `drawable`, or `drawable` itself; None if it belongs to the manager."""
        with contextlib.suppress(XError):
            if numbers(drawable, self._display, "WM_STATE"):
                return int(drawable.id)
            for child in drawable.query_tree().children if levels else ():
                if (found := self._framed(child, levels - 1)) is not None:
                    return found
        return None

    def _is_shown(self, drawable: XWindow) -> bool:
        """
        Return True for visible windows, except menus and tool tips (override_redirect), which belong to other windows.
        """
        try:
            about = drawable.get_attributes()
        except XError:
            return False
        return about.map_state == X.IsViewable and about.win_class == X.InputOutput and not about.override_redirect

    def process_of(self, drawable: XWindow) -> int | None:
        """Return the process that the window states; else the one that the server knows for a local client (X-Resource)."""
        reported = numbers(drawable, self._display, "_NET_WM_PID")
        if reported:
            return reported[0]
        if not self._display.has_extension("X-Resource"):
            return None
        with contextlib.suppress(XError):
            for row in self._display.res_query_client_ids([{"client": drawable.id, "mask": _LOCAL_PROCESS}]).ids:
                if row.value:
                    return int(row.value[0])
        return None

    def _at(self, id: int) -> XWindow:
        return self._display.create_resource_object("window", id)


_LOCAL_PROCESS = 2  # X-Resource 1.2: XRES_CLIENT_ID_PID_MASK


def _grown(box: Box, edges: Sequence[int]) -> Box:
    left, right, top, bottom = edges if len(edges) == 4 else _NO_EDGES
    return Box(box.left - left, box.top - top, box.right + right, box.bottom + bottom)


def _shrunk(box: Box, edges: Sequence[int]) -> Box:
    left, right, top, bottom = edges if len(edges) == 4 else _NO_EDGES
    return Box(box.left + left, box.top + top, box.right - right, box.bottom - bottom)

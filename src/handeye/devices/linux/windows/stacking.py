"""Stacking order on an X server: windows, and the menus, lists and notifications that no window manager knows of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol.request import GetWindowAttributes
from Xlib.xobject.drawable import Window as XWindow

from handeye.devices.desktop.base import Surface
from handeye.devices.linux.connection import numbers, text
from handeye.devices.linux.windows.windows import Windows
from handeye.geometry import Box, Point

# Window types that receive every click until closed (EWMH). Tool tips and notifications do not, and have other types.
_KIND: Final = "_NET_WM_WINDOW_TYPE"
_TIP: Final = f"{_KIND}_TOOLTIP"
_NOTICES: Final = (_TIP, f"{_KIND}_NOTIFICATION", f"{_KIND}_SPLASH", f"{_KIND}_DND")
_MENUS: Final = tuple(f"{_KIND}_{kind}" for kind in ("MENU", "POPUP_MENU", "DROPDOWN_MENU", "COMBO"))


class Stacking:
    """Queries the server of `display` for the order of everything that is shown; `windows` lists the managed windows."""

    def __init__(self, display: Display, windows: Windows) -> None:
        self._display = display
        self._windows = windows
        self._root: XWindow = display.screen().root
        self._unmapped: XWindow | None = None

    def surface_at(self, at: Point) -> Surface | None:
        """
        Return the topmost surface that receives a click at `at`: a managed window, or an unmanaged popup. Takes one
        request, and one for each level between a window and its frame. Windows that let clicks through are ignored, as
        by the server.
        """
        child = self._root.translate_coords(self._root.id, at.x, at.y).child
        if not isinstance(child, XWindow) or child.id == X.NONE:
            return None
        with suppress(XError):
            for id in reversed(self._windows.ids()):
                if self._outermost(id) == child.id:
                    return self._surface(child, named=self._display.create_resource_object("window", id))
            return self._surface(child, popup=True)
        return None  # it was closed between two requests

    def menus(self) -> tuple[Surface, ...]:
        """Return open menus and lists, topmost first."""
        kinds = {self._display.get_atom(name) for name in _MENUS}
        open_ones = []
        for each in self._unmanaged():
            with suppress(XError):  # it was closed between two requests
                if kinds.intersection(numbers(each, self._display, _KIND)):
                    open_ones.append(self._surface(each, popup=True))
        return tuple(open_ones)

    def keyboard_holder(self) -> Surface | None:
        """
        Return what receives the keys pressed now: the focused window, or a popup of another program that has grabbed
        the keyboard. If the manager reports another window as active, that one is about to get the focus. A popup of
        the same program that has grabbed it may forward the keys to its field, as Qt's completions do.
        """
        focused = self._focused()
        if focused is None or not self._is_grabbed():
            return focused
        popups = [self._surface(each, popup=True) for each in self._unmanaged() if not self._is_notice(each)]
        own = any(popup.process == focused.process for popup in popups)
        return popups[0] if popups and not own else focused

    def _focused(self) -> Surface | None:
        focus = self._display.get_input_focus().focus
        if not isinstance(focus, XWindow):
            at = self._root.query_pointer()
            return self.surface_at(Point(at.root_x, at.root_y)) if focus == X.PointerRoot else None
        with suppress(XError):
            holder = self._windows.top_of(focus)
            if holder is None and (popup := self._outermost(focus.id)) is not None:
                if all(each.id != popup for each in self._unmanaged()):
                    return None  # the manager itself has the focus while it moves from one window to the next
                return self._surface(self._display.create_resource_object("window", popup), popup=True)
            if id := self._windows.active() or holder:
                return self._surface(self._display.create_resource_object("window", id))
        return None  # it was closed between two requests

    def _is_grabbed(self) -> bool:
        """
        Return True if the keyboard is grabbed. The server reports that before it checks that the requesting window is
        shown, which a successful grab requires; so an unmapped window can ask.
        """
        if self._unmapped is None:
            self._unmapped = self._root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly)
        asked = self._unmapped.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        return bool(asked == X.AlreadyGrabbed)

    def _is_notice(self, popup: XWindow) -> bool:
        kinds = {self._display.get_atom(name) for name in _NOTICES}
        return not kinds.isdisjoint(numbers(popup, self._display, _KIND))

    def _unmanaged(self) -> Iterator[XWindow]:
        """
        Yield visible windows that no manager frames, topmost first, without the manager's own check window (EWMH), to
        which Openbox gives the focus between two windows. All are queried at once: there may be dozens, most of them
        hidden.
        """
        manager = numbers(self._root, self._display, "_NET_SUPPORTING_WM_CHECK")
        children = [each for each in self._root.query_tree().children if each.id not in manager]
        asked = [GetWindowAttributes(display=self._display.display, defer=True, window=each.id) for each in children]
        for child, answer in zip(reversed(children), reversed(asked), strict=True):
            with suppress(XError):
                answer.reply()
                if answer.map_state == X.IsViewable and answer.override_redirect and answer.win_class == X.InputOutput:
                    yield child

    def _surface(self, shown: XWindow, *, named: XWindow | None = None, popup: bool = False) -> Surface:
        about = named or shown
        size = shown.get_geometry()
        name = text(about, self._display, "_NET_WM_NAME") or text(about, self._display, "WM_NAME") or ""
        program = (text(about, self._display, "WM_CLASS") or "").split("\0")
        name = name or next((each for each in reversed(program) if each), "an unknown program")
        edge = 2 * size.border_width
        box = Box(size.x, size.y, size.x + size.width + edge, size.y + size.height + edge)
        tip = popup and self._display.get_atom(_TIP) in numbers(about, self._display, _KIND)
        process = self._windows.process_of(self._sibling(about) if popup else about)
        return Surface(int(about.id), name, box, process, popup, tip)

    def _sibling(self, popup: XWindow) -> XWindow:
        """
        Return a managed window of the same X client, or `popup` if there is none: it states its own process, and in a
        container with other process ids than the server's.
        """
        others = ~self._display.display.info.resource_id_mask
        for id in self._windows.ids():
            if id & others == popup.id & others:
                return self._display.create_resource_object("window", id)
        return popup

    def _outermost(self, id: int) -> int | None:
        """Return the child of the root window that contains a window: its frame, or itself."""
        window = self._display.create_resource_object("window", id)
        with suppress(XError):
            while (parent := window.query_tree().parent) and parent.id != self._root.id:
                window = parent
            return int(window.id)
        return None

"""What lies over what on an X server: windows, and the menus, lists and notices that no window manager knows of."""

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

# What takes every press until it is closed (EWMH). Tool tips and notices do not, and are of other types.
_KIND: Final = "_NET_WM_WINDOW_TYPE"
_TIP: Final = f"{_KIND}_TOOLTIP"
_NOTICES: Final = (_TIP, f"{_KIND}_NOTIFICATION", f"{_KIND}_SPLASH", f"{_KIND}_DND")
_MENUS: Final = tuple(f"{_KIND}_{kind}" for kind in ("MENU", "POPUP_MENU", "DROPDOWN_MENU", "COMBO"))


class Stacking:
    """Asks the server of `display`, which knows the order of everything that is shown; `windows` are those of people."""

    def __init__(self, display: Display, windows: Windows) -> None:
        self._display = display
        self._windows = windows
        self._root: XWindow = display.screen().root
        self._unmapped: XWindow | None = None

    def surface_at(self, at: Point) -> Surface | None:
        """
        The topmost thing that takes a press at `at`: what a window manager frames, or what passes it by. One question, and one
        for each level between a window and its frame. Windows that let presses through are passed over, as the server does.
        """
        child = self._root.translate_coords(self._root.id, at.x, at.y).child
        if not isinstance(child, XWindow) or child.id == X.NONE:
            return None
        with suppress(XError):
            for id in reversed(self._windows.ids()):
                if self._outermost(id) == child.id:
                    return self._surface(child, named=self._display.create_resource_object("window", id))
            return self._surface(child, popup=True)
        return None  # it went away between two questions

    def menus(self) -> tuple[Surface, ...]:
        """Menus and lists that are open, the topmost first."""
        kinds = {self._display.get_atom(name) for name in _MENUS}
        open_ones = []
        for each in self._passing_by():
            with suppress(XError):  # it was closed between two questions
                if kinds.intersection(numbers(each, self._display, _KIND)):
                    open_ones.append(self._surface(each, popup=True))
        return tuple(open_ones)

    def keyboard_holder(self) -> Surface | None:
        """
        What the keys pressed now go to: the window with the focus, or the popup of another program that has grabbed the
        keyboard. Where the manager names another window active, that one gets the focus at this moment. A popup of the same
        program that has grabbed it may well hand the keys on to its field, as Qt's completions do.
        """
        focused = self._focused()
        if focused is None or not self._is_grabbed():
            return focused
        popups = [self._surface(each, popup=True) for each in self._passing_by() if not self._is_notice(each)]
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
                if all(each.id != popup for each in self._passing_by()):
                    return None  # the manager keeps the focus to itself while it goes from one window to the next
                return self._surface(self._display.create_resource_object("window", popup), popup=True)
            if id := self._windows.active() or holder:
                return self._surface(self._display.create_resource_object("window", id))
        return None  # it went away between two questions

    def _is_grabbed(self) -> bool:
        """The server says so before it looks whether the window that asks is shown, which it must be to get a grab."""
        if self._unmapped is None:
            self._unmapped = self._root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly)
        asked = self._unmapped.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        return bool(asked == X.AlreadyGrabbed)

    def _is_notice(self, popup: XWindow) -> bool:
        kinds = {self._display.get_atom(name) for name in _NOTICES}
        return not kinds.isdisjoint(numbers(popup, self._display, _KIND))

    def _passing_by(self) -> Iterator[XWindow]:
        """
        Shown windows that no manager frames, without the one by which it names itself (EWMH), which Openbox gives the focus
        while it goes from one window to the next. All are asked for at once: there may be dozens, most of them not shown.
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
        A person's window of the same client of the server, where there is one: that says of itself whose it is, and in a
        container with other numbers than the server's.
        """
        others = ~self._display.display.info.resource_id_mask
        for id in self._windows.ids():
            if id & others == popup.id & others:
                return self._display.create_resource_object("window", id)
        return popup

    def _outermost(self, id: int) -> int | None:
        """The child of the root that a window is in: its frame, or itself."""
        window = self._display.create_resource_object("window", id)
        with suppress(XError):
            while (parent := window.query_tree().parent) and parent.id != self._root.id:
                window = parent
            return int(window.id)
        return None

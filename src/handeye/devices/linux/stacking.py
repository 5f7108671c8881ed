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
from handeye.devices.linux.windows import Windows
from handeye.geometry import Box, Point

# What takes every press until it is closed (EWMH). Tool tips and notices do not, and are of other types.
_KIND: Final = "_NET_WM_WINDOW_TYPE"
_TIP: Final = f"{_KIND}_TOOLTIP"
_MENUS: Final = tuple(f"{_KIND}_{kind}" for kind in ("MENU", "POPUP_MENU", "DROPDOWN_MENU", "COMBO"))


class Stacking:
    """Asks the server of `display`, which knows the order of everything that is shown; `windows` are those of people."""

    def __init__(self, display: Display, windows: Windows) -> None:
        self._display = display
        self._windows = windows
        self._root: XWindow = display.screen().root

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

    def _passing_by(self) -> Iterator[XWindow]:
        """Shown windows that no manager frames. All are asked for at once: there may be dozens, most of them not shown."""
        children = self._root.query_tree().children
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

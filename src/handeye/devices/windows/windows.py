"""List and focus the windows of a Windows desktop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.devices.desktop.base import Surface, Window
from handeye.devices.windows.api import KeyEvent, Win32, WindowRow
from handeye.errors import DeviceError
from handeye.geometry import Point

FOCUS_TIMEOUT_S: Final = 3.0  # as on X11: restoring a minimized window takes a while on a busy machine
POLL_S: Final = 0.01

# Window styles (winuser.h).
_CHILD: Final = 0x40000000
_CAPTION: Final = 0x00C00000
_TOOL: Final = 0x00000080  # WS_EX_TOOLWINDOW
_ON_TASKBAR: Final = 0x00040000  # WS_EX_APPWINDOW
_NEVER_ACTIVE: Final = 0x08000000  # WS_EX_NOACTIVATE
_TOPMOST: Final = 0x00000008  # WS_EX_TOPMOST: stays above all other windows, with or without keyboard focus
_CLICK_THROUGH: Final = 0x00000020  # WS_EX_TRANSPARENT: drawn last, and clicks go through where it is layered
# The desktop itself, the taskbars, and full-size empty windows of the system.
_SHELL_CLASSES: Final = frozenset(
    {
        "Progman",
        "WorkerW",
        "Shell_TrayWnd",
        "Shell_SecondaryTrayWnd",
        "Windows.UI.Core.CoreWindow",
        "IME",
        "MSCTFIME UI",
    }
)
_DESKTOP: Final = frozenset({"Progman", "WorkerW"})
# Window classes of system menus and of combo box lists.
_MENUS: Final = frozenset({"#32768", "ComboLBox"})
_TIPS: Final = frozenset({"tooltips_class32"})
# A key that no keyboard has and no program uses (VK_NONAME): the sender of the last input may set the foreground
# window.
_UNUSED_KEY: Final = 0xFC
_KEY_UP: Final = 2


class Windows:
    """Lists, finds and focuses windows through `api`."""

    def __init__(self, api: Win32, clock: Clock) -> None:
        self._api = api
        self._clock = clock

    def all(self) -> tuple[Window, ...]:
        """Return all windows that the user can see or has minimized, topmost first."""
        holder = self._focused()
        return tuple(_window(row, holder) for row in self.rows() if _is_user_window(row))

    def one(self, id: int) -> Window | None:
        """Return the current state of a window, or None if it is gone or hidden."""
        row = self._api.about(id)
        return _window(row, self._focused()) if row is not None and row.visible and not row.cloaked else None

    def rows(self) -> Iterator[WindowRow]:
        """Yield everything that is shown, including menus and tool tips, topmost first."""
        for id in self._api.windows():
            row = self._api.about(id)
            if row is not None and row.visible and not row.cloaked:
                yield row

    def cover(self, window: Window) -> WindowRow | None:
        """Return a window that covers some of a window's client area, or None."""
        for row in self.rows():
            if row.id == window.id:
                return None
            if not row.minimized and not row.extended & _CLICK_THROUGH and row.frame.intersect(window.box):
                return row
        return None

    def popups(self, window: Window) -> tuple[int, ...]:
        """Return the open menus, lists and tool tips of a window's program, topmost first."""
        return tuple(
            row.id
            for row in self.rows()
            if row.process == window.process and row.id != window.id and row.frame.area and not _is_user_window(row)
        )

    def surface_at(self, at: Point) -> Surface | None:
        """Return the topmost surface at a point (hit test), ignoring windows that let clicks through."""
        for row in self.rows():
            if not row.minimized and not row.extended & _CLICK_THROUGH and row.frame.contains(at):
                return None if row.kind in _DESKTOP else _surface(row)
        return None

    def menus(self) -> tuple[Surface, ...]:
        """Return open menus and combo box lists, topmost first."""
        return tuple(_surface(row) for row in self.rows() if row.kind in _MENUS)

    def keyboard_holder(self) -> Surface | None:
        """Return the foreground window, which receives the keys; None while focus changes or the screen is locked."""
        row = self._api.about(self._focused())
        return _surface(row) if row is not None else None

    def focus(self, window: Window) -> None:
        """
        Raise a window and give it keyboard focus; return once it, or a dialog that it opened, has focus. Raises
        DeviceError.

        Windows allows this only after input from this process, for which a key that no program uses is sent, or while
        attached to the input of the focused window's thread.
        """
        limit = Deadline(self._clock, FOCUS_TIMEOUT_S)
        row = self._api.about(window.id)
        if row is not None and row.minimized:
            self._api.restore(window.id)
        for attempt in (self._ask, self._ask_after_input, self._api.set_foreground_attached):
            if self._api.about(window.id) is None:
                raise DeviceError(f"the keyboard could not be given to the window {window}: it is gone")
            attempt(self._api.popup_of(window.id))
            self._api.put_on_top(self._api.popup_of(window.id))
            if self._is_focused_soon(window.id, limit.at_most(FOCUS_TIMEOUT_S / 3)):
                return
        raise DeviceError(f"Windows did not give the keyboard to the window {window}: {self._why_not(window)}")

    def _ask(self, id: int) -> bool:
        return self._api.set_foreground(id)

    def _ask_after_input(self, id: int) -> bool:
        self._api.send((KeyEvent(_UNUSED_KEY), KeyEvent(_UNUSED_KEY, flags=_KEY_UP)))
        return self._api.set_foreground(id)

    def _is_focused_soon(self, id: int, limit: Deadline) -> bool:
        while not self._has_keyboard(id):
            if limit.passed:
                return False
            limit.pause(POLL_S)
        return True

    def _has_keyboard(self, id: int) -> bool:
        row = self._api.about(id)
        if row is None or row.minimized or self._api.foreground() not in (id, self._api.popup_of(id)):
            return False
        above = itertools.takewhile(lambda other: other.id not in (id, self._api.popup_of(id)), self.rows())
        return all(other.extended & _TOPMOST or other.kind in _SHELL_CLASSES for other in above)

    def _why_not(self, window: Window) -> str:
        if self._api.is_hung(window.id):
            return "it does not respond"
        holder = self._api.about(self._api.foreground())
        if holder is None:
            return "no window has it; the screen may be locked"
        return f"{holder.title!r} ({holder.program or 'a program with more rights than this one'}) keeps it"

    def _focused(self) -> int:
        """Return the window that has keyboard focus, which may be a popup."""
        return self._api.foreground()


def _is_user_window(row: WindowRow) -> bool:
    """
    Return True for windows that alt+tab shows, and dialogs; False for the shell, tool tips, menus and windows without
    area.
    """
    if row.style & _CHILD or row.kind in _SHELL_CLASSES:
        return False
    if row.extended & (_TOOL | _NEVER_ACTIVE) and not row.extended & _ON_TASKBAR:
        return row.style & _CAPTION == _CAPTION and not row.extended & _NEVER_ACTIVE
    if not row.minimized and not row.frame.area:
        return False
    return bool(row.title) or row.style & _CAPTION == _CAPTION or not row.owner


def _surface(row: WindowRow) -> Surface:
    name = row.title or row.program or row.kind
    return Surface(row.id, name, row.frame, row.process, not _is_user_window(row), row.kind in _TIPS)


def _window(row: WindowRow, holder: int) -> Window:
    return Window(
        id=row.id,
        title=row.title,
        box=row.client,
        frame=row.frame,
        process=row.process or None,
        program=row.program,
        focused=row.id == holder,
        minimized=row.minimized,
    )

"""`Native`, the real Win32 behind `api.Win32`."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from handeye.clock import Clock, SystemClock
from handeye.devices.windows import functions, programs
from handeye.devices.windows.api import KeyEvent, MonitorRow, MouseEvent, WindowRow
from handeye.devices.windows.capture import bitmap
from handeye.devices.windows.clipboard import Clipboard
from handeye.devices.windows.structures import (
    DEVMODEW,
    INPUT,
    MONITORINFOEXW,
    POINT,
    RECT,
    text_of,
)
from handeye.errors import CaptureFailed, DeviceError
from handeye.geometry import Box, Point
from handeye.screen import Pixels

_PRIMARY: Final = 1  # MONITORINFOF_PRIMARY
_CURRENT_SETTINGS: Final = 0xFFFFFFFF
_EFFECTIVE_DPI: Final = 0
_STYLE, _EXTENDED_STYLE = -16, -20
_OWNER: Final = 4
_FRAME_BOUNDS, _CLOAKED = 9, 14  # DWMWA_...
_QUERY_LIMITED: Final = 0x1000
_STILL_ACTIVE: Final = 259
_VIRTUAL_SCREEN: Final = (76, 77, 78, 79)  # SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CX..., SM_CY...
_SWAPBUTTON: Final = 23
_MOUSE, _KEYBOARD = 0, 1
_DOWN: Final = 0x8000  # result bits of GetAsyncKeyState
_WENT_DOWN: Final = 1
_RESTORE: Final = 9
_ORDER_ONLY: Final = 0x4013  # SWP_NOSIZE, SWP_NOMOVE, SWP_NOACTIVATE, SWP_ASYNCWINDOWPOS
_CLOSE: Final = 0x0010  # WM_CLOSE
_LONGEST_PATH: Final = 32_768
_LONGEST_TITLE: Final = 4_096


class Native:
    """
    Win32 of this computer. Makes this process DPI-aware per monitor: without that Windows reports wrong positions and
    scaled pictures. Raises UsageError on another system.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._api = functions.load()
        functions.make_dpi_aware(self._api)
        self._clipboard = Clipboard(self._api, clock or SystemClock())

    # -- monitors and windows

    def monitors(self) -> Sequence[MonitorRow]:
        handles: list[int] = []

        def collect(handle: int, _context: int, _box: Any, _of: int) -> bool:
            handles.append(handle)
            return True

        self._api.EnumDisplayMonitors(None, None, functions.MONITORENUMPROC(collect), 0)
        rows = (self._monitor(handle) for handle in handles)
        return [row for row in rows if row is not None]

    def _monitor(self, handle: int) -> MonitorRow | None:
        about = MONITORINFOEXW()
        about.cbSize = ctypes.sizeof(about)
        if not self._api.GetMonitorInfoW(handle, ctypes.byref(about)):
            return None
        name = text_of(about.szDevice)
        mode = DEVMODEW()
        mode.dmSize = ctypes.sizeof(mode)
        known = self._api.EnumDisplaySettingsW(name, _CURRENT_SETTINGS, ctypes.byref(mode))
        across, down = ctypes.c_uint32(), ctypes.c_uint32()
        if self._api.GetDpiForMonitor is not None:
            self._api.GetDpiForMonitor(handle, _EFFECTIVE_DPI, ctypes.byref(across), ctypes.byref(down))
        return MonitorRow(
            name.removeprefix("\\\\.\\"),
            _box(about.rcMonitor),
            bool(about.dwFlags & _PRIMARY),
            across.value or 96,
            mode.dmDisplayOrientation % 4 if known else 0,
        )

    def virtual_screen(self) -> Box:
        left, top, width, height = (self._api.GetSystemMetrics(number) for number in _VIRTUAL_SCREEN)
        return Box(left, top, left + width, top + height)

    def windows(self) -> Sequence[int]:
        found: list[int] = []

        def collect(window: int, _of: int) -> bool:
            if self._api.IsWindowVisible(window):  # about twenty of the hundreds that exist
                found.append(window)
            return True

        self._api.EnumWindows(functions.WNDENUMPROC(collect), 0)
        return found

    def about(self, window: int) -> WindowRow | None:
        api = self._api
        client, frame = self._client(window), self._frame(window)
        if client is None or frame is None:
            return None
        process = ctypes.c_uint32()
        api.GetWindowThreadProcessId(window, ctypes.byref(process))
        return WindowRow(
            id=window,
            title=self._title(window),
            kind=self._kind(window),
            client=client,
            frame=frame,
            process=process.value,
            program=_program(self, window, process.value),
            style=api.GetWindowLongW(window, _STYLE) & 0xFFFFFFFF,
            extended=api.GetWindowLongW(window, _EXTENDED_STYLE) & 0xFFFFFFFF,
            owner=api.GetWindow(window, _OWNER) or 0,
            visible=bool(api.IsWindowVisible(window)),
            minimized=bool(api.IsIconic(window)),
            cloaked=self._is_cloaked(window),
        )

    def _client(self, window: int) -> Box | None:
        rect, corner = RECT(), POINT()
        if not self._api.GetClientRect(window, ctypes.byref(rect)):
            return None
        if not self._api.ClientToScreen(window, ctypes.byref(corner)):
            return None
        return Box(corner.x, corner.y, corner.x + rect.right, corner.y + rect.bottom)

    def _frame(self, window: int) -> Box | None:
        """Return the frame without the invisible resize borders, which GetWindowRect includes."""
        rect = RECT()
        if self._api.DwmGetWindowAttribute(window, _FRAME_BOUNDS, ctypes.byref(rect), ctypes.sizeof(rect)) == 0:
            return _box(rect)
        return _box(rect) if self._api.GetWindowRect(window, ctypes.byref(rect)) else None

    def _is_cloaked(self, window: int) -> bool:
        why = ctypes.c_uint32()
        asked = self._api.DwmGetWindowAttribute(window, _CLOAKED, ctypes.byref(why), ctypes.sizeof(why))
        return asked == 0 and bool(why.value)

    def _title(self, window: int) -> str:
        # Windows stores the titles of other processes' windows: the call does not block on a hung application.
        text = ctypes.create_unicode_buffer(min(self._api.GetWindowTextLengthW(window), _LONGEST_TITLE) + 1)
        self._api.GetWindowTextW(window, text, len(text))
        return text.value

    def _kind(self, window: int) -> str:
        text = ctypes.create_unicode_buffer(257)  # no class has a longer name
        self._api.GetClassNameW(window, text, len(text))
        return text.value

    def path_of(self, process: int) -> str:
        """Return the path of a process's program; empty if access is denied."""
        handle = self._api.OpenProcess(_QUERY_LIMITED, False, process)
        if not handle:
            return ""
        try:
            text = ctypes.create_unicode_buffer(_LONGEST_PATH)
            length = ctypes.c_uint32(len(text))
            found = self._api.QueryFullProcessImageNameW(handle, 0, text, ctypes.byref(length))
            return text.value if found else ""
        finally:
            self._api.CloseHandle(handle)

    def popup_of(self, window: int) -> int:
        return self._api.GetLastActivePopup(window) or window

    def foreground(self) -> int:
        return self._api.GetForegroundWindow() or 0

    def is_hung(self, window: int) -> bool:
        return bool(self._api.IsHungAppWindow(window))

    def is_running(self, process: int) -> bool:
        handle = self._api.OpenProcess(_QUERY_LIMITED, False, process)
        if not handle:
            return False
        try:
            code = ctypes.c_uint32()
            return bool(self._api.GetExitCodeProcess(handle, ctypes.byref(code))) and code.value == _STILL_ACTIVE
        finally:
            self._api.CloseHandle(handle)

    # -- pixels

    def copy_screen(self, box: Box) -> Pixels:
        screen = self._api.GetDC(None)
        try:
            with bitmap(self._api, box.width, box.height) as picture:
                if not screen or not picture.copy_screen(screen, box):
                    raise CaptureFailed("Windows does not show its screen: it is locked, or asks for permission (UAC)")
                return picture.pixels()
        finally:
            if screen:
                self._api.ReleaseDC(None, screen)

    def print_window(self, window: int, width: int, height: int) -> Pixels | None:
        with bitmap(self._api, width, height) as picture:
            return picture.pixels() if picture.print_window(window) else None

    # -- input

    def send(self, events: Sequence[MouseEvent | KeyEvent]) -> int:
        inputs = (INPUT * len(events))()
        for entry, event in zip(inputs, events, strict=True):
            match event:
                case MouseEvent(flags, x, y, data):
                    entry.type = _MOUSE
                    entry.of.mi.dx, entry.of.mi.dy = x, y
                    entry.of.mi.mouseData, entry.of.mi.dwFlags = data & 0xFFFFFFFF, flags
                case KeyEvent(key, scan, flags):
                    entry.type = _KEYBOARD
                    entry.of.ki.wVk, entry.of.ki.wScan, entry.of.ki.dwFlags = key, scan, flags
        return int(self._api.SendInput(len(events), inputs, ctypes.sizeof(INPUT)))

    def pointer(self) -> Point:
        at = POINT()
        if not self._api.GetCursorPos(ctypes.byref(at)):
            raise DeviceError(
                "the pointer is out of reach: Windows shows its lock screen, or asks for permission (UAC)"
            )
        return Point(at.x, at.y)

    def put_pointer(self, to: Point) -> bool:
        return bool(self._api.SetCursorPos(to.x, to.y))

    def is_down(self, key: int) -> bool:
        return self.key_state(key)[0]

    def key_state(self, key: int) -> tuple[bool, bool]:
        state = self._api.GetAsyncKeyState(key)
        return bool(state & _DOWN), bool(state & _WENT_DOWN)

    def buttons_swapped(self) -> bool:
        return bool(self._api.GetSystemMetrics(_SWAPBUTTON))

    def key_for(self, character: str) -> tuple[int, int] | None:
        found = self._api.VkKeyScanExW(ord(character), self._layout()) if ord(character) <= 0xFFFF else -1
        return None if found == -1 else (found & 0xFF, found >> 8 & 0xFF)

    def scan_code(self, key: int) -> int:
        return int(self._api.MapVirtualKeyExW(key, 0, self._layout()))

    def _layout(self) -> Any:
        return self._api.GetKeyboardLayout(self._api.GetWindowThreadProcessId(self.foreground() or None, None))

    # -- focus

    def restore(self, window: int) -> None:
        self._api.ShowWindowAsync(window, _RESTORE)

    def set_foreground(self, window: int) -> bool:
        return bool(self._api.SetForegroundWindow(window))

    def set_foreground_attached(self, window: int) -> bool:
        own = self._api.GetCurrentThreadId()
        other = self._api.GetWindowThreadProcessId(self.foreground() or None, None)
        attached = bool(other) and other != own and bool(self._api.AttachThreadInput(own, other, True))
        try:
            self._api.BringWindowToTop(window)
            return bool(self._api.SetForegroundWindow(window))
        finally:
            if attached:
                self._api.AttachThreadInput(own, other, False)

    def put_on_top(self, window: int) -> None:
        self._api.SetWindowPos(window, None, 0, 0, 0, 0, _ORDER_ONLY)  # None is HWND_TOP

    def ask_to_close(self, window: int) -> bool:
        return bool(self._api.PostMessageW(window, _CLOSE, 0, 0))

    # -- programs

    def find_program(self, name: str) -> str | None:
        return programs.find_program(name)

    def start(self, path: str) -> None:
        programs.start(path)

    def open_address(self, address: str) -> None:
        programs.open_address(address)

    # -- clipboard

    def clipboard(self) -> str | None:
        return self._clipboard.read()

    def holds_other_than_text(self) -> bool:
        return self._clipboard.holds_other_than_text()

    def set_clipboard(self, text: str | None) -> None:
        self._clipboard.write(text)


@functools.lru_cache(maxsize=256)
def _program(system: Native, window: int, process: int) -> str:
    """Return the file name of a process's program. Windows reuses process ids soon, but hardly with the same window."""
    return system.path_of(process).rpartition("\\")[2]


def _box(rect: RECT) -> Box:
    with suppress(ValueError):
        return Box(rect.left, rect.top, rect.right, rect.bottom)
    return Box(0, 0, 0, 0)

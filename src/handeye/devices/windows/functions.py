"""
Declarations of all Win32 functions used here: library, parameters and result.

A function without declared types works until a handle does not fit into 32 bits. So all are declared, as plain data
that a test compares with Wine's headers on any system; `load` makes them callable on Windows.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from ctypes import POINTER, c_int16, c_int32, c_ssize_t, c_uint8, c_uint16, c_uint32, c_void_p, c_wchar_p
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, NamedTuple

from handeye.devices.windows.structures import DEVMODEW, INPUT, MONITORINFOEXW, POINT, RECT
from handeye.errors import UsageError

BOOL: Final = c_int32
DWORD: Final = c_uint32
HANDLE: Final = c_void_p
LPARAM: Final = c_ssize_t
HRESULT: Final = c_int32

_PER_MONITOR_V2: Final = -4  # DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2

# Both are the same where only one calling convention exists: on 64 bits.
_callback: Final[Callable[..., Any]] = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)
WNDENUMPROC: Final = _callback(BOOL, HANDLE, LPARAM)
MONITORENUMPROC: Final = _callback(BOOL, HANDLE, HANDLE, POINTER(RECT), LPARAM)


class Function(NamedTuple):
    """Result and parameter types of a function; `optional` if a Windows version still in use lacks it."""

    result: Any
    takes: tuple[Any, ...] = ()
    optional: bool = False


FUNCTIONS: Final[Mapping[str, Mapping[str, Function]]] = MappingProxyType(
    {
        "user32": {
            # monitors and windows
            "EnumDisplayMonitors": Function(BOOL, (HANDLE, POINTER(RECT), MONITORENUMPROC, LPARAM)),
            "GetMonitorInfoW": Function(BOOL, (HANDLE, POINTER(MONITORINFOEXW))),
            "EnumDisplaySettingsW": Function(BOOL, (c_wchar_p, DWORD, POINTER(DEVMODEW))),
            "EnumWindows": Function(BOOL, (WNDENUMPROC, LPARAM)),
            "IsWindow": Function(BOOL, (HANDLE,)),
            "IsWindowVisible": Function(BOOL, (HANDLE,)),
            "IsWindowEnabled": Function(BOOL, (HANDLE,)),
            "IsIconic": Function(BOOL, (HANDLE,)),
            "IsHungAppWindow": Function(BOOL, (HANDLE,)),
            "GetWindowLongW": Function(c_int32, (HANDLE, c_int32)),
            "GetWindow": Function(HANDLE, (HANDLE, c_uint32)),
            "GetLastActivePopup": Function(HANDLE, (HANDLE,)),
            "GetWindowTextLengthW": Function(c_int32, (HANDLE,)),
            "GetWindowTextW": Function(c_int32, (HANDLE, c_wchar_p, c_int32)),
            "GetClassNameW": Function(c_int32, (HANDLE, c_wchar_p, c_int32)),
            "GetClientRect": Function(BOOL, (HANDLE, POINTER(RECT))),
            "GetWindowRect": Function(BOOL, (HANDLE, POINTER(RECT))),
            "ClientToScreen": Function(BOOL, (HANDLE, POINTER(POINT))),
            "GetWindowThreadProcessId": Function(DWORD, (HANDLE, POINTER(DWORD))),
            "GetForegroundWindow": Function(HANDLE),
            # pixels
            "SetProcessDpiAwarenessContext": Function(BOOL, (HANDLE,), optional=True),  # Windows 10 1703
            "SetThreadDpiAwarenessContext": Function(HANDLE, (HANDLE,), optional=True),  # Windows 10 1607
            "SetProcessDPIAware": Function(BOOL),
            "GetDC": Function(HANDLE, (HANDLE,)),
            "ReleaseDC": Function(c_int32, (HANDLE, HANDLE)),
            "PrintWindow": Function(BOOL, (HANDLE, HANDLE, c_uint32)),
            # input
            "SendInput": Function(c_uint32, (c_uint32, POINTER(INPUT), c_int32)),
            "GetCursorPos": Function(BOOL, (POINTER(POINT),)),
            "SetCursorPos": Function(BOOL, (c_int32, c_int32)),
            "GetSystemMetrics": Function(c_int32, (c_int32,)),
            "GetAsyncKeyState": Function(c_int16, (c_int32,)),
            "GetKeyboardLayout": Function(HANDLE, (DWORD,)),
            "VkKeyScanExW": Function(c_int16, (c_uint16, HANDLE)),
            "MapVirtualKeyExW": Function(c_uint32, (c_uint32, c_uint32, HANDLE)),
            # focus
            "SetForegroundWindow": Function(BOOL, (HANDLE,)),
            "BringWindowToTop": Function(BOOL, (HANDLE,)),
            "SetWindowPos": Function(BOOL, (HANDLE, HANDLE, *(c_int32,) * 4, c_uint32)),
            "ShowWindowAsync": Function(BOOL, (HANDLE, c_int32)),
            "AttachThreadInput": Function(BOOL, (DWORD, DWORD, BOOL)),
            "PostMessageW": Function(BOOL, (HANDLE, c_uint32, c_ssize_t, LPARAM)),
            "SendMessageTimeoutW": Function(
                c_ssize_t, (HANDLE, c_uint32, c_ssize_t, LPARAM, c_uint32, c_uint32, POINTER(ctypes.c_size_t))
            ),
            # clipboard
            "OpenClipboard": Function(BOOL, (HANDLE,)),
            "CloseClipboard": Function(BOOL),
            "EmptyClipboard": Function(BOOL),
            "GetClipboardData": Function(HANDLE, (c_uint32,)),
            "SetClipboardData": Function(HANDLE, (c_uint32, HANDLE)),
            "IsClipboardFormatAvailable": Function(BOOL, (c_uint32,)),
            "CountClipboardFormats": Function(c_int32),
        },
        "gdi32": {
            "CreateCompatibleDC": Function(HANDLE, (HANDLE,)),
            "DeleteDC": Function(BOOL, (HANDLE,)),
            "CreateDIBSection": Function(HANDLE, (HANDLE, c_void_p, c_uint32, POINTER(c_void_p), HANDLE, DWORD)),
            "SelectObject": Function(HANDLE, (HANDLE, HANDLE)),
            "DeleteObject": Function(BOOL, (HANDLE,)),
            "BitBlt": Function(BOOL, (HANDLE, *(c_int32,) * 4, HANDLE, c_int32, c_int32, DWORD)),
            "GdiFlush": Function(BOOL),
        },
        "kernel32": {
            "OpenProcess": Function(HANDLE, (DWORD, BOOL, DWORD)),
            "GetExitCodeProcess": Function(BOOL, (HANDLE, POINTER(DWORD))),
            "CloseHandle": Function(BOOL, (HANDLE,)),
            "QueryFullProcessImageNameW": Function(BOOL, (HANDLE, DWORD, c_wchar_p, POINTER(DWORD))),
            "GetCurrentThreadId": Function(DWORD),
            "GlobalAlloc": Function(HANDLE, (c_uint32, ctypes.c_size_t)),
            "GlobalFree": Function(HANDLE, (HANDLE,)),
            "GlobalLock": Function(c_void_p, (HANDLE,)),
            "GlobalUnlock": Function(BOOL, (HANDLE,)),
            "GlobalSize": Function(ctypes.c_size_t, (HANDLE,)),
        },
        "advapi32": {
            "OpenProcessToken": Function(BOOL, (HANDLE, DWORD, POINTER(HANDLE))),
            "GetTokenInformation": Function(BOOL, (HANDLE, c_int32, c_void_p, DWORD, POINTER(DWORD))),
            "GetSidSubAuthorityCount": Function(POINTER(c_uint8), (HANDLE,)),
            "GetSidSubAuthority": Function(POINTER(DWORD), (HANDLE, DWORD)),
        },
        "dwmapi": {"DwmGetWindowAttribute": Function(HRESULT, (HANDLE, DWORD, c_void_p, DWORD))},
        "shcore": {
            "GetDpiForMonitor": Function(
                HRESULT, (HANDLE, c_int32, POINTER(c_uint32), POINTER(c_uint32)), optional=True
            )
        },
    }
)


def load() -> SimpleNamespace:
    """
    Return all functions as callables, None for an optional one that this Windows lacks. Raises UsageError on another
    system.
    """
    if sys.platform != "win32":
        raise UsageError("windows: controls the desktop of the Windows computer that Handeye runs on; this is not one")
    found = SimpleNamespace()
    for library, functions in FUNCTIONS.items():
        dll = ctypes.WinDLL(library, use_last_error=True)
        for name, declared in functions.items():
            setattr(found, name, _declared(dll, name, declared))
    return found


def make_dpi_aware(api: SimpleNamespace) -> None:
    """
    Make coordinates and captures use physical pixels whatever a monitor's scale: for the process, or for this thread
    alone if the process's DPI awareness is already set.
    """
    if api.SetProcessDpiAwarenessContext is not None and api.SetProcessDpiAwarenessContext(_PER_MONITOR_V2):
        return
    if api.SetThreadDpiAwarenessContext is not None and api.SetThreadDpiAwarenessContext(_PER_MONITOR_V2):
        return
    api.SetProcessDPIAware()


def _declared(dll: Any, name: str, declared: Function) -> Any:
    try:
        function = getattr(dll, name)
    except AttributeError:
        if declared.optional:
            return None
        raise
    function.restype = declared.result
    function.argtypes = declared.takes
    return function

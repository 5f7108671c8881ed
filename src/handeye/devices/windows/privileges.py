"""Detect that a window's program has more rights than this process."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_uint32, c_void_p
from types import SimpleNamespace
from typing import Final

_QUERY_LIMITED: Final = 0x1000
_TOKEN_QUERY: Final = 8
_INTEGRITY_LEVEL: Final = 25  # TOKEN_INFORMATION_CLASS
_LABEL_BYTES: Final = 128  # TOKEN_MANDATORY_LABEL and its SID: 16 bytes and at most 68


def has_more_rights(api: SimpleNamespace, window: int) -> bool:
    """
    Return True if Windows isolates the window's program from this one, such as an installer or a program started with
    "Run as administrator": Windows drops input to it, and UI Automation reports little more than the window. `api` has
    the Win32 functions.

    Compares the integrity levels of both processes. A process whose level cannot be queried counts as higher; a window
    that is gone does not.
    """
    process = c_uint32()
    api.GetWindowThreadProcessId(window, byref(process))
    own = level_of(api, os.getpid())
    if not process.value or own is None:
        return False
    level = level_of(api, process.value)
    return level > own if level is not None else bool(api.IsWindow(window))


def level_of(api: SimpleNamespace, process: int) -> int | None:
    """
    Return the integrity level of a process: 0x2000 usually, 0x3000 for an administrator; None if it cannot be queried.
    """
    handle = api.OpenProcess(_QUERY_LIMITED, False, process)
    if not handle:
        return None
    token = c_void_p()
    try:
        if not api.OpenProcessToken(handle, _TOKEN_QUERY, byref(token)):
            return None
        try:
            return _level(api, token)
        finally:
            api.CloseHandle(token)
    finally:
        api.CloseHandle(handle)


def _level(api: SimpleNamespace, token: c_void_p) -> int | None:
    label, length = ctypes.create_string_buffer(_LABEL_BYTES), c_uint32()
    if not api.GetTokenInformation(token, _INTEGRITY_LEVEL, label, _LABEL_BYTES, byref(length)):
        return None
    sid = c_void_p.from_buffer(label)  # the first field; the SID it points to lies in `label` too
    parts = api.GetSidSubAuthorityCount(sid)[0]
    return int(api.GetSidSubAuthority(sid, parts - 1)[0]) if parts else None

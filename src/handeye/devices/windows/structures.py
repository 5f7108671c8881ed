"""
Win32 structures used here, with the layout of the Windows SDK.

Types are given by width, not from `ctypes.wintypes`: those are right on Windows only, and these are tested everywhere.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from ctypes import c_int16, c_int32, c_size_t, c_uint16, c_uint32
from types import MappingProxyType
from typing import Final

NAME_LENGTH: Final = 32
"""Length in characters of device and form names: CCHDEVICENAME, CCHFORMNAME."""


class POINT(ctypes.Structure):
    _fields_ = (("x", c_int32), ("y", c_int32))


class RECT(ctypes.Structure):
    _fields_ = (("left", c_int32), ("top", c_int32), ("right", c_int32), ("bottom", c_int32))


class MONITORINFOEXW(ctypes.Structure):
    _fields_ = (
        ("cbSize", c_uint32),
        ("rcMonitor", RECT),
        ("rcWork", RECT),
        ("dwFlags", c_uint32),
        ("szDevice", c_uint16 * NAME_LENGTH),
    )


class DEVMODEW(ctypes.Structure):
    """DEVMODEW with the union members for displays."""

    _fields_ = (
        ("dmDeviceName", c_uint16 * NAME_LENGTH),
        ("dmSpecVersion", c_uint16),
        ("dmDriverVersion", c_uint16),
        ("dmSize", c_uint16),
        ("dmDriverExtra", c_uint16),
        ("dmFields", c_uint32),
        ("dmPosition", POINT),
        ("dmDisplayOrientation", c_uint32),
        ("dmDisplayFixedOutput", c_uint32),
        ("dmColor", c_int16),
        ("dmDuplex", c_int16),
        ("dmYResolution", c_int16),
        ("dmTTOption", c_int16),
        ("dmCollate", c_int16),
        ("dmFormName", c_uint16 * NAME_LENGTH),
        ("dmLogPixels", c_uint16),
        ("dmBitsPerPel", c_uint32),
        ("dmPelsWidth", c_uint32),
        ("dmPelsHeight", c_uint32),
        ("dmDisplayFlags", c_uint32),
        ("dmDisplayFrequency", c_uint32),
        ("dmICMMethod", c_uint32),
        ("dmICMIntent", c_uint32),
        ("dmMediaType", c_uint32),
        ("dmDitherType", c_uint32),
        ("dmReserved1", c_uint32),
        ("dmReserved2", c_uint32),
        ("dmPanningWidth", c_uint32),
        ("dmPanningHeight", c_uint32),
    )


class BITMAPINFOHEADER(ctypes.Structure):
    _fields_ = (
        ("biSize", c_uint32),
        ("biWidth", c_int32),
        ("biHeight", c_int32),
        ("biPlanes", c_uint16),
        ("biBitCount", c_uint16),
        ("biCompression", c_uint32),
        ("biSizeImage", c_uint32),
        ("biXPelsPerMeter", c_int32),
        ("biYPelsPerMeter", c_int32),
        ("biClrUsed", c_uint32),
        ("biClrImportant", c_uint32),
    )


class MOUSEINPUT(ctypes.Structure):
    _fields_ = (
        ("dx", c_int32),
        ("dy", c_int32),
        ("mouseData", c_uint32),
        ("dwFlags", c_uint32),
        ("time", c_uint32),
        ("dwExtraInfo", c_size_t),
    )


class KEYBDINPUT(ctypes.Structure):
    _fields_ = (
        ("wVk", c_uint16),
        ("wScan", c_uint16),
        ("dwFlags", c_uint32),
        ("time", c_uint32),
        ("dwExtraInfo", c_size_t),
    )


class _InputOfAnyKind(ctypes.Union):
    _fields_ = (("mi", MOUSEINPUT), ("ki", KEYBDINPUT))


class INPUT(ctypes.Structure):
    """SendInput refuses an array whose elements do not have exactly this size: 40 bytes on 64 bits."""

    _fields_ = (("type", c_uint32), ("of", _InputOfAnyKind))


SIZES_64: Final[Mapping[type[ctypes.Structure], int]] = MappingProxyType(
    {
        POINT: 8,
        RECT: 16,
        MONITORINFOEXW: 104,
        DEVMODEW: 220,
        BITMAPINFOHEADER: 40,
        MOUSEINPUT: 32,
        KEYBDINPUT: 24,
        INPUT: 40,
    }
)
"""`sizeof` of each structure with Microsoft's compiler on 64 bits."""


def text_of(units: ctypes.Array[c_uint16]) -> str:
    """Return the text of a zero-terminated UTF-16 buffer."""
    return bytes(units).decode("utf-16-le", errors="replace").partition("\0")[0]

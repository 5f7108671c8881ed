"""
An application of the tests for Windows: known pixels, an edit control, and a word on standard output about everything that
happens to it. Runs under Wine; only what Win32 has is used.

`bed.py TITLE X Y WIDTH HEIGHT SEED`
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from ctypes import POINTER, Structure, c_int32, c_ssize_t, c_uint16, c_uint32, c_void_p, c_wchar_p
from typing import Any

PROCEDURE = ctypes.WINFUNCTYPE(c_ssize_t, c_void_p, c_uint32, c_void_p, c_ssize_t)
OVERLAPPED_SHOWN = 0x10CF0000
EDIT_STYLE = 0x50801044  # child, visible, border, several lines, scrolling, Enter makes a line
EDIT_LEFT, EDIT_HEIGHT = 20, 60

user32, gdi32, kernel32 = ctypes.WinDLL("user32"), ctypes.WinDLL("gdi32"), ctypes.WinDLL("kernel32")


class WindowClass(Structure):
    _fields_ = (
        ("style", c_uint32),
        ("procedure", PROCEDURE),
        ("extra", c_int32 * 2),
        ("instance", c_void_p),
        ("icon", c_void_p),
        ("cursor", c_void_p),
        ("background", c_void_p),
        ("menu", c_wchar_p),
        ("name", c_wchar_p),
    )


class Header(Structure):
    _fields_ = (
        ("size", c_uint32),
        ("width", c_int32),
        ("height", c_int32),
        ("planes", c_uint16),
        ("bits", c_uint16),
        ("rest", c_uint32 * 6),
    )


class Paint(Structure):
    _fields_ = (("context", c_void_p), ("rest", c_uint32 * 32))


class Rect(Structure):
    _fields_ = (("left", c_int32), ("top", c_int32), ("right", c_int32), ("bottom", c_int32))


class Message(Structure):
    _fields_ = (("window", c_void_p), ("number", c_uint32), ("w", c_void_p), ("rest", c_ssize_t * 4))


user32.DefWindowProcW.restype = c_ssize_t
user32.DefWindowProcW.argtypes = (c_void_p, c_uint32, c_void_p, c_ssize_t)
user32.CreateWindowExW.restype = c_void_p
user32.CreateWindowExW.argtypes = (
    c_uint32,
    c_wchar_p,
    c_wchar_p,
    c_uint32,
    *(c_int32,) * 4,
    *(c_void_p,) * 4,
)
user32.BeginPaint.restype = c_void_p
user32.BeginPaint.argtypes = user32.EndPaint.argtypes = (c_void_p, POINTER(Paint))
user32.GetMessageW.argtypes = (POINTER(Message), c_void_p, c_uint32, c_uint32)
user32.TranslateMessage.argtypes = user32.DispatchMessageW.argtypes = (POINTER(Message),)
user32.GetWindowTextW.argtypes = (c_void_p, c_wchar_p, c_int32)
user32.SetFocus.argtypes = (c_void_p,)
user32.GetClientRect.argtypes = (c_void_p, POINTER(Rect))
user32.LoadCursorW.restype = c_void_p
user32.LoadCursorW.argtypes = (c_void_p, c_void_p)
gdi32.SetDIBitsToDevice.argtypes = (
    c_void_p,
    *(c_int32,) * 2,
    *(c_uint32,) * 2,
    *(c_int32,) * 2,
    *(c_uint32,) * 2,
    c_void_p,
    POINTER(Header),
    c_uint32,
)
kernel32.GetModuleHandleW.restype = c_void_p

MOUSE = {
    0x0201: "left down",
    0x0202: "left up",
    0x0204: "right down",
    0x0205: "right up",
    0x0207: "middle down",
    0x0208: "middle up",
    0x020A: "wheel",
    0x020E: "wheel across",
}
PAINT, PRINT_CLIENT, DESTROY, FOCUS, COMMAND = 0x000F, 0x0318, 0x0002, 0x0007, 0x0111
EDIT_CHANGED = 0x0300


def pattern(width: int, height: int, seed: int) -> bytes:
    """As `handeye.testing.desktop_fake.pattern`, without numpy: blue, green, red, nothing for each pixel."""
    rows = bytearray()
    mask = seed & 255
    for y in range(height):
        for x in range(width):
            code = (x & 0xFFF) << 12 | (y & 0xFFF)
            rows += bytes(((code & 255) ^ mask, (code >> 8 & 255) ^ mask, (code >> 16 & 255) ^ mask, 0))
    return bytes(rows)


def say(**said: Any) -> None:
    print(json.dumps(said), flush=True)


def show(title: str, left: int, top: int, width: int, height: int, seed: int, tell: Callable[..., None] = say) -> None:
    """Until the window is closed."""
    picture = pattern(width, height, seed)
    header = Header(ctypes.sizeof(Header), width, -height, 1, 32)
    edit = 0

    def text() -> str:
        held = ctypes.create_unicode_buffer(10_000)
        user32.GetWindowTextW(edit, held, len(held))
        return held.value

    def draw(context: int | None) -> None:
        gdi32.SetDIBitsToDevice(context, 0, 0, width, height, 0, 0, 0, height, picture, ctypes.byref(header), 0)

    def handle(window: int, number: int, w: int | None, about: int) -> int:
        if number == PAINT:
            paint = Paint()
            context = user32.BeginPaint(window, ctypes.byref(paint))
            draw(context)
            user32.EndPaint(window, ctypes.byref(paint))
            tell(painted=True)
            return 0
        if number == PRINT_CLIENT:
            draw(w)
            return 0
        if number in MOUSE:
            x, y = ctypes.c_int16(about & 0xFFFF).value, ctypes.c_int16(about >> 16 & 0xFFFF).value
            turned = ctypes.c_int16((w or 0) >> 16 & 0xFFFF).value
            tell(mouse=MOUSE[number], x=x, y=y, turned=turned)
        if number == FOCUS and edit:
            user32.SetFocus(edit)
            tell(focused=True)
            return 0
        if number == COMMAND and (w or 0) >> 16 == EDIT_CHANGED:
            tell(text=text())
        if number == DESTROY:
            user32.PostQuitMessage(0)
        return int(user32.DefWindowProcW(window, number, w, about))

    procedure = PROCEDURE(handle)
    made = WindowClass(0, procedure, (0, 0), kernel32.GetModuleHandleW(None), None, None, None, None, "HandeyeBed")
    made.cursor = user32.LoadCursorW(None, 32512)
    user32.RegisterClassW(ctypes.byref(made))
    frame = Rect(0, 0, width, height)
    user32.AdjustWindowRectEx(ctypes.byref(frame), OVERLAPPED_SHOWN, 0, 0)
    window = user32.CreateWindowExW(
        0,
        "HandeyeBed",
        title,
        OVERLAPPED_SHOWN & ~0x10000000,
        left,
        top,
        frame.right - frame.left,
        frame.bottom - frame.top,
        None,
        None,
        None,
        None,
    )
    edit = user32.CreateWindowExW(
        0,
        "EDIT",
        "",
        EDIT_STYLE,
        EDIT_LEFT,
        height - EDIT_HEIGHT - EDIT_LEFT,
        width - 2 * EDIT_LEFT,
        EDIT_HEIGHT,
        window,
        None,
        None,
        None,
    )
    user32.ShowWindow(window, 5)
    user32.SetFocus(edit)
    tell(window=window)
    message = Message()
    while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        user32.TranslateMessage(ctypes.byref(message))
        user32.DispatchMessageW(ctypes.byref(message))


if __name__ == "__main__":
    words = sys.argv[1:]
    show(words[0], *map(int, words[1:]))

"""
An application of the tests for Windows: a window of Win32's own controls, which speak for themselves to UI Automation. Says on
standard output which windows they are, and where GetWindowRect has them.

`controls.py TITLE [DIALOG]`: with a title for it, the window shows a dialog at once, and waits for its end.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_void_p

from bed import OVERLAPPED_SHOWN, Message, Rect, say, user32

DIALOG_CLASS = "#32770"
VISIBLE_CHILD, BORDER, DISABLED, PASSWORD = 0x50000000, 0x00800000, 0x08000000, 0x20
TICKED_BOX, GROUP, LIST_OF_NAMES = 3, 7, 1
CONTROLS = {
    # name: class, text, style, left, top, width, height; the label of a field stands right before it
    "save": ("BUTTON", "&Save", 0, 20, 20, 100, 30),
    "off": ("BUTTON", "Off", DISABLED, 140, 20, 80, 30),
    "wrap": ("BUTTON", "Wrap 换行", TICKED_BOX, 20, 60, 150, 24),
    "label": ("STATIC", "Name:", 0, 20, 100, 60, 20),
    "field": ("EDIT", "hello 你好", BORDER, 90, 100, 200, 24),
    "secret label": ("STATIC", "Password:", 0, 20, 130, 60, 20),
    "secret": ("EDIT", "hunter2", BORDER | PASSWORD, 90, 130, 200, 24),
    "list": ("LISTBOX", "", BORDER | LIST_OF_NAMES, 20, 160, 150, 100),
    "group": ("BUTTON", "Options", GROUP, 190, 160, 200, 100),
}


def place(window: int) -> tuple[int, int, int, int]:
    rect = Rect()
    user32.GetWindowRect(c_void_p(window), ctypes.byref(rect))
    return rect.left, rect.top, rect.right, rect.bottom


def main(title: str, dialog: str = "") -> None:
    top = user32.CreateWindowExW(0, DIALOG_CLASS, title, OVERLAPPED_SHOWN, 300, 200, 420, 320, None, None, None, None)
    windows = {"": top}
    for name, (kind, text, style, *where) in CONTROLS.items():
        windows[name] = user32.CreateWindowExW(
            0, kind, text, VISIBLE_CHILD | style, *where, top, len(windows), None, None
        )
    user32.ShowWindow(c_void_p(top), 5)
    say(painted=True, windows=windows, places={name: place(window) for name, window in windows.items()})
    if dialog:
        user32.MessageBoxW(c_void_p(top), "Really?", dialog, 1)
    message = Message()
    while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        user32.TranslateMessage(ctypes.byref(message))
        user32.DispatchMessageW(ctypes.byref(message))


if __name__ == "__main__":
    main(*sys.argv[1:])

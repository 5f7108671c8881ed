"""
`Win32`, the protocol for what Handeye needs from Win32, in plain data: no handle, structure or pointer crosses it.

All logic is implemented above this protocol and tested against a scripted double on any system. `Native` is the real
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from handeye.geometry import Box, Point
from handeye.screen import Pixels


@dataclass(frozen=True, slots=True)
class MonitorRow:
    """A monitor as Windows reports it. `dpi` is its effective DPI, `turns` its rotation in clockwise quarter turns."""

    name: str
    box: Box
    primary: bool
    dpi: int = 96
    turns: int = 0


@dataclass(frozen=True, slots=True)
class WindowRow:
    """
    A top-level window as Windows reports it: `style` and `extended` are its style bits, `owner` is its owner window, or
    0. `cloaked`: it is on another virtual desktop, or invisible (DWM).
    """

    id: int
    title: str
    kind: str
    client: Box
    frame: Box
    process: int
    program: str
    style: int
    extended: int
    owner: int = 0
    visible: bool = True
    minimized: bool = False
    cloaked: bool = False


@dataclass(frozen=True, slots=True)
class MouseEvent:
    """A MOUSEINPUT: `flags` are MOUSEEVENTF_..., `data` is the wheel movement."""

    flags: int
    x: int = 0
    y: int = 0
    data: int = 0


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A KEYBDINPUT: a virtual key, or with KEYEVENTF_UNICODE a UTF-16 code unit in `scan`."""

    key: int
    scan: int = 0
    flags: int = 0


class Win32(Protocol):
    """
    Win32 calls. They raise CaptureFailed and DeviceError where noted; for a window that is gone they return None, False
    or 0.
    """

    # -- monitors and windows

    def monitors(self) -> Sequence[MonitorRow]: ...

    def virtual_screen(self) -> Box:
        """Return the bounding box of all monitors."""
        ...

    def windows(self) -> Sequence[int]:
        """Return the top-level windows that are not hidden, topmost first."""
        ...

    def about(self, window: int) -> WindowRow | None: ...

    def popup_of(self, window: int) -> int:
        """Return the dialog last opened by a window, or the window itself."""
        ...

    def foreground(self) -> int:
        """Return the window that has keyboard focus, or 0."""
        ...

    def is_hung(self, window: int) -> bool: ...

    def is_running(self, process: int) -> bool: ...

    # -- pixels

    def copy_screen(self, box: Box) -> Pixels:
        """Copy the screen's pixels in `box`. Raises CaptureFailed."""
        ...

    def print_window(self, window: int, width: int, height: int) -> Pixels | None:
        """Make a window draw its client area; None if it does not, or draws nothing. Raises CaptureFailed."""
        ...

    # -- input

    def send(self, events: Sequence[MouseEvent | KeyEvent]) -> int:
        """Insert events at the front of the input queue, and return how many Windows accepted."""
        ...

    def pointer(self) -> Point:
        """
        Return the pointer's position. Raises DeviceError while another desktop is shown, such as that of a locked
        screen.
        """
        ...

    def put_pointer(self, to: Point) -> bool: ...

    def is_down(self, key: int) -> bool: ...

    def key_state(self, key: int) -> tuple[bool, bool]:
        """Return whether a key is down, and whether it went down since the last query by this or any other program."""
        ...

    def buttons_swapped(self) -> bool:
        """Return True if the user has swapped the mouse buttons, so that the primary one is on the right."""
        ...

    def key_for(self, character: str) -> tuple[int, int] | None:
        """
        Return the virtual key of a character on the layout of the focused window, and the modifiers to hold: 1 shift, 2
        ctrl, 4 alt. None if that layout has no key for it.
        """
        ...

    def scan_code(self, key: int) -> int: ...

    # -- focus

    def restore(self, window: int) -> None:
        """Restore a minimized window, without waiting for it."""
        ...

    def set_foreground(self, window: int) -> bool: ...

    def set_foreground_attached(self, window: int) -> bool:
        """Set the foreground window while this thread's input is attached to that of the window that has keyboard focus."""
        ...

    def put_on_top(self, window: int) -> None:
        """Raise a window above all that are not always-on-top, without waiting for it."""
        ...

    def ask_to_close(self, window: int) -> bool: ...

    # -- programs

    def find_program(self, name: str) -> str | None:
        """Return the path of an installed program, such as "notepad.exe", or None."""
        ...

    def start(self, path: str) -> None:
        """Start a program. Raises DeviceError."""
        ...

    def open_address(self, address: str) -> None:
        """Open a web address in the user's default browser. Raises DeviceError."""
        ...

    # -- clipboard

    def clipboard(self) -> str | None:
        """Return the clipboard's text, or None if it holds no text. Raises DeviceError if another program keeps it open."""
        ...

    def holds_other_than_text(self) -> bool:
        """Return True if the clipboard has content but no text."""
        ...

    def set_clipboard(self, text: str | None) -> None:
        """Put a text on the clipboard; None empties it. Raises DeviceError."""
        ...

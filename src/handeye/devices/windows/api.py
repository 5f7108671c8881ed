"""
What Handeye asks of Win32, in plain data: no handle, no structure and no pointer comes past this line.

Everything that decides something stands on the other side of it, and is tested against a scripted double on any system.
`Native` is the real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from handeye.geometry import Box, Point
from handeye.screen import Pixels


@dataclass(frozen=True, slots=True)
class MonitorRow:
    """A monitor as Windows tells it. `dpi` is its effective one, `turns` its quarter turns, clockwise."""

    name: str
    box: Box
    primary: bool
    dpi: int = 96
    turns: int = 0


@dataclass(frozen=True, slots=True)
class WindowRow:
    """
    A top-level window as Windows tells it: `style` and `extended` are its style bits, `owner` the window that it belongs to,
    or 0. `cloaked` says that it is shown on another desktop, or by nobody.
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
    """One MOUSEINPUT: `flags` are MOUSEEVENTF_..., `data` the wheel's movement."""

    flags: int
    x: int = 0
    y: int = 0
    data: int = 0


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """One KEYBDINPUT: a virtual key, or with KEYEVENTF_UNICODE a unit of UTF-16 in `scan`."""

    key: int
    scan: int = 0
    flags: int = 0


class Win32(Protocol):
    """Raises CaptureFailed and DeviceError where it says so; else a window that is gone answers None, False or 0."""

    # -- what is there

    def monitors(self) -> Sequence[MonitorRow]: ...

    def virtual_screen(self) -> Box:
        """The smallest box around all monitors."""
        ...

    def windows(self) -> Sequence[int]:
        """The top-level windows that are not hidden, the topmost first."""
        ...

    def about(self, window: int) -> WindowRow | None: ...

    def popup_of(self, window: int) -> int:
        """The dialog that was opened last above a window, or the window itself."""
        ...

    def foreground(self) -> int:
        """The window that has the keyboard, 0 for none."""
        ...

    def is_hung(self, window: int) -> bool: ...

    def is_running(self, process: int) -> bool: ...

    # -- pixels

    def copy_screen(self, box: Box) -> Pixels:
        """Raises CaptureFailed."""
        ...

    def print_window(self, window: int, width: int, height: int) -> Pixels | None:
        """Have a window draw its client area; None when it does not, or draws nothing. Raises CaptureFailed."""
        ...

    # -- hands

    def send(self, events: Sequence[MouseEvent | KeyEvent]) -> int:
        """Put events in front of everything that waits; how many Windows took."""
        ...

    def pointer(self) -> Point:
        """Raises DeviceError when another desktop is shown: that of a locked screen."""
        ...

    def put_pointer(self, to: Point) -> bool: ...

    def is_down(self, key: int) -> bool: ...

    def key_state(self, key: int) -> tuple[bool, bool]:
        """Whether a key is down, and whether it went down since this was asked last, here or in another program."""
        ...

    def buttons_swapped(self) -> bool:
        """Whether the person has the primary mouse button on the right."""
        ...

    def key_for(self, character: str) -> tuple[int, int] | None:
        """
        The virtual key of a character on the layout of the window that has the keyboard, and what is held with it: 1 shift,
        2 ctrl, 4 alt. None when that layout has no key for it.
        """
        ...

    def scan_code(self, key: int) -> int: ...

    # -- focus

    def restore(self, window: int) -> None:
        """Have a minimized window shown as it was. Does not wait for it."""
        ...

    def set_foreground(self, window: int) -> bool: ...

    def set_foreground_attached(self, window: int) -> bool:
        """The same with this thread's input attached to that of the window that has the keyboard."""
        ...

    def put_on_top(self, window: int) -> None:
        """Above all windows that are not kept on top. Does not wait for it."""
        ...

    def ask_to_close(self, window: int) -> bool: ...

    # -- programs

    def find_program(self, name: str) -> str | None:
        """The file of an installed program, such as "notepad.exe"."""
        ...

    def start(self, path: str) -> None:
        """Raises DeviceError."""
        ...

    def open_address(self, address: str) -> None:
        """A web address, in the person's browser. Raises DeviceError."""
        ...

    # -- clipboard

    def clipboard(self) -> str | None:
        """The text on it; None when it holds none. Raises DeviceError when another program keeps it open."""
        ...

    def holds_other_than_text(self) -> bool:
        """Whether the clipboard holds something, and no text."""
        ...

    def set_clipboard(self, text: str | None) -> None:
        """Put a text there; None empties it. Raises DeviceError."""
        ...

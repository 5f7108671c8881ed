"""
`DesktopBackend`, the interface of the backends for each operating system (`linux/`, `windows/`), and its values.

All boxes and points are desktop pixels: physical pixels of the screen, relative to the system's origin. On Windows the
origin is the top left corner of the primary monitor, so monitors to its left or above have negative coordinates; on X11
it is the top left corner of the bounding box of all monitors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from handeye.geometry import Box, Point
from handeye.screen import Pixels

LONGEST_TITLE = 120
"""Maximum length in characters of a window title in messages (not in comparisons): a title may be a page long."""

USUAL_DPI = 96.0
"""DPI of a scale factor of 1 on X11 and on Windows."""


class MouseButton(StrEnum):
    """A mouse button."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Monitor:
    """
    A monitor. `scale` is physical pixels per logical pixel (1.0 at 96 dpi). `rotation` is how far its picture is
    turned, in degrees clockwise: 0, 90, 180 or 270; captures are upright already. `dpi` is the logical resolution that
    the system uses, not the physical one; derived from `scale` if the system reports none.
    """

    name: str
    box: Box
    primary: bool = False
    scale: float = 1.0
    rotation: int = 0
    dpi: float = 0.0

    def __post_init__(self) -> None:
        if not self.dpi:
            object.__setattr__(self, "dpi", self.scale * USUAL_DPI)


@dataclass(frozen=True, slots=True)
class Window:
    """
    A top-level window that is visible to the user or minimized.

    `id` is the system's handle (X window id, HWND). `box` is the client area, without frame and title bar; `frame`
    includes them. Either may extend beyond the screen. `process` is None if unknown. `program` is the system's name for
    the application: the class of an X window, the file name of a Windows program.
    """

    id: int
    title: str
    box: Box
    frame: Box
    process: int | None = None
    program: str = ""
    focused: bool = False
    minimized: bool = False

    def __str__(self) -> str:
        program = shortened(self.program) or "unknown program"
        return f"{shortened(self.title)!r} ({program}, {self.box.width}x{self.box.height})"

    @property
    def about(self) -> Mapping[str, Any]:
        """The `window_info` of a frame (docs/spec/visual-locator.md)."""
        return {
            "id": self.id,
            "title": self.title,
            "box": tuple(self.box),
            "process": self.process,
            "program": self.program,
        }


def shortened(title: str) -> str:
    """Shorten a title or user input for messages to at most `LONGEST_TITLE` characters."""
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


@dataclass(frozen=True, slots=True)
class Surface:
    """
    The window that receives a click at a point: the window `id`, or with `popup` a menu, list, tool tip or
    notification, which no window list contains. `name` is its title, or its program's name if it has none; `box` its
    bounding box with the frame; `tip`: it is a tool tip.
    """

    id: int
    name: str
    box: Box
    process: int | None = None
    popup: bool = False
    tip: bool = False

    def __str__(self) -> str:
        kind = "a menu, list or notice of " if self.popup else ""
        return f"{kind}{shortened(self.name)!r}"


BetweenPieces = Callable[[int], None]
"""Callback with the number of characters typed so far; it aborts the typing by raising."""


class DesktopInput(Protocol):
    """Mouse and keyboard. Key names are those of `handeye.devices.desktop.keys`."""

    def move(self, to: Point) -> None: ...

    def button(self, button: MouseButton, *, down: bool) -> None: ...

    def wheel(self, across: int, down: int) -> None:
        """Turn the wheel by notches: positive `down` scrolls down, positive `across` to the right."""
        ...

    def key(self, name: str, *, down: bool) -> None:
        """Press or release a key. Raises UsageError for a key that this keyboard does not have."""
        ...

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        """
        Type any text into the focused window, in pieces, and return a description of the method. `between` is called
        before the first piece and after each. Raises TextInputFailed, and what `between` raises.
        """
        ...


@runtime_checkable
class DesktopBackend(DesktopInput, Protocol):
    """
    The desktop of one operating system. Every method raises DeviceError if the system does not respond or refuses.

    Not thread-safe.
    """

    @property
    def uri(self) -> str:
        """The device URI, such as `linux::99` or `windows:`."""
        ...

    # -- monitors and windows

    def monitors(self) -> tuple[Monitor, ...]:
        """Return all monitors, at least one; the primary one first."""
        ...

    def windows(self) -> tuple[Window, ...]:
        """Return all top-level windows, topmost first."""
        ...

    def window(self, id: int) -> Window | None:
        """Return the current state of a window, or None if it is gone."""
        ...

    def surface_at(self, at: Point) -> Surface | None:
        """Return what receives a click at a point (hit test), or None if no window is there."""
        ...

    def menus(self) -> tuple[Surface, ...]:
        """Return the open menus and lists of all programs: until closed, they receive every click."""
        ...

    def keyboard_holder(self) -> Surface | None:
        """Return the window or popup that has keyboard focus, or None if none has."""
        ...

    # -- pixels

    def grab(self, box: Box) -> Pixels:
        """
        Return the screen's pixels in `box`: RGB, shape (height, width, 3); black outside the monitors. Raises
        CaptureFailed.
        """
        ...

    def grab_window(self, window: Window) -> Pixels:
        """
        Return the pixels of a window's client area, also where it is covered or off the screen. Raises CaptureFailed if
        it is gone or minimized, or the system cannot capture covered windows.
        """
        ...

    # -- input

    def focus(self, window: Window) -> None:
        """Raise the window and give it keyboard focus; return once it has it. Raises DeviceError if it does not get it."""
        ...

    def pointer(self) -> Point:
        """Return the pointer's position."""
        ...

    def release_all(self) -> None:
        """Release every key and button that this backend still holds down. Never raises a DeviceError."""
        ...

    def close(self) -> None:
        """Release everything and restore the keyboard mapping."""
        ...


@runtime_checkable
class KeyPreparer(Protocol):
    """A backend that has to remap the keyboard for keys that its layout lacks."""

    def prepare(self, keys: Sequence[str]) -> None:
        """Call before pressing keys together: an application may misread a remapping while a key is held down."""
        ...


@runtime_checkable
class PointerMemory(Protocol):
    """A backend whose system remembers between processes where Handeye left the pointer."""

    def left_at(self) -> Point | None:
        """Return the position where the pointer was left last, or None if Handeye never moved it."""
        ...

    def leave_at(self, at: Point) -> None:
        """Store the position where the pointer was left."""
        ...


@runtime_checkable
class ProgramStarter(Protocol):
    """A backend that can start and close programs. No method uses a shell."""

    def launch(self, program: str) -> str:
        """Start an installed program by name and return a description of what was started. Raises DeviceError."""
        ...

    def quit(self, program: str) -> str:
        """
        Ask the windows of a program to close and return which. The program may ask its user first. Raises DeviceError.
        """
        ...

    def open_url(self, url: str) -> str:
        """Open a web address in the default browser. Raises DeviceError, and UsageError if `url` is not a web address."""
        ...

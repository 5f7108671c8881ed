"""
What a system's desktop must offer: one small backend per system (`linux/`, `windows/`) behind `DesktopBackend`.

All boxes and points here are desktop pixels: those of the screen's own resolution, counted from where the system counts. On
Windows that is the top left corner of the primary monitor, so that a monitor to its left or above has negative ones; on X11 it
is the top left corner of all monitors together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from handeye.geometry import Box, Point
from handeye.screen import Pixels

LONGEST_TITLE = 120
"""Characters of a window's title where it is told, not compared: a title may be a page long, and stands in every error."""

USUAL_DPI = 96.0
"""What a scale factor of 1 means on X11 and on Windows."""


class MouseButton(StrEnum):
    """A button of the mouse."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Monitor:
    """
    One monitor. `scale` is how many pixels a logical pixel has (1.0 at 96 dpi), `rotation` by how many degrees, clockwise, its
    picture is turned: 0, 90, 180 or 270. What is captured is upright already. `dpi` are the dots per inch that the system
    reckons with, not those of the glass: where it names none, those of `scale`.
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
    A top-level window that a person can see or has minimized.

    `id` is the system's (an X window, a HWND). `box` is its client area: without frame and title bar; `frame` is all of it.
    Either may leave the screen. `process` is None when the system does not say. `program` is what the system calls the
    application: the class of an X window, the file name of a Windows program.
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
        """What a frame of it tells: seed 001's `window_info`."""
        return {
            "id": self.id,
            "title": self.title,
            "box": tuple(self.box),
            "process": self.process,
            "program": self.program,
        }


def shortened(title: str) -> str:
    """A title, or what a person named, as it may be told: at most `LONGEST_TITLE` characters."""
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


@dataclass(frozen=True, slots=True)
class Surface:
    """
    What gets a press at one place: the window of that `id`, or with `popup` a menu, list, tool tip or notice, which are in
    no list of windows. `name` is its title, else its program's; `box` all of it, with the frame. `tip`: it is a tool tip.
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
"""Called with the number of characters typed so far; it ends the typing by raising."""


class DesktopInput(Protocol):
    """Mouse and keyboard. Keys are named as in `handeye.devices.desktop.keys`."""

    def move(self, to: Point) -> None: ...

    def button(self, button: MouseButton, *, down: bool) -> None: ...

    def wheel(self, across: int, down: int) -> None:
        """Turn the wheel by notches: `down` towards the person when positive, `across` to the right when positive."""
        ...

    def key(self, name: str, *, down: bool) -> None:
        """Press or let go of a key. Raises UsageError for one that this keyboard has not."""
        ...

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        """
        Type any text into what has the keyboard, in pieces; says how it was done. `between` is called before the first piece
        and after each. Raises TextInputFailed, and what `between` raises.
        """
        ...


@runtime_checkable
class DesktopBackend(DesktopInput, Protocol):
    """
    The desktop of one system. Every call raises a DeviceError when the system does not answer or refuses.

    Not for use by two threads at once.
    """

    @property
    def uri(self) -> str:
        """`linux::99` or `windows:`."""
        ...

    # -- what is there

    def monitors(self) -> tuple[Monitor, ...]:
        """At least one; the primary one first."""
        ...

    def windows(self) -> tuple[Window, ...]:
        """All of them, the topmost first."""
        ...

    def window(self, id: int) -> Window | None:
        """One of them as it is now; None when it is gone."""
        ...

    def surface_at(self, at: Point) -> Surface | None:
        """What gets a press there, whoever drew it; None where no window is."""
        ...

    def menus(self) -> tuple[Surface, ...]:
        """The menus and lists that are open, of any program: until they are closed, they take every press."""
        ...

    def keyboard_holder(self) -> Surface | None:
        """The window or popup that gets the keys pressed now; None where no window does."""
        ...

    # -- what it shows

    def grab(self, box: Box) -> Pixels:
        """The pixels of the screen in `box`, shape (height, width, 3), RGB; black where no monitor is. Raises CaptureFailed."""
        ...

    def grab_window(self, window: Window) -> Pixels:
        """
        The pixels of a window's client area, also where another window covers it or it leaves the screen. Raises CaptureFailed
        when it is gone or minimized, or the system cannot show what is covered.
        """
        ...

    # -- hands

    def focus(self, window: Window) -> None:
        """Raise it, and give it the keyboard. Returns when it has it; raises DeviceError when it does not get it."""
        ...

    def pointer(self) -> Point:
        """Where the pointer is."""
        ...

    def release_all(self) -> None:
        """Let go of every key and button that is still down because of us. Never raises a DeviceError."""
        ...

    def close(self) -> None:
        """Release everything and leave the keyboard as it was found."""
        ...


@runtime_checkable
class KeyPreparer(Protocol):
    """A backend that has to change the keyboard for keys that its layout lacks."""

    def prepare(self, keys: Sequence[str]) -> None:
        """Before keys that are pressed together: an application may misread a change while it sees one held down."""
        ...


@runtime_checkable
class PointerMemory(Protocol):
    """A backend whose system keeps where Handeye left the pointer, from one process to the next."""

    def left_at(self) -> Point | None:
        """Where it was left last; None when it never moved it."""
        ...

    def leave_at(self, at: Point) -> None:
        """Keep a place as where it was left."""
        ...


@runtime_checkable
class ProgramStarter(Protocol):
    """A backend that can start and end the programs of its system. No call runs anything through a shell."""

    def launch(self, program: str) -> str:
        """Start an installed program by its name; says what was started. Raises DeviceError."""
        ...

    def quit(self, program: str) -> str:
        """Ask the windows of a program to close; says what was asked. It may ask its user first. Raises DeviceError."""
        ...

    def open_url(self, url: str) -> str:
        """Open a web address as the system does. Raises DeviceError, and UsageError for what is none."""
        ...

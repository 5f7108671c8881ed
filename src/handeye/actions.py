"""Actions that a device can perform: frozen values, durations in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from handeye.screen import InputPoint

MOST_TAPS = 3
"""Maximum number of taps or clicks in a row."""


@dataclass(frozen=True, slots=True)
class Tap:
    at: InputPoint


@dataclass(frozen=True, slots=True)
class LongPress:
    at: InputPoint
    duration_ms: int = 1000


@dataclass(frozen=True, slots=True)
class Swipe:
    start: InputPoint
    end: InputPoint
    duration_ms: int = 300


@dataclass(frozen=True, slots=True)
class Drag:
    start: InputPoint
    end: InputPoint
    duration_ms: int = 1000


@dataclass(frozen=True, slots=True)
class Click:
    """
    A mouse click: `button` is "left", "middle" or "right", `count` the clicks in a row (1 to 3). On a phone, with
    "left", taps in a row: Click(at, count=2) is a double tap.
    """

    at: InputPoint
    button: str = "left"
    count: int = 1


@dataclass(frozen=True, slots=True)
class Scroll:
    """Turn the mouse wheel at a point, by notches: `down` and `across` (to the right) may be negative. Desktops only."""

    at: InputPoint
    down: int = 0
    across: int = 0


@dataclass(frozen=True, slots=True)
class InputText:
    """
    Type into the focused field. `secret` keeps the text out of every event, trace and report. `alone`: the field must
    contain nothing else; otherwise a device that can read it refuses, and erases what was typed.
    """

    text: str = field(repr=False)
    secret: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class EraseText:
    """Delete up to `count` characters before the end of the focused field."""

    count: int


@dataclass(frozen=True, slots=True)
class PressKey:
    """Press a key by Android name ("BACK") or code; on a desktop by name, optionally with modifiers ("ctrl+shift+s")."""

    key: str | int


@dataclass(frozen=True, slots=True)
class LaunchApp:
    package: str


@dataclass(frozen=True, slots=True)
class StopApp:
    package: str


@dataclass(frozen=True, slots=True)
class OpenUrl:
    url: str


@dataclass(frozen=True, slots=True)
class Call:
    number: str


@dataclass(frozen=True, slots=True)
class Wait:
    duration_ms: int


@dataclass(frozen=True, slots=True)
class GoHome:
    """HOME twice: the first may only lead to the app's own start page (docs/spec/vision-agent.md)."""


Action = (
    Tap
    | LongPress
    | Swipe
    | Drag
    | Click
    | Scroll
    | InputText
    | EraseText
    | PressKey
    | LaunchApp
    | StopApp
    | OpenUrl
    | Call
    | Wait
    | GoHome
)


@dataclass(frozen=True, slots=True)
class ActionResult:
    """
    Report of a device about an action it performed.

    `verified` is True or False if the device checked the effect itself (typed text read back from the field), and None
    if it cannot know. `note` describes how it was done.
    """

    note: str = ""
    verified: bool | None = None

"""A window or a monitor as a person names it: by its title, its program or its number; by its name or its number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from handeye.devices.desktop.base import Monitor, Window, shortened
from handeye.errors import DeviceNotFound, UsageError

PATTERN_PREFIX: Final = "re:"
"""What a title begins with that is a regular expression: `re:^Untitled \\d+`."""

ID_PREFIX: Final = "id:"
"""What stands before the system's number of a window: `id:4194307`, `id:0x400003`."""

PROGRAM_PREFIX: Final = "program:"
"""What stands before the name of a program: `program:Mousepad`."""

PRIMARY: Final = "primary"
"""What names the primary monitor, whatever the system calls it."""

_LISTED: Final = 20  # as many windows as an error message names
_NUMBER: Final = re.compile(r"[0-9]{1,20}|0x[0-9a-f]{1,16}", re.IGNORECASE)

_PLACE: Final = re.compile(r"[0-9]{1,3}", re.ASCII)

Rule = Callable[[Window], bool]


def choose_window(windows: Iterable[Window], title: str | re.Pattern[str]) -> Window:
    """
    The window that `title` names: by the whole title, else by a part of it; each as it is written, else whatever the case; else
    by the whole name of its program. Composed and decomposed letters, and blanks of any kind and number, are the same.

    `re:...` or a compiled pattern is searched for in the title. `id:N` is the window of that number, which `handeye windows`
    prints, `program:NAME` the one of that program, whatever the case: for windows that share a title, or have none.

    Raises UsageError when it fits several windows, with a list of them, or is no title; DeviceNotFound when it fits none,
    with a list of what is there.
    """
    known = tuple(windows)
    for rule in _rules(title):
        fitting = tuple(filter(rule, known))
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = _listed(fitting)
            raise UsageError(
                f"{_named(title)} fits {len(fitting)} windows: {listed}. Give more of the title, re:... or id:N"
            )
    raise DeviceNotFound(f"no window is called {_named(title)}; there are: {_listed(known) or 'none'}")


def choose_monitor(monitors: Sequence[Monitor], named: str | int) -> Monitor:
    """
    The one of `monitors` that is called `named`, whatever the case; else "primary", which is the first of them, else the one of
    that number, counted from 1.

    Raises UsageError when it is no name, DeviceNotFound when there is no such monitor, with a list of what is there.
    """
    if isinstance(named, bool) or not isinstance(named, str | int):
        raise UsageError(f"{named!r} is no monitor: give its name, its number or {PRIMARY!r}")
    wanted = str(named).strip()
    for rule in (str, str.casefold):
        for monitor in monitors:
            if rule(monitor.name) == rule(wanted):
                return monitor
    number = 1 if wanted.casefold() == PRIMARY else int(wanted) if _PLACE.fullmatch(wanted) else 0
    if 1 <= number <= len(monitors):
        return monitors[number - 1]
    known = ", ".join(
        f"{place} {shortened(each.name)!r} ({each.box.width}x{each.box.height} at {each.box.left},{each.box.top})"
        for place, each in enumerate(monitors, 1)
    )
    raise DeviceNotFound(f"there is no monitor {shortened(wanted)!r}; there are: {known}; the first is the primary one")


def numbered(window: Window) -> str:
    """A window with what names it and no other: `id:4194307 'Notes' (Mousepad, 640x480)`."""
    return f"{ID_PREFIX}{window.id} {window}"


def _rules(title: str | re.Pattern[str]) -> Sequence[Rule]:
    """What a window must satisfy, the strictest rule first. Raises UsageError."""
    if not isinstance(title, str) or title.startswith(PATTERN_PREFIX):
        pattern = _pattern(title)
        return (lambda window: pattern.search(_plain(window.title)) is not None,)
    wanted = _plain(title)
    if not wanted:
        raise UsageError("an empty title names no window")
    if wanted.startswith(ID_PREFIX):
        number = _number(wanted.removeprefix(ID_PREFIX).strip())
        return (lambda window: window.id == number,)
    if wanted.startswith(PROGRAM_PREFIX):
        program = wanted.removeprefix(PROGRAM_PREFIX).strip().casefold()
        if not program:
            raise UsageError(f"{PROGRAM_PREFIX} needs a name: program:Mousepad")
        return (lambda window: _plain(window.program).casefold() == program,)
    folded = wanted.casefold()
    return (
        lambda window: _plain(window.title) == wanted,
        lambda window: _plain(window.title).casefold() == folded,
        lambda window: wanted in _plain(window.title),
        lambda window: folded in _plain(window.title).casefold(),
        lambda window: _plain(window.program).casefold() == folded,
    )


def _number(written: str) -> int:
    if not _NUMBER.fullmatch(written):
        raise UsageError(
            f"{shortened(written)!r} is no window's number: write id:N as `handeye windows` prints it; for a title that "
            "begins so, re:^id:"
        )
    return int(written, 16 if written[:2] in ("0x", "0X") else 10)


def _pattern(title: str | re.Pattern[str]) -> re.Pattern[str]:
    try:
        found = re.compile(title.removeprefix(PATTERN_PREFIX)) if isinstance(title, str) else title
    except re.error as error:
        raise UsageError(f"{_named(title)} is no regular expression: {error}") from error
    if not isinstance(found, re.Pattern) or not isinstance(found.pattern, str):
        raise UsageError(f"{title!r} is no title: give a text or a compiled pattern of text")
    if not found.pattern:
        raise UsageError("an empty pattern names no window")
    return found


def _plain(title: str) -> str:
    return " ".join(unicodedata.normalize("NFC", title).split())


def _named(title: str | re.Pattern[str]) -> str:
    return repr(shortened(title if isinstance(title, str) else PATTERN_PREFIX + title.pattern))


def _listed(windows: Sequence[Window]) -> str:
    more = f" and {len(windows) - _LISTED} more" if len(windows) > _LISTED else ""
    return ", ".join(map(numbered, windows[:_LISTED])) + more

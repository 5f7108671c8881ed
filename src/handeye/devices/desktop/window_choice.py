"""Choose a window by title, program or number, and a monitor by name or number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from handeye.devices.desktop.base import Monitor, Window, shortened
from handeye.errors import DeviceNotFound, UsageError

PATTERN_PREFIX: Final = "re:"
"""Prefix of a title that is a regular expression: `re:^Untitled \\d+`."""

ID_PREFIX: Final = "id:"
"""Prefix of a window's number: `id:4194307`, `id:0x400003`."""

PROGRAM_PREFIX: Final = "program:"
"""Prefix of a program's name: `program:Mousepad`."""

PRIMARY: Final = "primary"
"""Name of the primary monitor, whatever the system calls it."""

_MOST_LISTED: Final = 20  # maximum number of windows that an error message lists
_NUMBER: Final = re.compile(r"[0-9]{1,20}|0x[0-9a-f]{1,16}", re.IGNORECASE)

_MONITOR_NUMBER: Final = re.compile(r"[0-9]{1,3}", re.ASCII)

Rule = Callable[[Window], bool]


def choose_window(windows: Iterable[Window], title: str | re.Pattern[str]) -> Window:
    """
    Return the window that `title` names: by the whole title, else by a part of it (each case-sensitive first, then
    ignoring case), else by its program's whole name. Composed and decomposed letters, and whitespace of any kind and
    length, are equal.

    `re:...` or a compiled pattern is searched for in the title. `id:N` is the window with that number, as `handeye
    windows` prints it; `program:NAME` is the window of that program, ignoring case: for windows with equal or empty
    titles.

    Raises UsageError, with a list, if several windows match or `title` is not valid; DeviceNotFound, with a list of all
    windows, if none matches.
    """
    known = tuple(windows)
    for rule in _rules(title):
        fitting = tuple(filter(rule, known))
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = _list_of(fitting)
            raise UsageError(
                f"{_named(title)} fits {len(fitting)} windows: {listed}. Give more of the title, re:... or id:N"
            )
    raise DeviceNotFound(f"no window is called {_named(title)}; there are: {_list_of(known) or 'none'}")


def choose_monitor(monitors: Sequence[Monitor], named: str | int) -> Monitor:
    """
    Return the monitor called `named`, ignoring case; else for "primary" the first, else the one with that number,
    counted from 1.

    Raises UsageError if `named` is not a name, DeviceNotFound, with a list of all monitors, if there is no such
    monitor.
    """
    if isinstance(named, bool) or not isinstance(named, str | int):
        raise UsageError(f"{named!r} is no monitor: give its name, its number or {PRIMARY!r}")
    wanted = str(named).strip()
    for rule in (str, str.casefold):
        for monitor in monitors:
            if rule(monitor.name) == rule(wanted):
                return monitor
    number = 1 if wanted.casefold() == PRIMARY else int(wanted) if _MONITOR_NUMBER.fullmatch(wanted) else 0
    if 1 <= number <= len(monitors):
        return monitors[number - 1]
    known = ", ".join(
        f"{place} {shortened(each.name)!r} ({each.box.width}x{each.box.height} at {each.box.left},{each.box.top})"
        for place, each in enumerate(monitors, 1)
    )
    raise DeviceNotFound(f"there is no monitor {shortened(wanted)!r}; there are: {known}; the first is the primary one")


def numbered(window: Window) -> str:
    """Return a window with its unique number: `id:4194307 'Notes' (Mousepad, 640x480)`."""
    return f"{ID_PREFIX}{window.id} {window}"


def _rules(title: str | re.Pattern[str]) -> Sequence[Rule]:
    """Return the matching rules, the strictest first. Raises UsageError."""
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


def _list_of(windows: Sequence[Window]) -> str:
    more = f" and {len(windows) - _MOST_LISTED} more" if len(windows) > _MOST_LISTED else ""
    return ", ".join(map(numbered, windows[:_MOST_LISTED])) + more

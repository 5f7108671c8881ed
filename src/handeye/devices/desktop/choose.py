"""A window by its title, as a person names it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from handeye.devices.desktop.base import Window
from handeye.errors import DeviceNotFound, UsageError

PATTERN_PREFIX = "re:"
"""What a title begins with that is a regular expression: `re:^Untitled \\d+`."""

_LISTED = 20  # as many windows as an error message names


def choose_window(windows: Iterable[Window], title: str | re.Pattern[str]) -> Window:
    """
    The window that `title` names: by the whole title, else by a part of it; each as it is written, else whatever the case.
    `re:...` or a compiled pattern is searched for in the title. Composed and decomposed letters, and blanks of any kind and
    number, are the same.

    Raises UsageError when it fits several windows, with a list of them, or is no title; DeviceNotFound when it fits none,
    with a list of what is there.
    """
    known = tuple(windows)
    for fitting in _by_rules(known, title):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = _listed(fitting)
            raise UsageError(
                f"{_named(title)} fits {len(fitting)} windows: {listed}. Give more of the title, or re:..."
            )
    raise DeviceNotFound(f"no window is called {_named(title)}; there are: {_listed(known) or 'none'}")


def _by_rules(windows: Sequence[Window], title: str | re.Pattern[str]) -> Iterable[tuple[Window, ...]]:
    """The windows that fit, by the strictest rule first."""
    if isinstance(title, str) and not title.startswith(PATTERN_PREFIX):
        wanted = _plain(title)
        if not wanted:
            raise UsageError("an empty title names no window")
        rules: tuple[Callable[[str], bool], ...] = (
            lambda shown: shown == wanted,
            lambda shown: shown.casefold() == wanted.casefold(),
            lambda shown: wanted in shown,
            lambda shown: wanted.casefold() in shown.casefold(),
        )
    else:
        pattern = _pattern(title)
        rules = (lambda shown: pattern.search(shown) is not None,)
    for rule in rules:
        yield tuple(window for window in windows if rule(_plain(window.title)))


def _pattern(title: str | re.Pattern[str]) -> re.Pattern[str]:
    try:
        found = re.compile(title.removeprefix(PATTERN_PREFIX)) if isinstance(title, str) else title
    except re.error as error:
        raise UsageError(f"{title!r} is no regular expression: {error}") from error
    if not isinstance(found, re.Pattern) or not isinstance(found.pattern, str):
        raise UsageError(f"{title!r} is no title: give a text or a compiled pattern of text")
    if not found.pattern:
        raise UsageError("an empty pattern names no window")
    return found


def _plain(title: str) -> str:
    return " ".join(unicodedata.normalize("NFC", title).split())


def _named(title: str | re.Pattern[str]) -> str:
    return repr(title) if isinstance(title, str) else repr(PATTERN_PREFIX + title.pattern)


def _listed(windows: Sequence[Window]) -> str:
    more = f" and {len(windows) - _LISTED} more" if len(windows) > _LISTED else ""
    return ", ".join(map(str, windows[:_LISTED])) + more

"""Which window gets a touch at a place, as Android's own input dispatcher lists them (`dumpsys input`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from handeye.devices.android.link import Link
from handeye.geometry import Box, Point

# One line for each window, the topmost first. Since Android 13 `inputConfig` names what older versions say in `flags`, Android
# 12 in words and those before in numbers.
_WINDOW: Final = re.compile(
    r"^\s*\d+: name='?(?P<name>[^'\n]*?)'?, (?P<rest>[^\n]*\btouchableRegion=[^\n]*)$", re.MULTILINE
)
_NAME: Final = re.compile(r"(?:Window\{)?(?:[0-9a-f]+ )?(?:mode=\d+ )?(?:rootTaskId=\d+ )?(?:u\d+ )?(?P<title>.*?)\}?")
_FIELD: Final = re.compile(
    r"\b(displayId|visible|flags|inputConfig|ownerUid|touchableRegion)=([^,]*(?:,-?\d+\][^,]*)*)"
)
_RECT: Final = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_FOCUSED: Final = re.compile(r"FocusedWindows?:(?:\s*displayId=(\d+),)?\s*name='?([^'\n]+?)'?\s*$", re.MULTILINE)
# They hand touches on, or are seen by none: a listener for gestures, and the blank behind each activity.
_PASSIVE: Final = re.compile(r"\b(?:NOT_TOUCHABLE|NOT_VISIBLE|NO_INPUT_CHANNEL|SPY)\b")
_NOT_TOUCHABLE: Final = 0x10  # WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE
# What stands at the edges of every screen, and the keyboard, whose keys may be what is meant.
_OF_THE_SYSTEM: Final = re.compile(r"StatusBar|NavigationBar\d*|Taskbar|GestureStub\w*|InputMethod")


@dataclass(frozen=True, slots=True)
class _Window:
    title: str
    owner: str  # the number of its app
    region: tuple[Box, ...]
    focused: bool

    def takes(self, at: Point) -> bool:
        return any(box.contains(at) for box in self.region)


def window_over(link: Link, at: Point, display: int | None = None) -> str | None:
    """
    What lies over the app in front at a place and gets the touches there, such as a bubble, a notification that has dropped
    down or another app's picture in picture; None when nothing does, or the phone does not say.
    """
    windows = list(_windows(link.ask("dumpsys", "input"), display or 0))
    front = next((window for window in windows if window.focused), None)
    touched = next((window for window in windows if window.takes(at)), None)
    if front is None or touched is None or touched.owner == front.owner or _OF_THE_SYSTEM.fullmatch(touched.title):
        return None
    below = windows[windows.index(touched) + 1 :]
    return touched.title if any(window.owner == front.owner and window.takes(at) for window in below) else None


def _windows(told: str, display: int) -> Iterator[_Window]:
    """Those of a display that get touches, the topmost first."""
    focused = {name for number, name in _FOCUSED.findall(told) if int(number or 0) == display}
    for line in _WINDOW.finditer(told):
        about = dict(_FIELD.findall(line["rest"]))
        flags = about.get("flags", "0")
        said = about.get("inputConfig", "") if "inputConfig" in about else flags
        hidden = about.get("visible") == "false" or _PASSIVE.search(said)
        if hidden or int(about.get("displayId", "0")) != display:
            continue
        if flags.startswith("0x") and int(flags, 16) & _NOT_TOUCHABLE:
            continue
        region = tuple(Box(*map(int, rect)) for rect in _RECT.findall(about["touchableRegion"]))
        title = _NAME.fullmatch(line["name"])
        named = title["title"] if title else line["name"]
        yield _Window(named, about.get("ownerUid", named.partition("/")[0]), region, line["name"] in focused)

"""Read display, window and foreground app state from the phone. Each query tries a table of sources, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from handeye.devices.android.link import Link
from handeye.devices.base import OpenWindows
from handeye.errors import CommandFailed
from handeye.geometry import Box, Point, Size

# `dumpsys window` differs between versions only in the wording of these lines.
_FOCUSED_APP = re.compile(r"mFocusedApp=.*?ActivityRecord\{\S+ (?:u(\d+) )?([\w.$]+)/([\w.$]+)[ }]")
_RESUMED = re.compile(
    r"(?:[mM]?[rR]esumedActivity|topResumedActivity)\s*[:=].*?\{\S+ (?:u(\d+) )?([\w.$]+)/([\w.$]+)[ }]"
)
# The window of an activity is named after it.
_ACTIVITY = re.compile(r"\S+ (?:u(\d+) )?([\w.$]+)/([\w.$]+)")
# App windows without a specific name, for dumps that do not report the owner.
_APP_POPUP = re.compile(r"\S+ (?:u\d+ )?(?:PopupWindow|AtchDlg)\b")
_OWNER = re.compile(r"\bmOwnerUid=\d+[^\n]*?\bpackage=([\w.]+)")
# `fl=LAYOUT_IN_SCREEN SECURE ...`, before Android 9 `fl=#81812100`.
_FLAGS = re.compile(r"\bfl=(?:[A-Z_ ]*\b(SECURE)\b|#([0-9a-f]+))")
_FLAG_SECURE = 0x2000
_FOCUSED_DISPLAY = re.compile(r"\bm(?:Top)?FocusedDisplayId=(\d+)")
_PART = re.MULTILINE | re.DOTALL
_ROTATION = (
    (("dumpsys", "window", "displays"), re.compile(r"mCurrentRotation=(?:ROTATION_)?(0|90|180|270|1|2|3)\b")),
    (("dumpsys", "input"), re.compile(r"SurfaceOrientation:\s*([0-3])\b")),
    (("dumpsys", "display"), re.compile(r"\b(?:mCurrentOrientation|orientation)=([0-3])\b")),
    (("dumpsys", "window"), re.compile(r"\bm(?:Current)?Rotation=(?:ROTATION_)?(0|90|180|270|1|2|3)\b")),
)
# A window by hash, user and name: no other window has the same hash while it is open.
_FRONT_WINDOW = re.compile(r"mCurrentFocus=Window\{([^}\n]+)\}")
_EACH_WINDOW = re.compile(r"^\s*Window #\d+ Window\{([^}\n]+)\}", re.MULTILINE)
_KEYBOARD = re.compile(r"\bmInputShown=(true|false)\b")
# The space that the keyboard takes from apps is reported since Android 11: `type=ITYPE_IME`, since 14 `type=ime`.
_KEYBOARD_PLACE = re.compile(
    r"InsetsSource\b[^\n]*?\bm?[tT]ype=(?:ITYPE_IME|ime)\b[^\n]*?"
    r"\bm?[fF]rame=\[(\d+),(\d+)\]\[(\d+),(\d+)\][^\n]*?\bm?[vV]isible=true"
)
_HOME = (
    *("cmd", "package", "resolve-activity", "--brief"),
    *("-a", "android.intent.action.MAIN", "-c", "android.intent.category.HOME"),
)
_SIZE = re.compile(r"(Physical|Override) size:\s*(\d+)x(\d+)")


@dataclass(frozen=True, slots=True)
class CurrentApp:
    """The foreground app. `activity` is the full class name, `user` the app's user: not 0 for a clone or a work profile."""

    package: str
    activity: str
    user: int = 0

    def __str__(self) -> str:
        return f"{self.package}/{self.activity}"


def current_app(link: Link, display: int | None = None) -> CurrentApp | None:
    """
    Return the app that has the focus, also through its own pop-up; with `display`, the app on that display. None if
    nothing has it (the display is off, or between two apps), or a window of another owner: lock screen, notification
    shade, a system dialog.
    """
    everything = link.ask("dumpsys", "window")
    told = _of_display(everything, display)
    if (front := _FRONT_WINDOW.search(told)) is not None:
        if (activity := _ACTIVITY.fullmatch(front[1])) is not None:
            return _app(activity)
        focused, owner = _FOCUSED_APP.search(told), _owner(everything, front[1])
        is_own = (
            _APP_POPUP.match(front[1]) is not None if owner is None else focused is not None and owner == focused[2]
        )
        return _app(focused) if focused is not None and is_own else None
    # If another display has the focus, this one has none, whatever it shows.
    if "mCurrentFocus=" in told and (display is None or focused_display(everything) in (None, display)):
        return None
    found = _FOCUSED_APP.search(told) or _RESUMED.search(link.ask("dumpsys", "activity", "activities"))
    return _app(found) if found is not None else None


def _of_display(told: str, display: int | None) -> str:
    """Return the part of `dumpsys window` about one display; all of it if displays are not separated."""
    if display is None:
        return told
    part = re.search(
        rf"^\s*Display: mDisplayId={display}\b.*?(?=^\s*Display: mDisplayId=|^WINDOW MANAGER|\Z)", told, _PART
    )
    return part[0] if part is not None else told


def focused_display(told: str) -> int | None:
    """Return the focused display's id from `dumpsys window`, or None if it is not reported."""
    found = _FOCUSED_DISPLAY.search(told)
    return int(found[1]) if found is not None else None


def protected_app(link: Link, display: int | None = None) -> str | None:
    """Return the foreground package if it forbids capturing its window, else None."""
    told = link.shell("dumpsys", "window", repeat=True).text
    front = _FRONT_WINDOW.search(_of_display(told, display))
    about = _about_window(told, front[1]) if front is not None else ""
    flags = _FLAGS.search(about)
    if flags is None or not (flags[1] == "SECURE" or (flags[2] and int(flags[2], 16) & _FLAG_SECURE)):
        return None
    owner = _OWNER.search(about)
    return owner[1] if owner is not None else "the app in front"


def _app(found: re.Match[str]) -> CurrentApp:
    user, package, name = found.groups()
    return CurrentApp(package, package + name if name.startswith(".") else name, int(user or 0))


def _owner(told: str, window: str) -> str | None:
    """Return the package that owns a window, from `dumpsys window`."""
    found = _OWNER.search(_about_window(told, window))
    return found[1] if found is not None else None


def _about_window(told: str, window: str) -> str:
    """Return the lines about a window in `dumpsys window`; "" if it is not listed."""
    begin = re.search(rf"^\s*Window #\d+ Window\{{{re.escape(window)}\}}", told, re.MULTILINE)
    if begin is None:
        return ""
    end = _EACH_WINDOW.search(told, begin.end())
    return told[begin.end() : end.start() if end is not None else len(told)]


def open_windows(link: Link, display: int | None = None) -> OpenWindows | None:
    """Return the focused window, including pop-ups and dialogs, and all open ones; None if none has the focus."""
    answer = link.ask("dumpsys", "window")
    # Each display has a line; without focus it is null.
    front = _FRONT_WINDOW.search(_of_display(answer, display))
    return OpenWindows(front[1], frozenset(_EACH_WINDOW.findall(answer))) if front is not None else None


def keyboard_shown(link: Link) -> bool | None:
    """Return True if an input method is shown, or None if the phone does not report it."""
    told = _KEYBOARD.findall(link.ask("dumpsys", "input_method"))
    return "true" in told if told else None


def keyboard_box(link: Link, display: int | None = None) -> Box | None:
    """Return the keyboard's bounding box; None if it is hidden, or not reported (before Android 11)."""
    for place in _KEYBOARD_PLACE.findall(_of_display(link.ask("dumpsys", "window"), display)):
        left, top, right, bottom = map(int, place)
        if right > left and bottom > top:
            return Box(left, top, right, bottom)
    return None


def home_app(link: Link) -> str | None:
    """
    Return the package that HOME opens; None if there are several without a default, or the phone is too old to report
    it.
    """
    answer = link.shell(*_HOME, repeat=True).text.strip().splitlines()
    package, slash, _ = answer[-1].partition("/") if answer else ("", "", "")
    # "android/..ResolverActivity" is the chooser that appears while no default is set.
    return package if slash and package != "android" else None


def rotation(link: Link, display: int | None = None) -> int:
    """Return the rotation of the picture in quarter turns (0-3). Raises CommandFailed if the phone does not report it."""
    answers: dict[tuple[str, ...], str] = {}
    for words, pattern in _ROTATION:
        if words not in answers:
            answers[words] = link.shell(*words, repeat=True).text
        if found := pattern.search(_of_display(answers[words], display)):
            turned = int(found[1])
            return turned // 90 if turned >= 90 else turned
    raise CommandFailed("dumpsys window displays", 0, "it does not tell the rotation")


def screen_size(link: Link, display: int | None = None) -> Size:
    """Return width and height in pixels of the current orientation: the space of `tap` and of screenshots."""
    answer = link.ask("wm", "size", *(("-d", str(display)) if display else ()))
    sizes = {kind: Size(int(width), int(height)) for kind, width, height in _SIZE.findall(answer)}
    size = sizes.get("Override") or sizes.get("Physical")
    if size is None:
        raise CommandFailed("wm size", 0, answer)
    return Size(size.height, size.width) if rotation(link, display) % 2 else size


# Hit test, from the window list of Android's input dispatcher (`dumpsys input`).


# One line per window, topmost first. `inputConfig` exists since Android 13; older versions have `flags`, Android 12 as
# names and those before as numbers.
_WINDOW: Final = re.compile(
    r"^\s*\d+: name='?(?P<name>[^'\n]*?)'?, (?P<rest>[^\n]*\btouchableRegion=[^\n]*)$", re.MULTILINE
)
_NAME: Final = re.compile(r"(?:Window\{)?(?:[0-9a-f]+ )?(?:mode=\d+ )?(?:rootTaskId=\d+ )?(?:u\d+ )?(?P<title>.*?)\}?")
_FIELD: Final = re.compile(
    r"\b(displayId|visible|flags|inputConfig|ownerUid|touchableRegion)=([^,]*(?:,-?\d+\][^,]*)*)"
)
_RECT: Final = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_FOCUSED: Final = re.compile(r"FocusedWindows?:(?:\s*displayId=(\d+),)?\s*name='?([^'\n]+?)'?\s*$", re.MULTILINE)
# Windows that pass touches on or are invisible: gesture listeners, and the blank window behind each activity.
_PASSIVE: Final = re.compile(r"\b(?:NOT_TOUCHABLE|NOT_VISIBLE|NO_INPUT_CHANNEL|SPY)\b")
_NOT_TOUCHABLE: Final = 0x10  # WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE
# Windows at the edges of every screen, and the keyboard, whose keys may be the target.
_SYSTEM_WINDOW: Final = re.compile(r"StatusBar|NavigationBar\d*|Taskbar|GestureStub\w*|InputMethod")


@dataclass(frozen=True, slots=True)
class _Window:
    title: str
    owner: str  # uid of its app
    region: tuple[Box, ...]
    focused: bool

    def takes(self, at: Point) -> bool:
        return any(box.contains(at) for box in self.region)


def window_over(link: Link, at: Point, display: int | None = None) -> str | None:
    """
    Return the title of the window that covers the foreground app at a point and receives touches there, such as a
    bubble, a heads-up notification or another app's picture-in-picture; None if nothing does, or the phone does not
    report it.
    """
    windows = list(_windows(link.ask("dumpsys", "input"), display or 0))
    front = next((window for window in windows if window.focused), None)
    touched = next((window for window in windows if window.takes(at)), None)
    if front is None or touched is None or touched.owner == front.owner or _SYSTEM_WINDOW.fullmatch(touched.title):
        return None
    below = windows[windows.index(touched) + 1 :]
    return touched.title if any(window.owner == front.owner and window.takes(at) for window in below) else None


def _windows(told: str, display: int) -> Iterator[_Window]:
    """Yield a display's windows that receive touches, topmost first."""
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

"""`ADBController`, the phone as a device (docs/spec/vision-agent.md)."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from handeye.actions import (
    MOST_TAPS,
    Action,
    ActionResult,
    Call,
    Click,
    Drag,
    EraseText,
    GoHome,
    InputText,
    LaunchApp,
    LongPress,
    OpenUrl,
    PressKey,
    StopApp,
    Swipe,
    Tap,
    Wait,
)
from handeye.clock import Clock, Deadline, SystemClock
from handeye.devices.android import apps, files, keyguard, volume, windows
from handeye.devices.android.capture import LAST_UNTURNED_SDK, Capture, methods_of, turned
from handeye.devices.android.displays import Black, Displays, PhoneDisplay, displays, is_black, why_black
from handeye.devices.android.hierarchy import dump_hierarchy
from handeye.devices.android.input_method import ALLOW_IT, InputMethods
from handeye.devices.android.keycodes import KEYCODES, keycode
from handeye.devices.android.link import Link, only_device, with_port
from handeye.devices.android.server import AdbServer
from handeye.devices.android.text_input import TextInput, input_words, refuse_untypable
from handeye.devices.android.transport import ShellResult, command_line
from handeye.devices.android.windows import CurrentApp
from handeye.devices.base import OpenWindows, app_name_with_user
from handeye.errors import CaptureFailed, CommandFailed, DeviceError, UnsupportedAction, UsageError
from handeye.geometry import Box, Point, Size
from handeye.screen import Pixels, Screen

# Longer than any one command should need: slow phones capture in 2 s and take 7 s to come back after a lost link.
DEFAULT_TIMEOUT_S = 20.0
# HOME twice, because the first may only lead to the app's own start page (docs/spec/vision-agent.md).
HOME_PAUSES_S = (0.3, 0.5)
# Android's own `input swipe` default, and a hold well above its long-press time of 400-500 ms.
SWIPE_MS = 300
LONG_PRESS_MS = 1000
DRAG_MS = 1000
# Two taps are a double tap if the second begins 40 to 300 ms after the first has ended. `input` takes 20 ms to start,
# 700 on an old phone: so each is started without waiting for the previous one.
TAPS_APART = " & sleep 0.1; "
# How long a phone that was awake and unlocked is assumed to stay so: the shortest screen timeout is 15 s.
USABLE_S = 5.0
# Sent without waking the phone first: they wake it or put it to sleep.
_POWER_KEYS = frozenset({KEYCODES["POWER"], KEYCODES["SLEEP"], KEYCODES["WAKEUP"]})
# Key codes in one `input` command: far below the maximum command line of 65,535 bytes.
ERASED_AT_ONCE = 200


class ADBController:
    """
    An Android phone behind adb. `serial` is that of `adb devices`, or `host:port`; None selects the only device. `user`
    is the id of the user whose apps are meant, such as that of a work profile; None is the current user. `display` is
    the logical or physical id of the display to capture and touch; None is the one that is lit.

    Every call connects if necessary, and ends within `timeout_s` seconds plus the duration of the action itself. A lost
    TCP link is re-established until then; an action whose effect is unknown is not repeated (DeviceLost says so).
    Coordinates are pixels of the current screen orientation, durations are milliseconds. Not thread-safe.
    """

    def __init__(
        self,
        serial: str | None = None,
        *,
        user: int | None = None,
        display: int | None = None,
        server: AdbServer | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        clock: Clock | None = None,
    ) -> None:
        self._wanted = serial
        self._user = user
        self._wanted_display = display
        self._clock: Clock = clock or SystemClock()
        self._server = server or AdbServer(clock=self._clock)
        self._timeout_s = timeout_s
        self._link: Link | None = None
        self._forwards: list[str] = []
        self._usable_until = Deadline(self._clock, 0)

    def __repr__(self) -> str:
        return f"ADBController({self._wanted!r})"

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- connection

    def connect(self) -> Self:
        """
        Make the device ready; an address is connected first. Restores an input method that a killed process left
        switched.

        Raises AdbNotFound, DeviceNotFound, DeviceUnauthorized, DeviceOffline, or UsageError if there are several
        devices.
        """
        self._open()
        return self

    def _open(self) -> Link:
        serial = with_port(self._wanted) if self._wanted is not None else only_device(self._server)
        link = Link(self._server, serial, timeout_s=self._timeout_s, clock=self._clock)
        link.connect()
        self._link = link
        self._usable_until = Deadline(self._clock, 0)
        self._displays: Displays | None = None
        self._display: PhoneDisplay | None = None
        self._black = Black(""), Deadline(self._clock, 0)
        self._current_user: tuple[int | None, ...] = ()
        self._capture = Capture(link)
        self._input_methods = InputMethods(link)
        self._text = TextInput(link, self._input_methods, self.erase_text)
        self._input_methods.rescue()
        return link

    @property
    def link(self) -> Link:
        """The underlying link, connected on first use, for what this class does not offer."""
        return self._link if self._link is not None else self._open()

    def _usable_link(self) -> Link:
        """Return the link to a phone that is awake and unlocked. Raises DeviceLocked."""
        link = self.link
        if self._usable_until.passed:
            keyguard.unlock(link)
            self._usable_until = Deadline(self._clock, USABLE_S)
            self._choose_display(link)
        return link

    def _choose_display(self, link: Link) -> None:
        """Choose the display; again each time if there are several, as they may have been switched off or folded."""
        if self._displays is None or self._display is not None:
            self._displays = displays(link)
            before, self._display = self._display, self._displays.chosen(self._wanted_display)
            if self._display is not None and (before is None or before.panel != self._display.panel):
                self._capture = Capture(link, methods_of(self._display.panel))
            self._text.display = self._display_id

    def _with_display(self) -> Link:
        """Return the link, once the display is chosen."""
        link = self.link
        if self._displays is None:
            self._choose_display(link)
        return link

    @property
    def _display_id(self) -> int | None:
        """The id of the display; None on a phone with a single one."""
        return self._display.id if self._display is not None else None

    @property
    def serial(self) -> str:
        return self.link.serial

    @property
    def uri(self) -> str:
        serial = self._link.serial if self._link is not None else self._wanted
        named = {"user": self._user, "display": self._wanted_display}
        part = "&".join(f"{name}={number}" for name, number in named.items() if number is not None)
        return "android:" + ("" if serial is None else f"///{serial}") + (f"?{part}" if part else "")

    def close(self) -> None:
        """Restore the phone: remove port forwards, restore the input method. Can be called twice."""
        link, self._link = self._link, None
        if link is None:
            return
        forwards, self._forwards = self._forwards, []
        for local in forwards:
            files.remove_forward(link, local)
        try:
            self._input_methods.rescue()
        except DeviceError:
            return  # the phone is gone; the replaced input method is on disk, and the next connection restores it

    # -- capture and state

    def screenshot(self) -> Screen:
        """
        Capture the whole screen in its current orientation; a black frame carries the reason (`Screen.black`). Raises
        CaptureFailed, also for a display that is off, and DeviceLocked.
        """
        pixels = self._picture()
        window: dict[str, Any] = {"serial": self.link.serial, "capture": self._capture.method}
        if is_black(pixels):
            black = self._why_black()
            window |= {"black": black.why, "protected": black.is_protected}
        return Screen(pixels, window=window)

    def _picture(self) -> Pixels:
        link = self._usable_link()
        if self._display is not None and not self._display.panel:
            raise CaptureFailed(f"display {self._display.id} is a virtual one, of which `screencap` takes no pictures")
        try:
            pixels = self._capture.take()
        except CaptureFailed as error:
            if (owner := windows.protected_app(link, self._display_id)) is None:
                raise
            raise CaptureFailed(f"{owner} forbids pictures of its window: {error}") from error
        # It may have fallen asleep, or been folded, since the last check.
        if is_black(pixels) and self._black[1].passed:
            self._usable_until = Deadline(self._clock, 0)
            link = self._usable_link()
            pixels = self._capture.take()
        if self._is_before_7_1:
            pixels = turned(
                pixels, windows.screen_size(link, self._display_id), windows.rotation(link, self._display_id)
            )
        return pixels

    def _why_black(self) -> Black:
        """Return why the picture is black. Raises CaptureFailed if the chosen display is off."""
        if self._black[1].passed:
            known = self._displays.known if self._displays is not None else ()
            black = why_black(self.link, self._display, known)
            if self._display is not None and self._display.is_lit is False:
                raise CaptureFailed(f"the picture is black: {black.why}")
            self._black = black, Deadline(self._clock, USABLE_S)
        return self._black[0]

    @cached_property
    def _is_before_7_1(self) -> bool:
        version = self.link.shell("getprop", "ro.build.version.sdk", repeat=True).text.strip()
        return version.isdigit() and int(version) <= LAST_UNTURNED_SDK

    @property
    def capture_note(self) -> str:
        """The capture method that was chosen, and the reason."""
        return self._capture.note if self._link is not None else "no picture was taken yet"

    def screen_size(self) -> Size:
        """Return width and height in pixels of the current orientation."""
        return windows.screen_size(self._with_display(), self._display_id)

    def rotation(self) -> int:
        """Return the rotation in quarter turns, 0-3."""
        return windows.rotation(self._with_display(), self._display_id)

    def current_app(self) -> CurrentApp | None:
        """Return the foreground package and activity, or None if nothing has the focus."""
        return windows.current_app(self._with_display(), self._display_id)

    def front_app(self) -> str | None:
        """Return the foreground package; with its user if that is not the user whose apps are meant."""
        current = self.current_app()
        if current is None:
            return None
        is_meant = current.user == (self._user or 0) or current.user == self.user or current.package == self.home_app()
        return current.package if is_meant else app_name_with_user(current.package, current.user)

    def has_other_icons(self) -> bool:
        """Return True if a user other than the current one was selected."""
        return self._user is not None and self._user != (apps.current_user(self.link) or 0)

    def why_not_installed(self, package: str) -> str | None:
        """Return why an app is not installed for the selected user; None if it is, or the phone does not report it."""
        return apps.why_not_installed(self.link, package, self.user)

    @property
    def user(self) -> int | None:
        """The user whose apps are meant; None if none was selected and the phone does not report the current one."""
        link = self.link
        if self._user is None and not self._current_user:
            self._current_user = (apps.current_user(link),)
        return self._user if self._user is not None else self._current_user[0]

    def open_windows(self) -> OpenWindows | None:
        """Return the focused window and all open ones, or None if none has the focus."""
        return windows.open_windows(self._with_display(), self._display_id)

    def keyboard_shown(self) -> bool | None:
        """Return True if an input method is shown; a page may also draw its own keys."""
        return windows.keyboard_shown(self.link)

    def keyboard_box(self) -> Box | None:
        """Return the input method's bounding box in screen pixels; None if none is shown, or before Android 11."""
        return windows.keyboard_box(self._with_display(), self._display_id)

    def window_over(self, at: Point) -> str | None:
        """Return the window over the foreground app that receives touches at `at`, or None."""
        return windows.window_over(self._with_display(), at, self._display_id)

    def home_app(self) -> str | None:
        """Return the package of the launcher that HOME opens."""
        return windows.home_app(self.link)

    def dump_hierarchy(self) -> str:
        """Return the accessibility tree as uiautomator XML. Raises CommandFailed while the screen keeps changing."""
        return dump_hierarchy(self._usable_link(), display=self._display_id)

    # -- touches and keys

    def tap(self, x: float, y: float, count: int = 1) -> None:
        """Tap `count` times in a row, fast enough for a double tap. Raises UsageError for more than MOST_TAPS."""
        if not 1 <= count <= MOST_TAPS:
            raise UsageError(f"a place can be tapped 1 to {MOST_TAPS} times in a row, not {count}")
        place = _pixels(x, y)
        self._usable_link()
        tap = command_line((*input_words(self._display_id), "tap", *place))
        self._send("tap", TAPS_APART.join([tap] * count) + (" && wait" if count > 1 else ""))

    def long_press(self, x: float, y: float, duration: int = LONG_PRESS_MS) -> None:
        self._input("swipe", *_pixels(x, y, x, y), duration_ms=duration)

    def swipe(self, x1: float, y1: float, x2: float, y2: float, duration: int = SWIPE_MS) -> None:
        self._input("swipe", *_pixels(x1, y1, x2, y2), duration_ms=duration)

    def drag(self, x1: float, y1: float, x2: float, y2: float, duration: int = DRAG_MS) -> None:
        """Hold what is at the start until it can be dragged, then move it."""
        self._input("draganddrop", *_pixels(x1, y1, x2, y2), duration_ms=duration)

    def input_keyevent(self, key: str | int) -> None:
        """Press a key by code or name (`keycodes.KEYCODES`). Raises UsageError for an unknown one."""
        code = keycode(key)
        if code in _POWER_KEYS:
            self._usable_until = Deadline(self._clock, 0)
        self._input("keyevent", str(code), asleep=code in _POWER_KEYS)

    def press_home(self) -> None:
        self.input_keyevent(KEYCODES["HOME"])

    def press_back(self) -> None:
        self.input_keyevent(KEYCODES["BACK"])

    def press_enter(self) -> None:
        self.input_keyevent(KEYCODES["ENTER"])

    def go_home(self) -> None:
        """Return to the launcher from any app."""
        for pause in HOME_PAUSES_S:
            self.press_home()
            self._clock.sleep(pause)

    def input_text(self, text: str, *, secret: bool = False, verify: bool = True, alone: bool = False) -> ActionResult:
        """
        Type any text, in any script, into the focused field. `verify` reads the field back, which costs two reads of
        the accessibility tree. `alone`: the field may contain no other text, as far as it can be read.

        Raises TextInputFailed, with the remedy, if ADBKeyboard is needed and missing, if other text arrived, or if the
        field contains other text despite `alone`.
        """
        refuse_untypable(text)
        if not text:
            return ActionResult("nothing to type", True)
        self._usable_link()
        return self._text.type(text, secret=secret, verify=verify, alone=alone)

    # -- apps

    def erase_text(self, count: int) -> None:
        """Delete up to `count` characters at the end of the focused field."""
        self._input("keyevent", str(KEYCODES["MOVE_END"]))
        for start in range(0, count, ERASED_AT_ONCE):
            self._input("keyevent", *[str(KEYCODES["DEL"])] * min(ERASED_AT_ONCE, count - start))

    def launch_app(self, package: str) -> None:
        apps.launch_app(self._usable_link(), package, self.user, self._display_id)

    def stop_app(self, package: str) -> None:
        apps.stop_app(self.link, package, self.user)

    def open_url(self, url: str) -> None:
        apps.open_url(self._usable_link(), url, self.user, self._display_id)

    def call(self, number: str) -> None:
        apps.call(self._usable_link(), number, self.user, self._display_id)

    def is_installed(self, package: str) -> bool:
        return apps.is_installed(self.link, package, self.user)

    def app_version(self, package: str) -> str | None:
        """Return the installed version of an app, or None if it is not installed."""
        return apps.app_version(self.link, package)

    # -- shell and files

    def shell(self, *words: str, timeout_s: float | None = None) -> ShellResult:
        """
        Run a command on the phone: each argument is one word there, whatever characters it contains.

        A non-zero exit code is part of the result, not an error. Never repeated after a lost link.
        """
        return self.link.shell(*words, timeout_s=timeout_s)

    def push(self, source: str | Path, target: str) -> int:
        """Copy a file or folder to the phone; return the number of bytes."""
        return files.push(self.link, source, target)

    def pull(self, source: str, target: str | Path) -> int:
        """Copy a file or folder from the phone; return the number of bytes."""
        return files.pull(self.link, source, target)

    def forward(self, remote: str, local: str = "tcp:0") -> str:
        """Forward a local port to a socket on the phone until `close`; return the local end, e.g. `tcp:41234`."""
        made = files.forward(self.link, remote, local)
        self._forwards.append(made)
        return made

    # -- the Device protocol

    def perform(self, action: Action) -> ActionResult:
        """Perform one action. Raises DeviceError."""
        match action:
            case Tap() | Click() | LongPress() | Swipe() | Drag():
                self._touch(action)
            case InputText(text, secret, alone):
                return self.input_text(text, secret=secret, alone=alone)
            case EraseText(count):
                self.erase_text(count)
            case PressKey(key):
                return self._press(keycode(key))
            case LaunchApp(package):
                self.launch_app(package)
            case StopApp(package):
                self.stop_app(package)
            case OpenUrl(url):
                self.open_url(url)
            case Call(number):
                self.call(number)
            case Wait(duration):
                self._clock.sleep(duration / 1000)
            case GoHome():
                self.go_home()
            case _:
                raise UnsupportedAction(f"{type(action).__name__} is no action of an Android phone, but of a desktop")
        return ActionResult()

    def _touch(self, action: Tap | Click | LongPress | Swipe | Drag) -> None:
        match action:
            case Tap(at):
                self.tap(*at)
            case Click(at, "left", count):
                self.tap(*at, count)
            case Click(_, button):
                raise UnsupportedAction(f"a finger on a phone has no {button} button; hold it down with LongPress")
            case LongPress(at, duration):
                self.long_press(*at, duration)
            case Swipe(start, end, duration):
                self.swipe(*start, *end, duration)
            case Drag(start, end, duration):
                self.drag(*start, *end, duration)

    def _press(self, code: int) -> ActionResult:
        if volume.is_volume_key(code):
            return volume.press(self.link, code, lambda: self.input_keyevent(code), self._clock)
        self.input_keyevent(code)
        return ActionResult()

    def _input(self, *words: str, duration_ms: int | None = None, asleep: bool = False) -> None:
        """Run an `input` command. `asleep`: also on a phone that is asleep or locked."""
        timeout_s = None
        if duration_ms is not None:
            if duration_ms < 0:
                raise UsageError(f"a gesture of {duration_ms} ms is not possible")
            words += (str(int(duration_ms)),)
            timeout_s = self._timeout_s + duration_ms / 1000
        if not asleep:
            self._usable_link()
        line = command_line((*(("input",) if asleep else input_words(self._display_id)), *words))
        self._send(words[0], line, timeout_s=timeout_s)

    def _send(self, what: str, line: str, *, timeout_s: float | None = None) -> None:
        """Run a line of `input` commands."""
        result = self.link.shell_line(line, timeout_s=timeout_s)
        # Phones of some manufacturers exit with 0 after a SecurityException.
        if result.exit_code or "Exception" in result.said:
            remedy = ALLOW_IT if "INJECT_EVENTS" in result.said else ""
            raise CommandFailed(f"input {what}", result.exit_code, result.said, remedy)


def _pixels(*numbers: float) -> tuple[str, ...]:
    """Round coordinates to whole pixels. Raises UsageError for negative or non-finite ones."""
    if not all(math.isfinite(number) and number >= 0 for number in numbers):
        raise UsageError(f"{numbers} are not places on a screen")
    return tuple(str(round(number)) for number in numbers)

"""`DesktopDevice`: captures one monitor or one window and performs actions with mouse and keyboard."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from handeye.actions import (
    MOST_TAPS,
    Action,
    ActionResult,
    Click,
    Drag,
    EraseText,
    InputText,
    LaunchApp,
    LongPress,
    OpenUrl,
    PressKey,
    Scroll,
    StopApp,
    Swipe,
    Tap,
    Wait,
)
from handeye.clock import Clock, SystemClock
from handeye.devices.desktop.base import (
    BetweenPieces,
    DesktopBackend,
    KeyPreparer,
    Monitor,
    MouseButton,
    ProgramStarter,
    Surface,
    Window,
    shortened,
)
from handeye.devices.desktop.gestures import Gestures
from handeye.devices.desktop.keys import StopKey, chord
from handeye.devices.desktop.panic import Corner, PanicStop
from handeye.devices.desktop.reachability import Reachability, capture_unmoved
from handeye.devices.desktop.window_choice import PATTERN_PREFIX, choose_monitor, choose_window
from handeye.errors import CaptureFailed, DeviceError, TextInputFailed, UnsupportedAction, UsageError
from handeye.geometry import Box, Point
from handeye.screen import InputPoint, Pixels, Screen

# Pixels scrolled per wheel notch, to convert a swipe's length. Measured: GTK 3 56 px, Qt 5 51 to 55, Chromium 120. The
# largest is used: too little scrolling is repeated, content that is scrolled past is never seen.
NOTCH_PX = 120

_WINDOW_OR_MONITOR = "give a window or a monitor, not both: a window is seen wherever it stands"
_NO_WINDOW: Mapping[str, Any] = MappingProxyType({})
_MOST_ERASED = 10_000


class DesktopDevice:
    """
    A desktop behind `backend`, captured as one picture: the primary monitor, the one that `monitor` names
    (`choose_monitor`), or the window that `window` names (`choose_window`). Input points are desktop pixels.

    A window is found by title once and then tracked by its id, whatever its title becomes; when it is gone, it is
    searched by title again. Its picture is its client area alone, also where it is covered; menus and dialogs are
    separate windows. It gets keyboard focus before each action. If it has moved since its last picture, points of that
    picture move along; if its size has changed, or another window covers the point, the action is refused.

    A user who pushes the pointer into `panic_corner`, or presses `panic_key`, ends the run: see PanicStop.

    Raises UsageError and DeviceNotFound for a window or a monitor that does not exist or is ambiguous.
    """

    def __init__(
        self,
        backend: DesktopBackend,
        window: str | re.Pattern[str] | None = None,
        monitor: str | None = None,
        *,
        panic_corner: Corner | str | None = Corner.TOP_LEFT,
        panic_key: StopKey | str | None = None,
        clock: Clock | None = None,
    ) -> None:
        if window is not None and monitor is not None:
            raise UsageError(_WINDOW_OR_MONITOR)
        self.backend = backend
        self._clock = clock or SystemClock()
        self.panic = PanicStop(backend, panic_corner, panic_key)
        self.reach = Reachability(backend, self.panic, self._clock)
        self._gestures = Gestures(self.panic, self._clock)
        self._title = window
        self._monitor = monitor
        self._window = choose_window(backend.windows(), window) if window is not None else None
        if monitor is not None:
            self._shown_monitor()

    def __repr__(self) -> str:
        return f"DesktopDevice({self.uri!r})"

    @property
    def uri(self) -> str:
        """The device URI: `linux::99`, `linux::99?monitor=HDMI-1`, `windows:?window=Notepad`."""
        if self._title is not None:
            title = self._title if isinstance(self._title, str) else PATTERN_PREFIX + self._title.pattern
            return f"{self.backend.uri}?window={quote(title)}"
        return self.backend.uri + (f"?monitor={quote(self._monitor)}" if self._monitor is not None else "")

    # -- capture

    def screenshot(self) -> Screen:
        if self._title is None:
            return self._part_of(self._shown_monitor(), None)
        self._window, screen = self._picture_of(self._found_window())
        return screen

    def capture(
        self,
        region: Box | None = None,
        window: str | re.Pattern[str] | None = None,
        monitor: str | int | None = None,
    ) -> Screen:
        """See RegionCapture. A region of a monitor may extend onto other monitors."""
        if window is not None and monitor is not None:
            raise UsageError(_WINDOW_OR_MONITOR)
        if monitor is not None and self._title is not None:
            raise UsageError(f"{self.uri} is a window: {_WINDOW_OR_MONITOR}")
        if window is not None:
            chosen = choose_window(self.backend.windows(), window)
            return _cropped(self._picture_of(chosen)[1], region, shortened(chosen.title))
        if self._title is not None:
            return _cropped(self.screenshot(), region, "the window")
        shown = self._shown_monitor() if monitor is None else choose_monitor(self.backend.monitors(), monitor)
        return self._part_of(shown, region)

    def _part_of(self, monitor: Monitor, region: Box | None) -> Screen:
        if region is None:
            return self._screen(self.backend.grab(monitor.box), monitor.box, monitor)
        box = region.translate(monitor.box.left, monitor.box.top)
        if not box.area or not _is_within(box, [other.box for other in self.backend.monitors()]):
            raise UsageError(
                f"the region {tuple(region)} (left, top, right, bottom) is not on the screen, or not wholly"
            )
        return self._screen(self.backend.grab(box), box, monitor)

    def front_app(self) -> str | None:
        """Return the program that has keyboard focus."""
        return next((window.program or None for window in self.backend.windows() if window.focused), None)

    def home_app(self) -> str | None:
        """Return None: a desktop is not an application."""
        return None

    def _shown_monitor(self) -> Monitor:
        monitors = self.backend.monitors()
        return monitors[0] if self._monitor is None else choose_monitor(monitors, self._monitor)

    def _found_window(self) -> Window:
        """Return the current state of this device's window."""
        if self._title is None:
            raise UsageError(f"{self.uri} shows a monitor, not a window")
        known = self.backend.window(self._window.id) if self._window is not None else None
        return known or choose_window(self.backend.windows(), self._title)

    def _picture_of(self, window: Window) -> tuple[Window, Screen]:
        """Capture a window, and return it with its state at that moment: it did not move during the capture."""
        still, pixels = capture_unmoved(self.backend, window, self.backend.grab_window, CaptureFailed)
        if pixels.shape[:2] != (still.box.height, still.box.width):
            raise CaptureFailed(f"the window {still} keeps changing its size")
        return still, self._screen(pixels, still.box, self._monitor_of(still.box), still.about)

    def _monitor_of(self, box: Box) -> Monitor:
        """Return the monitor that shows the largest part of a box."""
        return max(self.backend.monitors(), key=lambda monitor: (monitor.box.intersect(box) or Box(0, 0, 0, 0)).area)

    def _screen(self, pixels: Pixels, box: Box, monitor: Monitor, window: Mapping[str, Any] = _NO_WINDOW) -> Screen:
        origin = InputPoint(float(box.left), float(box.top))
        return Screen(
            pixels, origin=origin, window=window, scale=monitor.scale, rotation=monitor.rotation, dpi=monitor.dpi
        )

    # -- actions

    def perform(self, action: Action) -> ActionResult:
        """
        Perform one action. A swipe turns the wheel, as a swipe on a touch screen scrolls: pressing and dragging would
        select text or move things. Raises DeviceError, UsageError, StoppedByPerson.
        """
        self.panic.check()
        match action:
            case Tap(at):
                self._gestures.click(self._place(at))
            case Click(at, button, count):
                self._gestures.click(self._place(at), _button(button), _clicks(count))
            case LongPress(at, duration):
                self._gestures.hold(self._place(at), _seconds(duration))
            case Swipe(start, end, _):
                return self._swipe(start, end)
            case Drag(start, end, duration):
                first, last = self._places(start, end)
                self._gestures.drag(first, last, _seconds(duration))
            case Scroll(at, down, across):
                self._gestures.scroll(self._place(at), across, down)
            case InputText() | EraseText() | PressKey():
                return self.write(action)
            case LaunchApp(program):
                return ActionResult(self._programs(action).launch(program))
            case StopApp(program):
                return ActionResult(self._programs(action).quit(program))
            case OpenUrl(url):
                return ActionResult(self._programs(action).open_url(url))
            case Wait(duration):
                self._clock.sleep(_seconds(duration))
            case _:
                raise UnsupportedAction(f"{type(action).__name__} is no action of a desktop, but of a phone")
        return ActionResult()

    def close(self) -> None:
        self.backend.close()

    def _swipe(self, start: InputPoint, end: InputPoint) -> ActionResult:
        first, last = self._places(start, end)
        across, down = _notches(first.x - last.x), _notches(first.y - last.y)
        self._gestures.scroll(first, across, down)
        return ActionResult(f"turned the wheel by {down} down and {across} across")

    def write(
        self,
        action: InputText | EraseText | PressKey,
        window: Window | Surface | None = None,
        between: BetweenPieces = lambda typed: None,
    ) -> ActionResult:
        """
        Press keys or type in the window that has keyboard focus: `window`, this device's window, or whichever has it at
        the start. Stops with KeyboardTaken if another window takes the focus, and if `between` (see
        `DesktopInput.type`) raises. Raises KeyboardTaken, DeviceError, UsageError, StoppedByPerson.
        """
        self.panic.check()
        if self._title is not None:
            window = self._in_front()
        holder = window or self.backend.keyboard_holder()
        into = holder.id if holder is not None else None
        match action:
            case InputText(text, secret=secret):
                if into is None:
                    raise DeviceError("no window has the keyboard: nothing was typed")

                def look(typed: int) -> None:
                    self._check_piece(into, text, secret, typed)
                    try:
                        between(typed)
                    except TextInputFailed:
                        self._check_piece(
                            into, text, secret, typed
                        )  # the window that takes the keys may have got the focus by now
                        raise

                return ActionResult(self.panic.type(text, look))
            case EraseText(count):
                if not 0 <= count <= _MOST_ERASED:
                    raise UsageError(f"{count} characters cannot be erased: give 0 to {_MOST_ERASED}")
                for erased in range(count):
                    self._press("backspace", into, f"{erased} of {count} characters were erased")
            case PressKey(key):
                self._press(key, into, "nothing was pressed")
        return ActionResult()

    def _check_piece(self, window: int, text: str, secret: bool, typed: int) -> None:
        """
        Raise KeyboardTaken if `window` lost focus, except after a final line break or tab, which may move the focus
        legitimately.
        """
        if typed == len(text) and text.endswith(("\n", "\t")):
            return
        done = "nothing was typed" if not typed else f"only {typed} of {len(text)} characters were typed"
        if typed == len(text):
            done = "all of the text was typed, and its end may be there"
        elif typed and secret:
            done = "only a part of the text was typed"
        self.reach.check_keyboard(window, done)

    def _press(self, keys: str | int, window: int | None, done: str) -> None:
        """Press keys together: all but the last are held down as modifiers."""
        if not isinstance(keys, str):
            raise UnsupportedAction(f"a desktop's keys have names, not the number {keys!r}")
        keys_down, pressed = chord(keys), list[str]()
        if isinstance(self.backend, KeyPreparer):
            self.backend.prepare([key.name for key in keys_down])
        try:
            for key in keys_down:
                if window is not None:
                    self.reach.check_keyboard(window, done)
                pressed.append(key.name)
                self.panic.key(key.name, down=True)
        finally:
            for name in reversed(pressed):
                self.panic.key(name, down=False)

    def _programs(self, action: Action) -> ProgramStarter:
        if not isinstance(self.backend, ProgramStarter):
            raise UnsupportedAction(f"{self.backend.uri} cannot start or end programs: {type(action).__name__}")
        return self.backend

    # -- coordinates

    def _place(self, at: InputPoint) -> Point:
        return self._places(at)[0]

    def _places(self, *points: InputPoint) -> tuple[Point, ...]:
        """
        Return the pixels to act on. Raises UsageError for coordinates that are not finite, DeviceError for unreachable
        points.
        """
        if not all(math.isfinite(number) for point in points for number in point):
            raise UsageError(f"{points} are not places on a screen")
        places = tuple(Point(math.floor(point.x), math.floor(point.y)) for point in points)
        if self._title is not None:
            places = self._on_window(places)
        for place in places:
            self.reach.check_on_monitor(place)
        return places

    def _on_window(self, places: tuple[Point, ...]) -> tuple[Point, ...]:
        """Convert points of the window's last picture to the window's current position."""
        now = self._found_window()
        seen = self._window or now
        if seen.id != now.id:
            raise DeviceError(f"the window {now} is another one than that of the last picture: take a new one")
        return self.reach.places(seen, *places)[1]

    def _in_front(self) -> Window:
        """Return this device's window, with keyboard focus."""
        return self.reach.in_front(self._found_window())


def _cropped(screen: Screen, region: Box | None, what: str) -> Screen:
    if region is None:
        return screen
    if not region.area or region.intersect(screen.box) != region:
        raise UsageError(f"the region {tuple(region)} (left, top, right, bottom) leaves {what!r} of {screen.size}")
    return screen.crop(region)


def _is_within(box: Box, boxes: list[Box]) -> bool:
    """Return True if the monitors cover all of `box`. Monitors do not overlap unless they mirror each other."""
    edges_x = sorted({box.left, box.right, *(x for other in boxes for x in (other.left, other.right))})
    edges_y = sorted({box.top, box.bottom, *(y for other in boxes for y in (other.top, other.bottom))})
    return all(
        any(other.contains((x, y)) for other in boxes)
        for x in edges_x
        for y in edges_y
        if box.left <= x < box.right and box.top <= y < box.bottom
    )


def _notches(pixels: int) -> int:
    """Convert pixels to whole wheel notches: 0 below half a notch, else at least one."""
    return 0 if abs(pixels) < NOTCH_PX // 2 else int(math.copysign(max(1, round(abs(pixels) / NOTCH_PX)), pixels))


def _button(name: str) -> MouseButton:
    try:
        return MouseButton(name)
    except ValueError as error:
        raise UsageError(f"a mouse has no button {name!r}; it has {', '.join(MouseButton)}") from error


def _clicks(count: int) -> int:
    if not 1 <= count <= MOST_TAPS:
        raise UsageError(f"{count} clicks in a row are not possible: give 1 to {MOST_TAPS}")
    return count


def _seconds(duration_ms: int) -> float:
    if not duration_ms >= 0:
        raise UsageError(f"{duration_ms} ms are not possible")
    return duration_ms / 1000

"""Tests of a desktop as a device, on a desktop in memory: every screenshot pixel maps back to the screen."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.actions import (
    Action,
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
    Scroll,
    StopApp,
    Swipe,
    Tap,
    Wait,
)
from handeye.devices import AppAware, DesktopBackend, DesktopDevice, Device, Monitor, RegionCapture, Window, open_device
from handeye.errors import CaptureFailed, DeviceError, DeviceNotFound, InvalidImage, UnsupportedAction, UsageError
from handeye.geometry import Box, Point
from handeye.locate import VisualLocator
from handeye.screen import InputPoint, Screen
from handeye.testing.desktop_fake import FakeDesktop, fake_window, pattern, place_of
from handeye.testing.fakes import FakeClock

# As on Windows: the primary monitor begins at 0, 0; one stands to its left, one above, turned, with another scale.
MONITORS = (
    Monitor("main", Box(0, 0, 1920, 1080), primary=True, scale=1.5),
    Monitor("left", Box(-1280, 31, 0, 1055)),
    Monitor("above", Box(100, -1366, 868, 0), scale=2.0, rotation=90),
)
NOTES = fake_window(1, "Notes", Box(301, 203, 801, 503))
PAINT = fake_window(2, "Paint", Box(-700, 99, -201, 400))


def desktop(*windows: Window) -> FakeDesktop:
    return FakeDesktop(windows or (NOTES, PAINT), MONITORS)


def device(backend: FakeDesktop, window: str | None = None, monitor: str | None = None) -> DesktopDevice:
    return DesktopDevice(backend, window, monitor, clock=FakeClock())


def at(x: float, y: float) -> InputPoint:
    return InputPoint(x, y)


def test_device_and_backend_implement_their_protocols() -> None:
    backend = desktop()
    assert isinstance(backend, DesktopBackend)
    made = device(backend)
    assert isinstance(made, Device)
    assert isinstance(made, AppAware)
    assert isinstance(made, RegionCapture)
    made.close()
    assert backend.closed


# -- what is seen


@pytest.mark.parametrize("monitor", MONITORS, ids=lambda monitor: monitor.name)
def test_monitor_screenshot_has_its_geometry_and_dpi(monitor: Monitor) -> None:
    screen = device(desktop(), monitor=monitor.name).screenshot()
    assert screen.size == (monitor.box.width, monitor.box.height)
    assert screen.origin == (monitor.box.left, monitor.box.top)
    assert (screen.scale, screen.rotation) == (monitor.scale, monitor.rotation)
    assert screen.dpi == screen.metadata.dpi == monitor.scale * 96
    assert screen.metadata.window_info is None


def test_primary_monitor_is_captured_by_default() -> None:
    assert device(desktop()).screenshot().size == (1920, 1080)


def test_a_window_is_its_client_area_alone() -> None:
    cover = fake_window(9, "Cover", NOTES.box)
    screen = device(desktop(cover, NOTES), "Notes").screenshot()
    assert np.array_equal(screen.pixels, pattern(500, 300, 1))
    assert screen.metadata.window_info == NOTES.about
    assert screen.scale == 1.5
    assert device(desktop(), "Paint").screenshot().scale == 1.0  # on the left monitor


def test_window_is_followed_after_its_title_changes() -> None:
    backend = desktop()
    made = device(backend, "Notes")
    backend.change(1, title="*Untitled")
    assert made.screenshot().window["title"] == "*Untitled"
    backend.close_window(1)
    with pytest.raises(DeviceNotFound, match="'Notes'"):
        made.screenshot()
    backend.shown.append(fake_window(7, "Notes", Box(5, 50, 25, 60)))
    assert made.screenshot().window["id"] == 7


def test_capture_is_repeated_when_the_window_moves() -> None:
    class Restless(FakeDesktop):
        moves = 1

        def grab_window(self, window: Window) -> np.ndarray:
            pixels = super().grab_window(window)
            if self.moves:
                self.moves -= 1
                self.move_window(window.id, 10, 20)
            return pixels

    backend = Restless((NOTES,), MONITORS)
    assert device(backend, "Notes").screenshot().origin == (311, 223)
    backend.moves = 1000
    with pytest.raises(CaptureFailed, match="keeps moving"):
        device(backend, "Notes").screenshot()


def test_missing_window_or_monitor_is_not_found() -> None:
    with pytest.raises(DeviceNotFound, match="'Notes'"):
        device(desktop(), "Chess")
    with pytest.raises(DeviceNotFound, match=r"3 'above' \(768x1366 at 100,-1366\)"):
        device(desktop(), monitor="right")
    with pytest.raises(UsageError, match="not both"):
        device(desktop(), "Notes", "main")


def test_uri_names_the_window_or_monitor() -> None:
    assert device(desktop()).uri == "fake:"
    assert device(desktop(), "Notes").uri == "fake:?window=Notes"
    named = fake_window(4, "a b/ü?", Box(0, 0, 9, 9))
    assert device(desktop(named), "a b/ü?").uri == "fake:?window=a%20b/%C3%BC%3F"
    assert device(desktop(), monitor="left").uri == "fake:?monitor=left"


@pytest.mark.parametrize(
    "uri", ["linux:?", "linux:?nonsense", "linux:?size=3", "linux:?window=a&monitor=b", "linux::0?window"]
)
def test_invalid_uri_is_refused(uri: str) -> None:
    with pytest.raises(UsageError):
        open_device(uri)


# -- capture_screen


def located(backend: FakeDesktop, window: str | None = None) -> VisualLocator:
    return VisualLocator(device(backend, window), vision=None, reader=None)


def test_capture_accepts_regions_and_windows() -> None:
    locator = located(desktop())
    image, about = locator.capture_screen()
    assert image.size == about.resolution == (1920, 1080)
    for region in ((301, 203, 500, 300), {"x": 301, "y": 203, "width": 500, "height": 300}):
        image, about = locator.capture_screen(region)
        assert np.array_equal(np.asarray(image), pattern(500, 300, 1))
        assert about.resolution == (500, 300)
    for call in ({"region": {"window_title": "Paint"}}, {"window": "re:^Pai"}):
        image, about = locator.capture_screen(**call)  # type: ignore[arg-type]
        assert np.array_equal(np.asarray(image), pattern(499, 301, 2))
        assert about.window_info == PAINT.about
    part = {"window_title": "Paint", "x": 7, "y": 9, "width": 20, "height": 30}
    assert np.array_equal(np.asarray(locator.capture_screen(part)[0]), pattern(499, 301, 2)[9:39, 7:27])
    # Reaches from the primary monitor onto the left one.
    assert locator.capture_screen((-100, 100, 200, 50))[0].size == (200, 50)


@pytest.mark.parametrize(
    ("named", "which"),
    [("main", 0), ("primary", 0), ("Primary", 0), (1, 0), ("left", 1), ("LEFT", 1), (2, 1), (" 3 ", 2), ("above", 2)],
)
def test_any_monitor_is_captured(named: str | int, which: int) -> None:
    """Also from a device that shows another monitor."""
    box = MONITORS[which].box
    for shown in (device(desktop()), device(desktop(), monitor="left")):
        _, about = VisualLocator(shown, vision=None, reader=None).capture_screen(monitor=named)
        assert (about.origin, about.resolution) == ((box.left, box.top), (box.width, box.height))
        assert (about.scale, about.rotation) == (MONITORS[which].scale, MONITORS[which].rotation)
        assert about.dpi == MONITORS[which].scale * 96
    _, about = located(desktop()).capture_screen((7, 9, 20, 30), monitor=named)
    assert (about.origin, about.resolution) == ((box.left + 7, box.top + 9), (20, 30))


@pytest.mark.parametrize("named", ["right", "", "0", "4", -1, 4, "99999999999999", "१", "x" * 100_000])
def test_unknown_monitor_error_lists_monitors(named: str | int) -> None:
    with pytest.raises(DeviceNotFound, match=r"1 'main' \(1920x1080 at 0,0\), 2 'left' .*the primary") as caught:
        located(desktop()).capture_screen(monitor=named)
    assert len(str(caught.value)) < 400


def test_invalid_monitor_arguments_are_refused() -> None:
    for wrong in (True, 1.0, ["left"]):
        with pytest.raises(UsageError, match="no monitor"):
            located(desktop()).capture_screen(monitor=wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not both"):
        located(desktop()).capture_screen(window="Notes", monitor="left")
    of_a_window = VisualLocator(device(desktop(), "Notes"), vision=None, reader=None)
    with pytest.raises(UsageError, match=r"\?window=Notes is a window: .* not both"):
        of_a_window.capture_screen(monitor="left")
    with pytest.raises(UsageError, match="not both"):
        of_a_window.capture_screen((7, 9, 20, 30), monitor=1)
    twins = FakeDesktop((), (Monitor("2", Box(0, 0, 9, 9), primary=True), Monitor("other", Box(9, 0, 20, 9))))
    assert located(twins).capture_screen(monitor=2)[1].resolution == (9, 9)  # its name goes before a number


@pytest.mark.parametrize(
    "region",
    [
        (1900, 0, 100, 100),
        (-100, 0, 50, 50),  # above the left monitor's upper edge
        (0, 0, 0, 5),
        (5, 5, -1, -1),
        (1, 2, 3),
        "all",
        (float("nan"), 0, 1, 1),
        {"x": 1},
        {"x": 1, "y": 1, "width": 5, "height": 5, "depth": 5},
        {},
        (0, 0, 10.5, 10),
    ],
)
def test_invalid_region_is_refused(region: object) -> None:
    with pytest.raises(UsageError):
        located(desktop()).capture_screen(region)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", [{"region": (301, 203, 500, 300)}, {"window": "Paint"}])
def test_screenshot_pixels_map_back_to_the_screen(call: dict[str, object]) -> None:
    backend = desktop()
    image, about = located(backend).capture_screen(**call)  # type: ignore[arg-type]
    whole = located(backend)._screen((image, about))
    window = NOTES if "region" in call else PAINT
    assert about.origin == whole.origin == (window.box.left, window.box.top)
    assert (
        (about.scale, about.rotation) == (whole.scale, whole.rotation) == ((1.5, 0) if "region" in call else (1.0, 0))
    )
    device(backend).perform(Tap(about.to_input(Point(33, 44))))
    assert backend.presses[0].at == Point(window.box.left + 33, window.box.top + 44)
    assert np.array_equal(whole.pixels, np.asarray(image))
    with pytest.raises(InvalidImage):
        located(backend)._screen((image.resize((9, 9)), about))


def test_invalid_window_arguments_are_refused() -> None:
    locator = located(desktop(NOTES, replace(NOTES, id=5, title="Notes 2"), PAINT))
    with pytest.raises(UsageError, match="fits 2 windows"):
        locator.capture_screen(window="otes")
    with pytest.raises(DeviceNotFound):
        locator.capture_screen(window="Chess")
    with pytest.raises(UsageError, match="one window"):
        locator.capture_screen({"window_title": "Paint"}, window="Notes")
    with pytest.raises(UsageError, match="leaves"):
        locator.capture_screen((0, 0, 501, 10), window="Notes 2")
    with pytest.raises(UsageError, match="leaves") as caught:
        located(desktop(replace(NOTES, title="x" * 100_000))).capture_screen((0, 0, 501, 10), window="xx")
    assert len(str(caught.value)) < 300


# -- a click hits the pixel that it was computed from

places = st.tuples(st.integers(-1200, 1800), st.integers(-1200, 900), st.integers(1, 700), st.integers(1, 500))


@given(place=places, x=st.floats(0, 1, exclude_max=True), y=st.floats(0, 1, exclude_max=True), data=st.data())
def test_click_hits_the_pixel_of_the_screenshot(
    place: tuple[int, int, int, int], x: float, y: float, data: st.DataObject
) -> None:
    left, top, width, height = place
    backend = desktop(fake_window(3, "Target", Box(left, top, left + width, top + height)))
    kind = data.draw(st.sampled_from(["window", "region of the window", "left", "above", "main"]))
    if kind in ("left", "above", "main"):
        made = device(backend, monitor=kind)
        screen = made.screenshot()
    else:
        made = device(backend, "Target")
        screen = made.screenshot()
        if kind == "region of the window":
            screen = made.capture(Box(width // 3, height // 3, width, height))
    point = Point(int(x * screen.size.width), int(y * screen.size.height))
    aimed = screen.to_input(point)
    if not any(monitor.box.contains((int(aimed.x), int(aimed.y))) for monitor in MONITORS):
        with pytest.raises(DeviceError, match="on no monitor"):
            made.perform(Click(aimed))
        assert not backend.presses
        return
    made.perform(Click(aimed))
    pressed = backend.presses[0].at
    assert np.array_equal(backend.grab(Box.at(pressed, 0))[0, 0], screen.pixels[point.y, point.x])
    target = backend.window(3)
    assert target is not None
    if kind.endswith("window") or target.box.contains(pressed):
        inside = Point(pressed.x - target.box.left, pressed.y - target.box.top)
        assert place_of(screen.pixels[point.y, point.x], 3) == inside


def test_points_follow_a_moved_window() -> None:
    backend = desktop()
    made = device(backend, "Notes")
    place = made.screenshot().to_input(Point(10, 20))
    backend.move_window(1, 55, -33)
    made.perform(Tap(place))
    pressed = backend.presses[0].at
    assert Point(*pressed) == Point(301 + 10 + 55, 203 + 20 - 33)
    made.screenshot()
    made.perform(Tap(made.screenshot().to_input(Point(10, 20))))
    assert backend.presses[-1].at == pressed


def test_tap_in_resized_window_is_refused() -> None:
    backend = desktop()
    made = device(backend, "Notes")
    place = made.screenshot().to_input(Point(10, 20))
    backend.change(1, box=Box(301, 203, 700, 503))
    with pytest.raises(DeviceError, match="changed its size"):
        made.perform(Tap(place))
    assert not backend.presses


def test_tap_in_replaced_window_is_refused() -> None:
    backend = desktop()
    made = device(backend, "Notes")
    place = made.screenshot().to_input(Point(10, 20))
    backend.close_window(1)
    backend.shown.insert(0, replace(NOTES, id=8))
    with pytest.raises(DeviceError, match="another one"):
        made.perform(Tap(place))
    assert not backend.presses
    made.perform(Tap(made.screenshot().to_input(Point(10, 20))))
    assert backend.presses


def test_window_is_focused_before_tap_and_key() -> None:
    cover = fake_window(9, "Cover", NOTES.box)
    backend = desktop(replace(cover, focused=True), NOTES)
    made = device(backend, "Notes")
    made.perform(Tap(made.screenshot().to_input(Point(1, 1))))
    assert backend.windows()[0].title == "Notes"
    backend.focus(cover)
    made.perform(PressKey("enter"))
    assert backend.windows()[0].focused
    assert backend.windows()[0].title == "Notes"


def test_tap_on_covered_part_is_refused() -> None:
    class AlwaysOnTop(FakeDesktop):
        def focus(self, window: Window) -> None:
            super().focus(window)
            self.shown.sort(key=lambda one: one.title != "Dock")

    backend = AlwaysOnTop((fake_window(9, "Dock", Box(301, 203, 400, 300)), NOTES), MONITORS)
    made = device(backend, "Notes")
    screen = made.screenshot()
    with pytest.raises(DeviceError, match="covered by 'Dock'"):
        made.perform(Tap(screen.to_input(Point(5, 5))))
    made.perform(Tap(screen.to_input(Point(400, 200))))
    assert len(backend.presses) == 2


# -- what is done


def test_every_press_is_released() -> None:
    backend = desktop()
    made = device(backend)
    for action in (
        Tap(at(5, 6)),
        Click(at(5.99, 6.01), "right", 2),
        LongPress(at(5, 6), 300),
        Drag(at(5, 6), at(105, 66), 200),
        PressKey("ctrl+shift+s"),
    ):
        made.perform(action)
        assert not backend.down
    assert [(press.what, press.down) for press in backend.presses[:6]] == [
        ("left", True),
        ("left", False),
        ("right", True),
        ("right", False),
        ("right", True),
        ("right", False),
    ]
    assert all(press.at == (5, 6) for press in backend.presses[:8])
    assert backend.presses[-7].at == (105, 66)
    assert [press.what for press in backend.presses[-6:]] == ["ctrl", "shift", "s", "s", "shift", "ctrl"]


def test_press_is_released_after_error_or_interrupt() -> None:
    class Failing(FakeDesktop):
        def move(self, to: Point) -> None:
            if self.down:
                raise DeviceError("the pointer is stuck")
            super().move(to)

        def key(self, name: str, *, down: bool) -> None:
            if name == "s" and down:
                raise KeyboardInterrupt
            super().key(name, down=down)

    backend = Failing((), MONITORS)
    with pytest.raises(DeviceError, match="stuck"):
        device(backend).perform(Drag(at(1, 1), at(50, 50), 100))
    with pytest.raises(KeyboardInterrupt):
        device(backend).perform(PressKey("ctrl+s"))
    assert not backend.down


def test_drag_is_straight_and_rests_at_its_end() -> None:
    class Watched(FakeDesktop):
        def move(self, to: Point) -> None:
            path.append(to)
            super().move(to)

    path: list[Point] = []
    clock = FakeClock()
    DesktopDevice(Watched((), MONITORS), clock=clock).perform(Drag(at(0, 0), at(300, 150), 400))
    assert path[0] == (0, 0)
    assert path[-1] == path[-2] == (300, 150)
    assert all(abs(point.y * 2 - point.x) <= 2 for point in path)
    assert max(abs(b.x - a.x) for a, b in itertools.pairwise(path)) <= 40
    assert 0.4 <= clock.now() - 1000 < 0.6


def test_swipe_and_scroll_turn_wheel_in_content_direction() -> None:
    backend = desktop()
    made = device(backend)
    made.perform(Swipe(at(500, 800), at(500, 200)))  # upwards: what is below comes
    made.perform(Swipe(at(900, 500), at(300, 500)))
    made.perform(Scroll(at(7, 8), down=-3, across=2))
    (first, across, down), (_, right, none), last = backend.wheeled
    assert (first, across) == ((500, 800), 0)
    assert down > 0
    assert (right, none) == (down, 0)
    assert last == ((7, 8), 2, -3)


def test_text_is_typed_and_erased() -> None:
    backend = desktop()
    made = device(backend, "Notes")
    assert made.perform(InputText("你好 😀", secret=True)).note == "typed"
    assert backend.typed == "你好 😀"
    made.perform(EraseText(3))
    assert [press.what for press in backend.presses] == ["backspace"] * 6


def test_wait_action_takes_its_duration() -> None:
    clock = FakeClock()
    DesktopDevice(desktop(), clock=clock).perform(Wait(1500))
    assert clock.now() == 1001.5


@pytest.mark.parametrize(
    "action",
    [GoHome(), Call("110"), LaunchApp("editor"), StopApp("editor"), OpenUrl("https://example.org"), PressKey(4), "tap"],
    ids=lambda action: type(action).__name__,
)
def test_actions_unsupported_by_desktops_are_refused(action: Action) -> None:
    with pytest.raises(UnsupportedAction):
        device(desktop()).perform(action)


@pytest.mark.parametrize(
    "action",
    [
        Tap(at(float("nan"), 1)),
        Tap(at(1, float("inf"))),
        Tap(at(5000, 5)),
        Tap(at(-5, -5)),
        Drag(at(5, 5), at(5, -5)),
        Click(at(1, 1), "thumb"),
        Click(at(1, 1), count=0),
        Click(at(1, 1), count=99),
        LongPress(at(1, 1), -1),
        Drag(at(1, 1), at(2, 2), -1),
        Wait(-1),
        EraseText(-1),
        EraseText(10**9),
        PressKey("nosuchkey"),
        PressKey(""),
    ],
)
def test_invalid_actions_are_refused_before_any_press(action: Action) -> None:
    backend = desktop()
    with pytest.raises((UsageError, DeviceError)):
        device(backend).perform(action)
    assert not backend.presses
    assert not backend.wheeled


def test_front_app_is_the_focused_program() -> None:
    backend = desktop(replace(NOTES, focused=True, program="notes"), PAINT)
    assert device(backend).front_app() == "notes"
    assert device(desktop()).front_app() is None
    assert device(desktop()).home_app() is None


def test_screenshot_pixels_are_read_only() -> None:
    screen = device(desktop()).screenshot()
    assert isinstance(screen, Screen)
    with pytest.raises(ValueError, match="read-only"):
        screen.pixels[0, 0] = 0

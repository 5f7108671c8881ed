"""Tests of clicks computed from screenshots on a real X server: the window reports the pixel that was hit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from x11_patterns import PatternClient, client, shown, until

from handeye.actions import Click, Drag, LongPress, Scroll, Swipe, Tap
from handeye.devices import DesktopDevice, open_device
from handeye.errors import DeviceError
from handeye.geometry import Box, Point
from handeye.locate import VisualLocator
from handeye.screen import InputPoint, Screen
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_fake import pattern, place_of

SEED = 11
AT = Box(207, 151, 510, 352)


@pytest.fixture(scope="module")
def target(desktop: PrivateDesktop) -> Iterator[PatternClient]:
    with client(desktop, "target", SEED, AT) as made:
        yield made


def put(desktop: PrivateDesktop, target: PatternClient, left: int, top: int) -> None:
    """Move the window's client area to a place."""
    now = desktop.backend.window(target.window.id)
    assert now is not None
    frame = Point(now.frame.left - now.box.left, now.frame.top - now.box.top)
    wanted = target.box.translate(left - target.box.left, top - target.box.top)
    # ICCCM: with the usual gravity a window asks for the place of its frame.
    handle = desktop.backend.display.create_resource_object("window", target.window.id)
    handle.configure(x=left + frame.x, y=top + frame.y)
    desktop.backend.display.sync()
    until(lambda: desktop.backend.window(target.window.id).box == wanted)  # type: ignore[union-attr]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    left=st.integers(-250, 1200),
    top=st.integers(-150, 700),
    x=st.integers(0, AT.width - 1),
    y=st.integers(0, AT.height - 1),
    kind=st.sampled_from(["window", "part of the window", "screen", "part of the screen"]),
)
def test_click_hits_the_pixel_of_the_screenshot(
    desktop: PrivateDesktop, target: PatternClient, left: int, top: int, x: int, y: int, kind: str
) -> None:
    put(desktop, target, left, top)
    device = DesktopDevice(desktop.backend, "target" if kind.endswith("window") else None)
    screen, aimed = looked(device, kind, Point(x, y), Point(left, top))
    if not Box(0, 0, *desktop.size).contains((left + x, top + y)):
        if kind.endswith("window"):
            with pytest.raises(DeviceError, match="on no monitor"):
                device.perform(Tap(screen.to_input(aimed)))
        return
    target.pressed.clear()
    device.perform(Tap(screen.to_input(aimed)))
    until(lambda: bool(target.pressed))
    assert target.pressed == [(1, Point(x, y))]
    assert place_of(screen.pixels[aimed.y, aimed.x], SEED) == (x, y)


def looked(device: DesktopDevice, kind: str, place: Point, corner: Point) -> tuple[Screen, Point]:
    """A picture of some kind, and where in it a place of the window is."""
    match kind:
        case "window":
            return device.screenshot(), place
        case "part of the window":
            device.screenshot()
            return device.capture(Box(place.x, place.y, AT.width, AT.height)), Point(0, 0)
        case "part of the screen":
            whole = device.screenshot()
            seen = AT.translate(corner.x - AT.left, corner.y - AT.top).intersect(whole.box)
            assert seen is not None
            return device.capture(seen), Point(corner.x + place.x - seen.left, corner.y + place.y - seen.top)
        case _:
            return device.screenshot(), Point(corner.x + place.x, corner.y + place.y)


def test_click_follows_window_moved_after_screenshot(desktop: PrivateDesktop, target: PatternClient) -> None:
    put(desktop, target, 100, 100)
    device = DesktopDevice(desktop.backend, "target")
    place = device.screenshot().to_input(Point(33, 44))
    put(desktop, target, 611, 333)
    target.pressed.clear()
    device.perform(Tap(place))
    until(lambda: bool(target.pressed))
    assert target.pressed == [(1, Point(33, 44))]


def test_covered_window_is_raised_before_click(desktop: PrivateDesktop, target: PatternClient) -> None:
    put(desktop, target, 200, 150)
    with client(desktop, "cover", 3, Box(150, 100, 550, 400)) as cover:
        device = DesktopDevice(desktop.backend, "target")
        desktop.backend.focus(desktop.backend.window(cover.window.id))  # type: ignore[arg-type]
        screen = device.screenshot()
        target.pressed.clear()
        device.perform(Tap(screen.to_input(Point(150, 100))))
        until(lambda: bool(target.pressed))
        assert target.pressed == [(1, Point(150, 100))]
        assert not cover.pressed


def test_gestures_arrive_as_expected_button_events(desktop: PrivateDesktop, target: PatternClient) -> None:
    put(desktop, target, 200, 150)
    device = DesktopDevice(desktop.backend, "target")
    screen = device.screenshot()
    a, b = screen.to_input(Point(20, 30)), screen.to_input(Point(220, 150))
    target.pressed.clear()
    for action in (
        Click(a, "right"),
        Click(a, "middle"),
        Click(a, count=2),
        LongPress(b, 50),
        Drag(a, b, 60),
        Scroll(a, down=2, across=-1),
        Swipe(b, InputPoint(b.x, b.y - 120)),
    ):
        device.perform(action)
    until(lambda: len(target.pressed) >= 10)
    assert [button for button, _ in target.pressed] == [3, 2, 1, 1, 1, 1, 5, 5, 6, 5]
    assert [place for _, place in target.pressed[:6]] == [(20, 30)] * 4 + [(220, 150), (20, 30)]
    assert not desktop.backend.display.screen().root.query_pointer().mask & 0x1F00  # no button is down


def test_device_uri_opens_window_by_title(desktop: PrivateDesktop, target: PatternClient) -> None:
    device = open_device(f"{desktop.uri}?window=re:^targ")
    try:
        assert np.array_equal(device.screenshot().pixels, pattern(AT.width, AT.height, SEED))
        image, about = VisualLocator(device, vision=None, reader=None).capture_screen({"window_title": "target"})
        assert image.size == (AT.width, AT.height)
        assert about.window_info is not None
        assert about.window_info["id"] == target.window.id
    finally:
        device.close()
    with shown(desktop, "target", 1, AT.translate(20, 20)), pytest.raises(Exception, match="fits 2 windows"):
        open_device(f"{desktop.uri}?window=target")

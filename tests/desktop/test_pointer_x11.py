"""Tests of pointer moves, buttons and the wheel as an X11 application receives them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from Xlib import X
from Xlib.display import Display
from Xlib.protocol.rq import Event

from handeye.actions import Click, Drag, Scroll
from handeye.devices import DesktopDevice, MouseButton, X11Backend
from handeye.errors import UsageError
from handeye.geometry import Point
from handeye.screen import InputPoint
from handeye.testing.desktop import PrivateDesktop


class Listener:
    """A window that covers the screen and remembers what happens to it."""

    def __init__(self, display: str) -> None:
        self._display = Display(display)
        screen = self._display.screen()
        wanted = X.ButtonPressMask | X.ButtonReleaseMask | X.PointerMotionMask
        self._window = screen.root.create_window(
            0, 0, screen.width_in_pixels, screen.height_in_pixels, 0, X.CopyFromParent, event_mask=wanted
        )
        self._window.map()
        self._display.sync()

    def heard(self) -> list[Event]:
        self._display.sync()
        return [self._display.next_event() for _ in range(self._display.pending_events())]

    def close(self) -> None:
        self._display.close()


@pytest.fixture
def listener(bare: PrivateDesktop) -> Iterator[Listener]:
    made = Listener(bare.display)
    made.heard()
    yield made
    made.close()


def presses(events: list[Event]) -> list[int]:
    return [event.detail for event in events if event.type == X.ButtonPress]


def test_clicks_of_every_button_arrive_at_pointer(bare: PrivateDesktop, listener: Listener) -> None:
    device = DesktopDevice(bare.backend)
    for button, number in (("left", 1), ("middle", 2), ("right", 3)):
        device.perform(Click(InputPoint(321, 123), button, 2))
        events = [event for event in listener.heard() if event.type != X.MotionNotify]
        assert [event.detail for event in events] == [number] * 4
        assert {(event.root_x, event.root_y) for event in events} == {(321, 123)}


def test_the_wheel_turns_both_ways_on_both_axes(bare: PrivateDesktop, listener: Listener) -> None:
    device = DesktopDevice(bare.backend)
    for down, across, expected in ((3, 0, [5] * 3), (-2, 0, [4] * 2), (0, 2, [7] * 2), (0, -1, [6]), (1, 1, [5, 7])):
        device.perform(Scroll(InputPoint(50, 60), down, across))
        assert presses(listener.heard()) == expected
    with pytest.raises(UsageError, match="too many"):
        bare.backend.wheel(0, 10_000)


def test_drag_moves_straight_with_button_down(bare: PrivateDesktop, listener: Listener) -> None:
    DesktopDevice(bare.backend).perform(Drag(InputPoint(100, 100), InputPoint(400, 250), 60))
    events = listener.heard()
    down = next(event for event in events if event.type == X.ButtonPress)
    up = next(event for event in events if event.type == X.ButtonRelease)
    assert (down.root_x, down.root_y) == (100, 100)
    assert (up.root_x, up.root_y) == (400, 250)
    path = [
        (event.root_x, event.root_y) for event in events if event.type == X.MotionNotify and event.state & X.Button1Mask
    ]
    assert len(path) >= 6
    assert all(abs((y - 100) * 2 - (x - 100)) <= 2 for x, y in path), "on the straight line"
    assert path == sorted(path)


def test_pointer_reaches_edges_and_is_refused_beyond(bare: PrivateDesktop) -> None:
    backend = bare.backend
    width, height = bare.size
    for place in (Point(0, 0), Point(width - 1, 0), Point(0, height - 1), Point(width - 1, height - 1)):
        backend.move(place)
        assert backend.pointer() == place
    for nowhere in (Point(-1, 0), Point(0, 40_000)):
        with pytest.raises(UsageError, match="cannot go"):
            backend.move(nowhere)


def test_release_all_releases_the_mouse_button(bare: PrivateDesktop, listener: Listener) -> None:
    backend = X11Backend(bare.display)
    backend.button(MouseButton.MIDDLE, down=True)
    backend.button(MouseButton.MIDDLE, down=True)
    assert presses(listener.heard()) == [2]
    backend.release_all()
    assert [event.type for event in listener.heard()] == [X.ButtonRelease]
    backend.close()

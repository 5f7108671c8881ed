"""Tests of choosing the capture method: all give the same pixels, broken ones are rejected, failing ones replaced."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from handeye.clock import Deadline
from handeye.devices import ADBController, PhoneDevice
from handeye.devices.android.capture import METHODS, Capture, CaptureMethod, turned
from handeye.devices.android.link import Link
from handeye.errors import CaptureFailed
from handeye.geometry import Size
from handeye.screen import Pixels
from handeye.session import Session
from handeye_phone.scenario import Scenario

FRAME = np.zeros((2, 3, 3), np.uint8)


class Row:
    """A capture method whose outcome the test decides."""

    def __init__(self, name: str, seconds: float = 0.0, *, last_resort: bool = False) -> None:
        self.seconds = seconds
        self.fails = ""
        self.calls = 0
        self.after: Callable[[], None] = lambda: None
        self.method = CaptureMethod(name, self.take, last_resort)

    def take(self, link: Link, deadline: Deadline, expected: int) -> Pixels:
        self.calls += 1
        deadline.pause(self.seconds)
        self.after()
        if self.fails:
            raise CaptureFailed(self.fails)
        return FRAME.copy()


class StepClock:
    """A clock that only a capture moves."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


def capture_of(phone: PhoneDevice, *rows: Row, clock: StepClock | None = None) -> Capture:
    link = Link(phone.link.server, phone.serial, timeout_s=5.0, clock=clock or StepClock())
    return Capture(link, tuple(row.method for row in rows))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_capture_method_gives_the_same_pixels(phone: PhoneDevice, method: CaptureMethod) -> None:
    shown = phone.phone.call(lambda model: np.asarray(model.frame())[:, :, :3].copy())
    assert np.array_equal(method.take(phone.link, Deadline(phone.link.clock, 10.0), 0), shown)
    assert phone.shell("ls", "/data/local/tmp").stdout == b""


def test_fastest_capture_method_is_kept(phone: PhoneDevice) -> None:
    slow, fast, spare = Row("slow", 2.0), Row("fast", 0.5), Row("spare", 0.1, last_resort=True)
    capture = capture_of(phone, slow, fast, spare)
    for _ in range(3):
        capture.take()
    assert (slow.calls, fast.calls, spare.calls) == (1, 3, 0)
    assert capture.method == "fast"
    assert capture.note == "fast is the fastest that works: slow 2000 ms, fast 500 ms"


def test_first_capture_method_is_measured_twice(phone: PhoneDevice) -> None:
    first, second = Row("first", 0.6), Row("second", 0.4)
    second.after = lambda: setattr(first, "seconds", 0.1)
    capture = capture_of(phone, first, second)
    capture.take()
    assert (first.calls, second.calls) == (2, 1)
    assert capture.method == "first"


def test_failing_capture_method_is_rejected_with_reason(phone: PhoneDevice) -> None:
    broken, good = Row("broken", 0.1), Row("good", 1.0)
    broken.fails = "not a PNG: 'screencap: permission denied'"
    capture = capture_of(phone, broken, good)
    assert capture.take().shape == FRAME.shape
    assert capture.method == "good"
    assert "permission denied" in capture.note


def test_capture_method_failing_later_is_replaced(phone: PhoneDevice) -> None:
    first, second = Row("first", 1.0), Row("second", 2.0)
    capture = capture_of(phone, first, second)
    capture.take()
    first.fails = "cut short"
    assert capture.take().shape == FRAME.shape
    assert capture.method == "second"


def test_last_resort_is_used_after_other_methods_fail(phone: PhoneDevice) -> None:
    broken, spare = Row("broken"), Row("spare", last_resort=True)
    broken.fails = "no"
    capture = capture_of(phone, broken, spare)
    capture.take()
    assert capture.method == "spare"


def test_error_lists_why_every_capture_method_failed(phone: PhoneDevice) -> None:
    one, two = Row("one"), Row("two", last_resort=True)
    one.fails, two.fails = "reason one", "reason two"
    with pytest.raises(CaptureFailed) as caught:
        capture_of(phone, one, two).take()
    assert "one: reason one" in str(caught.value)
    assert "two: reason two" in str(caught.value)


def test_slow_capture_succeeds(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("slow-capture")
    assert phone.screenshot().size == (1080, 2400)


def test_hanging_methods_end_within_the_timeout(phone: PhoneDevice) -> None:
    rows = [Row("a", 60), Row("b", 60), Row("c", 60), Row("file", 60, last_resort=True)]
    for row in rows:
        row.fails = "hangs"
    clock = StepClock()
    with pytest.raises(CaptureFailed):
        capture_of(phone, *rows, clock=clock).take()
    assert all(row.calls == 1 for row in rows)
    assert clock.now() <= 5.0


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
def test_old_android_screenshot_has_the_phone_rotation(phone: PhoneDevice, rotation: int) -> None:
    phone.phone.set_scenario(Scenario(rotation=rotation))
    expected = phone.screenshot()
    phone.phone.set_scenario(Scenario(rotation=rotation, sdk=24))
    with ADBController(phone.serial) as old:
        assert np.array_equal(old.screenshot().pixels, expected.pixels)
        assert old.screenshot().size == old.screen_size()


@pytest.mark.parametrize("scenario", ["android-7", "android-7,dark"])
def test_taps_on_old_android_hit_their_target(phone: PhoneDevice, scenario: str) -> None:
    phone.phone.set_scenario(Scenario.parse(scenario))
    with ADBController(phone.serial) as old:
        Session(old).tap("设置")
    assert phone.phone.state.app == "com.android.settings"


def test_already_rotated_screenshot_is_not_rotated_again() -> None:
    lying = np.zeros((1080, 2400, 3), np.uint8)
    assert turned(lying, Size(2400, 1080), 1).shape == lying.shape
    assert turned(lying.transpose(1, 0, 2), Size(2400, 1080), 3).shape == lying.shape
    with pytest.raises(CaptureFailed, match="720x1280"):
        turned(np.zeros((1280, 720, 3), np.uint8), Size(2400, 1080), 1)

"""Tests that every device must pass. A test class inherits this and gives a fixture `device`."""

from __future__ import annotations

import numpy as np
import pytest

from handeye.actions import ActionResult, Tap, Wait
from handeye.devices import Device
from handeye.errors import DeviceError, UnsupportedAction
from handeye.screen import InputPoint, Screen


class DeviceContract:
    # False for a device that can only be looked at.
    acts = True

    def test_device_implements_its_protocol(self, device: Device) -> None:
        assert isinstance(device, Device)

    def test_uri_has_a_scheme(self, device: Device) -> None:
        scheme, colon, _ = device.uri.partition(":")
        assert colon
        assert scheme.isascii()
        assert scheme.islower()

    def test_screenshot_is_a_read_only_frame(self, device: Device) -> None:
        screen = device.screenshot()
        assert isinstance(screen, Screen)
        assert screen.pixels.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            screen.pixels[0, 0] = 0

    def test_a_still_screen_gives_equal_frames(self, device: Device) -> None:
        assert np.array_equal(device.screenshot().pixels, device.screenshot().pixels)

    def test_tap_and_wait_are_performed_or_refused(self, device: Device) -> None:
        for action in (Tap(InputPoint(1, 1)), Wait(0)):
            if self.acts:
                assert isinstance(device.perform(action), ActionResult)
            else:
                with pytest.raises(UnsupportedAction):
                    device.perform(action)

    def test_non_action_is_refused(self, device: Device) -> None:
        with pytest.raises(DeviceError):
            device.perform("tap")  # type: ignore[arg-type]

    def test_closing_twice_does_no_harm(self, device: Device) -> None:
        device.close()
        device.close()

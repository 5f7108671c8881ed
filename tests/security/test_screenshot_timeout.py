"""Test of the time limit of a screenshot when the phone does not answer."""

from __future__ import annotations

import time

import pytest

from handeye.devices import PhoneDevice
from handeye.errors import DeviceError
from handeye_phone.scenario import Scenario


@pytest.mark.usefixtures("adb_port")
def test_screenshot_of_a_hanging_phone_times_out() -> None:
    with PhoneDevice(timeout_s=1.0) as phone:
        phone.phone.set_scenario(Scenario(capture_ms=(60_000, 60_000)))
        began = time.monotonic()
        with pytest.raises(DeviceError):
            phone.screenshot()
        assert time.monotonic() - began < 5.0  # 8 s before the deadline was one

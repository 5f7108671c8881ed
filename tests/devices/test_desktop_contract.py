"""Tests of the device contract on a desktop."""

from __future__ import annotations

import pytest
from device_contract import DeviceContract

from handeye.devices import DesktopDevice, Device
from handeye.geometry import Box
from handeye.testing.desktop_fake import FakeDesktop, fake_window


class TestDesktop(DeviceContract):
    @pytest.fixture
    def device(self) -> Device:
        return DesktopDevice(FakeDesktop())


class TestWindow(DeviceContract):
    @pytest.fixture
    def device(self) -> Device:
        return DesktopDevice(FakeDesktop([fake_window(1, "Notes", Box(0, 20, 200, 120))]), "Notes")

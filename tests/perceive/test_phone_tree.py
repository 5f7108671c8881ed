"""Tests of locating elements in the virtual phone's tree through a real adb server: by name, row, role and path."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from handeye.actions import LaunchApp, Tap
from handeye.devices import AdbServer, PhoneDevice
from handeye.elements import UIElement
from handeye.locate import AccessibilityStrategy, LocateChain
from handeye.perceive import provider_for
from handeye.target import Relation, RelationKind, Target

SETTINGS = "com.android.settings"
PATIENCE_S = 120.0


@pytest.fixture
def phone(adb_port: int) -> Iterator[PhoneDevice]:
    with PhoneDevice(server=AdbServer("127.0.0.1", adb_port)) as device:
        device.perform(LaunchApp(SETTINGS))
        yield device


@pytest.fixture
def chain(phone: PhoneDevice) -> LocateChain:
    provider = provider_for(phone)
    assert provider is not None
    return LocateChain([AccessibilityStrategy(provider)])


def find(chain: LocateChain, phone: PhoneDevice, target: Target) -> UIElement:
    """The element, once the screen shows it."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        result = chain.locate(target, phone.screenshot())
        if result.element is not None:
            return result.element
        assert time.monotonic() < deadline, result.error


def tap(phone: PhoneDevice, element: UIElement) -> None:
    phone.perform(Tap(phone.screenshot().to_input(element.center)))


def flight_mode(phone: PhoneDevice) -> str:
    return phone.shell("settings", "get", "global", "airplane_mode_on").stdout.decode().strip()


def test_switch_is_found_by_row_and_toggled(phone: PhoneDevice, chain: LocateChain) -> None:
    by_row = Target(role="switch", relations=(Relation(RelationKind.ROW, Target(text="飞行模式")),))
    found = find(chain, phone, by_row)
    assert found.element_type == "switch"
    assert find(chain, phone, Target(text="飞行模式", role="switch")).bbox == found.bbox
    assert find(chain, phone, Target(role="switch", ordinal=1)).bbox == found.bbox
    label = find(chain, phone, Target(path="//TextView[@text='飞行模式']"))
    assert label.bbox.top < found.center.y < label.bbox.bottom
    before = flight_mode(phone)
    tap(phone, found)
    assert flight_mode(phone) != before


def test_back_button_is_found_in_either_language(phone: PhoneDevice, chain: LocateChain) -> None:
    tap(phone, find(chain, phone, Target(text="显示", exact=True)))
    back = find(chain, phone, Target(text="返回"))
    assert (back.element_type, back.description) == ("button", "返回")
    assert find(chain, phone, Target(text="back arrow", role="icon")).bbox == back.bbox
    tap(phone, back)
    assert find(chain, phone, Target(text="WLAN")).text == "WLAN"

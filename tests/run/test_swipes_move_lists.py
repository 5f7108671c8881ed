"""Tests of swipes in every rotation: they start on the list, not on the bars above and below it."""

from __future__ import annotations

import pytest

from handeye.run import swipe
from handeye.screen import Screen
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario


def swiped(phone: PhoneModel, direction: str) -> None:
    gesture = swipe(direction, Screen.from_image(phone.frame().convert("RGB")))
    phone.touch_down(gesture.start.x, gesture.start.y)
    for part in range(1, 11):
        x = gesture.start.x + (gesture.end.x - gesture.start.x) * part / 10
        phone.touch_move(x, gesture.start.y + (gesture.end.y - gesture.start.y) * part / 10)
    phone.touch_up(gesture.end.x, gesture.end.y)


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
@pytest.mark.parametrize("density", [None, 320])
def test_swipes_scroll_settings_down_and_back_up(rotation: int, density: int | None) -> None:
    phone = PhoneModel(Scenario(rotation=rotation, density=density))
    phone.launch("com.android.settings")
    top = phone.hierarchy()
    swiped(phone, "up")
    assert phone.hierarchy() != top
    swiped(phone, "down")
    swiped(phone, "down")
    assert phone.hierarchy() == top


def test_swipes_reach_end_of_settings_in_landscape() -> None:
    phone = PhoneModel(Scenario(rotation=1))
    phone.launch("com.android.settings")
    for _ in range(12):
        swiped(phone, "up")
    assert 'text="关于手机"' in phone.hierarchy()

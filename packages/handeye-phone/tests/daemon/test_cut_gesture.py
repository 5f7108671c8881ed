"""Tests of interrupted gestures: they tap nothing."""

from __future__ import annotations

import threading
import time

import pytest

from handeye.testing.adb import PrivateAdbServer
from handeye_phone import VirtualPhone

LONGEST_S = 120.0


def wait_for(phone: VirtualPhone, part: str) -> None:
    deadline = time.monotonic() + LONGEST_S
    while not any(part in line for line in phone.log):
        assert time.monotonic() < deadline, phone.log
        threading.Event().wait(0.01)


@pytest.mark.parametrize("gesture", ["input swipe 540 1840 540 1840 15000", "input swipe 540 1840 540 1838 15000"])
def test_lost_link_during_swipe_taps_nothing(
    adb_server: PrivateAdbServer, virtual_phone: VirtualPhone, gesture: str
) -> None:
    adb_server.connect(virtual_phone.serial)
    virtual_phone.call(lambda model: model.launch("com.android.settings"))
    before = virtual_phone.state
    command = threading.Thread(target=adb_server.run, args=("-s", virtual_phone.serial, "shell", gesture))
    command.start()
    wait_for(virtual_phone, "input swipe")
    virtual_phone.drop_link(0.1)
    command.join(LONGEST_S)
    assert not command.is_alive()
    after = virtual_phone.state
    assert (after.screen, after.switches) == (before.screen, before.switches)
    adb_server.run("disconnect", virtual_phone.serial)


def test_canceled_scroll_settles_on_a_page(virtual_phone: VirtualPhone) -> None:
    def cut_off(at: float) -> int:
        def touch(model) -> int:  # type: ignore[no-untyped-def]
            model.touch_down(900, 900)
            model.touch_move(900 - at, 900)
            model.touch_cancel()
            return int(model.state.page)

        return virtual_phone.call(touch)

    assert cut_off(30) == 0
    assert cut_off(800) == 1

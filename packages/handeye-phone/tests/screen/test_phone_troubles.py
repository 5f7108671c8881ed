"""Tests of dialogs that belong to the app of a scenario, and of the counters that other tests read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from handeye_phone.scenario import Scenario, ScenarioError

CALCULATOR = "com.android.calculator2"


def test_permission_dialog_belongs_to_configured_app(make_hand: Callable[..., Any]) -> None:
    hand = make_hand(Scenario(app=CALCULATOR, permission_dialog=True))
    hand.open_messenger()
    assert hand.phone.state.dialog == ""
    hand.phone.launch(CALCULATOR)
    assert hand.phone.state.dialog == "permission"
    assert any("计算器" in text for text in hand.texts())


def test_app_closes_without_required_permission(make_hand: Callable[..., Any]) -> None:
    hand = make_hand("permission-needed")
    for _ in range(2):
        hand.open_messenger()
        hand.tap(text="拒绝")
        assert "launcher" in hand.phone.state.app
    assert not any(hand.phone.state.permissions.values())
    hand.open_messenger()
    hand.tap(text="仅在使用中允许")
    assert hand.phone.state.app == "com.tencent.mm"


def test_scenario_app_must_be_a_package() -> None:
    with pytest.raises(ScenarioError, match="package"):
        Scenario(app="微信")


@pytest.mark.parametrize("setting", [("wifi_on", "0"), ("airplane_mode_on", "1")])
def test_pages_need_a_connection(hand: Any, setting: tuple[str, str]) -> None:
    hand.phone.settings.put("global", *setting)
    hand.phone.open_url("https://example.org/")
    assert hand.sees(text="未连接到互联网")
    hand.phone.settings.put("global", setting[0], "1" if setting[1] == "0" else "0")
    assert hand.sees(id="page_title")
    assert hand.phone.state.visited == ["https://example.org/"]


def test_calls_drafts_and_volume_are_recorded(hand: Any) -> None:
    hand.phone.dial("10086")
    hand.phone.dial("10010")
    hand.phone.key(24)
    hand.phone.write_draft("李雷", "还没写完")
    hand.phone.open_chat("李雷")
    state = hand.phone.state
    assert (state.calls, state.volume, state.drafts) == (["10086", "10010"], 8, {"李雷": "还没写完"})
    assert (state.chat, state.draft) == ("李雷", "还没写完")
    with pytest.raises(KeyError):
        hand.phone.open_chat("赵六")

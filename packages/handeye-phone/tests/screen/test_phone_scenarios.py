"""Tests of every scenario: its effect, and the state after a wrong reaction to it."""

from __future__ import annotations

import dataclasses
import json
import xml.etree.ElementTree as ET

import pytest

from handeye_phone.drawing.hierarchy import NotIdle
from handeye_phone.scenario import SCENARIOS, Scenario, ScenarioError
from handeye_phone.system.disturbances import ALL_PHOTOS as ALL
from handeye_phone.system.disturbances import LOCATION
from handeye_phone.system.disturbances import SELECTED_PHOTOS as SELECTED
from handeye_phone.system.intent import Intent
from handeye_phone.system.texts import LANGUAGES


def test_permission_dialog_covers_messenger_once(make_hand):
    hand = make_hand("permission")
    hand.open_messenger()
    assert hand.phone.state.dialog == "permission"
    assert hand.sees(text="“微信”想使用您的位置信息?")
    assert not hand.sees(desc="搜索"), "nodes below a dialog are not in the active window"
    assert hand.phone.focused_activity.startswith("com.android.permissioncontroller/")
    assert hand.phone.focused_window.startswith("com.android.permissioncontroller/com.android.permissioncontroller.")
    hand.tap_at(540, 150)
    assert hand.phone.state.dialog == "permission"
    hand.tap(text="仅在使用中允许")
    assert hand.phone.state.permissions == {"android.permission.ACCESS_FINE_LOCATION": True}
    hand.open_messenger()
    assert hand.phone.state.dialog == ""


@pytest.mark.parametrize("deny", ["拒绝", None])
def test_permission_can_be_denied(make_hand, deny):
    hand = make_hand("permission")
    hand.open_messenger()
    if deny:
        hand.tap(text=deny)
    else:
        hand.phone.key(4)
    assert hand.phone.state.permissions == {"android.permission.ACCESS_FINE_LOCATION": False}
    assert hand.phone.state.app == "com.tencent.mm"


@pytest.mark.parametrize("language", LANGUAGES)
def test_system_dialogs_use_the_configured_language(make_hand, language):
    words = LANGUAGES[language]
    for scenario, answer, grants in (
        (Scenario(permission_dialog=True, language=language), words.while_in_use, {LOCATION: "while-in-use"}),
        (Scenario(permission_dialog=True, language=language), words.once, {LOCATION: "once"}),
        (Scenario(permission_dialog=True, language=language), words.deny, {}),
        (Scenario(permission_dialog=True, permission="photos", language=language), words.allow_all, {ALL: "all"}),
        (Scenario(permission_dialog=True, permission="photos", language=language), words.deny, {}),
    ):
        hand = make_hand(scenario)
        hand.open_messenger()
        hand.tap(text=answer)
        assert hand.phone.state.dialog == ""
        assert hand.phone.state.grants == grants
        assert any(hand.phone.state.permissions.values()) == bool(grants)


def test_selected_photos_are_granted_in_photo_picker(make_hand):
    hand = make_hand("photo-choice,spanish")
    words = LANGUAGES["es"]
    hand.open_messenger()
    hand.tap(text=words.select_photos)
    assert hand.phone.state.dialog == "photo picker"
    assert hand.phone.focused_activity.startswith("com.google.android.providers.media.module/")
    assert not hand.sees(text=words.done), "nothing is chosen yet"
    hand.phone.key(4)
    assert hand.phone.state.dialog == "permission", "who chooses nothing is asked again"
    hand.tap(text=words.select_photos)
    hand.tap(id="icon_thumbnail")
    hand.tap(text=words.done)
    assert hand.phone.state.dialog == ""
    assert hand.phone.state.permissions == {ALL: False, SELECTED: True}
    assert hand.phone.state.grants == {SELECTED: "selected"}


def test_advert_is_closed_and_returns_on_opening(make_hand):
    hand = make_hand("advert")
    for _ in range(2):
        hand.open_messenger()
        assert hand.phone.state.dialog == "advert"
        cross = hand.box(desc="关闭")
        assert cross.width < hand.phone.size.width / 8
        hand.tap(desc="关闭")
        assert hand.phone.state.dialog == ""
        assert hand.phone.state.app == "com.tencent.mm"
    assert hand.phone.state.adverts_followed == 0


def test_tapping_the_advert_opens_its_page(make_hand):
    hand = make_hand("advert")
    hand.open_messenger()
    hand.tap(text="立即抢购")
    state = hand.phone.state
    assert (state.app, state.adverts_followed) == ("com.android.chrome", 1)
    assert state.url.startswith("https://ad.example/")


def test_permission_and_advert_follow_loading_in_order(make_hand):
    hand = make_hand("permission,advert,loading")
    hand.open_messenger()
    assert hand.sees(cls="ProgressBar")
    assert hand.phone.state.dialog == ""
    hand.clock.pass_s(1.6)
    assert hand.phone.state.dialog == "permission"
    hand.tap(text="拒绝")
    assert hand.phone.state.dialog == "advert"
    hand.tap(desc="关闭")
    assert hand.sees(desc="搜索")


def test_loading_spinner_animates_and_delays_chat(make_hand):
    hand = make_hand("loading")
    hand.open_messenger()
    first = hand.phone.frame()
    assert hand.phone.frame() is first
    deadline = hand.phone.next_deadline()
    assert deadline is not None
    assert hand.clock.time < deadline < hand.clock.time + 0.2
    hand.clock.pass_s(0.3)
    assert hand.phone.frame().tobytes() != first.tobytes()
    hand.clock.pass_s(1.3)
    hand.tap(text="王小明", id="name")
    assert hand.sees(cls="ProgressBar")
    hand.clock.pass_s(1.6)
    assert hand.sees(text="王小明", id="title")


def test_covering_keyboard_hides_send_until_back(make_hand):
    hand = make_hand("keyboard")
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    hand.phone.type_text("hi")
    assert hand.phone.input_shown
    send = hand.box(text="发送")
    assert send.top > hand.phone.size.height * 2 / 3
    hand.tap(text="发送")
    assert hand.sent() == {}, "the keyboard took the tap"
    hand.phone.key(4)
    assert not hand.phone.input_shown
    draft = hand.phone.state.draft
    hand.tap(text="发送")
    assert hand.sent() == {"王小明": [draft]}


def test_keyboard_pushes_the_app_up(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    low = hand.box(id="input")
    hand.tap(id="input")
    high = hand.box(id="input")
    assert high.bottom < low.bottom - 400
    hand.phone.key(4)
    assert hand.box(id="input") == low
    assert hand.phone.state.chat == "王小明"


def test_dark_theme_is_dark(make_hand, hand):
    dark = make_hand("dark")
    for phone in (hand, dark):
        phone.open_messenger()
    light_mean = hand.phone.frame().convert("L").reduce(40).tobytes()
    dark_mean = dark.phone.frame().convert("L").reduce(40).tobytes()
    assert sum(light_mean) / len(light_mean) > 200
    assert sum(dark_mean) / len(dark_mean) < 60


def test_crash_returns_to_the_launcher_once(make_hand):
    hand = make_hand("crash")
    hand.open_messenger()
    hand.tap(desc="通讯录")
    hand.tap(desc="发现")
    assert hand.phone.state.crashes == 0
    hand.tap(desc="我")
    state = hand.phone.state
    assert (state.app, state.dialog, state.crashes) == ("com.android.launcher3", "crash", 1)
    assert hand.sees(text="微信 已停止运行")
    hand.tap(text="关闭应用")
    hand.open_messenger()
    for tab in ("通讯录", "发现", "我", "微信"):
        hand.tap(desc=tab)
    assert hand.phone.state.crashes == 1


def test_missing_contact_is_not_found(make_hand):
    hand = make_hand("contact-missing")
    hand.open_messenger()
    hand.tap(desc="搜索")
    hand.phone.type_text("张三")
    assert [node.get("text") for node in hand.all(id="name")] == ["张三丰"]
    hand.phone.set_scenario(Scenario())
    assert [node.get("text") for node in hand.all(id="name")] == ["张三", "张三丰"]


def test_never_idle_phone_raises_not_idle(make_hand):
    hand = make_hand("never-idle")
    with pytest.raises(NotIdle):
        hand.phone.hierarchy()
    assert hand.phone.frame().size == (1080, 2400)


def test_adbkeyboard_can_be_absent(make_hand):
    hand = make_hand("no-adbkeyboard")
    assert hand.phone.input_methods == ["com.android.inputmethod.latin/.LatinIME"]
    assert "com.android.adbkeyboard" not in hand.phone.packages
    assert not hand.phone.enable_input_method("com.android.adbkeyboard/.AdbIME")


def test_removed_adbkeyboard_falls_back_to_default(hand):
    hand.phone.enable_input_method("com.android.adbkeyboard/.AdbIME")
    assert hand.phone.set_input_method("com.android.adbkeyboard/.AdbIME")
    hand.phone.set_scenario(SCENARIOS["no-adbkeyboard"])
    assert hand.phone.input_method == "com.android.inputmethod.latin/.LatinIME"
    hand.phone.broadcast(Intent(action="ADB_INPUT_TEXT", extras={"msg": "x"}))


# ---- scenario values and files


def test_scenario_names_combine_and_unknown_are_refused():
    both = Scenario.parse(" permission , dark,slow-capture")
    assert both == Scenario(permission_dialog=True, dark=True, capture_ms=(300, 2000))
    assert Scenario.parse("") == Scenario() == Scenario.combine("calm")
    with pytest.raises(ScenarioError, match=r"'rain'.*permission"):
        Scenario.parse("dark,rain")


def test_every_named_scenario_draws_a_frame(make_hand):
    assert set(SCENARIOS) >= {"calm", "permission", "advert", "loading", "keyboard", "dark", "density", "rotation"}
    for name in SCENARIOS:
        hand = make_hand(name)
        assert hand.phone.frame().size == hand.phone.size


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_scenario_file_round_trip(tmp_path, suffix):
    wanted = Scenario(dark=True, missing_contacts=("张三",), capture_ms=(10, 20), density=320, drop_link_s=1.5)
    path = tmp_path / f"bad day{suffix}"
    path.write_text(json.dumps(wanted.to_dict(), ensure_ascii=False), encoding="utf-8")
    assert Scenario.load(path) == wanted


def test_scenario_file_may_extend_named_scenarios(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("names: [dark, advert]\nrotation: 1\n", encoding="utf-8")
    assert Scenario.load(path) == Scenario(dark=True, advert=True, rotation=1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("darkness: true", ["darkness", "dark"]),
        ("dark: 1", ["dark=1", "true or false"]),
        ("rotation: 7", ["rotation=7", "0 to 3"]),
        ("density: 10", ["density=10", "120 to 800"]),
        ("capture_ms: [5, 1]", ["capture_ms=(5, 1)", "lower first"]),
        ("missing_contacts: 张三", ["missing_contacts='张三'", "list"]),
        ("loading_ms: true", ["loading_ms=True"]),
        ("- dark", ["keys and values"]),
        ("names: [rain]", ["rain"]),
        ("names: dark", ["list of scenario names"]),
        ("a: [", ["YAML"]),
        ("!!python/object/apply:os.system ['true']", ["tag"]),
    ],
)
def test_invalid_scenario_file_names_key_and_expected_value(tmp_path, content, words):
    path = tmp_path / "bad.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        Scenario.load(path)
    for word in ["bad.yaml", *words]:
        assert word in str(caught.value)


def test_unreadable_scenario_files_are_errors(tmp_path):
    with pytest.raises(ScenarioError, match=r"none\.yaml"):
        Scenario.load(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(ScenarioError, match="UTF-8"):
        Scenario.load(tmp_path / "latin.yaml")


def test_scenario_values_are_validated():
    with pytest.raises(ScenarioError, match="rotation=9"):
        Scenario(rotation=9)
    with pytest.raises(ScenarioError, match="drop_link_s"):
        dataclasses.replace(Scenario(), drop_link_s=float("nan"))


def test_hierarchy_contains_the_rotation(make_hand):
    assert ET.fromstring(make_hand("rotation").phone.hierarchy()).get("rotation") == "1"


def test_countdown_advert_can_be_skipped_after_delay(make_hand):
    hand = make_hand("countdown")
    hand.open_messenger()
    assert hand.phone.state.dialog == "splash"
    hand.tap(text="2s 后可跳过")
    hand.phone.key(4)
    assert hand.phone.state.dialog == "splash"
    hand.clock.pass_s(2.1)
    hand.tap(text="跳过 3")
    assert (hand.phone.state.dialog, hand.phone.state.app) == ("", "com.tencent.mm")
    assert hand.phone.state.adverts_followed == 0
    hand.open_messenger()
    hand.clock.pass_s(5.1)
    assert hand.phone.state.dialog == ""
    assert hand.sees(desc="搜索")


def test_tap_outside_skip_button_opens_the_advert(make_hand):
    hand = make_hand("countdown")
    hand.open_messenger()
    hand.tap_at(540, 1200)
    assert (hand.phone.state.app, hand.phone.state.adverts_followed) == ("com.android.chrome", 1)

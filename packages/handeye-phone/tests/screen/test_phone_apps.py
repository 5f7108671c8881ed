"""Tests of launcher, settings, browser, dialer, keyboards, keys and intents."""

from __future__ import annotations

import base64

import pytest

from handeye_phone.system.intent import Intent, StartResult

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
LATIN = "com.android.inputmethod.latin/.LatinIME"


@pytest.fixture
def chat(hand):
    """A chat with the field focused."""
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    return hand


# ---- launcher and system


def test_launcher_apps_on_three_pages_open(hand):
    seen = set()
    for page in range(3):
        seen |= {node.get("text") for node in hand.all(id="icon")}
        if page < 2:
            hand.swipe_left()
    assert len(seen) >= 24
    hand.tap(text="指南针")
    assert hand.phone.state.app == "com.example.compass"
    assert hand.sees(id="title", text="指南针")
    hand.phone.key(4)
    assert hand.phone.state.app == "com.android.launcher3"


def test_home_twice_shows_the_first_page(hand):
    hand.swipe_left()
    hand.tap(text="微信")
    hand.phone.key(3)
    hand.phone.key(3)
    assert hand.phone.state.page == 0
    assert hand.phone.focused_activity == "com.android.launcher3/.uioverrides.QuickstepLauncher"


def test_short_drag_returns_to_the_page(hand):
    hand.swipe(600, 900, 500, 900)
    assert hand.phone.state.page == 0
    assert hand.phone.state.app == "com.android.launcher3"


def test_scroll_is_not_a_tap(hand):
    hand.open_messenger()
    hand.swipe_up(0.2)
    assert hand.phone.state.chat is None
    assert hand.phone.state.screen == "chats"


def test_navigation_bar_and_recents_work(hand):
    hand.open_messenger()
    hand.phone.key(187)
    assert hand.sees(desc="微信")
    hand.tap(desc="微信")
    assert hand.phone.state.app == "com.tencent.mm"
    size = hand.phone.size
    hand.tap_at(size.width / 2, size.height - 40)
    assert hand.phone.state.app == "com.android.launcher3"
    hand.phone.key(187)
    hand.tap(text="全部清除")
    hand.phone.key(187)
    assert hand.sees(text="近期没有任何内容")
    hand.phone.key(4)
    assert hand.phone.focused_activity.startswith("com.android.launcher3/")


def test_back_closes_keyboard_chat_and_app(chat):
    for expected in (("chat", True), ("chat", False), ("chats", False)):
        state = chat.phone.state
        assert (state.screen, state.input_shown) == expected
        chat.phone.key(4)
    assert chat.phone.state.app == "com.android.launcher3"


def test_volume_panel_disappears_after_timeout(hand):
    calm = hand.phone.frame().tobytes()
    hand.phone.key(24)
    assert hand.phone.volume == 8
    assert hand.phone.frame().tobytes() != calm
    hand.clock.pass_s(3.1)
    assert hand.phone.frame().tobytes() == calm


def test_dark_screen_ignores_touches(hand):
    hand.phone.key(26)
    assert hand.phone.frame().convert("L").getextrema() == (0, 0)
    hand.tap_at(540, 300)
    hand.phone.key(24)
    hand.phone.key(224)
    assert hand.phone.state.app == "com.android.launcher3"
    assert hand.phone.volume == 7


# ---- settings


def test_settings_list_scrolls_and_opens_pages(hand):
    hand.tap(text="设置")
    titles: set[str] = set()
    for _ in range(12):
        titles |= {node.get("text") for node in hand.all(id="title")}
        hand.swipe_up()
    assert len(titles) >= 30
    assert hand.sees(text="关于手机")
    hand.tap(text="关于手机")
    assert hand.sees(text="Android 版本")
    hand.phone.key(4)
    assert hand.phone.state.screen == "main"


def test_airplane_mode_switch_changes_the_setting(hand):
    hand.tap(text="设置")
    hand.tap(text="飞行模式")
    assert hand.phone.state.switches["飞行模式"] is True
    assert hand.phone.settings.get("global", "airplane_mode_on") == "1"
    assert any(node.get("checked") == "true" for node in hand.all(cls="Switch"))
    hand.phone.settings.put("global", "airplane_mode_on", "0")
    assert hand.phone.state.switches["飞行模式"] is False


def test_dark_mode_switch_changes_the_theme(hand):
    hand.tap(text="设置")
    bright = hand.phone.frame().convert("L").resize((1, 1)).tobytes()[0]
    hand.tap(text="深色模式")
    assert hand.phone.night_mode
    assert hand.phone.frame().convert("L").resize((1, 1)).tobytes()[0] < bright / 3
    hand.tap(text="深色模式")
    assert not hand.phone.night_mode


def test_settings_can_be_searched(hand):
    hand.tap(text="设置")
    hand.tap(id="search_src_text")
    hand.phone.type_text("nfc")
    assert [node.get("text") for node in hand.all(id="title") if node.get("text") != "设置"] == ["NFC"]


# ---- browser and dialer


def test_browser_searches_and_goes_back(hand):
    hand.tap(text="浏览器")
    hand.tap(id="url_bar")
    hand.phone.type_text("天气 北京")
    hand.phone.key(66)
    assert hand.phone.state.screen == "results"
    assert hand.sees(text="天气 北京 - 结果 1")
    hand.tap(text="天气 北京 - 结果 1")
    assert hand.phone.state.url.startswith("https://site1.example/")
    hand.phone.key(4)
    assert hand.phone.state.screen == "results"
    hand.tap(id="url_bar")
    hand.phone.key(28)
    hand.phone.type_text("example.org")
    hand.phone.key(66)
    assert hand.phone.state.url == "https://example.org"


def test_view_intent_opens_the_url(hand):
    url = "https://example.org/a?b=c&d=%E4%BD%A0#x"
    assert hand.phone.start_activity(Intent(action="android.intent.action.VIEW", data=url)) is StartResult.OK
    assert hand.phone.state.url == url
    assert url in hand.texts()


def test_call_intent_shows_the_number(hand):
    result = hand.phone.start_activity(Intent(action="android.intent.action.CALL", data="tel:10086"))
    assert result is StartResult.OK
    state = hand.phone.state
    assert (state.app, state.screen, state.dialed) == ("com.android.dialer", "call", "10086")
    assert hand.sees(text="10086")
    hand.tap(desc="挂断")
    assert hand.phone.state.screen == "dialpad"


def test_dial_pad_dials_the_number(hand):
    hand.tap(text="电话")
    for digit in "110#":
        hand.tap(text=digit, id="dialpad_key")
    hand.tap(desc="退格")
    assert hand.sees(text="110", id="digits")
    hand.tap(desc="拨号")
    assert hand.phone.state.screen == "call"


# ---- intents


def test_start_activity_returns_result_for_each_intent(hand):
    assert hand.phone.start_activity(Intent(component="com.tencent.mm/.ui.LauncherUI")) is StartResult.OK
    assert hand.phone.focused_activity == "com.tencent.mm/.ui.LauncherUI"
    assert hand.phone.focused_window == "com.tencent.mm/com.tencent.mm.ui.LauncherUI"
    full = Intent(component="com.tencent.mm/com.tencent.mm.ui.LauncherUI")
    assert hand.phone.start_activity(full) is StartResult.DELIVERED_TO_TOP
    hand.phone.key(3)
    assert hand.phone.start_activity(full) is StartResult.BROUGHT_TO_FRONT
    assert hand.phone.start_activity(Intent(component="com.tencent.mm/.Nope")) is StartResult.NOT_FOUND
    assert hand.phone.start_activity(Intent(action="what.EVER")) is StartResult.UNRESOLVED
    home = Intent(action="android.intent.action.MAIN", categories=("android.intent.category.HOME",))
    assert hand.phone.start_activity(home) is StartResult.OK
    assert hand.phone.start_activity(Intent(action="android.settings.WIFI_SETTINGS")) is StartResult.OK
    assert hand.phone.state.screen == "wifi"


def test_force_stop_closes_app_but_keeps_messages(chat):
    chat.phone.type_text("x")
    chat.tap(text="发送")
    chat.phone.force_stop("com.tencent.mm")
    assert chat.phone.state.app == "com.android.launcher3"
    assert chat.sent() == {"王小明": ["x"]}
    chat.open_messenger()
    assert chat.phone.state.screen == "chats"


# ---- keyboards


def _key(hand, text: str):
    """Tap a key of the drawn keyboard; keyboards are not in the dump, so by its place in the row."""
    size, density = hand.phone.size, hand.phone.density
    dp = density / 160
    rows = ["qwertyuiop", "asdfghjkl", " zxcvbnm "]
    top = size.height - (4 * 52 + 12 + 36) * dp
    step, unit = 52 * dp, size.width / 10
    for number, letters in enumerate(rows):
        if text in letters and text != " ":
            left = 0.75 * unit - 0.25 * unit if number == 2 else (size.width - unit * len(letters)) / 2
            x = left + (letters.index(text) + 0.5) * unit
            hand.tap_at(x, top + 6 * dp + (number + 0.5) * step)
            return
    x = {"DEL": size.width - unit * 0.7, "SHIFT": unit * 0.7, " ": size.width / 2, "ENTER": size.width - unit * 0.7}[
        text
    ]
    number = 2 if text in ("DEL", "SHIFT") else 3
    hand.tap_at(x, top + 6 * dp + (number + 0.5) * step)


def test_drawn_keyboard_types_characters(chat):
    _key(chat, "SHIFT")
    for char in "hello":
        _key(chat, char)
    _key(chat, " ")
    for char in "yzz":
        _key(chat, char)
    _key(chat, "DEL")
    assert chat.phone.state.draft == "Hello yz"
    _key(chat, "ENTER")
    assert chat.phone.state.draft == "Hello yz\n"


@pytest.fixture
def adb_chat(chat):
    """The same with ADBKeyboard selected."""
    assert chat.phone.enable_input_method(ADB_KEYBOARD)
    assert chat.phone.set_input_method(ADB_KEYBOARD)
    return chat


def test_adbkeyboard_is_disabled_by_default(hand):
    assert hand.phone.input_methods == [LATIN, ADB_KEYBOARD]
    assert hand.phone.enabled_input_methods == [LATIN]
    assert not hand.phone.set_input_method(ADB_KEYBOARD)
    assert hand.phone.settings.get("secure", "default_input_method") == LATIN


@pytest.mark.parametrize("text", ["你好 😀", "שלום \"q\" 'a' $(x) ;\n第二行", "%s"])
def test_adbkeyboard_broadcast_text_is_unchanged(adb_chat, text):
    coded = base64.b64encode(text.encode()).decode()
    adb_chat.phone.broadcast(Intent(action="ADB_INPUT_B64", extras={"msg": coded}))
    assert adb_chat.phone.state.draft == text
    adb_chat.phone.broadcast(Intent(action="ADB_CLEAR_TEXT"))
    assert adb_chat.phone.state.draft == ""
    adb_chat.phone.broadcast(Intent(action="ADB_INPUT_TEXT", extras={"msg": text}))
    assert adb_chat.phone.state.draft == text
    adb_chat.phone.broadcast(Intent(action="ADB_INPUT_CODE", extras={"code": 67}))
    assert adb_chat.phone.state.draft == text[:-1]
    adb_chat.phone.broadcast(Intent(action="ADB_INPUT_CHARS", extras={"chars": [128512, 65]}))
    assert adb_chat.phone.state.draft == text[:-1] + "😀A"


@pytest.mark.parametrize(
    "intent",
    [
        Intent(action="ADB_INPUT_B64", extras={"msg": "not base64 ***"}),
        Intent(action="ADB_INPUT_B64", extras={"msg": base64.b64encode(b"\xff\xfe\xfa").decode()}),
        Intent(action="ADB_INPUT_B64"),
        Intent(action="ADB_INPUT_TEXT", extras={"msg": 5}),
        Intent(action="ADB_INPUT_CHARS", extras={"chars": [0x110000]}),
        Intent(action="ADB_INPUT_CHARS", extras={"chars": "x"}),
        Intent(action="ADB_INPUT_CODE", extras={"code": "x"}),
        Intent(action="ADB_EDITOR_CODE", extras={"code": 99}),
        Intent(action="OTHER", extras={"msg": "x"}),
    ],
)
def test_malformed_broadcasts_change_nothing(adb_chat, intent):
    adb_chat.phone.broadcast(intent)
    assert adb_chat.phone.state.draft == ""


def test_broadcast_without_adbkeyboard_or_field_is_ignored(chat):
    intent = Intent(action="ADB_INPUT_TEXT", extras={"msg": "x"})
    chat.phone.broadcast(intent)
    assert chat.phone.state.draft == ""
    chat.phone.enable_input_method(ADB_KEYBOARD)
    chat.phone.set_input_method(ADB_KEYBOARD)
    chat.phone.key(3)
    chat.phone.broadcast(intent)
    chat.tap_at(540, 2300)
    assert all("x" not in m for m in chat.phone.state.sent.values())


def test_editor_action_submits_a_search(hand):
    hand.tap(text="浏览器")
    hand.tap(id="url_bar")
    hand.phone.enable_input_method(ADB_KEYBOARD)
    hand.phone.set_input_method(ADB_KEYBOARD)
    hand.phone.broadcast(Intent(action="ADB_INPUT_TEXT", extras={"msg": "猫"}))
    hand.phone.broadcast(Intent(action="ADB_EDITOR_CODE", extras={"code": 3}))
    assert hand.phone.state.screen == "results"


def test_secure_setting_selects_the_keyboard(hand):
    hand.phone.settings.put("secure", "enabled_input_methods", f"{LATIN}:{ADB_KEYBOARD}:x/.Y")
    assert hand.phone.enabled_input_methods == [LATIN, ADB_KEYBOARD]
    hand.phone.settings.put("secure", "default_input_method", ADB_KEYBOARD)
    assert hand.phone.input_method == ADB_KEYBOARD
    hand.phone.settings.put("secure", "default_input_method", "x/.Y")
    assert hand.phone.settings.get("secure", "default_input_method") == ADB_KEYBOARD

"""Tests of Android's commands: their effect on the phone, their output and their exit codes."""

from __future__ import annotations

import base64
import json
import re
import struct
import xml.etree.ElementTree as ET

import pytest

from handeye_phone import Scenario
from handeye_phone.shell.android.keycodes import KEY_CODES, key_code

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
LATIN = "com.android.inputmethod.latin/.LatinIME"


def tap_text(sh, text: str) -> None:
    """Tap the node with this text, found as any client would."""
    sh("rm -f /sdcard/window_dump.xml; uiautomator dump")
    root = ET.fromstring(sh("cat /sdcard/window_dump.xml").out)
    node = next(node for node in root.iter("node") if text in (node.get("text"), node.get("content-desc")))
    left, top, right, bottom = map(int, re.findall(r"\d+", node.get("bounds", "")))
    assert sh(f"input tap {(left + right) // 2} {(top + bottom) // 2}").status == 0


@pytest.fixture
def field(sh):
    """A focused text field: the browser's address."""
    sh("am start -n com.android.chrome/com.google.android.apps.chrome.Main")
    root = ET.fromstring(re.sub(r"UI hier.*", "", sh("uiautomator dump /dev/tty").out))
    edit = next(node for node in root.iter("node") if node.get("class") == "android.widget.EditText")
    left, top, right, bottom = map(int, re.findall(r"\d+", edit.get("bounds", "")))
    sh(f"input tap {(left + right) // 2} {(top + bottom) // 2}")
    assert sh.phone.model.state.focused_text is not None
    return lambda: sh.phone.model.state.focused_text


class TestInput:
    @pytest.mark.parametrize(
        ("typed", "arrives"),
        [
            ("hello", "hello"),
            ("'a b'", "a b"),
            ("a%sb", "a b"),
            ("'%%s'", "% "),
            ("'100%'", "100%"),
            ("'it'\\''s \"x\" $HOME; ls'", 'it\'s "x" $HOME; ls'),
            ("one two", "one"),
        ],
    )
    def test_input_text_arrives_as_on_android(self, sh, field, typed, arrives):
        assert sh(f"input text {typed}").status == 0
        assert field() == arrives

    @pytest.mark.parametrize("text", ["你好", "é", "😀", "a\u00a0b", "שלום"])
    def test_input_text_with_unmapped_characters_throws(self, sh, field, text):
        result = sh(f"input text '{text}'")
        assert result.status == 255
        assert "java.lang.NullPointerException: Attempt to get length of null array" in result.err
        assert field() == ""

    def test_keyevents_work_by_name_and_number(self, sh, field):
        sh("input text abc; input keyevent KEYCODE_DEL 67; input keyevent MOVE_HOME; input text x")
        assert field() == "xa"

    def test_home_key_opens_the_launcher(self, sh):
        sh("am start -n com.android.settings/.Settings; input keyevent 3")
        assert sh.phone.model.focused_activity.startswith("com.android.launcher3/")

    def test_swipe_changes_the_launcher_page(self, sh):
        assert sh("input swipe 950 1200 100 1200 150").status == 0
        assert sh.phone.model.state.page == 1

    def test_slow_swipe_in_place_opens_no_app(self, sh, field):
        sh("input keyevent HOME")
        before = sh.phone.model.state.to_dict()
        sh("input swipe 300 600 300 600 700")
        assert sh.phone.model.state.app == before["app"]

    def test_motion_events_make_a_tap(self, sh):
        tap_dump = sh("uiautomator dump /dev/tty").out
        node = next(
            node
            for node in ET.fromstring(re.sub(r"UI hier.*", "", tap_dump)).iter("node")
            if node.get("clickable") == "true"
        )
        left, top, right, bottom = map(int, re.findall(r"\d+", node.get("bounds", "")))
        x, y = (left + right) // 2, (top + bottom) // 2
        before = sh.phone.model.state.to_dict()
        sh(f"input motionevent DOWN {x} {y}; input motionevent CANCEL {x} {y}")
        assert sh.phone.model.state.to_dict() == before
        sh(f"input motionevent DOWN {x} {y}; input motionevent UP {x} {y}")
        assert sh.phone.model.state.to_dict() != before

    @pytest.mark.parametrize(
        "line",
        [
            "input",
            "input tap",
            "input tap 1",
            "input tap a b",
            "input tap nan inf",
            "input swipe 1 2 3",
            "input swipe 1 2 3 4 x",
            "input text",
            "input keyevent",
            "input motionevent SIDEWAYS 1 2",
            "input jump 1 2",
            "input keyevent --nope 3",
        ],
    )
    def test_wrong_use_is_refused(self, sh, line):
        before = sh.phone.model.state.to_dict()
        assert sh(line).status == 255
        assert sh.phone.model.state.to_dict() == before

    def test_input_source_and_display_are_accepted(self, sh):
        assert sh("input touchscreen -d 0 tap 5 5").status == 0

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("HOME", 3),
            ("KEYCODE_BACK", 4),
            ("66", 66),
            ("KEYCODE_7", 14),
            ("7", 7),
            ("APP_SWITCH", 187),
            ("NOPE", 0),
            ("9999", 0),
        ],
    )
    def test_key_names_and_numbers_are_parsed(self, name, code):
        assert key_code(name) == code

    def test_key_code_table_is_complete(self):
        assert len(KEY_CODES) == 289
        assert [KEY_CODES[name] for name in ("ENTER", "DEL", "ESCAPE", "F12", "SLEEP", "PASTE")] == [
            66,
            67,
            111,
            142,
            223,
            279,
        ]


class TestScreencap:
    def test_screencap_format_follows_file_name_or_option(self, sh):
        sh("screencap /sdcard/a.png; screencap /sdcard/a.raw; screencap -p /sdcard/b")
        assert sh.phone.files.read("/sdcard/a.png").startswith(b"\x89PNG")
        assert sh.phone.files.read("/sdcard/b").startswith(b"\x89PNG")
        assert struct.unpack_from("<4I", sh.phone.files.read("/sdcard/a.raw")) == (1080, 2400, 1, 1)

    def test_screencap_to_protected_path_fails(self, sh):
        assert sh("screencap -p /system/a.png").status == 1

    @pytest.mark.parametrize("line", ["screencap -x", "screencap -d 77", "screencap a b"])
    def test_wrong_use_is_refused(self, sh, line):
        result = sh(line)
        assert (result.status, result.out) == (1, "")


class TestDisplay:
    def test_wm_size_overrides_and_resets(self, sh):
        assert sh("wm size").out == "Physical size: 1080x2400\n"
        assert sh("wm size 720x1600; wm size").out == "Physical size: 1080x2400\nOverride size: 720x1600\n"
        assert struct.unpack_from("<2I", self.raw(sh)) == (720, 1600)
        assert sh("wm size reset; wm size").out == "Physical size: 1080x2400\n"

    @staticmethod
    def raw(sh) -> bytes:
        sh("screencap /sdcard/s")
        return sh.phone.files.read("/sdcard/s")

    def test_wm_density_overrides_and_resets(self, sh):
        assert sh("wm density 320; wm density").out == "Physical density: 420\nOverride density: 320\n"
        assert sh("wm density reset; wm density").out == "Physical density: 420\n"

    @pytest.mark.parametrize(
        "line", ["wm size 5", "wm size 0x0", "wm size 99999x9", "wm density x", "wm density 1", "wm jump", "wm"]
    )
    def test_invalid_wm_values_are_refused(self, sh, line):
        assert sh(line).status == 255

    def test_rotation_is_reported_by_every_service(self, sh):
        sh.phone.set_scenario(Scenario(rotation=1))
        assert "orientation=1, logicalFrame=Rect(0, 0 - 2400, 1080)" in sh("dumpsys display").out
        assert "SurfaceOrientation: 1" in sh("dumpsys input").out
        assert "mCurrentRotation=ROTATION_90" in sh("dumpsys window displays").out
        assert struct.unpack_from("<2I", self.raw(sh)) == (2400, 1080)
        assert 'rotation="1"' in sh("uiautomator dump /dev/tty").out

    def test_night_mode_is_read_and_set(self, sh):
        assert sh("cmd uimode night").out == "Night mode: no\n"
        assert sh("cmd uimode night yes").out == "Night mode: yes\n"
        assert sh("settings get secure ui_night_mode").out == "2\n"
        assert sh("cmd uimode night purple").status == 255


class TestActivities:
    def test_am_start_opens_the_component(self, sh):
        result = sh("am start -W -n com.tencent.mm/.ui.LauncherUI")
        assert result.out.startswith("Starting: Intent { cmp=com.tencent.mm/.ui.LauncherUI }\nStatus: ok\n")
        assert "Activity: com.tencent.mm/.ui.LauncherUI\n" in result.out
        assert sh("dumpsys window | grep mCurrentFocus").out == (
            f"  mCurrentFocus=Window{{{self.token(sh)} u0 com.tencent.mm/com.tencent.mm.ui.LauncherUI}}\n"
        )
        assert re.search(
            r"mFocusedApp=ActivityRecord\{\w+ u0 com.tencent.mm/.ui.LauncherUI t\d+\}", sh("dumpsys window").out
        )
        for line in ("mResumedActivity: ", "topResumedActivity=", "ResumedActivity: "):
            pattern = re.escape(line) + r"ActivityRecord\{\w+ u0 com.tencent.mm/.ui.LauncherUI t\d+\}"
            assert re.search(pattern, sh("dumpsys activity activities").out)
        assert "ACTIVITY com.tencent.mm/.ui.LauncherUI " in sh("dumpsys activity top").out

    @staticmethod
    def token(sh) -> str:
        return sh("dumpsys window").out.partition("mCurrentFocus=Window{")[2].partition(" ")[0]

    def test_running_app_is_brought_to_front(self, sh):
        sh("am start -n com.tencent.mm/.ui.LauncherUI; input keyevent HOME")
        result = sh("am start -n com.tencent.mm/com.tencent.mm.ui.LauncherUI")
        assert result.err == "Warning: Activity not started, its current task has been brought to the front\n"

    def test_missing_activity_is_an_error(self, sh):
        result = sh("am start -n com.no/.Such")
        assert "Error type 3\nError: Activity class {com.no/com.no.Such} does not exist.\n" in result.err
        result = sh("am start -a no.such.ACTION")
        assert "Error: Activity not started, unable to resolve Intent { act=no.such.ACTION" in result.err

    def test_view_intent_opens_url_in_browser(self, sh):
        sh("am start -a android.intent.action.VIEW -d 'https://example.com/a?b=c&d=e'")
        assert sh.phone.model.state.url == "https://example.com/a?b=c&d=e"

    def test_called_number_is_not_printed(self, sh):
        result = sh("am start -a android.intent.action.CALL -d tel:10086")
        assert "10086" not in result.out
        assert sh.phone.model.state.dialed == "10086"

    def test_force_stop_returns_to_the_launcher(self, sh):
        sh("am start -n com.tencent.mm/.ui.LauncherUI; am force-stop com.tencent.mm")
        assert sh.phone.model.focused_activity.startswith("com.android.launcher3/")
        assert sh("am force-stop no.such.package").status == 0

    @pytest.mark.parametrize(
        "line",
        ["am", "am jump", "am start", "am start -n nonsense", "am start --nope x", "am broadcast", "am force-stop"],
    )
    def test_wrong_use_is_refused(self, sh, line):
        assert sh(line).status == 255

    def test_monkey_opens_an_app(self, sh):
        result = sh("monkey -p com.android.settings -c android.intent.category.LAUNCHER 1")
        assert (result.status, result.out.splitlines()[0]) == (0, "Events injected: 1")
        assert sh.phone.model.focused_activity == "com.android.settings/.Settings"

    @pytest.mark.parametrize(
        "line", ["monkey -p no.such 1", "monkey 1", "monkey -p com.tencent.mm", "monkey -p com.tencent.mm 500"]
    )
    def test_other_monkey_calls_are_refused(self, sh, line):
        before = sh.phone.model.state.to_dict()
        assert sh(line).status != 0
        assert sh.phone.model.state.to_dict() == before


class TestKeyboards:
    def test_ime_list_enable_and_set(self, sh):
        assert sh("ime list -s").out == f"{LATIN}\n"
        assert sh("ime list -a -s").out == f"{LATIN}\n{ADB_KEYBOARD}\n"
        assert sh(f"ime set {ADB_KEYBOARD}").status == 255
        assert sh(f"ime enable {ADB_KEYBOARD}").out == f"Input method {ADB_KEYBOARD}: now enabled for user #0\n"
        assert sh(f"ime enable {ADB_KEYBOARD}").out == f"Input method {ADB_KEYBOARD}: already enabled for user #0\n"
        assert sh(f"ime set {ADB_KEYBOARD}").out == f"Input method {ADB_KEYBOARD} selected for user #0\n"
        assert sh("settings get secure default_input_method").out == f"{ADB_KEYBOARD}\n"
        assert f"mCurMethodId={ADB_KEYBOARD}\n" in sh("dumpsys input_method").out
        sh("ime reset")
        assert sh("settings get secure default_input_method").out == f"{LATIN}\n"

    def test_missing_keyboard_cannot_be_enabled(self, sh):
        sh.phone.set_scenario(Scenario(adb_keyboard=False))
        result = sh(f"ime enable {ADB_KEYBOARD}")
        assert (result.status, result.err) == (
            255,
            f"Unknown input method {ADB_KEYBOARD} cannot be enabled for user #0\n",
        )
        assert ADB_KEYBOARD not in sh("ime list -a").out
        assert "adbkeyboard" not in sh("pm list packages").out

    @pytest.mark.parametrize("text", ["你好", "a'b\"c", "$(id); `id`", "😀👍🏽", "שלום", "%s %d", "  two  blanks "])
    def test_broadcast_types_any_text(self, sh, field, text):
        sh(f"ime enable {ADB_KEYBOARD}; ime set {ADB_KEYBOARD}")
        sh(f"am broadcast -a ADB_INPUT_B64 --es msg {base64.b64encode(text.encode()).decode()}")
        assert field() == text

    def test_broadcast_without_receiver_reports_success(self, sh, field):
        result = sh("am broadcast -a ADB_INPUT_B64 --es msg YQ==")
        assert result.out.endswith("Broadcast completed: result=0\n")
        assert field() == ""

    def test_keyboard_visibility_is_reported(self, sh, field):
        assert "mInputShown=true" in sh("dumpsys input_method").out
        sh("input keyevent BACK")
        assert "mInputShown=false" in sh("dumpsys input_method").out


class TestSettingsAndProperties:
    def test_settings_get_put_list_and_delete(self, sh):
        assert sh("settings get global no_such").out == "null\n"
        assert sh("settings put global mine 'a b'; settings get global mine").out == "a b\n"
        assert "mine=a b\n" in sh("settings list global").out
        assert sh("settings delete global mine").out == "Deleted 1 rows\n"
        assert sh("settings delete global mine").out == "Deleted 0 rows\n"

    @pytest.mark.parametrize(
        "line", ["settings", "settings get", "settings get nope x", "settings put global x", "settings jump system x"]
    )
    def test_wrong_use_is_refused(self, sh, line):
        assert sh(line).status == 255

    def test_properties_are_read_and_set(self, sh):
        assert sh("getprop ro.build.version.sdk").out == "34\n"
        assert sh("getprop no.such fallback").out == "fallback\n"
        assert "[ro.build.version.sdk]: [34]\n" in sh("getprop").out
        assert sh("setprop debug.mine 1; getprop debug.mine").out == "1\n"
        assert sh("setprop ro.build.version.sdk 1").status == 1


class TestPackages:
    def test_packages_are_listed_by_kind(self, sh):
        everything = set(sh("pm list packages").out.split())
        assert "package:com.tencent.mm" in everything
        assert set(sh("pm list packages -3").out.split()) | set(sh("pm list packages -s").out.split()) == everything
        assert sh("cmd package list packages tencent").out == "package:com.tencent.mm\n"

    def test_pm_path_of_known_and_unknown_packages(self, sh):
        assert sh("pm path com.tencent.mm").out.startswith("package:/data/app/")
        assert (sh("pm path no.such").status, sh("pm path no.such").out) == (1, "")

    def test_dumpsys_package_shows_the_version(self, sh):
        assert re.search(r"versionName=\d+", sh("dumpsys package com.tencent.mm").out)
        assert "Unable to find package: no.such" in sh("dumpsys package no.such").out

    def test_main_activity_is_resolved(self, sh):
        assert (
            sh("cmd package resolve-activity --brief com.tencent.mm").out.splitlines()[-1]
            == "com.tencent.mm/.ui.LauncherUI"
        )
        assert sh("cmd package resolve-activity --brief no.such").out == "No activity found\n"

    def test_install_and_uninstall_are_refused(self, sh):
        assert sh("pm install /sdcard/a.apk").status == 1
        assert sh("pm uninstall com.tencent.mm").status == 1
        assert "package:com.tencent.mm\n" in sh("pm list packages").out


class TestUiautomator:
    def test_uiautomator_dump_writes_the_hierarchy(self, sh):
        result = sh("uiautomator dump")
        assert result.out == "UI hierchary dumped to: /sdcard/window_dump.xml\n"
        assert ET.fromstring(sh("cat /sdcard/window_dump.xml").out).tag == "hierarchy"
        assert sh("uiautomator dump --compressed /data/local/tmp/x.xml; test -s /data/local/tmp/x.xml").status == 0

    def test_dump_to_protected_path_reports_success_without_file(self, sh):
        assert sh("uiautomator dump /system/x.xml").out == "UI hierchary dumped to: /system/x.xml\n"
        assert sh("ls /system/x.xml").status == 1

    @pytest.mark.parametrize("line", ["uiautomator", "uiautomator jump", "uiautomator dump --nope"])
    def test_wrong_use_is_refused(self, sh, line):
        assert sh(line).status == 1


class TestVirtualPhoneCommand:
    def test_vphone_state_matches_the_model(self, sh):
        assert json.loads(sh("cmd vphone state").out) == json.loads(json.dumps(sh.phone.model.state.to_dict()))

    def test_vphone_scenario_is_set_and_shown(self, sh):
        sh("cmd vphone scenario dark,advert")
        assert json.loads(sh("cmd vphone scenario-show").out)["advert"] is True

    def test_hostile_scenario_json_is_refused(self, sh):
        assert sh("cmd vphone scenario-json '" + "[" * 50_000 + "'").status == 255
        assert sh("cmd vphone scenario-json '[1]'").status == 255


@pytest.mark.parametrize("line", ["cmd nope", "cmd", "svc jump", "logcat", "dumpsys --nope"])
def test_unknown_services_and_options_are_refused(sh, line):
    assert sh(line).status not in (0, 127)


def test_minor_services_respond(sh):
    assert sh("svc power stayon true; settings get global stay_on_while_plugged_in").out == "7\n"
    assert sh("logcat -d").status == 0
    assert "level: " in sh("dumpsys battery").out
    assert "mWakefulness=Awake" in sh("dumpsys power").out
    assert sh("dumpsys nope").err == "Can't find service: nope\n"
    for name in sh("dumpsys -l").out.split()[3:]:
        assert sh(f"dumpsys {name}").status == 0


def test_swipe_and_tap_open_an_app(sh):
    sh("input swipe 950 1200 100 1200 150")
    tap_text(sh, "微信")
    assert sh.phone.model.state.app == "com.tencent.mm"


class TestUsers:
    def test_users_have_separate_windows_and_packages(self, sh):
        sh.phone.set_scenario(Scenario(users=(10, 999)))
        assert "UserInfo{10:Work profile:" in sh("pm list users").out
        assert "com.android.settings" not in sh("pm list packages --user 10").out
        for user in (10, 999, 0):
            assert sh(f"am start --user {user} -n com.tencent.mm/.ui.LauncherUI").status == 0
            assert re.search(rf"mCurrentFocus=Window{{\w+ u{user} com.tencent.mm/", sh("dumpsys window").out)
        assert len(set(re.findall(r"Window{(\w+ u\d+) com.tencent.mm/", sh("dumpsys window windows").out))) == 3
        sh("am force-stop --user 999 com.tencent.mm")
        assert "u999" not in sh("dumpsys window").out

    def test_unknown_user_is_refused(self, sh):
        assert sh("am start --user 10 -n com.tencent.mm/.ui.LauncherUI").status == 255
        assert sh("pm list packages --user x").status == 255

    def test_app_of_other_user_is_not_resolved(self, sh):
        sh.phone.set_scenario(Scenario.parse("only-in-work-profile"))
        query = "cmd package resolve-activity --brief --user {} com.tencent.mm"
        assert "No activity found" in sh(query.format(0)).out
        assert "LauncherUI" in sh(query.format(10)).out
        assert "does not exist" in sh("am start --user 0 -n com.tencent.mm/.ui.LauncherUI").err

    def test_start_without_user_opens_clone_chooser(self, sh):
        sh.phone.set_scenario(Scenario.parse("cloned-app"))
        sh("am start -n com.tencent.mm/.ui.LauncherUI")
        assert sh.phone.model.state.dialog == "chooser"
        tap_text(sh, "微信（999）")
        assert (sh.phone.model.state.app, sh.phone.model.state.user) == ("com.tencent.mm", 999)


class TestDisplays:
    def test_screencap_captures_the_named_display(self, sh):
        sh.phone.set_scenario(Scenario.parse("second-display"))
        first, second = re.findall(r"^Display (\d+) \(HWC", sh("dumpsys SurfaceFlinger --display-id").out, re.MULTILINE)
        for panel, size in ((first, (1080, 2400)), (second, (1080, 1920))):
            raw = sh(f"screencap -d {panel}").out.encode("utf-8", "surrogateescape")
            assert struct.unpack_from("<2I", raw) == size
        assert "[Warning] Multiple displays were found" in sh("screencap -p /sdcard/a.png").err
        assert sh("screencap -d 0").status == 1

    @pytest.mark.parametrize("scenario", ["folded", "cover-display"])
    def test_screencap_without_display_may_be_black(self, sh, scenario):
        sh.phone.set_scenario(Scenario.parse(scenario))
        raw = sh("screencap").out.encode("utf-8", "surrogateescape")[16:]
        assert set(raw) == {0, 255}

    def test_touches_keys_and_dumps_are_per_display(self, sh):
        sh.phone.set_scenario(Scenario.parse("second-display"))
        sh("am start --display 2 -n com.android.settings/.Settings")
        assert sh.phone.model.state.app == "com.android.launcher3"
        assert "com.android.settings" in sh("uiautomator dump /dev/tty").out
        sh("input -d 2 keyevent HOME")
        sh("input tap 10 10")
        assert "mTopFocusedDisplayId=0" in sh("dumpsys window displays").out
        assert sh("wm size -d 2").out == "Physical size: 1080x1920\n"
        assert sh("input -d 7 tap 1 1").status == 255

    def test_protected_windows_are_black_only_in_screenshots(self, sh):
        sh.phone.set_scenario(Scenario.parse("protected"))
        sh("am start -n com.android.settings/.Settings")
        assert " SECURE " in sh("dumpsys window windows").out
        assert sh.phone.model.captured().getpixel((500, 1200)) == (0, 0, 0, 255)
        assert sh.phone.model.frame().getpixel((500, 1200)) != (0, 0, 0, 255)

"""Tests of answers of phones of other makers and versions, word for word, from a scripted server."""

from __future__ import annotations

import json
import struct

import pytest
from scripted_server import ScriptedServer, device_line, fail, okay
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.devices import ADBController
from handeye.devices.android.input_method import InputMethods
from handeye.devices.android.link import with_port
from handeye.errors import CaptureFailed, CommandFailed, TextInputFailed

SERIAL = "PHONE1"
IDS = "com.android.adbkeyboard/.AdbIME"


def packet(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + struct.pack("<I", len(content)) + content


def ends(out: str = "", code: int = 0, err: str = "") -> bytes:
    return b"OKAY" + packet(1, out.encode()) + packet(2, err.encode()) + packet(3, bytes([code]))


def phone_that(**commands: bytes) -> ScriptedServer:
    """A phone that answers commands by their beginning (blanks written as `_`); unknown ones as a shell does."""
    return ScriptedServer(
        {
            "host:devices-l": device_line(SERIAL),
            f"host-serial:{SERIAL}:features": okay(b"shell_v2,cmd"),
            f"host:transport:{SERIAL}": b"OKAY",
            "shell,v2,raw:": ends("", 127, "inaccessible or not found\n"),
            **{f"shell,v2,raw:{name.replace('_', ' ')}": answer for name, answer in commands.items()},
        }
    )


def controller(server: ScriptedServer) -> ADBController:
    return ADBController(SERIAL, server=server.server, timeout_s=3.0)


@pytest.mark.parametrize("code", [0, 255])
def test_forbidden_tap_error_names_security_settings(code: int) -> None:
    said = "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n"
    with phone_that(input_tap=ends(said, code)) as server, pytest.raises(CommandFailed, match="security settings"):
        controller(server).tap(1, 2)


WINDOW_DUMPS = {
    "Android 14": (
        "  mCurrentFocus=Window{a1b2c3 u0 com.tencent.mm/com.tencent.mm.ui.LauncherUI}\n",
        "com.tencent.mm/com.tencent.mm.ui.LauncherUI",
    ),
    "no window has the focus": (
        "  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{d4e5f6 u0 com.android.settings/.Settings t12}\n",
        "None",
    ),
    "Android 8": (
        "  mCurrentFocus=Window{9c u0 PopupWindow:12ab}\n"
        "  mFocusedApp=AppWindowToken{7 token=Token{8 ActivityRecord{6 u0 org.x.y/.z.Main$1 t3}}}\n",
        "org.x.y/org.x.y.z.Main$1",
    ),
    "two displays": (
        "  mCurrentFocus=null\n  mCurrentFocus=Window{1 u10 a.b/a.b.C}\n",
        "a.b/a.b.C",
    ),
}


@pytest.mark.parametrize("version", WINDOW_DUMPS)
def test_current_app_is_read_from_any_version(version: str) -> None:
    dump, app = WINDOW_DUMPS[version]
    with phone_that(dumpsys_window=ends(dump)) as server:
        assert str(controller(server).current_app()) == app


def test_dark_screen_has_no_current_app() -> None:
    with phone_that(
        dumpsys_window=ends("  mCurrentFocus=Window{1 u0 NotificationShade}\n  mFocusedApp=null\n"),
        dumpsys_activity=ends("  topResumedActivity=null\n"),
    ) as server:
        assert controller(server).current_app() is None


def test_connect_command_reports_missing_current_app(monkeypatch: pytest.MonkeyPatch) -> None:
    with phone_that(
        wm_size=ends("Physical size: 1080x2400\n"),
        dumpsys_window=ends("  mCurrentFocus=null\n  mFocusedApp=null\n  mRotation=0\n"),
        dumpsys_activity=ends("  topResumedActivity=null\n"),
    ) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        answer = CliRunner().invoke(app, ["connect", SERIAL, "--json"])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout) == {"uri": f"android:///{SERIAL}", "size": [1080, 2400], "app": None}


def test_current_app_falls_back_to_activity_manager() -> None:
    record = "  mResumedActivity: ActivityRecord{5 u0 com.android.chrome/com.google.android.apps.chrome.Main t9}\n"
    with phone_that(dumpsys_window=ends("nothing\n"), dumpsys_activity=ends(record)) as server:
        assert str(controller(server).current_app()) == "com.android.chrome/com.google.android.apps.chrome.Main"


@pytest.mark.parametrize(
    ("command", "line", "turned"),
    [
        ("dumpsys_window_displays", "    mCurrentRotation=ROTATION_270\n", 3),
        ("dumpsys_window_displays", "    mCurrentRotation=1\n", 1),
        ("dumpsys_input", "      SurfaceOrientation: 1\n", 1),
        ("dumpsys_display", "  mCurrentOrientation=2\n", 2),
        ("dumpsys_display", "  mViewports=[DisplayViewport{type=INTERNAL, orientation=3, x=1}]\n", 3),
    ],
)
def test_rotation_is_read_from_any_version(command: str, line: str, turned: int) -> None:
    answers = {command: ends(line), "wm_size": ends("Physical size: 1080x2400\nOverride size: 720x1600\n")}
    with phone_that(**answers) as server:
        phone = controller(server)
        assert phone.rotation() == turned
        assert phone.screen_size() == ((1600, 720) if turned % 2 else (720, 1600))


@pytest.mark.parametrize(
    "resolved",
    [
        ends("No activity found\n"),
        ends("", 255, "Unknown command: resolve-activity\n"),
        ends("priority=0 match=0x108000\nandroid/com.android.internal.app.ResolverActivity\n"),
    ],
)
def test_app_without_unique_launcher_is_started_by_monkey(resolved: bytes) -> None:
    answers = {
        "cmd_package": resolved,
        "pm_list": ends("package:com.x.y.z\npackage:com.x.y\n"),
        "monkey": ends("Events injected: 1\n"),
    }
    with phone_that(**answers) as server:
        controller(server).launch_app("com.x.y")
        assert server.asked[-1].endswith("monkey -p com.x.y -c android.intent.category.LAUNCHER 1")


@pytest.mark.parametrize("said", ["Error type 3\nError: Activity class {a/b} does not exist.\n", "java.lang.X: no\n"])
def test_start_failure_with_exit_code_zero_is_error(said: str) -> None:
    with phone_that(am_start=ends(said)) as server, pytest.raises(CommandFailed):
        controller(server).open_url("https://example.com")


def test_start_warning_is_not_an_error() -> None:
    said = "Starting: Intent { }\nWarning: Activity not started, its current task has been brought to the front\n"
    with phone_that(am_start=ends(said)) as server:
        controller(server).open_url("https://example.com")


def test_capture_error_quotes_the_phone() -> None:
    with phone_that(screencap=ends("", 1, "Failed to take screenshot. Status: -22\n")) as server:
        server.answers["exec:"] = b"OKAY\n"
        with pytest.raises(CaptureFailed, match="Status: -22"):
            controller(server).screenshot()


def test_a_phone_without_exec_uses_a_file() -> None:
    """Before Android 5 the `exec:` service is unknown, and the file's way is the only one."""
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (3, 2), "red").save(out, "PNG")
    content = out.getvalue()
    sync = b"OKAY" + b"DATA" + struct.pack("<I", len(content)) + content + b"DONE" + struct.pack("<I", 0)
    with phone_that(screencap=ends(), rm=ends()) as server:
        server.answers |= {"exec:": fail(b"closed"), "sync:": sync}
        phone = controller(server)
        assert phone.screenshot().pixels.tolist() == [[[255, 0, 0]] * 3] * 2
        assert phone.capture_note.startswith("file+pull")


def test_forbidden_keyboard_error_names_the_settings() -> None:
    with phone_that(
        settings_get=ends("com.sohu.inputmethod.sogou/.SogouIME\n"),
        ime_list_=ends("com.sohu.inputmethod.sogou/.SogouIME\n"),
        ime_list_s=ends("com.sohu.inputmethod.sogou/.SogouIME\n"),
        ime_enable=ends("Error: not allowed\n", 255),
    ) as server:
        server.answers["shell,v2,raw:ime list -a -s"] = ends(f"com.sohu.inputmethod.sogou/.SogouIME\n{IDS}\n")
        link = controller(server).link
        with pytest.raises(TextInputFailed, match="on-screen keyboards"), InputMethods(link).adb_keyboard():
            pass


def test_address_without_port_gets_default_port() -> None:
    assert with_port("192.168.1.7") == "192.168.1.7:5555"
    for serial in ("192.168.1.7:5", "R58M", "emulator-5554", "1.2.3"):
        assert with_port(serial) == serial


@pytest.mark.parametrize(("flags", "named"), [("SECURE SPLIT_TOUCH", True), ("SPLIT_TOUCH", False)])
def test_capture_error_names_protected_app(flags: str, named: bool) -> None:
    window = (
        f"  Window #1 Window{{a u0 com.bank/.Main}}:\n    mOwnerUid=1 package=com.bank\n    mAttrs={{fl={flags}}}\n"
    )
    with (
        phone_that(
            screencap=ends("", 1, "Failed to take screenshot. Status: -1\n"),
            dumpsys_window=ends(f"{window}  mCurrentFocus=Window{{a u0 com.bank/.Main}}\n"),
        ) as server,
        pytest.raises(CaptureFailed) as error,
    ):
        controller(server).screenshot()
    assert ("com.bank forbids pictures" in str(error.value)) is named

"""Tests of the controller on the virtual phone through a real adb server: screenshots, taps, apps, files, lost links."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from device_contract import DeviceContract
from on_screen import centre_of

from handeye.actions import (
    Call,
    Drag,
    GoHome,
    LaunchApp,
    LongPress,
    OpenUrl,
    PressKey,
    StopApp,
    Swipe,
    Tap,
)
from handeye.devices import ADBController, AdbServer, Device, PhoneDevice, list_devices
from handeye.errors import (
    CommandFailed,
    DeviceError,
    DeviceLost,
    DeviceNotFound,
    DeviceUnauthorized,
    UsageError,
)
from handeye.screen import InputPoint
from handeye.testing.adb import free_port
from handeye_phone import AuthPolicy, VirtualPhone
from handeye_phone.scenario import Scenario

WECHAT = "com.tencent.mm"
BROWSER = "com.android.chrome"
LAUNCHER = "com.android.launcher3"


class TestPhoneDevice(DeviceContract):
    @pytest.fixture
    def device(self, phone: PhoneDevice) -> Device:
        return phone


# -- looking


def test_screenshot_shows_the_phone_screen(phone: PhoneDevice) -> None:
    shown = phone.phone.call(lambda model: np.asarray(model.frame())[:, :, :3].copy())
    for _ in range(2):  # by the race, then by the method that won
        assert np.array_equal(phone.screenshot().pixels, shown)
    assert "is the fastest that works" in phone.capture_note


def test_screen_size_follows_rotation(phone: PhoneDevice) -> None:
    assert (phone.screen_size(), phone.rotation()) == ((1080, 2400), 0)
    phone.phone.set_scenario("rotation")
    turned = phone.phone.call(lambda model: model.rotation)
    assert turned
    assert phone.rotation() == turned
    assert phone.screen_size() == phone.screenshot().size == phone.phone.call(lambda model: model.size)


def test_current_app_has_package_and_activity(phone: PhoneDevice) -> None:
    phone.launch_app(WECHAT)
    app = phone.current_app()
    assert app is not None
    assert str(app) == f"{WECHAT}/{WECHAT}.ui.LauncherUI"


def test_tree_dump_is_fresh_or_fails(phone: PhoneDevice) -> None:
    assert "微信" in phone.dump_hierarchy() or LAUNCHER in phone.dump_hierarchy()
    phone.phone.set_scenario("never-idle")
    with pytest.raises(CommandFailed, match="idle"):
        phone.dump_hierarchy()
    assert b"handeye-" not in phone.shell("ls", "/data/local/tmp").stdout


# -- touching, keys, apps


def test_tap_back_and_home_reach_the_app(phone: PhoneDevice) -> None:
    phone.launch_app(WECHAT)
    phone.tap(*centre_of(phone, text="通讯录"))
    assert phone.phone.state.screen != ""
    phone.press_back()
    phone.press_home()
    assert phone.phone.state.app == LAUNCHER


def test_swipe_turns_launcher_page_and_home_returns(phone: PhoneDevice) -> None:
    page = phone.phone.state.page
    phone.swipe(900, 1200, 150, 1200, 200)
    assert phone.phone.state.page == page + 1
    phone.go_home()
    assert phone.phone.state.page == page


def test_every_action_type_is_performed(phone: PhoneDevice) -> None:
    here, there = InputPoint(540, 1300), InputPoint(540, 900)
    phone.perform(LaunchApp(WECHAT))
    assert phone.phone.state.app == WECHAT
    phone.perform(StopApp(WECHAT))
    assert phone.phone.state.app != WECHAT
    phone.perform(OpenUrl("https://example.com/?a=1&b=$(reboot)"))
    assert phone.phone.state.url == "https://example.com/?a=1&b=$(reboot)"
    phone.perform(Call("10086"))
    assert phone.phone.state.dialed == "10086"
    phone.perform(GoHome())
    assert phone.phone.state.app == LAUNCHER
    for action in (
        Tap(InputPoint(5, 300)),
        LongPress(here, 50),
        Swipe(here, there, 20),
        Drag(here, there, 20),
        PressKey("HOME"),
    ):
        phone.perform(action)
    line = [command for command in phone.phone.log if command.startswith("input ")]
    assert "input swipe 540 1300 540 1300 50" in line
    assert "input draganddrop 540 1300 540 900 20" in line


@pytest.mark.parametrize("place", [(float("nan"), 1), (-1, 1), (1, float("inf"))])
def test_invalid_tap_coordinates_are_refused(phone: PhoneDevice, place: tuple[float, float]) -> None:
    with pytest.raises(UsageError):
        phone.tap(*place)


def test_missing_app_error_says_not_installed(phone: PhoneDevice) -> None:
    assert phone.is_installed(WECHAT)
    assert not phone.is_installed("com.tencent")
    assert phone.app_version(WECHAT) == phone.phone.call(lambda model: model.packages[WECHAT].version)
    assert phone.app_version("com.tencent") is None
    with pytest.raises(CommandFailed, match="not installed"):
        phone.launch_app("com.example.missing")


@pytest.mark.parametrize("package", ["", "--user", "com.x;reboot", "a b", "微信"])
def test_invalid_package_name_is_refused(phone: PhoneDevice, package: str) -> None:
    for verb in (phone.launch_app, phone.stop_app, phone.is_installed, phone.app_version):
        with pytest.raises(UsageError):
            verb(package)


def test_invalid_phone_number_or_url_is_refused(phone: PhoneDevice) -> None:
    for number in ("", "张三", "1; reboot", "$(id)"):
        with pytest.raises(UsageError):
            phone.call(number)
    for url in ("", "  ", "a b", "http://a\nb"):
        with pytest.raises(UsageError):
            phone.open_url(url)


def test_shell_words_arrive_unchanged(phone: PhoneDevice) -> None:
    words = [
        "a  b",
        "",
        "$(id)",
        "`id`",
        "'",
        '"',
        "\\",
        ";",
        "&& reboot",
        "\n",
        "*",
        "~",
        "#x",
        "微信",
        "👩‍👩‍👧",
        "-n",
    ]
    for word in words:
        assert phone.shell("echo", "x", word).stdout.decode() == f"x {word}\n"
    missing = phone.shell("no-such-command", "a b")
    assert missing.exit_code == 127
    assert b"no-such-command" in missing.stderr


# -- files and ports


def test_files_and_folders_survive_push_and_pull(phone: PhoneDevice, tmp_path: Path) -> None:
    folder = tmp_path / "数据 1"
    (folder / "inner").mkdir(parents=True)
    big = bytes(range(256)) * 1024
    (folder / "大.bin").write_bytes(big)
    (folder / "inner" / "empty").write_bytes(b"")
    assert phone.push(folder, "/sdcard") == len(big)
    assert phone.pull("/sdcard/数据 1", tmp_path / "back") == len(big)
    assert (tmp_path / "back" / "大.bin").read_bytes() == big
    assert (tmp_path / "back" / "inner" / "empty").read_bytes() == b""


def test_failed_file_transfer_leaves_no_file(phone: PhoneDevice, tmp_path: Path) -> None:
    target = tmp_path / "out" / "x"
    with pytest.raises(CommandFailed, match="/sdcard/missing"):
        phone.pull("/sdcard/missing", target)
    assert not target.exists()
    with pytest.raises(UsageError):
        phone.push(tmp_path / "missing", "/sdcard")
    (tmp_path / "f").write_bytes(b"x")
    with pytest.raises(CommandFailed):
        phone.push(tmp_path / "f", "/system/x")


def test_port_forward_ends_with_the_device(server: AdbServer) -> None:
    with PhoneDevice(server=server) as device:
        local = device.forward("localabstract:echo")
        assert local.startswith("tcp:")
        assert local in server.ask(f"host-serial:{device.serial}:list-forward")
        with socket.create_connection(("127.0.0.1", int(local[4:])), timeout=5):
            pass
    assert local not in server.ask("host:list-forward")


# -- absent, refused, lost


@pytest.fixture
def another(server: AdbServer) -> Iterator[PhoneDevice]:
    with PhoneDevice(server=server) as device:
        yield device


def test_serial_is_optional_only_for_single_device(phone: PhoneDevice, server: AdbServer) -> None:
    with ADBController(server=server) as only:
        assert only.serial == phone.serial
    with PhoneDevice(server=server) as other, pytest.raises(UsageError) as caught:
        ADBController(server=server).connect()
    assert phone.serial in str(caught.value)
    assert other._wanted in str(caught.value)


def test_no_device_error_suggests_the_virtual_phone(server: AdbServer) -> None:
    with pytest.raises(DeviceNotFound, match="phone:"):
        ADBController(server=server).connect()


def test_absent_device_error_lists_connected_devices(phone: PhoneDevice, server: AdbServer) -> None:
    with pytest.raises(DeviceNotFound, match=phone.serial):
        ADBController("NOTTHERE", server=server).connect()


def test_a_phone_that_refuses_the_key_is_unauthorized(server: AdbServer) -> None:
    with VirtualPhone(auth=AuthPolicy.REFUSE) as refusing:
        with pytest.raises(DeviceUnauthorized, match="allow USB debugging"):
            ADBController(refusing.serial, server=server, timeout_s=10).connect()
        server.ask(f"host:disconnect:{refusing.serial}")


def test_lost_link_is_restored_for_screenshot(phone: PhoneDevice) -> None:
    phone.screenshot()
    phone.phone.drop_link(1.0)
    assert phone.screenshot().size == (1080, 2400)
    assert phone.shell("echo", "back").stdout == b"back\n"


def test_interrupted_swipe_is_not_repeated(phone: PhoneDevice) -> None:
    cut = threading.Timer(0.3, lambda: phone.phone.drop_link(0.5))
    cut.start()
    with pytest.raises(DeviceError, match="not known whether it took effect"):
        phone.swipe(500, 1000, 510, 1010, 2000)
    cut.join()
    assert sum(line.startswith("input swipe") for line in phone.phone.log) == 1
    assert phone.screenshot().size == (1080, 2400)  # and the link is back


def test_permanently_lost_phone_fails_within_timeout(server: AdbServer) -> None:
    device = PhoneDevice(server=server, timeout_s=1.5)
    try:
        device.phone.stop()
        with pytest.raises(DeviceLost, match="did not come back"):
            device.screenshot()
    finally:
        device.close()
    assert all(known.serial != device._wanted for known in list_devices(server))


def test_adb_server_started_for_virtual_phone_is_stopped(tmp_path: Path) -> None:
    port = free_port()
    with PhoneDevice(server=AdbServer("127.0.0.1", port)) as device:
        assert device.screenshot().size.width == 1080
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=5):
        pass


def test_adb_server_already_running_is_kept(server: AdbServer) -> None:
    with PhoneDevice(server=AdbServer("127.0.0.1", server.port)):
        pass
    with socket.create_connection(("127.0.0.1", server.port), timeout=5):
        pass


@pytest.mark.parametrize("package", ["com.tencent.mm", "com.android.chrome", "com.android.settings"])
def test_main_launcher_activity_is_opened_among_several(phone: PhoneDevice, package: str) -> None:
    phone.phone.set_scenario(Scenario(app=package, debug_page=True))
    for _ in range(3):
        phone.go_home()
        phone.launch_app(package)
        current = phone.current_app()
        assert current is not None
        assert current.package == package
        assert "leakcanary" not in current.activity
    assert not any("monkey" in line for line in phone.phone.log)

"""Tests of parsing `adb devices -l`, with lines of real servers."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from scripted_server import ScriptedServer, device_line, fail, okay

from handeye.devices import ADBController, open_device
from handeye.devices.android.server import DeviceInfo, parse_devices
from handeye.errors import DeviceError
from handeye.testing.fakes import FakeClock

MDNS = "adb-R5CT0000-abCdEf (2)._adb-tls-connect._tcp"

LISTING = """\
127.0.0.1:15555        device product:vphone model:Virtual_Phone device:vphone transport_id:7
R58M123ABC             unauthorized usb:1-2 transport_id:2
emulator-5554          offline transport_id:3
[fe80::1%eth0]:5555    device
adb-R58-x._adb-tls-connect._tcp device product:a model:SM_G991B device:o1s transport_id:12
0123456789ABCDEF       no permissions (user in plugdev group; udev?); see [http://a.com/b.html] usb:3-1 transport_id:4
"""


def test_every_device_line_is_parsed() -> None:
    devices = parse_devices(LISTING)
    assert devices[0] == DeviceInfo("127.0.0.1:15555", "device", "Virtual_Phone", "vphone", 7)
    assert [device.serial for device in devices] == [
        "127.0.0.1:15555",
        "R58M123ABC",
        "emulator-5554",
        "[fe80::1%eth0]:5555",
        "adb-R58-x._adb-tls-connect._tcp",
        "0123456789ABCDEF",
    ]
    assert [device.state for device in devices[1:5]] == ["unauthorized", "offline", "device", "device"]
    assert devices[5].state.startswith("no permissions (user in plugdev group")
    assert devices[5].transport_id == 4


def test_empty_listing_has_no_devices() -> None:
    assert parse_devices("\n\n") == []


@pytest.mark.parametrize(
    ("line", "serial", "state"),
    [
        ("adb-R5CT0000-abCdEf (2)._adb-tls-connect._tcp  device product:o1s model:SM_G991B", MDNS, "device"),
        ("adb-R5CT0000-abCdEf (2)._adb-tls-connect._tcp offline transport_id:3", MDNS, "offline"),
        ("R5CT0000               device 3-1 product:o1s model:SM_G991B device:o1s transport_id:2", "R5CT0000", "device"),
        ("R5CT0000               device usb:3-1.2 product:o1s transport_id:2", "R5CT0000", "device"),
        ("????????????           no permissions (missing udev rules? user is in the plugdev group); see "
         "[http://developer.android.com/tools/device.html] usb:1-4 transport_id:1", "????????????", "no permissions"),
        ("R5CT0000               sideload transport_id:9", "R5CT0000", "sideload"),
        ("my device 1            recovery", "my device 1", "recovery"),
    ],
)  # fmt: skip
def test_serial_ends_before_a_known_state(line: str, serial: str, state: str) -> None:
    (device,) = parse_devices(line + "\n")
    assert device.serial == serial
    assert device.state.startswith(state)


@pytest.mark.parametrize(
    ("state", "remedy"),
    [
        ("no permissions (missing udev rules?)", "udev rules"),
        ("recovery", "adb reboot"),
        ("offline", "adb reconnect"),
        ("detached", "adb reconnect"),
    ],
)
def test_connection_error_advice_fits_device_state(state: str, remedy: str) -> None:
    with (
        ScriptedServer(
            {"host:devices-l": device_line("R5", state), "host-serial:R5:features": fail(b"no")}
        ) as scripted,
        pytest.raises(DeviceError, match=remedy),
    ):
        ADBController("R5", server=scripted.server, clock=FakeClock()).connect()


def test_absent_mdns_name_is_connected_again() -> None:
    answers = {"host:devices-l": okay(b""), f"host:connect:{MDNS}": okay(b"failed to connect")}
    with ScriptedServer(answers) as scripted:
        with pytest.raises(DeviceError):
            ADBController(MDNS, server=scripted.server, clock=FakeClock()).connect()
        assert f"host:connect:{MDNS}" in scripted.asked


@pytest.mark.parametrize("uri", [f"android:///{MDNS}", f"android:///{quote(MDNS)}", MDNS])
def test_uri_accepts_an_mdns_service_name(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    monkeypatch.setattr(ADBController, "connect", lambda self: opened.append(self.uri))
    open_device(uri)
    assert opened == [f"android:///{MDNS}"]

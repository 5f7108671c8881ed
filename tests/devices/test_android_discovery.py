"""The lines of `adb devices -l`, as they come from real servers."""

from __future__ import annotations

from handeye.devices.android.discovery import DeviceInfo, parse_devices

LISTING = """\
127.0.0.1:15555        device product:vphone model:Virtual_Phone device:vphone transport_id:7
R58M123ABC             unauthorized usb:1-2 transport_id:2
emulator-5554          offline transport_id:3
[fe80::1%eth0]:5555    device
adb-R58-x._adb-tls-connect._tcp device product:a model:SM_G991B device:o1s transport_id:12
0123456789ABCDEF       no permissions (user in plugdev group; udev?); see [http://a.com/b.html] usb:3-1 transport_id:4
"""


def test_every_line_is_read() -> None:
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


def test_an_empty_list_is_no_device() -> None:
    assert parse_devices("\n\n") == []

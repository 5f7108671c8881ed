"""Tests of opening devices by URI, and of devices that need no phone."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from device_contract import DeviceContract
from PIL import Image

from handeye.devices import AdbServer, Device, PhoneDevice, kind_of, open_device
from handeye.devices.image import ImageDevice
from handeye.errors import DeviceNotFound, InvalidImage, MissingPart, UsageError


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "截图 😀.png"
    Image.fromarray(np.arange(60, dtype=np.uint8).reshape(4, 5, 3)).save(path)
    return path


class TestImageDevice(DeviceContract):
    acts = False

    @pytest.fixture
    def device(self, picture: Path) -> Device:
        return open_device(f"image:{picture}")


def test_an_image_uri_opens_its_file(picture: Path) -> None:
    for uri in (f"image:{picture}", f"image://{picture}"):
        device = open_device(uri)
        assert isinstance(device, ImageDevice)
        assert device.screenshot().size == (5, 4)


def test_image_uri_accepts_windows_paths() -> None:
    for uri in ("image:///C:/shots/missing.png", "image:C:/shots/missing.png", "image:/C:/shots/missing.png"):
        with pytest.raises(InvalidImage, match=r"no image file 'C:/shots/missing\.png'"):
            open_device(uri)
    with pytest.raises(InvalidImage, match=r"no image file '/shots/missing\.png'"):
        open_device("image:///shots/missing.png")


def test_missing_or_broken_image_is_refused_on_opening(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG not really")
    for path in (broken, tmp_path / "missing.png"):
        with pytest.raises(InvalidImage, match=path.name):
            open_device(f"image:{path}")


@pytest.mark.parametrize(
    "uri", ["", "image:", "ios:", "http://127.0.0.1/", "a b", "android:///a;b", "-s", "phone:no-such"]
)
def test_invalid_uri_is_refused(uri: str, server: AdbServer) -> None:
    with pytest.raises((UsageError, InvalidImage)):
        open_device(uri)


def test_unknown_scheme_error_lists_known_schemes() -> None:
    with pytest.raises(UsageError) as caught:
        open_device("ios:phone")
    assert all(f"{scheme}:" in str(caught.value) for scheme in ("android", "phone", "image", "linux", "windows"))


@pytest.mark.parametrize("uri", ["linux:", "windows:"])
def test_missing_desktop_is_reported(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises((MissingPart, UsageError, DeviceNotFound)) as caught:
        open_device(uri)
    assert "desktop" in str(caught.value)


@pytest.mark.parametrize(
    "uri",
    ["linux:?panic_key", "windows:?panic_key=f9&panic_key=f8", "linux:?panic_key=f9&window=a&monitor=b", "linux:?f9"],
)
def test_invalid_desktop_uri_options_are_refused(uri: str) -> None:
    with pytest.raises(UsageError, match="panic_key=KEY"):
        open_device(uri)


@pytest.mark.skipif(sys.platform != "linux", reason="X11")
@pytest.mark.parametrize(
    ("display", "uri", "said"),
    [
        ("", "linux:", "DISPLAY is not set, or empty.*linux::0"),
        (":4711", "linux:", "no X server at ':4711'.*linux::0"),
        ("", "linux::4712", "no X server at ':4712'.*linux::0"),
    ],
)
def test_missing_x_server_error_suggests_a_display(
    display: str, uri: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises((DeviceNotFound, MissingPart), match=f"{said}|handeye\\[linux\\]"):
        open_device(uri)


@pytest.mark.parametrize(
    ("uri", "is_desktop"),
    [
        ("linux:", True),
        (" linux::99?window=Notes", True),
        ("windows:", True),
        ("linux", None),
        ("phone:calm", False),
        ("android:", False),
        ("image:x.png", False),
        ("127.0.0.1:5555", None),
        ("ios:", None),
        ("", None),
    ],
)
def test_uri_scheme_tells_desktops_from_phones(uri: str, is_desktop: bool | None) -> None:
    kind = kind_of(uri)
    assert (kind.desktop if kind is not None else None) is is_desktop


@pytest.mark.parametrize("uri", ["127.0.0.1:1", "android:///127.0.0.1:1", "NOSUCHSERIAL"])
def test_unknown_serial_is_not_found(uri: str, server: AdbServer) -> None:
    with pytest.raises(DeviceNotFound, match=uri.removeprefix("android:///")):
        open_device(uri)


def test_phone_uri_starts_virtual_phone_with_scenarios(server: AdbServer) -> None:
    device = open_device("phone:dark,permission")
    try:
        assert isinstance(device, PhoneDevice)
        scenario = device.phone.call(lambda model: model.scenario)
        assert scenario.dark
        assert scenario.permission_dialog
        again = open_device(device.uri)
        assert again.screenshot().size == (1080, 2400)
        again.close()
    finally:
        device.close()

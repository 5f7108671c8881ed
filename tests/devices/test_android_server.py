"""Tests of finding and starting the adb server."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from handeye.devices import ADBController, AdbServer, list_devices
from handeye.devices.android.server import adb_binaries
from handeye.errors import AdbNotFound, UsageError
from handeye.testing.adb import free_port
from handeye_phone import VirtualPhone


@pytest.fixture
def nobodys_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AdbServer]:
    """A port on which no server runs yet; one that a test starts has its keys in the test's folder, and is ended."""
    for name in ("HOME", "USERPROFILE", "ANDROID_SDK_HOME", "ANDROID_USER_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("ADB_MDNS", "0")
    monkeypatch.setenv("ADB_LOCAL_TRANSPORT_MAX_PORT", "0")
    server = AdbServer("127.0.0.1", free_port())
    yield server
    server.order("host:kill")


def test_concurrent_requests_start_one_adb_server(nobodys_server: AdbServer) -> None:
    with ThreadPoolExecutor(4) as pool:
        versions = set(pool.map(lambda _: nobodys_server.version(), range(4)))
    assert versions == {41}
    assert list_devices(nobodys_server) == []


def test_a_server_that_died_is_started_again(nobodys_server: AdbServer) -> None:
    with VirtualPhone() as phone, ADBController(phone.serial, server=nobodys_server) as device:
        assert device.shell("echo", "one").stdout == b"one\n"
        nobodys_server.order("host:kill")
        assert device.screenshot().size == (1080, 2400)


def test_bundled_adb_is_preferred(tmp_path: Path) -> None:
    first = adb_binaries({})[0]
    assert "adbutils" in first.parts
    assert AdbServer("127.0.0.1", 1).binary_version().startswith("3")


def test_adb_path_variable_is_used(tmp_path: Path) -> None:
    program = tmp_path / "adb"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    assert adb_binaries({"ADB_PATH": str(program)}) == [program]
    with pytest.raises(AdbNotFound, match="ADB_PATH"):
        adb_binaries({"ADB_PATH": str(tmp_path / "missing")})


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for a broken adb is a shell script")
def test_failed_adb_start_error_quotes_adb(tmp_path: Path) -> None:
    program = tmp_path / "adb"
    program.write_text("#!/bin/sh\necho 'could not install *smartsocket* listener' >&2\nexit 1\n")
    program.chmod(0o755)
    server = AdbServer("127.0.0.1", free_port(), adb=program)
    with pytest.raises(AdbNotFound, match=r"smartsocket.*ADB_PATH"):
        server.version()


def test_remote_adb_server_is_not_started() -> None:
    server = AdbServer("127.0.0.2", free_port())
    with pytest.raises(AdbNotFound, match="another computer"):
        server.version()


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({}, ("127.0.0.1", 5037)),
        ({"ANDROID_ADB_SERVER_PORT": "6000"}, ("127.0.0.1", 6000)),
        ({"ADB_SERVER_SOCKET": "tcp:6001"}, ("127.0.0.1", 6001)),
        ({"ADB_SERVER_SOCKET": "tcp:10.0.0.9:6002", "ANDROID_ADB_SERVER_PORT": "1"}, ("10.0.0.9", 6002)),
    ],
)
def test_adb_server_address_comes_from_environment(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], place: tuple[str, int]
) -> None:
    for name in [name for name in os.environ if name.startswith(("ADB_", "ANDROID_"))]:
        monkeypatch.delenv(name)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    server = AdbServer()
    assert (server.host, server.port) == place
    assert AdbServer("10.1.1.1", 7000).port == 7000


@pytest.mark.parametrize(
    "environ",
    [{"ADB_SERVER_SOCKET": "localfilesystem:/x"}, {"ADB_SERVER_SOCKET": "tcp:x"}, {"ANDROID_ADB_SERVER_PORT": "70000"}],
)
def test_invalid_adb_environment_is_refused(monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]) -> None:
    monkeypatch.delenv("ADB_SERVER_SOCKET", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UsageError):
        AdbServer()

"""A private adb server for the worker, and a virtual phone for each test that wants one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from handeye.devices import AdbServer, PhoneDevice
from handeye.testing.adb import PrivateAdbServer


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what Handeye remembers about phones in the test's own folder."""
    folder = tmp_path / "state"
    monkeypatch.setenv("HANDEYE_STATE_DIR", str(folder))
    return folder


@pytest.fixture(scope="session")
def private_adb() -> Iterator[PrivateAdbServer]:
    with PrivateAdbServer() as server:
        yield server


@pytest.fixture
def server(private_adb: PrivateAdbServer, monkeypatch: pytest.MonkeyPatch) -> AdbServer:
    """The private server, also for code that looks into the environment."""
    monkeypatch.delenv("ADB_SERVER_SOCKET", raising=False)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(private_adb.port))
    return AdbServer("127.0.0.1", private_adb.port)


@pytest.fixture
def phone(server: AdbServer) -> Iterator[PhoneDevice]:
    """A virtual phone, connected."""
    with PhoneDevice(server=server) as device:
        yield device

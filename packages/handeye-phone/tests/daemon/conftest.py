from __future__ import annotations

from collections.abc import Iterator

import pytest
from raw_host import RawHost

from handeye.testing.adb import PrivateAdbServer
from handeye_phone import VirtualPhone


@pytest.fixture
def raw_host(virtual_phone: VirtualPhone) -> Iterator[RawHost]:
    host = RawHost(virtual_phone.port)
    yield host
    host.close()


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualPhone]:
    """One phone for tests that leave no traces."""
    with VirtualPhone() as running:
        yield running


class Adb:
    """`adb -s PHONE ...`."""

    def __init__(self, server: PrivateAdbServer, phone: VirtualPhone) -> None:
        self.server = server
        self.phone = phone

    def __call__(self, *args: str, input: bytes | None = None):
        return self.server.run("-s", self.phone.serial, *args, input=input)


@pytest.fixture
def adb(adb_server: PrivateAdbServer, phone: VirtualPhone) -> Iterator[Adb]:
    adb_server.connect(phone.serial)
    yield Adb(adb_server, phone)
    adb_server.run("disconnect", phone.serial)

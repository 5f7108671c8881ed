from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from handeye.testing.adb import PrivateAdbServer
from handeye_phone import VirtualPhone


@pytest.fixture(scope="session")
def adb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateAdbServer]:
    """The real adb with a server of its own."""
    home: Path = tmp_path_factory.mktemp("adb-home")
    with PrivateAdbServer(home=home) as server:
        yield server


@pytest.fixture
def virtual_phone() -> Iterator[VirtualPhone]:
    with VirtualPhone() as phone:
        yield phone

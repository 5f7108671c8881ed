"""Windows programs under Wine, on a private X server: `make wine` installs what they need."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import windows_python
from wine_computer import TIMEOUT_S, Wine

import handeye
from handeye.errors import MissingPart
from handeye.testing.desktop import PrivateDesktop

PLACE = Path(__file__).parents[2] / ".venv" / "wine"
WINESERVER = windows_python.WINE.with_name("wineserver64")


@pytest.fixture(scope="session")
def wine() -> Iterator[Wine]:
    """Skipped where it is not installed; with HANDEYE_WINE=required it must be. One worker at a time: it is one computer."""
    made = windows_python.made_in(PLACE)
    if not made.exists() or not windows_python.WINE.exists():
        reason = "Wine and a Windows Python are not installed: make wine"
        if os.environ.get("HANDEYE_WINE") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    with _alone(), _desktop() as desktop:
        sources = Path(handeye.__file__).parents[1]
        environment = {**desktop.environment, **windows_python.environment(made, sources)}
        computer = Wine(environment, made)
        try:
            yield computer
        finally:
            computer.end()
            subprocess.run([WINESERVER, "-k"], env=environment, check=False, timeout=TIMEOUT_S)
            subprocess.run([WINESERVER, "-w"], env=environment, check=False, timeout=TIMEOUT_S)


@contextmanager
def _desktop() -> Iterator[PrivateDesktop]:
    try:
        with PrivateDesktop((1024, 768), manager=None) as private:
            yield private
    except MissingPart as missing:
        if os.environ.get("HANDEYE_WINE") == "required":
            raise
        pytest.skip(str(missing))


@contextmanager
def _alone() -> Iterator[None]:
    with (PLACE / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

"""Windows programs under Wine, on a private X server: `make wine` installs what they need."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import newer_wine
import pytest
import windows_python
from wine_computer import TIMEOUT_S, Command, Wine

import handeye
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_desktop

PLACE = Path(__file__).parents[2] / ".venv" / "wine"
SOURCES = Path(handeye.__file__).parents[1]
WINESERVER = windows_python.WINE.with_name("wineserver64")


@pytest.fixture(scope="session")
def wine() -> Iterator[Wine]:
    """One worker at a time: it is one computer. Skipped where it is not installed."""
    made = windows_python.made_in(PLACE)
    if not made.exists() or not windows_python.WINE.exists():
        pytest.skip("needs Wine and a Windows Python: make wine")
    need_desktop()
    with _alone(), PrivateDesktop((1024, 768), manager=None) as desktop:
        environment = {**desktop.environment, **windows_python.environment(made, SOURCES)}
        with _computer(environment, (windows_python.WINE, made / "python.exe"), (WINESERVER,)) as computer:
            yield computer


@pytest.fixture(scope="module")
def newer() -> Iterator[Wine]:
    """A Wine that has UI Automation. Skipped where it is not installed."""
    made, python = newer_wine.made_in(PLACE), windows_python.made_in(PLACE)
    if not made.exists() or not python.exists():
        pytest.skip("needs a Wine with UI Automation: make uia")
    need_desktop()
    with _alone("uia-lock"), PrivateDesktop((1024, 768), manager=None) as desktop:
        environment = {**desktop.environment, **newer_wine.environment(made, python, SOURCES)}
        start = (*newer_wine.command(made), python / "python.exe")
        with _computer(environment, start, newer_wine.wineserver(made)) as computer:
            yield computer


@contextmanager
def _computer(environment: dict[str, str], python: Command, server: Command) -> Iterator[Wine]:
    computer = Wine(environment, python)
    try:
        yield computer
    finally:
        computer.end()
        for what in ("-k", "-w"):
            subprocess.run([*server, what], env=environment, check=False, timeout=TIMEOUT_S)


@contextmanager
def _alone(lock: str = "lock") -> Iterator[None]:
    with (PLACE / lock).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

"""Find and start installed programs. Works on Windows only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import Final

from handeye.errors import DeviceError

_APP_PATHS: Final = r"Software\Microsoft\Windows\CurrentVersion\App Paths"


def find_program(name: str) -> str | None:
    """
    Return the path of the program `name`, such as "winword.exe": registered (App Paths), else on PATH; None if not
    found.
    """
    return _registered(name) or shutil.which(name)


def start(path: str) -> None:
    """Start a program without a shell, in the user's home folder. Raises DeviceError."""
    try:
        subprocess.Popen(
            [path],
            cwd=os.path.expanduser("~"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=True,
        )
    except OSError as error:
        raise DeviceError(f"{path!r} cannot be started: {error.strerror}") from error


def open_address(address: str) -> None:
    """Open `address` in the default browser. It must be a web address: others may start programs. Raises DeviceError."""
    if sys.platform != "win32":
        raise DeviceError("this is not Windows")
    try:
        os.startfile(address)
    except OSError as error:
        raise DeviceError(f"no browser took {address!r}: {error.strerror}") from error


def _registered(name: str) -> str | None:
    if sys.platform != "win32":
        return None
    import winreg

    for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
        with suppress(OSError):
            path = os.path.expandvars(winreg.QueryValue(root, f"{_APP_PATHS}\\{name}")).strip('"')
            if os.path.isfile(path):
                return path
    return None

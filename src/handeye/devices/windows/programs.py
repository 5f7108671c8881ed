"""Start and close programs on Windows: found by name, started without a shell, closed through their windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import Final

from handeye.devices.desktop.text import web_address
from handeye.devices.windows.api import Win32
from handeye.devices.windows.windows import Windows
from handeye.errors import DeviceError, DeviceNotFound, UsageError

_ENDING = ".exe"
_NOT_IN_NAMES = frozenset('/\\:*?"<>|')


class Programs:
    """Starts and closes programs through `api`."""

    def __init__(self, api: Win32, windows: Windows) -> None:
        self._api = api
        self._windows = windows

    def launch(self, program: str) -> str:
        """
        Start the program with that file name, with or without `.exe`: registered (App Paths), else on PATH. Return a
        description. Raises UsageError for an invalid name, DeviceNotFound, DeviceError.
        """
        name = _name(program)
        path = self._api.find_program(f"{name}{_ENDING}")
        if path is None:
            raise DeviceNotFound(f"no program is called {program!r}")
        self._api.start(path)
        return f"started {path}"

    def quit(self, program: str) -> str:
        """Ask the windows of a program to close and return which. The program may ask its user first."""
        name = f"{_name(program)}{_ENDING}".casefold()
        wanted = [window for window in self._windows.all() if window.program.casefold() == name]
        if not wanted:
            raise DeviceNotFound(f"no window belongs to a program {program!r}")
        for window in wanted:
            self._api.ask_to_close(window.id)
        return f"asked to close: {', '.join(map(str, wanted))}"

    def open_url(self, url: str) -> str:
        """Open a web address in the default browser."""
        address = web_address(url)
        self._api.open_address(address)
        return f"opened {address}"


def _name(program: str) -> str:
    name = program.strip()
    if not name or not _NOT_IN_NAMES.isdisjoint(name) or name.startswith("-") or not name.isprintable():
        raise UsageError(f"{program!r} is no program: give its file name, without path or options")
    return name[: -len(_ENDING)] if name.casefold().endswith(_ENDING) else name


# Find and start installed programs. Works on Windows only.


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

"""Start and close programs on Windows: found by name, started without a shell, closed through their windows."""

from __future__ import annotations

from handeye.devices.desktop.address import web_address
from handeye.devices.windows.api import Win32
from handeye.devices.windows.windows import Windows
from handeye.errors import DeviceNotFound, UsageError

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

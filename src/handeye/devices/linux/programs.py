"""Find programs of a Linux desktop by desktop entry or by name, and start them without a shell."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from handeye.devices.desktop.text import web_address
from handeye.errors import CommandFailed, DeviceError, DeviceNotFound, MissingPart, UnsupportedAction, UsageError

_GROUP = "Desktop Entry"
_FIELD_CODE = re.compile(r"%[a-zA-Z]")  # placeholders for files and URLs (%f, %U), which are dropped
_USUAL_DATA_FOLDERS = "/usr/local/share:/usr/share"
_SYSTEM_CONTROL = "systemctl"  # reboot, poweroff and halt are links to it, in bin where a system has no separate sbin
_OPEN_TIMEOUT_S = 20.0  # xdg-open returns when the browser has accepted the address; Chromium's first start took 6 s


@dataclass(frozen=True, slots=True)
class DesktopEntry:
    """
    An application of the menu (freedesktop.org's Desktop Entry Specification). `names` has its names in all languages,
    `command` is without placeholders for files and URLs.
    """

    id: str
    names: tuple[str, ...]
    command: tuple[str, ...]
    in_terminal: bool = False

    def is_called(self, name: str) -> bool:
        known = (self.id, f"{self.id}.desktop", self.id.rpartition(".")[2], *self.names)
        return name.casefold() in (word.casefold() for word in known)

    def runs(self, program: str) -> bool:
        return Path(self.command[0]).name.casefold() == program.casefold()


class Programs:
    """Starts programs with the environment `environment`."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._started: list[subprocess.Popen[bytes]] = []

    def launch(self, program: str) -> str:
        """
        Start the application that the menu calls `program` (its name in any language, its entry's id, or its command),
        else the program of that name on PATH; return a description of what was started. Raises UsageError, DeviceError.
        """
        command = self._command_of(program.strip())
        self._start(command)
        return f"started {command[0]}"

    def open_url(self, url: str) -> str:
        """Open a web address in the default browser. Raises UsageError for other schemes, which could start anything."""
        address = web_address(url)
        opener = shutil.which("xdg-open", path=self._environment.get("PATH"))
        if opener is None:
            raise MissingPart("what opens web addresses", "apt-get install xdg-utils")
        try:
            done = self._start((opener, address)).wait(_OPEN_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return f"opened {address}"  # xdg-open has become the browser and runs as long as that
        if done:
            raise CommandFailed("xdg-open", done, "no browser took the address")
        return f"opened {address}"

    def _command_of(self, program: str) -> tuple[str, ...]:
        if not program or "/" in program or program.startswith("-") or not program.isprintable():
            raise UsageError(f"{program!r} is no program: give the name of an application, without path or options")
        entries = self.entries()
        # Settings dialogs are often entries with the same command, so names are matched first.
        called = {entry.command: entry for entry in entries if entry.is_called(program)} or {
            entry.command: entry for entry in entries if entry.runs(program)
        }
        if len(called) > 1:
            listed = ", ".join(entry.id for entry in called.values())
            raise UsageError(f"several applications are called {program!r}: {listed}; give one of these")
        for entry in called.values():
            if entry.in_terminal:
                raise UnsupportedAction(f"{entry.id} runs in a terminal; open one, and type its command there")
            return entry.command
        found = shutil.which(program, path=os.pathsep.join(self._program_folders()))
        if found is None or Path(found).resolve().name == _SYSTEM_CONTROL:
            raise DeviceNotFound(f"no application or program is called {program!r}")
        return (found,)

    def entries(self) -> tuple[DesktopEntry, ...]:
        """Return the applications of the menu; the user's entries hide those of the system with the same id."""
        home = Path(self._environment.get("HOME") or Path.home())
        own = self._environment.get("XDG_DATA_HOME") or str(home / ".local" / "share")
        shared = self._environment.get("XDG_DATA_DIRS") or _USUAL_DATA_FOLDERS
        found: dict[str, DesktopEntry | None] = {}
        for folder in (own, *shared.split(":")):
            root = Path(folder) / "applications"
            for file in sorted(root.rglob("*.desktop")) if root.is_dir() else ():
                id = str(file.relative_to(root)).removesuffix(".desktop").replace("/", "-")
                if id not in found:
                    found[id] = _entry(id, file)
        return tuple(entry for entry in found.values() if entry is not None)

    def _program_folders(self) -> Iterator[str]:
        """Yield the folders of PATH, except those of programs for administrators only, such as reboot."""
        for folder in (self._environment.get("PATH") or os.defpath).split(os.pathsep):
            if folder and Path(folder).name != "sbin":
                yield folder

    def _start(self, command: tuple[str, ...]) -> subprocess.Popen[bytes]:
        self._started = [process for process in self._started if process.poll() is None]
        try:
            process = subprocess.Popen(
                command,
                env=dict(self._environment),
                cwd=self._environment.get("HOME") or None,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # it outlives this program
            )
        except OSError as error:
            raise DeviceError(f"{command[0]!r} cannot be started: {error.strerror}") from error
        self._started.append(process)
        return process


def _entry(id: str, file: Path) -> DesktopEntry | None:
    """Parse a desktop entry; None if it is hidden, broken, or not an application."""
    parser = configparser.RawConfigParser(
        strict=False, delimiters=("=",), comment_prefixes=("#",), empty_lines_in_values=False
    )
    parser.optionxform = str  # type: ignore[assignment]  # keys are case-sensitive
    try:
        parser.read_string(file.read_text(encoding="utf-8", errors="replace"))
        row = dict(parser[_GROUP])
        command = tuple(_FIELD_CODE.sub("", word).replace("%%", "%") for word in shlex.split(row.get("Exec", "")))
    except (OSError, configparser.Error, KeyError, ValueError):
        return None
    command = tuple(word for word in command if word)
    if row.get("Type") != "Application" or row.get("Hidden") == "true" or not command:
        return None
    names = tuple(value for key, value in row.items() if re.fullmatch(r"Name(?:\[[\w@.]+\])?", key) and value)
    return DesktopEntry(id, names, command, row.get("Terminal") == "true")

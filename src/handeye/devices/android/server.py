"""Locate the adb server, and start it if nothing listens."""

from __future__ import annotations

import contextlib
import importlib.resources
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from handeye.clock import Clock, Deadline, SystemClock
from handeye.devices.android.wire import Connection, LinkBroken
from handeye.errors import AdbNotFound, UsageError

DEFAULT_PORT = 5037
# `adb start-server` takes 0.1-3 s; it also scans for USB devices on a cold machine.
START_TIMEOUT_S = 20.0
# A local server answers in well under a millisecond; a remote one gets more time.
ANSWER_TIMEOUT_S = 5.0
# If two programs start a server at the same moment, one fails, and the other's is up within this time.
RIVAL_TIMEOUT_S = 10.0
POLL_S = 0.05
_LOST_A_RACE = re.compile(r"daemon|already in use")
_INSTALL = "Reinstall adbutils, which brings one, or install Android's platform-tools and set ADB_PATH to its adb"
_LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


def adb_binaries(environ: Mapping[str, str] | None = None) -> list[Path]:
    """
    Return the adb programs to try, best first: only `ADB_PATH` if it is set, else adbutils' bundled one, then that on
    PATH.

    adbutils' own `adb_path()` prefers PATH, where an older adb often is. Raises AdbNotFound if `ADB_PATH` names no
    program.
    """
    environ = os.environ if environ is None else environ
    if wanted := environ.get("ADB_PATH"):
        named = shutil.which(wanted)
        if named is None:
            raise AdbNotFound(f"ADB_PATH is {wanted!r}, and no program is there. Correct it, or unset it")
        return [Path(named)]
    bundled = Path(str(importlib.resources.files("adbutils"))) / "binaries" / ("adb.exe" if os.name == "nt" else "adb")
    on_path = shutil.which("adb")
    return [path for path in (bundled, Path(on_path) if on_path else None) if path is not None and path.is_file()]


class AdbServer:
    """
    The adb server: `host`:`port`, or the address in `ADB_SERVER_SOCKET` (tcp only), `ANDROID_ADB_SERVER_ADDRESS` and
    `ANDROID_ADB_SERVER_PORT`, or 127.0.0.1:5037.

    A local server is started if nothing listens; a remote one never is.
    """

    def __init__(
        self,
        host: str | None = None,
        port: int | None = None,
        *,
        adb: str | Path | None = None,
        clock: Clock | None = None,
    ) -> None:
        named_host, named_port = _from_environment(os.environ)
        self.host = host or named_host
        self.port = port or named_port
        self.clock: Clock = clock or SystemClock()
        self._adb = Path(adb) if adb is not None else None
        self.started = False  # by this object, not by another program before

    def __repr__(self) -> str:
        return f"AdbServer({self.host!r}, {self.port})"

    def connect(self, deadline: Deadline) -> Connection:
        """
        Return a socket to the server, which is started if necessary. Raises AdbNotFound, or LinkBroken if it vanished.
        """
        try:
            return Connection(self.host, self.port, deadline)
        except LinkBroken as error:
            if not isinstance(error.__cause__, ConnectionRefusedError):
                raise AdbNotFound(f"{error}. Check the address, and that the network lets it through") from error
        self.start()
        return Connection(self.host, self.port, deadline)

    def ask(self, service: str, deadline: Deadline | None = None) -> str:
        """Return the length-prefixed answer to a `host:` service. Raises LinkBroken (Refused with the server's reason)."""
        with self.connect(deadline or Deadline(self.clock, ANSWER_TIMEOUT_S)) as connection:
            connection.request(service)
            return connection.read_block().decode("utf-8", "replace")

    def order(self, service: str, deadline: Deadline | None = None) -> None:
        """Send a `host:` service whose only answer is OKAY."""
        with self.connect(deadline or Deadline(self.clock, ANSWER_TIMEOUT_S)) as connection:
            connection.request(service)

    def version(self) -> int:
        """Return the server's protocol version, 41 for every adb since 2018. Starts the server if nothing listens."""
        try:
            return int(self.ask("host:version"), 16)
        except (LinkBroken, ValueError) as error:
            raise AdbNotFound(
                f"what listens on {self.host}:{self.port} is not an adb server ({error}). "
                "Choose another port with ANDROID_ADB_SERVER_PORT"
            ) from error

    def _comes_up(self) -> bool:
        deadline = Deadline(self.clock, RIVAL_TIMEOUT_S)
        while not deadline.passed:
            try:
                Connection(self.host, self.port, deadline).close()
            except LinkBroken:
                deadline.pause(POLL_S)
            else:
                return True
        return False

    def binary_version(self) -> str:
        """Return the adb program that would be used, and its version. Raises AdbNotFound if none runs."""
        failures = []
        for program in self._programs():
            try:
                output = subprocess.run(
                    [str(program), "version"], capture_output=True, timeout=ANSWER_TIMEOUT_S, check=True, text=True
                ).stdout
            except (OSError, subprocess.SubprocessError) as error:
                failures.append(f"{program}: {error}")
                continue
            version = next((line for line in output.splitlines() if line.startswith("Version")), "Version unknown")
            return f"{version.removeprefix('Version ')} ({program})"
        raise AdbNotFound(f"no adb program runs ({'; '.join(failures) or 'none was found'}). {_INSTALL}")

    def _programs(self) -> list[Path]:
        return [self._adb] if self._adb is not None else adb_binaries()

    def start(self) -> None:
        """Start the server with the first adb program that succeeds. Raises AdbNotFound."""
        if self.host not in _LOCAL_HOSTS:
            raise AdbNotFound(
                f"no adb server answers on {self.host}:{self.port}, and one on another computer cannot be started from "
                "here. Start it there with `adb -a nodaemon server`, or unset ADB_SERVER_SOCKET"
            )
        failures = []
        for program in self._programs():
            failure = _start_server(program, self.port)
            self.started = failure is None
            if failure is None or (_LOST_A_RACE.search(failure) and self._comes_up()):
                return
            failures.append(f"{program}: {failure}")
        tried = "; ".join(failures) or "no adb program was found"
        raise AdbNotFound(f"the adb server could not be started on port {self.port} ({tried}). {_INSTALL}")

    def stop(self) -> None:
        """Stop the server. Does nothing if it does not respond."""
        with contextlib.suppress(LinkBroken, AdbNotFound):
            self.order("host:kill")
        self.started = False


def _start_server(program: Path, port: int) -> str | None:
    """Return why it did not start, or None."""
    environ = {name: value for name, value in os.environ.items() if name != "ADB_SERVER_SOCKET"}
    # A file, not a pipe: on Windows the server inherits a pipe and keeps it open.
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                [str(program), "-P", str(port), "start-server"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environ,
                timeout=START_TIMEOUT_S,
                check=False,
                # Ctrl-C for this program must not reach the shared server.
                start_new_session=True,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if done.returncode == 0:
            return None
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {done.returncode}"


def _from_environment(environ: Mapping[str, str]) -> tuple[str, int]:
    if named := environ.get("ADB_SERVER_SOCKET"):
        kind, _, address = named.partition(":")
        host, _, port = address.rpartition(":")
        if kind != "tcp" or not port.isdigit():
            raise UsageError(f"ADB_SERVER_SOCKET is {named!r}; only tcp:PORT and tcp:HOST:PORT are understood")
        return host or "127.0.0.1", int(port)
    port = environ.get("ANDROID_ADB_SERVER_PORT", str(DEFAULT_PORT))
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise UsageError(f"ANDROID_ADB_SERVER_PORT is {port!r}; expected a port number")
    return environ.get("ANDROID_ADB_SERVER_ADDRESS", "127.0.0.1"), int(port)


# List the devices that the adb server knows.


# A line of `adb devices -l`: a serial, which may contain spaces and brackets (mDNS: "adb-R5C
# (2)._adb-tls-connect._tcp"), one of adb's states, for "no permissions" with a reason, the USB port, then `key:value`
# words.
_STATES = (
    "device|offline|unauthorized|authorizing|connecting|host|recovery|rescue|sideload|bootloader|detached|unknown"
    r"|no permissions.*?"
)
_LINE = re.compile(
    rf"^(?P<serial>\S.*?)\s+(?P<state>{_STATES})(?:\s+\d+-[\d.]+)?(?P<about>(?:\s+\w+:\S*)*)\s*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """
    A device as the adb server lists it.

    `state` is adb's: `device` is ready; `offline`, `unauthorized`, `connecting`, `recovery` and others are not.
    """

    serial: str
    state: str
    model: str = ""
    product: str = ""
    transport_id: int | None = None

    def __str__(self) -> str:
        return f"{self.serial} ({self.state})" + (f", {self.model}" if self.model else "")


def list_devices(server: AdbServer | None = None) -> list[DeviceInfo]:
    """Return every device the server knows, ready or not, in its order. Raises AdbNotFound."""
    server = server or AdbServer()
    try:
        return parse_devices(server.ask("host:devices-l"))
    except LinkBroken as error:
        raise AdbNotFound(f"the adb server on {server.host}:{server.port} did not list its devices: {error}") from error


def parse_devices(listing: str) -> list[DeviceInfo]:
    """Parse the lines of `adb devices -l`."""
    devices = []
    for match in _LINE.finditer(listing):
        about = dict(word.split(":", 1) for word in match["about"].split())
        number = about.get("transport_id", "")
        devices.append(
            DeviceInfo(
                match["serial"],
                match["state"],
                about.get("model", ""),
                about.get("product", ""),
                int(number) if number.isdigit() else None,
            )
        )
    return devices


def describe(devices: list[DeviceInfo]) -> str:
    """Format the devices in one line for an error message."""
    return "; ".join(map(str, devices)) or "none"

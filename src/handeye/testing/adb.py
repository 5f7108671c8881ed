"""Private adb server: own port and home folder, so that no real devices or keys are touched."""

from __future__ import annotations

import importlib.resources
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from handeye.errors import AdbNotFound

ADDRESS = "127.0.0.1"
PROBED_PORTS = range(5555, 5586)  # a server probes these ports for emulators
START_TIMEOUT_S = 20.0  # a server that generates its key on a busy machine took 3 s
STOP_TIMEOUT_S = 5.0
POLL_S = 0.02
COMMAND_TIMEOUT_S = 60.0


def bundled_adb() -> Path:
    """Return the adb that adbutils bundles; one on PATH may be years older. Raises AdbNotFound."""
    name = "adb.exe" if os.name == "nt" else "adb"
    path = Path(str(importlib.resources.files("adbutils.binaries").joinpath(name)))
    if not path.is_file():
        raise AdbNotFound(f"adbutils has no adb binary at {str(path)!r}; reinstall it with: pip install adbutils")
    return path


def free_port() -> int:
    """Return a TCP port on 127.0.0.1 that is unused and that adb does not probe."""
    while True:
        with socket.socket() as sock:
            sock.bind((ADDRESS, 0))
            port = int(sock.getsockname()[1])
        if port not in PROBED_PORTS:
            return port


class PrivateAdbServer:
    """
    An adb server on a free port. A context manager; `run` executes an adb command line against it.

    `adb` is the binary, by default the bundled one. Raises AdbNotFound if the server does not start.
    """

    def __init__(self, *, adb: str | Path | None = None, home: str | Path | None = None) -> None:
        self.adb = Path(adb) if adb is not None else bundled_adb()
        self.port = 0
        self._home = Path(home) if home is not None else None
        self._own_home: str | None = None
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def home(self) -> Path:
        """The folder with this server's keys."""
        if self._home is None:
            self._own_home = tempfile.mkdtemp(prefix="handeye-adb-")
            self._home = Path(self._own_home)
        return self._home

    @property
    def env(self) -> Mapping[str, str]:
        """The environment with which any adb client connects to this server."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("ADB_", "ANDROID_"))}
        return {
            **inherited,
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "ANDROID_USER_HOME": str(self.home / ".android"),
            "ANDROID_SDK_HOME": str(self.home),
            "ANDROID_ADB_SERVER_PORT": str(self.port),
            "ADB_USB": "0",  # no USB phone is touched, and the server starts in 0.2 s instead of 3.3 s
            "ADB_LIBUSB": "0",  # the same for older servers
            "ADB_MDNS": "0",
            "ADB_MDNS_OPENSCREEN": "0",
            "ADB_LOCAL_TRANSPORT_MAX_PORT": "0",
        }

    def start(self) -> None:
        """Start the server and wait until it responds."""
        if self._server is not None:
            return
        self.port = free_port()
        (self.home / ".android").mkdir(parents=True, exist_ok=True)
        with open(self.home / "server.log", "ab") as log:
            self._server = subprocess.Popen(
                [str(self.adb), "-P", str(self.port), "nodaemon", "server"],
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > deadline:
                tail = (self.home / "server.log").read_text(errors="replace")[-2000:]
                self.stop()
                raise AdbNotFound(
                    f"{str(self.adb)!r} did not start a server on port {self.port}: {tail or 'no output'}"
                )
            time.sleep(POLL_S)

    def _answers(self) -> bool:
        try:
            with socket.create_connection((ADDRESS, self.port), timeout=1) as sock:
                sock.sendall(b"000chost:version")
                return sock.recv(4) == b"OKAY"
        except OSError:
            return False

    def stop(self) -> None:
        """Stop the server and remove its home. Does nothing if it does not run."""
        server, self._server = self._server, None
        if server is not None:
            server.terminate()
            try:
                server.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        if self._own_home is not None:
            shutil.rmtree(self._own_home, ignore_errors=True)
            self._home = self._own_home = None

    def run(
        self, *args: str, input: bytes | None = None, timeout: float = COMMAND_TIMEOUT_S
    ) -> subprocess.CompletedProcess[bytes]:
        """Run `adb ARGS...` against this server; output as bytes. Raises subprocess.TimeoutExpired."""
        return subprocess.run(
            [str(self.adb), "-P", str(self.port), *args],
            env=dict(self.env),
            input=input if input is not None else b"",
            capture_output=True,
            timeout=timeout,
            check=False,
        )

    def connect(self, serial: str) -> None:
        """Run `adb connect` and wait until the device is online. Raises AdbNotFound with adb's output."""
        connected = self.run("connect", serial)
        waited = self.run("-s", serial, "wait-for-device", timeout=START_TIMEOUT_S)
        if waited.returncode:
            raise AdbNotFound(
                f"adb cannot reach {serial!r}: {(connected.stdout + waited.stderr).decode(errors='replace')}"
            )

    def __enter__(self) -> PrivateAdbServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

"""
Private desktop: an X server, a window manager, a D-Bus session, an accessibility bus and a home folder.

Nothing of the user's desktop is visible or touched, and nothing is left behind, however the program ends.

    with PrivateDesktop() as desktop:
        desktop.launch("mousepad", wait_for_title="Mousepad")
        desktop.backend.windows()
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING

from handeye.devices import Window
from handeye.errors import DeviceError, DeviceNotFound, MissingPart
from handeye.testing import desktop_keeper
from handeye.testing.desktop_keeper import MARK

if TYPE_CHECKING:
    from handeye.devices import X11Backend

START_TIMEOUT_S = 30.0  # starting everything takes 0.4 s on an idle machine
LAUNCH_TIMEOUT_S = 60.0  # Chromium's first start on two busy cores took 14 s
POLL_S = 0.02

# Far from the numbers that servers choose by themselves, counting from 0.
_DISPLAYS = range(1000, 10_000)
_DISPLAY_TRIES = 5

# A Unix socket's path may have 107 bytes; the accessibility bus puts its socket below the folder.
_LONGEST_FOLDER = 60

# Variables of the user's desktop that must not leak in.
_HOST_VARIABLES = re.compile(
    r"(?:WAYLAND|DBUS|XDG|AT_SPI|GTK|GDK|GNOME|KDE|QT|DESKTOP|SESSION|ICEAUTHORITY|XAUTHORITY|XMODIFIERS|IBUS|DISPLAY)(?:_.*)?"
    r"|NO_AT_BRIDGE|SDL_IM_MODULE|CLUTTER_IM_MODULE|LC_.*|LANGUAGE"
)
_VARIABLES = MappingProxyType(
    {
        "LANG": "C.UTF-8",
        "XDG_SESSION_TYPE": "x11",
        "GDK_BACKEND": "x11",
        "QT_QPA_PLATFORM": "xcb",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "GTK_USE_PORTAL": "0",
        "NO_AT_BRIDGE": "0",
    }
)
_PROGRAMS = MappingProxyType(
    {
        "Xvfb": "xvfb",
        "openbox": "openbox",
        "dbus-daemon": "dbus",
        "dbus-send": "dbus",
    }
)
_ACCESSIBILITY_SERVICE = Path("dbus-1/services/org.a11y.Bus.service")
_DATA_FOLDERS = (Path("/usr/local/share"), Path("/usr/share"))

# With GTK's animations, pictures taken in the first 200 ms would be unpredictable.
_GTK_SETTINGS = "[Settings]\ngtk-enable-animations=0\n"


class PrivateDesktop:
    """
    A context manager. `size` is the screen's size, `depth` its bits per pixel, `dpi` its dots per inch, by default
    Xvfb's (100); `manager` is the window manager, None for a bare X server.

    Raises MissingPart, with the packages, if a program is not installed, and DeviceError if one does not start.
    """

    def __init__(
        self,
        size: tuple[int, int] = (1280, 800),
        *,
        manager: str | None = "openbox",
        depth: int = 24,
        dpi: int | None = None,
    ) -> None:
        self.size = size
        self.depth = depth
        self.dpi = dpi
        self.manager = manager
        self.display = ""
        self._folder: Path | None = None
        self._environment: dict[str, str] = {}
        self._started: dict[subprocess.Popen[bytes], Path] = {}
        self._keeper: subprocess.Popen[bytes] | None = None
        self._backend: X11Backend | None = None

    # -- properties

    @property
    def folder(self) -> Path:
        """The folder with all files of this desktop; removed when it ends."""
        if self._folder is None:
            raise DeviceError("the private desktop is not running: use it as a context manager, or call start()")
        return self._folder

    @property
    def home(self) -> Path:
        """The home folder of its applications."""
        return self.folder / "home"

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of its applications."""
        return MappingProxyType(self._environment)

    @property
    def uri(self) -> str:
        """The device URI for `handeye --device`."""
        return f"linux:{self.display}"

    @property
    def backend(self) -> X11Backend:
        """
        The backend for its windows, pixels, mouse and keyboard; the same one until it is closed, at the latest by
        `stop`.
        """
        if self._backend is None or self._backend.closed:
            from handeye.devices import X11Backend

            self._backend = X11Backend(self.display, environment=self.environment)
        return self._backend

    # -- start and stop

    def start(self) -> None:
        """Start everything and wait until it responds."""
        if self._folder is not None:
            return
        check_installed(self.manager)
        self._folder = _new_folder()
        try:
            self._keeper = _keeper_of(self._folder)
            self._environment = self._own_environment()
            self._start_server()
            self._start_bus()
            self._start_manager()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End all its processes and remove its folder. Does nothing if it does not run."""
        backend, self._backend = self._backend, None
        if backend is not None:
            with contextlib.suppress(DeviceError):
                backend.close()
        keeper, self._keeper = self._keeper, None
        if keeper is not None and keeper.stdin is not None:
            keeper.stdin.close()
            keeper.wait()
        for process in self._started:
            process.kill()  # one that removed the mark from its environment
            process.wait()
        self._started.clear()
        self._folder = None
        self._environment = {}

    def __enter__(self) -> PrivateDesktop:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # -- applications

    def launch(
        self,
        *command: str | Path,
        wait_for_title: str | re.Pattern[str] | None = None,
        environment: Mapping[str, str] | None = None,
        timeout_s: float = LAUNCH_TIMEOUT_S,
    ) -> subprocess.Popen[bytes]:
        """
        Start a program on this desktop, without a shell. Its output goes to files: see `output` and `said`.

        `wait_for_title`: wait for a window whose title contains this text, or matches this pattern. Raises MissingPart
        if the program does not exist, DeviceError, with the end of its error output, if the window does not appear.
        """
        process = self._spawn([str(word) for word in command], environment or {})
        if wait_for_title is not None:
            self.wait_for_window(wait_for_title, process=process, timeout_s=timeout_s)
        return process

    def wait_for_window(
        self,
        title: str | re.Pattern[str],
        *,
        process: subprocess.Popen[bytes] | None = None,
        timeout_s: float = LAUNCH_TIMEOUT_S,
    ) -> Window:
        """
        Return the topmost window whose title contains `title`, once it exists. Raises DeviceError with the existing
        windows.
        """
        wanted = re.compile(re.escape(title)) if isinstance(title, str) else title
        named = title if isinstance(title, str) else title.pattern
        limit = time.monotonic() + timeout_s
        while True:
            windows = self.backend.windows()
            for window in windows:
                if wanted.search(window.title) and not window.minimized:
                    return window
            ended = process is not None and process.poll() not in (None, 0)  # 0: it handed over to another process
            if ended or time.monotonic() > limit:
                there = ", ".join(map(str, windows)) or "none"
                why = f"it ended with code {process.returncode}" if process and ended else f"not in {timeout_s:g} s"
                said = f"; it said: {self.said(process)[-1000:]}" if process else ""
                raise DeviceError(f"no window {named!r} came: {why}; windows: {there}{said}")
            time.sleep(POLL_S)

    def output(self, process: subprocess.Popen[bytes]) -> str:
        """Return what a program of this desktop has written to standard output so far."""
        return self._written(process, "out")

    def said(self, process: subprocess.Popen[bytes]) -> str:
        """Return what a program of this desktop has written to standard error so far."""
        return self._written(process, "err")

    # -- parts

    def _own_environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not _HOST_VARIABLES.fullmatch(name)}
        runtime = self.folder / "run"
        runtime.mkdir(mode=0o700)
        settings = self.home / ".config" / "gtk-3.0"
        settings.mkdir(parents=True)
        (settings / "settings.ini").write_text(_GTK_SETTINGS)
        own = {MARK: str(self.folder), "HOME": str(self.home), "XDG_RUNTIME_DIR": str(runtime)}
        return {**inherited, **_VARIABLES, **own}

    def _start_server(self) -> None:
        """
        Start Xvfb on a number chosen here: two servers that look for a free one at the same time (-displayfd) can take
        each other's socket, as happened in two of eight starts. A server with a given number creates a lock file first.
        """
        width, height = self.size
        screen = f"{width}x{height}x{self.depth}"
        options = [word for name in ("RANDR", "XTEST", "Composite") for word in ("+extension", name)]
        if self.dpi is not None:
            options += ["-dpi", str(self.dpi)]
        for _ in range(_DISPLAY_TRIES):
            self.display = f":{random.SystemRandom().choice(_DISPLAYS)}"
            self._environment["DISPLAY"] = self.display
            process = self._spawn(
                ["Xvfb", self.display, "-screen", "0", screen, "-nolisten", "tcp", "-noreset", *options], {}
            )
            limit = time.monotonic() + START_TIMEOUT_S
            while process.poll() is None and time.monotonic() < limit:
                with contextlib.suppress(DeviceNotFound):
                    _ = self.backend
                    return
                time.sleep(POLL_S)
        raise DeviceError(f"Xvfb did not start: {self.said(process)[-1000:] or 'no output'}")

    def _start_bus(self) -> None:
        """Start the session bus, and through it the accessibility bus, enabled before the first application queries it."""
        address = f"unix:path={self.folder / 'run' / 'bus'}"
        self._environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self._start_and_read_address(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}"], "--print-address="
        )
        self._ask_accessibility("org.a11y.Bus.GetAddress")
        enabled = ("string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true")
        self._ask_accessibility("org.freedesktop.DBus.Properties.Set", *enabled)

    def _ask_accessibility(self, method: str, *arguments: str) -> None:
        command = [
            "dbus-send",
            "--session",
            "--print-reply",
            "--dest=org.a11y.Bus",
            "/org/a11y/bus",
            method,
            *arguments,
        ]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, timeout=START_TIMEOUT_S, check=False, cwd=self.home
        )
        if done.returncode:
            raise DeviceError(f"the accessibility bus does not answer: {done.stderr.decode(errors='replace').strip()}")

    def _start_manager(self) -> None:
        """
        Start the window manager and wait until it manages a window: Openbox announces itself first and ignores windows
        mapped just then, in two of three starts with a client that was quick enough.
        """
        if self.manager is None:
            return
        process = self._spawn([self.manager], {})
        limit = time.monotonic() + START_TIMEOUT_S
        screen = self.backend.display.screen()
        probe = screen.root.create_window(0, 0, 9, 9, 0, screen.root_depth)
        while not (self.backend.managed and any(window.id == probe.id for window in self.backend.windows())):
            if process.poll() is not None or time.monotonic() > limit:
                raise DeviceError(f"{self.manager} does not manage {self.display}: {self.said(process)[-1000:]}")
            probe.unmap()
            probe.map()
            time.sleep(POLL_S)
        probe.destroy()
        while self.backend.windows() and time.monotonic() < limit:
            time.sleep(POLL_S)

    # -- processes

    def _start_and_read_address(self, command: list[str], option: str) -> str:
        """Start `command`, which writes its address to the file descriptor that follows `option`; return the address."""
        read, write = os.pipe()
        try:
            spoken = [f"{option}{write}"] if option.endswith("=") else [option, str(write)]
            process = self._spawn([*command, *spoken], {}, pass_fds=(write,))
        finally:
            os.close(write)
        try:
            ready, _, _ = select.select([read], [], [], START_TIMEOUT_S)
            line = os.read(read, 4096).decode(errors="replace").strip() if ready else ""
        finally:
            os.close(read)
        if not line:
            raise DeviceError(f"{command[0]} did not start: {self.said(process)[-1000:] or 'no output'}")
        return line

    def _spawn(
        self, command: list[str], environment: Mapping[str, str], *, pass_fds: Sequence[int] = ()
    ) -> subprocess.Popen[bytes]:
        written = self.folder / f"{len(self._started)}-{Path(command[0]).name}"
        with open(f"{written}.out", "wb") as out, open(f"{written}.err", "wb") as err:
            try:
                process = subprocess.Popen(
                    command,
                    env={**self._environment, **environment},
                    cwd=self.home,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    pass_fds=pass_fds,
                    start_new_session=True,  # Ctrl-C in the terminal is for the test's process only
                )
            except FileNotFoundError as error:
                raise MissingPart(repr(command[0]), f"apt-get install {command[0]}") from error
        self._started[process] = written
        return process

    def _written(self, process: subprocess.Popen[bytes], kind: str) -> str:
        return Path(f"{self._started[process]}.{kind}").read_text(errors="replace")


def check_installed(manager: str | None = "openbox") -> None:
    """Raise MissingPart, with the packages, unless everything that a private desktop needs is installed."""
    wanted = [name for name in _PROGRAMS if name != "openbox" or manager == "openbox"]
    missing = {_PROGRAMS[name] for name in wanted if shutil.which(name) is None}
    if not any((folder / _ACCESSIBILITY_SERVICE).is_file() for folder in _DATA_FOLDERS):
        missing.add("at-spi2-core")
    if missing:
        raise MissingPart("what a private desktop is made of", f"apt-get install {' '.join(sorted(missing))}")


def _new_folder() -> Path:
    """Create a folder whose path fits into a D-Bus address and a Unix socket."""
    usual = tempfile.gettempdir()
    fits = len(usual.encode()) <= _LONGEST_FOLDER - len("/handeye-desktop-12345678") and re.fullmatch(
        r"[\w/.-]+", usual
    )
    return Path(tempfile.mkdtemp(prefix="handeye-desktop-", dir=usual if fits else "/tmp"))


def _keeper_of(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", desktop_keeper.__file__, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )

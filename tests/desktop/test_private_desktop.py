"""Tests of the private desktop: its start, its isolation and its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from x11_patterns import until

import handeye
from handeye.errors import DeviceError, MissingPart
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_keeper import belonging

AS_NOBODY: dict[str, Any] = {
    "user": 65534,
    "group": 65534,
    "cwd": "/",
    "env": {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"},
}

_HOLDING = """
import sys
from handeye.testing.desktop import PrivateDesktop
with PrivateDesktop(manager=None) as desktop:
    print(desktop.folder, desktop.display, flush=True)
    sys.stdin.read()
"""

_HIDING = """
import subprocess, sys, time
sleep = "import time; time.sleep(600)"
print(subprocess.Popen([sys.executable, "-c", sleep], env={}).pid, flush=True)
exec(sleep)
"""


def test_private_desktop_has_its_own_environment(desktop: PrivateDesktop, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = desktop.environment
    assert desktop.backend.managed
    assert environment["DISPLAY"] == desktop.display
    for name in ("HOME", "XDG_RUNTIME_DIR"):
        assert Path(environment[name]).is_relative_to(desktop.folder)
        assert ":" not in environment[name]
    assert "WAYLAND_DISPLAY" not in environment
    question = ("org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled")
    asked = subprocess.run(
        ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus", *question],
        env=dict(environment),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "boolean true" in asked.stdout


def test_program_output_can_be_read(desktop: PrivateDesktop) -> None:
    process = desktop.launch(
        sys.executable, "-c", "import sys, os; print(os.environ['DISPLAY']); print('oh', file=sys.stderr)"
    )
    process.wait(120)
    assert desktop.output(process) == f"{desktop.display}\n"
    assert desktop.said(process) == "oh\n"


def test_launch_error_quotes_the_failed_program(desktop: PrivateDesktop) -> None:
    with pytest.raises(DeviceError, match=r"ended with code 3.*no such thing"):
        desktop.launch(
            sys.executable, "-c", "import sys; print('no such thing', file=sys.stderr); sys.exit(3)", wait_for_title="x"
        )
    with pytest.raises(DeviceError, match=r"a window that nobody opens.*not in"):
        desktop.wait_for_window("a window that nobody opens", timeout_s=0.1)
    with pytest.raises(MissingPart, match="no-such-program"):
        desktop.launch("no-such-program")


@pytest.mark.usefixtures("installed")
def test_private_desktop_ends_with_all_its_processes(tmp_path: Path) -> None:
    private = PrivateDesktop(manager=None)
    with pytest.raises(DeviceError, match="not running"):
        _ = private.folder
    with private:
        folder = private.folder
        sleeper = private.launch(sys.executable, "-c", "import time; time.sleep(600)")
        # One that leaves its parent and its session, as daemons do.
        private.launch(sys.executable, "-c", "import os, time; os.fork() or (os.setsid(), time.sleep(600))").wait(120)
        # One that hides where it belongs, as Chromium's parts do.
        parent = private.launch(sys.executable, "-c", _HIDING)
        until(lambda: private.output(parent).endswith("\n"))
        hidden = int(private.output(parent))
        assert hidden not in belonging(str(folder))
        assert len(belonging(str(folder))) >= 6
    assert sleeper.returncode is not None
    with contextlib.suppress(FileNotFoundError):  # an orphan that nobody waits for stays as a zombie
        assert " Z " in Path(f"/proc/{hidden}/stat").read_text()
    assert not belonging(str(folder))
    assert not folder.exists()
    private.stop()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_private_desktop_ends_when_its_starter_dies(number: signal.Signals) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    with holder:
        folder, display = holder.stdout.readline().split()
        assert len(belonging(folder)) >= 3
        holder.send_signal(number)
        holder.wait(120)
        until(lambda: not belonging(folder) and not Path(folder).exists())
    assert not Path(f"/tmp/.X{display[1:]}-lock").exists()


@pytest.mark.may_skip
@pytest.mark.usefixtures("installed")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_private_desktop_works_without_root() -> None:
    interpreter = _interpreter_for_all()
    if interpreter is None:
        pytest.skip("no Python of this version, or not this checkout, is open to others")
    script = _HOLDING.replace("sys.stdin.read()", "print(desktop.backend.monitors())").replace("manager=None", "")
    done = subprocess.run(
        [interpreter, "-c", script],
        **AS_NOBODY,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "primary=True" in done.stdout


def _interpreter_for_all() -> str | None:
    """A Python of this version that everybody may run; it, or this checkout, may lie in root's home."""
    read = f"open({handeye.__file__!r})"
    usual = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (sys.executable, usual):
        with contextlib.suppress(OSError):
            if subprocess.run([path, "-c", read], **AS_NOBODY, timeout=120).returncode == 0:
                return path
    return None


def test_closed_backend_is_opened_again(desktop: PrivateDesktop) -> None:
    first = desktop.backend
    assert desktop.backend is first
    first.close()
    assert desktop.backend is not first
    assert desktop.backend.managed


def test_error_names_missing_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name in ("Xvfb", "dbus-send") else f"/usr/bin/{name}")
    with pytest.raises(MissingPart, match=r"apt-get install (at-spi2-core )?dbus xvfb$"):
        PrivateDesktop().start()

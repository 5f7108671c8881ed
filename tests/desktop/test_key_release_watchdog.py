"""Tests of the keeper process, which releases keys: without a Python executable, with many backends, and with forks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from x11_patterns import until
from Xlib.display import Display

from handeye.devices import X11Backend
from handeye.devices.linux.input import key_release_watchdog
from handeye.geometry import Point
from handeye.testing.desktop import PrivateDesktop

CTRL, SHIFT, A = 37, 50, 38  # key codes of Xvfb


def down(display: Display) -> list[int]:
    bits = display.query_keymap()
    return [code for code in range(256) if bits[code // 8] >> code % 8 & 1]


def keepers(bare: PrivateDesktop) -> int:
    """Number of child processes that release this display's keys; one that has just started has no command line yet."""
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    commands = [Path(f"/proc/{id}/cmdline").read_text() for each in listed for id in each.read_text().split()]
    return sum("release_after_exit" in command and bare.display in command.split("\0") for command in commands)


@pytest.mark.parametrize("executable", [None, ""])
def test_click_works_without_python_executable(
    bare: PrivateDesktop, display: Display, monkeypatch: pytest.MonkeyPatch, executable: str | None
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    presses(bare, display)


def test_frozen_executable_is_not_started_as_keeper(
    bare: PrivateDesktop, display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*_: object, **__: object) -> None:
        pytest.fail("the program was started again")

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(key_release_watchdog.subprocess, "Popen", started)
    presses(bare, display)


@pytest.mark.parametrize("path", ["a\0b", None, "x" * 3_000_000])
def test_press_works_when_keeper_cannot_start(
    bare: PrivateDesktop, display: Display, monkeypatch: pytest.MonkeyPatch, path: str | None
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, path])
    presses(bare, display)


def presses(bare: PrivateDesktop, display: Display) -> None:
    with closing(X11Backend(bare.display)) as backend:
        backend.key("a", down=True)
        assert down(display) == [A]
        backend.key("a", down=False)
        assert down(display) == []


def test_backends_of_one_display_share_one_keeper(bare: PrivateDesktop) -> None:
    every = [X11Backend(bare.display) for _ in range(4)]
    for each in every:
        each.key("ctrl", down=True)
        each.key("ctrl", down=False)
    until(lambda: keepers(bare) == 1)
    for each in every[:-1]:
        each.close()
    assert keepers(bare) == 1, "one is still at work"
    every[-1].close()
    assert keepers(bare) == 0


def test_pointer_move_starts_the_keeper(bare: PrivateDesktop) -> None:
    """Its start takes longer than everything else between the last reading and the press."""
    with closing(X11Backend(bare.display)) as backend:
        backend.pointer()
        assert keepers(bare) == 0, "who only looks needs none"
        backend.move(Point(200, 200))
        until(lambda: keepers(bare) == 1)


_FORKING = """
import os, sys
from handeye.devices.linux.backend import X11Backend
backend = X11Backend(sys.argv[1])
backend.key("shift", down=True)
child = os.fork()
"""


@contextmanager
def forking(bare: PrivateDesktop, rest: str) -> Iterator[subprocess.Popen[str]]:
    """A process that holds Shift, has forked, and does `rest`."""
    command = [sys.executable, "-c", _FORKING + rest, bare.display]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_exiting_forked_process_releases_no_keys(bare: PrivateDesktop, display: Display) -> None:
    rest = """
if not child:
    sys.exit(0)
os.waitpid(child, 0)
print("ended", flush=True)
sys.stdin.readline()
backend.key("a", down=True)
backend.key("a", down=False)
backend.key("shift", down=False)
print("typed", flush=True)
"""
    with forking(bare, rest) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ended\n"
        assert down(display) == [SHIFT]
        assert process.communicate("go on\n", timeout=120)[0] == "typed\n"
    assert process.returncode == 0
    assert down(display) == []


def test_killed_process_releases_keys_while_its_fork_lives(bare: PrivateDesktop, display: Display) -> None:
    rest = """
os.write(1, b"forked\\n" if child else b"alive\\n")  # in one piece, which print does not promise
sys.stdin.read()
"""
    with forking(bare, rest) as process:
        assert process.stdout is not None
        assert {process.stdout.readline(), process.stdout.readline()} == {"forked\n", "alive\n"}
        assert down(display) == [SHIFT]
        process.send_signal(signal.SIGKILL)
        process.wait(120)
        until(lambda: down(display) == [])
        assert process.stdin is not None
        process.stdin.close()
        assert process.stdout.read() == "", "only now the forked process has ended"


def test_forked_process_holds_its_own_keys(bare: PrivateDesktop, display: Display) -> None:
    rest = """
if child:
    os.waitpid(child, 0)
    print("ended", flush=True)
    sys.stdin.read()
else:
    backend.key("ctrl", down=True)
    print("holding", flush=True)
    sys.stdin.readline()
    os._exit(3)
"""
    with forking(bare, rest) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "holding\n"
        assert down(display) == [CTRL, SHIFT]
        process.stdin.write("end\n")
        process.stdin.flush()
        assert process.stdout.readline() == "ended\n"
        until(lambda: down(display) == [SHIFT])
    until(lambda: down(display) == [])

"""
Watchdog process that releases held keys and buttons if this process is killed.

Its standard input ends when its parent does, however that happens. Until then it is a bare interpreter, which costs a
tenth of a start of Handeye. One watchdog serves all connections of a process to a display: it checks every record
there.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import handeye
from handeye.forks import register_after_fork

# Signals that end a terminal's programs must not end this one before its parent.
_PROGRAM: Final = """
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.buffer.read()
sys.path[:] = sys.argv[2:]
from handeye.devices.linux.input.release import release_after_exit
release_after_exit(sys.argv[1])
"""


class KeyReleaseWatchdog:
    """
    From `start` to `close`, what this process has recorded on `display` is released within a second if it is killed. If
    no watchdog process can be started, it is released with Handeye's next connection.
    """

    def __init__(self, display: str) -> None:
        self._display = display
        self._started = False

    def start(self) -> None:
        """Start the watchdog once; later calls do nothing."""
        if not self._started:
            self._started = True
            _watchdogs.start(self._display)

    def close(self) -> None:
        """Stop the watchdog; nothing is held any more."""
        if self._started:
            self._started = False
            _watchdogs.end(self._display)


@dataclass(slots=True)
class _Watchdog:
    """A watchdog process (None if none can be started) and the number of connections that use it."""

    process: subprocess.Popen[bytes] | None
    hands: int = 0


class _Watchdogs:
    """Watchdog processes of this process, by display. Thread-safe; a forked process has none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, _Watchdog] = {}

    def start(self, display: str) -> None:
        with self._lock:
            waiting = self._waiting.setdefault(display, _Watchdog(None))
            waiting.hands += 1
            if waiting.process is None or waiting.process.poll() is not None:
                waiting.process = _started(display)

    def end(self, display: str) -> None:
        with self._lock:
            waiting = self._waiting.get(display)
            if waiting is None:
                return  # it belongs to the parent
            waiting.hands -= 1
            if not waiting.hands:
                del self._waiting[display]
                if waiting.process is not None:
                    waiting.process.kill()
                    with waiting.process:
                        pass

    def after_fork(self) -> None:
        """Close inherited pipes: the watchdog detects the parent's end by them, so this process must not hold them open."""
        for waiting in self._waiting.values():
            if waiting.process is not None and waiting.process.stdin is not None:
                waiting.process.stdin.close()
        self._lock, self._waiting = threading.Lock(), {}


_watchdogs: Final = _Watchdogs()
register_after_fork(_watchdogs)


def _started(display: str) -> subprocess.Popen[bytes] | None:
    """Start a watchdog; None if there is no Python to start: the interpreter is embedded in or frozen into a program."""
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    path = [each for each in (*sys.path, str(Path(handeye.__file__).parents[1])) if isinstance(each, str)]
    with contextlib.suppress(OSError, ValueError):  # a path with a null character
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PROGRAM, display, *path],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    return None

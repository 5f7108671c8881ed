"""
A process of its own beside the hands, which lets go of what they hold when their process is killed.

Its standard input ends when its parent does, in whatever way. Until then it is a bare interpreter, which costs a tenth of what
a start of Handeye does. One does for all hands of a process on a display: it looks at every record there.
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
from handeye.forks import renew_after_fork

# What ends a terminal's programs, or asks all of them to end, must not end this one before its parent.
_WAITING: Final = """
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.buffer.read()
sys.path[:] = sys.argv[2:]
from handeye.devices.linux.input.release import after_the_end
after_the_end(sys.argv[1])
"""


class KeyReleaseWatchdog:
    """
    From `start` to `close`, what this process has recorded on `display` goes up within a second also when it is killed. Where
    no process can be started, it goes up with the next connection of Handeye.
    """

    def __init__(self, display: str) -> None:
        self._display = display
        self._started = False

    def start(self) -> None:
        """Once; later calls do nothing."""
        if not self._started:
            self._started = True
            _beside.start(self._display)

    def close(self) -> None:
        """Nothing is held any more."""
        if self._started:
            self._started = False
            _beside.end(self._display)


@dataclass(slots=True)
class _Waiting:
    """The process, None where none can be started, and for how many hands it waits."""

    process: subprocess.Popen[bytes] | None
    hands: int = 0


class _Beside:
    """The processes beside this one, by display. Safe for several threads; a forked process has none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, _Waiting] = {}

    def start(self, display: str) -> None:
        with self._lock:
            waiting = self._waiting.setdefault(display, _Waiting(None))
            waiting.hands += 1
            if waiting.process is None or waiting.process.poll() is not None:
                waiting.process = _started(display)

    def end(self, display: str) -> None:
        with self._lock:
            waiting = self._waiting.get(display)
            if waiting is None:
                return  # it is the parent's
            waiting.hands -= 1
            if not waiting.hands:
                del self._waiting[display]
                if waiting.process is not None:
                    waiting.process.kill()
                    with waiting.process:
                        pass

    def after_fork(self) -> None:
        """The end of the parent is that of its pipes: this process must not hold them open."""
        for waiting in self._waiting.values():
            if waiting.process is not None and waiting.process.stdin is not None:
                waiting.process.stdin.close()
        self._lock, self._waiting = threading.Lock(), {}


_beside: Final = _Beside()
renew_after_fork(_beside)


def _started(display: str) -> subprocess.Popen[bytes] | None:
    """None where there is no Python to start: this one is embedded in a program, or frozen into one that would start again."""
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    path = [each for each in (*sys.path, str(Path(handeye.__file__).parents[1])) if isinstance(each, str)]
    with contextlib.suppress(OSError, ValueError):  # a path with a zero character
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WAITING, display, *path],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    return None

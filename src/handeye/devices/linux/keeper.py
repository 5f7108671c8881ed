"""
A process of its own beside the hands, which lets go of what they hold when their process is killed.

Its standard input ends when its parent does, in whatever way. Until then it is a bare interpreter, which costs a tenth of what
a start of Handeye does.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Final

import handeye

# What ends a terminal's programs, or asks all of them to end, must not end this one before its parent.
_WAITING: Final = """
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.buffer.read()
sys.path[:] = sys.argv[2:]
from handeye.devices.linux.letting_go import after_the_end
after_the_end(sys.argv[1])
"""


class Keeper:
    """
    From `start` to `close`, what this process has recorded on `display` goes up within a second also when it is killed. Where
    no process can be started, it goes up with the next connection of Handeye.
    """

    def __init__(self, display: str) -> None:
        self._display = display
        self._process: subprocess.Popen[bytes] | None = None
        self._started = False

    def start(self) -> None:
        """Once; later calls do nothing."""
        if self._started:
            return
        self._started = True
        path = [*sys.path, str(Path(handeye.__file__).parents[1])]
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _WAITING, self._display, *path],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def close(self) -> None:
        """Nothing is held any more."""
        process, self._process, self._started = self._process, None, False
        if process is not None:
            process.kill()
            with process:
                pass

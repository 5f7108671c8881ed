"""
Ends a private desktop when whoever started it is gone: run by `PrivateDesktop` as a process of its own, standard library only.

Every process of the desktop carries the mark in its environment, also those that the session bus started and those that left
their parent. The keeper waits for the end of its standard input, which comes when its parent ends in whatever way.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence

MARK = "HANDEYE_PRIVATE_DESKTOP"
"""The environment variable that names the desktop a process belongs to: its folder."""

GRACE_S = 2.0  # LibreOffice, the slowest of the tests' applications, ends 0.3 s after SIGTERM
POLL_S = 0.02


def belonging(mark: str) -> tuple[int, ...]:
    """The processes of this user that carry `mark`, but not this one."""
    wanted = f"{MARK}={mark}".encode()
    found: list[int] = []
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environ:
                if wanted in environ.read().split(b"\0"):
                    found.append(int(name))
    return tuple(found)


def end(mark: str, *, first: Sequence[int] = ()) -> None:
    """End every process that carries `mark`: asked first, then killed."""
    _signal((*first, *belonging(mark)), signal.SIGTERM)
    limit = time.monotonic() + GRACE_S
    while belonging(mark) and time.monotonic() < limit:
        time.sleep(POLL_S)
    for _ in range(3):  # a process may start another one while it is being killed
        left = belonging(mark)
        if not left:
            return
        _signal(left, signal.SIGKILL)
        time.sleep(POLL_S)


def _signal(processes: Sequence[int], number: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def main(folder: str) -> None:
    """Wait for the end of standard input, then end what carries the mark `folder`, and remove that folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    end(folder)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])

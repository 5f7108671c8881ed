"""
End a private desktop when the process that started it is gone; run by `PrivateDesktop` as a separate process, standard
library only.

Every process of the desktop has the mark in its environment, including those that the session bus started and those
that detached from their parent. The keeper waits for the end of its standard input, which comes however its parent
ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterable
from typing import NamedTuple

MARK = "HANDEYE_PRIVATE_DESKTOP"
"""Environment variable that names the desktop of a process by its folder."""

GRACE_S = 2.0  # LibreOffice, the slowest of the tests' applications, ends 0.3 s after SIGTERM
POLL_S = 0.02
KILLS = 3


class Process(NamedTuple):
    """A process, with its start time, as process ids are reused."""

    id: int
    started: int


def belonging(mark: str) -> tuple[int, ...]:
    """Return this user's processes with the mark `mark`, except this one."""
    wanted = f"{MARK}={mark}".encode()
    found: list[int] = []
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environ:
                if wanted in environ.read().split(b"\0"):
                    found.append(int(name))
    return tuple(found)


def end(mark: str) -> None:
    """
    End every process with `mark`, and its descendants: SIGTERM first, then SIGKILL. Chromium's processes overwrite
    their environment with their titles, including the mark.
    """
    family = _with_children(belonging(mark))
    _signal(family, signal.SIGTERM)
    limit = time.monotonic() + GRACE_S
    while _alive(family) and time.monotonic() < limit:
        time.sleep(POLL_S)
    for _ in range(KILLS):  # a process may start another one while it is being killed
        left = {*_alive(family), *_with_children(belonging(mark))}
        if not left:
            return
        _signal(left, signal.SIGKILL)
        time.sleep(POLL_S)


def _with_children(roots: Iterable[int]) -> set[Process]:
    """Return the processes and all their descendants."""
    children: dict[int, list[int]] = {}
    started: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal() and (about := _about(int(name))) is not None:
            parent, started[int(name)] = about
            children.setdefault(parent, []).append(int(name))
    found: set[Process] = set()
    waiting = list(roots)
    while waiting:
        id = waiting.pop()
        if id in started and id != os.getpid() and Process(id, started[id]) not in found:
            found.add(Process(id, started[id]))
            waiting += children.get(id, ())
    return found


def _alive(processes: Iterable[Process]) -> set[Process]:
    return {one for one in processes if (about := _about(one.id)) is not None and about[1] == one.started}


def _about(id: int) -> tuple[int, int] | None:
    """Return a process's parent and start time (proc(5), stat), or None if it has ended."""
    try:
        with open(f"/proc/{id}/stat", "rb") as stat:
            state, parent, *more = stat.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if state in (b"Z", b"X") else (int(parent), int(more[17]))


def _signal(processes: Iterable[Process], number: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process.id, number)


def _remove(folder: str) -> None:
    """Remove the folder, repeatedly while a process still writes into it."""
    limit = time.monotonic() + GRACE_S
    while os.path.exists(folder) and time.monotonic() < limit:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(POLL_S if os.path.exists(folder) else 0)


def main(folder: str) -> None:
    """Wait for the end of standard input, then end the processes with the mark `folder`, and remove that folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    end(folder)
    _remove(folder)


if __name__ == "__main__":
    main(sys.argv[1])

"""
Lets go of what is held when the process that holds it is killed: a process of its own, for as long as something is held longer
than a click takes. Its standard input ends when its parent does, in whatever way.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Final

from handeye.devices.linux.connection import answering, connect
from handeye.devices.linux.hands import RECORD, let_go_of_the_dead
from handeye.errors import HandeyeError

# The server hears of the end of a client when it next looks at that client's connection.
_NOTICED_S: Final = 5.0
_POLL_S: Final = 0.02


@contextlib.contextmanager
def kept(display: str) -> Iterator[None]:
    """
    Meanwhile whatever this process holds on `display` goes up within a second also when it is killed. Where no process can be
    started, it goes up with the next connection of Handeye.
    """
    keeper = None
    with contextlib.suppress(OSError):
        keeper = subprocess.Popen(
            [sys.executable, "-m", __name__, display],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what ends the process group of a terminal must not end it
        )
    try:
        yield
    finally:
        if keeper is not None:
            keeper.kill()
            with keeper:
                pass


def main(display: str) -> None:
    """Wait for the end of standard input, then let go of what the dead hold."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    limit = time.monotonic() + _NOTICED_S
    with contextlib.suppress(HandeyeError):
        connection = connect(display)
        with answering(connection):
            while time.monotonic() < limit:
                let_go_of_the_dead(connection)
                names = map(connection.get_atom_name, connection.screen().root.list_properties())
                if not any(name.startswith(RECORD) for name in names):
                    return
                time.sleep(_POLL_S)


if __name__ == "__main__":
    main(sys.argv[1])

"""Entry point of the process: streams, arguments and signals. Imports nothing slow."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
import warnings
from types import FrameType

from handeye.cli.streams import REPLACED, Escaping

# A full disk, a quota, a limit on the size of files, a broken disk.
_UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_SURROGATE = re.compile("[\ud800-\udfff]")
INTERRUPTED = 130
"""The exit code that shells report for Ctrl-C, as in `commands.base.ExitCode`, which is too slow to import here."""


def main() -> None:
    """Run the command line. Ctrl-C or SIGTERM ends it with 130, even during imports."""
    try:
        _listen_to_sigterm()
        for name in ("stdin", "stdout", "stderr"):
            if getattr(sys, name) is None:  # closed by the parent process
                setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), "r" if name == "stdin" else "w"))
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=REPLACED)  # a terminal without Chinese must not stop a run
                setattr(sys, name, Escaping(stream))  # and control characters of foreign text must not reach it
        sys.argv[1:] = map(readable, sys.argv[1:])
        # Pillow's warning about a picture that our own error refuses right after.
        warnings.filterwarnings("ignore", message="Image size .* exceeds limit")
        from handeye.cli.app import app  # everything slow is behind this line

        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # keeps the interpreter from flushing to it again at exit
        print(f"handeye: the output cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        if "--json" in sys.argv:
            print('{"error": "interrupted", "exit_code": 130}')
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


def readable(word: str) -> str:
    """Return an argument decoded as UTF-8, where the locale (`C` with Python's UTF-8 mode off) left undecoded bytes."""
    if not _SURROGATE.search(word):
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word  # valid as the name of a file; a task with such bytes is refused later


def _listen_to_sigterm() -> None:
    """Treat SIGTERM as Ctrl-C, so that the device is released. If the parent process ignores it, it stays ignored."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

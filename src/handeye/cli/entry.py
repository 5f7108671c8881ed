"""The process around the command line: its streams, its words and its signals. Imports nothing slow."""

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
"""As shells report Ctrl-C; `commands.base.ExitCode` says the same and is too slow to import here."""


def main() -> None:
    """The console script's entry point. Ctrl-C or SIGTERM ends it with 130, however early it comes."""
    try:
        _listen_to_sigterm()
        for name in ("stdin", "stdout", "stderr"):
            if getattr(sys, name) is None:  # closed by who started us
                setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), "r" if name == "stdin" else "w"))
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=REPLACED)  # a terminal without Chinese must not stop a run
                setattr(sys, name, Escaping(stream))  # nor foreign text steer it
        sys.argv[1:] = map(readable, sys.argv[1:])
        # Pillow's, on lines of its own, about a picture that is refused with our error at once.
        warnings.filterwarnings("ignore", message="Image size .* exceeds limit")
        from handeye.cli.app import app  # everything slow is behind this line

        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left is not tried again at the very end
        print(f"handeye: the output cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        if "--json" in sys.argv:
            print('{"error": "interrupted", "exit_code": 130}')
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


def readable(word: str) -> str:
    """A word of the command line as UTF-8, where the locale (`C`, with Python's own UTF-8 mode off) made bytes of it."""
    if not _SURROGATE.search(word):
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word  # a file may have such a name; a task may not, and its check says so


def _listen_to_sigterm() -> None:
    """SIGTERM lets the device go as Ctrl-C does. What the parent process chose to ignore stays ignored."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

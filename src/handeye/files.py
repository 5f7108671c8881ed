"""Writing files: whole or not at all, and by one process at a time."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import IO, Any, Final

from handeye.errors import WriteFailed

CHOOSE: Final = "choose another place"

if sys.platform == "win32":
    import msvcrt

    # Far behind what is written: on Windows a locked byte cannot be read by others.
    _LOCKED_BYTE = 1 << 30

    def take_lock(file: IO[Any]) -> None:
        """Lock an open file, without waiting. Raises OSError; BlockingIOError or PermissionError when it is taken."""
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def let_go_lock(file: IO[Any]) -> None:
        """Unlock what `take_lock` has locked."""
        file.flush()
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def take_lock(file: IO[Any]) -> None:
        """Lock an open file, without waiting. Raises OSError; BlockingIOError or PermissionError when it is taken."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def let_go_lock(file: IO[Any]) -> None:
        """Unlock what `take_lock` has locked."""
        fcntl.flock(file, fcntl.LOCK_UN)


def write_text(path: Path, text: str, *, private: bool = False, remedy: str = CHOOSE) -> Path:
    """`text` as UTF-8, as `write_bytes`. What UTF-8 cannot hold (half of a surrogate pair) becomes a question mark."""
    return write_bytes(path, text.encode("utf-8", "replace"), private=private, remedy=remedy)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Make `folder`, where it is not there, and those above it; `private`: for their owner only. Raises OSError, ValueError."""
    if private and not folder.parent.exists():  # mkdir has the mode for the last one only
        make_folder(folder.parent, private=True)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)


def write_bytes(path: Path, content: bytes, *, private: bool = False, remedy: str = CHOOSE) -> Path:
    """
    Write through a file beside it, so that a reader never sees half of it. Raises WriteFailed, which names `remedy`.

    `private` keeps it to its owner, and the folders that must be made for it, too.
    """
    beside = path.with_name(f".{secrets.token_hex(8)}")  # not the name itself: it may be as long as names may be
    try:
        make_folder(path.parent, private=private)
        try:
            with beside.open("xb") as file:  # not mkstemp: its 0600 would keep a report from the people it is for
                if private:
                    beside.chmod(0o600)
                file.write(content)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:  # ValueError: a name that this system cannot have
        raise WriteFailed(path, error, remedy) from error
    return path

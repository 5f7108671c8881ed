"""Writing files: whole or not at all, and by one process at a time."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, cast

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


# A pipe is opened without waiting for its other end, and a link that has come meanwhile not at all.
_CAREFUL: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path, mode: str = "rb", *, within: Path | None = None, limit: int | None = None) -> BinaryIO:
    """
    Open a file that somebody else may have put there, without waiting for a pipe or touching a device.

    "ab" makes it, for its owner only, when it is not there. Raises OSError, also for what is no regular file, has more than
    `limit` bytes, or lies outside the folder `within` once links are followed.
    """
    real = _resolved(path)
    if within is not None and not real.is_relative_to(_resolved(within)):
        raise OSError(errno.EPERM, "it leads out of the folder", str(path))
    if path.exists() and not path.is_file():  # not `real`: what a shell passes as /dev/fd/3 is no path once resolved
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    file = _opened(real, mode)
    if limit is not None and os.fstat(file.fileno()).st_size > limit:
        file.close()
        raise _too_large(path, limit)
    return file


def _opened(path: Path, mode: str) -> BinaryIO:
    return cast(BinaryIO, open(path, mode, opener=lambda name, flags: os.open(name, flags | _CAREFUL, 0o600)))


def read_regular(path: Path, limit: int, *, within: Path | None = None) -> bytes:
    """The content of such a file. Raises OSError, as `open_regular`."""
    with open_regular(path, within=within, limit=limit) as file:
        content = file.read(limit + 1)
    if len(content) > limit:  # it has grown meanwhile
        raise _too_large(path, limit)
    return content


def refuse_link(folder: Path) -> None:
    """Raise OSError where a link stands in the place of a folder that is written into: it may lead anywhere."""
    if folder.is_symlink():
        raise OSError(errno.EPERM, "it is a link, which may lead out of the folder", str(folder))


def _too_large(path: Path, limit: int) -> OSError:
    size = f"{limit >> 20} MB" if limit >= 1 << 20 else f"{limit >> 10} kB"
    return OSError(errno.EFBIG, f"it is larger than {size}", str(path))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (RuntimeError, ValueError) as error:  # links in a circle, until Python 3.13; a null character
        raise OSError(errno.EINVAL, str(error), str(path)) from error


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

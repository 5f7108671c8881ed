"""Read and write files safely: atomic writes, locks, and no pipes, devices or foreign links."""

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

    # Far beyond the content: on Windows other processes cannot read a locked byte.
    _LOCKED_BYTE = 1 << 30

    def take_lock(file: IO[Any]) -> None:
        """Lock an open file without waiting. Raises OSError; BlockingIOError or PermissionError if it is locked."""
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def let_go_lock(file: IO[Any]) -> None:
        """Unlock a file that `take_lock` has locked."""
        file.flush()
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def take_lock(file: IO[Any]) -> None:
        """Lock an open file without waiting. Raises OSError; BlockingIOError or PermissionError if it is locked."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def let_go_lock(file: IO[Any]) -> None:
        """Unlock a file that `take_lock` has locked."""
        fcntl.flock(file, fcntl.LOCK_UN)


# Open a pipe without waiting for its other end, and refuse a link that was created meanwhile.
_CAREFUL: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path, mode: str = "rb", *, within: Path | None = None, limit: int | None = None) -> BinaryIO:
    """
    Open a file that another user may have created, without waiting for a pipe or opening a device.

    "ab" creates it, for its owner only, if it does not exist. Raises OSError, also for a file that is not regular, has
    more than `limit` bytes, or lies outside the folder `within` once links are resolved.
    """
    real = _resolved(path)
    if within is not None and not real.is_relative_to(_resolved(within)):
        raise OSError(errno.EPERM, "it leads out of the folder", str(path))
    if path.exists() and not path.is_file():  # not `real`: /dev/fd/3, as passed by a shell, is not a path once resolved
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    file = _opened(real, mode)
    if limit is not None and os.fstat(file.fileno()).st_size > limit:
        file.close()
        raise _too_large(path, limit)
    return file


def _opened(path: Path, mode: str) -> BinaryIO:
    return cast(BinaryIO, open(path, mode, opener=lambda name, flags: os.open(name, flags | _CAREFUL, 0o600)))


def read_regular(path: Path, limit: int, *, within: Path | None = None) -> bytes:
    """Return the content of a file opened by `open_regular`. Raises OSError, as `open_regular`."""
    with open_regular(path, within=within, limit=limit) as file:
        content = file.read(limit + 1)
    if len(content) > limit:  # it has grown meanwhile
        raise _too_large(path, limit)
    return content


def check_not_symlink(folder: Path) -> None:
    """Raise OSError if `folder`, which is to be written into, is a link: it may lead anywhere."""
    if folder.is_symlink():
        raise OSError(errno.EPERM, "it is a link, which may lead out of the folder", str(folder))


def _too_large(path: Path, limit: int) -> OSError:
    size = f"{limit >> 20} MB" if limit >= 1 << 20 else f"{limit >> 10} kB"
    return OSError(errno.EFBIG, f"it is larger than {size}", str(path))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (RuntimeError, ValueError) as error:  # circular links, until Python 3.13; a null character
        raise OSError(errno.EINVAL, str(error), str(path)) from error


def write_text(path: Path, text: str, *, private: bool = False, remedy: str = CHOOSE) -> Path:
    """Write `text` as UTF-8, as `write_bytes`. Lone surrogates become question marks."""
    return write_bytes(path, text.encode("utf-8", "replace"), private=private, remedy=remedy)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Create `folder` and its parents if missing; `private`: for their owner only. Raises OSError, ValueError."""
    if private and not folder.parent.exists():  # mkdir applies the mode to the last folder only
        make_folder(folder.parent, private=True)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)


def write_bytes(path: Path, content: bytes, *, private: bool = False, remedy: str = CHOOSE) -> Path:
    """
    Write a file atomically, through a temporary file in the same folder. Raises WriteFailed, with `remedy`.

    `private` restricts the file, and the folders created for it, to its owner.
    """
    temporary = path.with_name(
        f".{secrets.token_hex(8)}"
    )  # not derived from the name, which may have the maximum length
    try:
        make_folder(path.parent, private=private)
        try:
            with temporary.open("xb") as file:  # not mkstemp: its mode 0600 would make reports unreadable for others
                if private:
                    temporary.chmod(0o600)
                file.write(content)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:  # ValueError: a name that this system does not allow
        raise WriteFailed(path, error, remedy) from error
    return path

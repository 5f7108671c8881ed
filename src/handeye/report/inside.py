"""Files of a folder that may be somebody else's: nothing outside of it is read or written, and nothing is waited for."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import IO, Final, cast

# A pipe is opened without waiting for its other end, and a link that has come meanwhile not at all.
_CAREFUL: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


def open_file(folder: Path, name: str, mode: str = "rb") -> IO[bytes]:
    """
    An ordinary file of `folder`, or one in a folder of it ("screens/01-before.webp"); "ab" makes it when it is not there, for
    its owner only.

    Raises OSError: for what is no ordinary file (a pipe, a device, a folder), and what a link leads out of the folder.
    """
    path = folder / name
    inside = _resolved(path)
    if not inside.is_relative_to(_resolved(folder)):
        raise OSError(errno.EPERM, "a link leads out of the folder", str(path))
    if inside.exists() and not inside.is_file():
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    return cast(IO[bytes], open(inside, mode, opener=_opened_carefully))


def read_file(folder: Path, name: str, limit: int) -> bytes:
    """The content of such a file. Raises OSError, as `open_file` and for more than `limit` bytes."""
    with open_file(folder, name) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit // 2**20} MB", str(folder / name))
    return content


def _opened_carefully(path: str, flags: int) -> int:
    return os.open(path, flags | _CAREFUL, 0o600)


def refuse_link(folder: Path) -> None:
    """Raise OSError where a link stands in the place of a folder that is written into: it may lead anywhere."""
    if folder.is_symlink():
        raise OSError(errno.EPERM, "a link, which may lead out of the folder", str(folder))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (RuntimeError, ValueError) as error:  # links in a circle, until Python 3.13; a null character
        raise OSError(errno.EINVAL, str(error), str(path)) from error

"""Files of a folder that may be somebody else's: nothing outside of it is read or written, and nothing is waited for."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import BinaryIO

from handeye.files import open_regular


def open_file(folder: Path, name: str, mode: str = "rb") -> BinaryIO:
    """A regular file of `folder`, or one in a folder of it ("screens/01-before.webp"), as `handeye.files.open_regular`."""
    return open_regular(folder / name, mode, within=folder)


def read_file(folder: Path, name: str, limit: int) -> bytes:
    """The content of such a file. Raises OSError, as `open_file` and for more than `limit` bytes."""
    with open_file(folder, name) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit // 2**20} MB", str(folder / name))
    return content


def refuse_link(folder: Path) -> None:
    """Raise OSError where a link stands in the place of a folder that is written into: it may lead anywhere."""
    if folder.is_symlink():
        raise OSError(errno.EPERM, "a link, which may lead out of the folder", str(folder))

"""Lock that allows only one run at a time on a device."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from handeye.devices.state_files import REMEDY, state_folder
from handeye.errors import DeviceBusy, WriteFailed
from handeye.files import let_go_lock, take_lock


class DeviceLock:
    """
    Exclusive lock on the device `uri` among all processes of this user. A context manager; never waits. The query part
    of the URI (`?window=...`) is ignored: all windows of a desktop share one mouse.

    Entering raises DeviceBusy, which names the holder's process, and WriteFailed if `folder` (the state folder by
    default) cannot be used. The operating system releases the lock when the process ends, however it ends. The file is
    not deleted: deleting it would let two processes lock two files of the same name.
    """

    def __init__(self, uri: str, folder: Path | None = None) -> None:
        name = hashlib.sha256(uri.partition("?")[0].encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self.uri = uri
        self.path = (state_folder() if folder is None else folder) / "locks" / f"{name}.lock"
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        file = self._open()
        try:
            take_lock(file)
        except (BlockingIOError, PermissionError):  # raised by flock and by Windows, respectively
            holder = self._holder(file)
            file.close()
            raise DeviceBusy(self.uri, holder) from None
        except OSError as error:  # a file system without lock support
            file.close()
            raise WriteFailed(self.path, error, REMEDY) from error
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        file, self._file = self._file, None
        if file is not None:
            with file:
                let_go_lock(file)

    def _open(self) -> IO[str]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self.path.open("a+", encoding="ascii", errors="replace")
        except (OSError, ValueError) as error:
            raise WriteFailed(self.path, error, REMEDY) from error

    @staticmethod
    def _holder(file: IO[str]) -> int | None:
        """Return the id of the process that last took the lock, or None if it has not written it yet."""
        try:
            file.seek(0)
            return int(file.read(32))
        except (OSError, ValueError):
            return None

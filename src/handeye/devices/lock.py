"""One run at a time on one device."""

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
    Keeps the device `uri` for one run, among all processes of this user. A context manager; never waits. What a URI shows of
    its device (`?window=...`) makes no difference: all windows of a desktop share one mouse.

    Entering raises DeviceBusy, which names the holder's process, and WriteFailed when `folder` (the state folder by default)
    cannot be used. The system lets go when the process dies, however it dies. The file stays: removing it would let two
    processes lock two files of the same name.
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
        except (BlockingIOError, PermissionError):  # flock's answer, and Windows's
            holder = self._holder(file)
            file.close()
            raise DeviceBusy(self.uri, holder) from None
        except OSError as error:  # a file system without locks
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
        """The process that wrote its number last; None when it has not done so yet."""
        try:
            file.seek(0)
            return int(file.read(32))
        except (OSError, ValueError):
            return None

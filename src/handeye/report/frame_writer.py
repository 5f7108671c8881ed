"""The frames of a run on their way to its folder, written beside the run: encoding one takes longer than a step may lose."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from handeye.errors import InvalidImage
from handeye.files import write_bytes
from handeye.report.record import Picture, picture_webp
from handeye.screen import Screen

MOST_WAITING: Final = 4
"""Frames that may wait for being written: 8 MB each on a phone. Whoever brings more waits until there is room."""


class FrameShelf:
    """
    Writes each different frame of a run once, as `NAME.webp` into `folder`. One that no WebP can hold is left out.

    `keep` and `close` raise WriteFailed for a frame that they, or an earlier call, could not write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[tuple[int, int, int], str] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: deque[Future[None]] = deque()

    def keep(self, screen: Screen | None, name: str) -> Picture | None:
        """The frame by the name under which it is kept: `name`, or that of an equal one before it."""
        if screen is None:
            return None
        key = (screen.digest, *screen.size)
        if key not in self._names:
            self._names[key] = name
            while len(self._waiting) >= MOST_WAITING or (self._waiting and self._waiting[0].done()):
                self._waiting.popleft().result()
            self._pool = self._pool or ThreadPoolExecutor(1, thread_name_prefix="handeye-frames")
            self._waiting.append(self._pool.submit(self._write, screen, name))
        return Picture(self._names[key], screen.size.width, screen.size.height)

    def close(self) -> None:
        """Wait until every frame is written."""
        try:
            while self._waiting:
                self._waiting.popleft().result()
        finally:
            self._waiting.clear()
            if self._pool is not None:
                self._pool.shutdown()

    def _write(self, screen: Screen, name: str) -> None:
        try:
            content = picture_webp(screen)
        except InvalidImage:
            return
        write_bytes(self._folder / f"{name}.webp", content, private=True, remedy="choose another folder for the report")

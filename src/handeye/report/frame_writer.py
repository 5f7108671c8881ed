"""Write the frames of a run in a background thread: encoding one takes longer than a step may be delayed."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from handeye.errors import InvalidImage
from handeye.files import write_bytes
from handeye.report.record import Picture, picture_webp
from handeye.screen import Screen

MAX_QUEUED: Final = 4
"""Frames that may be queued for writing: 8 MB each on a phone. `keep` blocks while the queue is full."""


class FrameWriter:
    """
    Writes each different frame of a run once, as `NAME.webp` into `folder`. A frame that WebP cannot encode is left out.

    `keep` and `close` raise WriteFailed if this frame or an earlier one could not be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[tuple[int, int, int], str] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: deque[Future[None]] = deque()

    def keep(self, screen: Screen | None, name: str) -> Picture | None:
        """
        Queue the frame for writing. Return it with the name of its file: `name`, or that of an equal frame before it.
        """
        if screen is None:
            return None
        key = (screen.digest, *screen.size)
        if key not in self._names:
            self._names[key] = name
            while len(self._waiting) >= MAX_QUEUED or (self._waiting and self._waiting[0].done()):
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

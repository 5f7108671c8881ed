"""Readings kept on disk, so that a second run with the same reader need not read again."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path

import handeye.ocr
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.text import TextLine


class KeptReader:
    """
    `reader`, remembered per frame in `folder`; a change in the reader's code makes it read anew.

    `label` names the readings instead of the code, so that they outlive changes that do not matter.
    """

    def __init__(self, reader: TextReader, folder: Path, label: str = "") -> None:
        self._reader = reader
        code = b"".join(path.read_bytes() for path in sorted(Path(handeye.ocr.__file__).parent.glob("*.py")))
        self._folder = folder / (label or hashlib.sha1(code, usedforsecurity=False).hexdigest()[:12])
        self._folder.mkdir(parents=True, exist_ok=True)
        self._last: tuple[Screen, tuple[TextLine, ...]] | None = None

    @property
    def name(self) -> str:
        return self._reader.name

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        if self._last is None or self._last[0] is not screen:
            path = self._folder / hashlib.sha1(screen.pixels.data, usedforsecurity=False).hexdigest()
            if not path.exists():
                path.write_bytes(pickle.dumps(self._reader.read(screen)))
            self._last = screen, pickle.loads(path.read_bytes())
        return self._last[1]

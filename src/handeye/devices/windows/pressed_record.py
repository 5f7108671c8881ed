"""Persistent record of held inputs: a killed process cannot release them, so the next one does."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from handeye.devices.desktop.pressed_state import Input

_FOLDER: Final = "handeye-hands"
_MOST_CODES: Final = 256  # a virtual key is a byte


class Record:
    """
    One file per process in `folder` (by default in the user's temporary folder), which exists only while an input is
    held down. If it cannot be written, input works without a record.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder if folder is not None else Path(tempfile.gettempdir()) / _FOLDER

    def write(self, down: Sequence[Input]) -> None:
        """Record what this process holds down; call before pressing and after releasing."""
        file = self._folder / f"{os.getpid()}.json"
        with contextlib.suppress(OSError):
            if down:
                self._folder.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps([tuple(one) for one in down]), encoding="utf-8")
            else:
                file.unlink(missing_ok=True)

    def pop_ended_processes(self, is_running: Callable[[int], bool]) -> list[Input]:
        """Return the inputs held by processes that no longer run, and delete their records."""
        found: list[Input] = []
        with contextlib.suppress(OSError):
            for file in sorted(self._folder.glob("*.json")):
                if file.stem.isdecimal() and not is_running(int(file.stem)):
                    found += _inputs(file)
                    file.unlink(missing_ok=True)
        return found


def _inputs(file: Path) -> list[Input]:
    """Parse a record. A broken file is ignored; anyone who can write to the temporary folder can press keys anyway."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return [
            Input("button" if kind == "button" else "key", code)
            for kind, code in rows
            if isinstance(code, int) and 0 <= code < _MOST_CODES
        ]
    except (ValueError, TypeError, RecursionError):
        return []

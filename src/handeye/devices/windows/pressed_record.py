"""A note of what is down, for the next program: one that is killed can let go of nothing itself."""

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
    A file for each process in `folder` (one in the person's temporary folder), there only while something is down. Where none
    can be written, nothing is recorded: input goes on without.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder if folder is not None else Path(tempfile.gettempdir()) / _FOLDER

    def write(self, down: Sequence[Input]) -> None:
        """What this process holds. To be written before it goes down, and after it went up."""
        file = self._folder / f"{os.getpid()}.json"
        with contextlib.suppress(OSError):
            if down:
                self._folder.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps([tuple(one) for one in down]), encoding="utf-8")
            else:
                file.unlink(missing_ok=True)

    def of_the_dead(self, is_running: Callable[[int], bool]) -> list[Input]:
        """What processes held that are gone; it is forgotten by this."""
        found: list[Input] = []
        with contextlib.suppress(OSError):
            for file in sorted(self._folder.glob("*.json")):
                if file.stem.isdecimal() and not is_running(int(file.stem)):
                    found += _inputs(file)
                    file.unlink(missing_ok=True)
        return found


def _inputs(file: Path) -> list[Input]:
    """Whoever may write into the person's temporary folder may press keys anyway; but a broken file must stop nobody."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        return [
            Input("button" if kind == "button" else "key", code)
            for kind, code in told
            if isinstance(code, int) and 0 <= code < _MOST_CODES
        ]
    except (ValueError, TypeError, RecursionError):
        return []

"""Everyday phrases for the figures, from `phrases.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import Final


def _read(table: Path) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    rows = [line.split("|") for line in table.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return tuple(
        (english.strip(), chinese.strip(), tuple(name.strip() for name in names.split(",")))
        for english, chinese, names in rows
    )


# English, Chinese, and the names of drawings that are right.
PHRASES: Final = _read(Path(__file__).with_name("phrases.txt"))

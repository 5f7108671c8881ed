"""A stream that escapes what would steer a terminal. Imports nothing slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

from handeye.visible import visible


class Escaping:
    """
    `stream`, with control characters written as what they are (`\\x1b`); line ends and tabs stay.

    Its `buffer` takes bytes as they are. A rich Console, whose colours are such characters, writes to `rich_proxied_file`.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)

    def write(self, text: str) -> int:
        self.rich_proxied_file.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

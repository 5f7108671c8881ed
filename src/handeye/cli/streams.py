"""A stream that escapes what would steer a terminal. Imports nothing slow."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import Any, Final, TextIO

from handeye.visible import visible

REPLACED: Final = "handeye.replaced"
"""How a stream writes what its encoding lacks: the name of an error handler, for `reconfigure(errors=...)`."""

# Our own signs, as what each encoding has of them: the first that it has (GBK has √ and ×, ASCII neither).
_SIGNS: Final = {
    "✓": "√+",
    "✗": "×x",
    "·": ".",
    "–": "-",
    "—": "-",
    "▶": "►>",
    "■": "*",
    "↳": ">",
    "→": ">",
    "←": "<",
    "…": ".",
    "“": '"',
    "”": '"',
}


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """A sign in place of the first one that cannot be written: another for each of ours, a question mark for the rest."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    for sign in _SIGNS.get(error.object[error.start], "") + "?":
        try:
            sign.encode(error.encoding)
        except UnicodeEncodeError:
            continue
        return sign, error.start + 1
    raise error


codecs.register_error(REPLACED, _replaced)


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

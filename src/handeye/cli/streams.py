"""A text stream that escapes terminal control characters. Imports nothing slow."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import Any, Final, TextIO

from handeye.visible import visible

REPLACED: Final = "handeye.replaced"
"""Name of the error handler for characters that an encoding lacks, for `reconfigure(errors=...)`."""

# Substitutes for the signs that we print, in order of preference (GBK has √ and ×, ASCII neither).
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
    """Return a substitute for the first character that cannot be encoded: by `_SIGNS`, or a question mark."""
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
    Wrapper of `stream` that writes control characters as escapes (`\\x1b`), except line ends and tabs.

    Bytes written to its `buffer` are not changed. A rich Console, whose colours are control characters, writes to
    `rich_proxied_file`.
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

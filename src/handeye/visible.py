"""Escape untrusted text for display: it must not control the terminal that prints it, nor look like other text."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

# Control characters (an escape sequence can retitle a terminal or hide lines), format characters (which reverse text),
# line separators, and code points that cannot be encoded.
_UNSHOWN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
# Letters and marks by category that are nevertheless invisible: fillers, blank Braille, variation selectors except
# those of emoji.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0").union(
    map(chr, (*range(0xFE00, 0xFE0E), 0x16FE4, 0x1D159, *range(0xE0100, 0xE01F0)))
)
# Joiners within emoji and in scripts that need them.
_JOINERS: Final = frozenset("\u200c\u200d")


class _Table(dict[int, str]):
    """
    Table for `str.translate` that replaces invisible characters by `written`, except those in `kept`. Filled on demand.
    """

    def __init__(self, written: Callable[[str], str], kept: str = "") -> None:
        super().__init__({ord(character): character for character in kept})
        self._written = written

    def __missing__(self, code: int) -> str:
        character = chr(code)
        unshown = unicodedata.category(character) in _UNSHOWN or character in _BLANK
        self[code] = self._written(character) if unshown and character not in _JOINERS else character
        return self[code]


def _python_escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


_IN_LINE: Final = _Table(_python_escape)
_IN_LINES: Final = _Table(_python_escape, "\n\t")
_IN_JSON: Final = _Table(lambda character: json.dumps(character)[1:-1], "\n")


def visible(text: str) -> str:
    """
    Return the text with invisible characters escaped, except line breaks and tabs.

    >>> visible("Inbox \\x1b[2J\\n"), visible("\\u202egnp.exe")
    ('Inbox \\\\x1b[2J\\n', '\\\\u202egnp.exe')
    """
    return text.translate(_IN_LINES)


def visible_line(text: str) -> str:
    """Return the text on one line: as `visible`, but line breaks and tabs are escaped, too."""
    return text.translate(_IN_LINE)


def shown(text: str, most: int | None = None) -> str:
    """Return `visible_line` of the text, cut after `most` characters."""
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    return visible_line(text)


def visible_json(data: Mapping[str, Any], *, ascii_only: bool = False, indent: int | None = None) -> str:
    """
    Return the data as JSON in any script (`ascii_only`: in ASCII), invisible characters as `\\\\u` escapes: the same
    data for a program, without escape sequences for a terminal.
    """
    return json.dumps(data, ensure_ascii=ascii_only, indent=indent).translate(_IN_JSON)

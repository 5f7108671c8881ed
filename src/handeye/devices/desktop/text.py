"""What may be typed: texts, not keys."""

from __future__ import annotations

import unicodedata
from typing import Final

from handeye.errors import UsageError

_TYPED_BY_KEYS: Final = "\n\t"


def typeable(text: str) -> str:
    """The text with its lines ended by "\\n". Raises UsageError for what is no text: control characters, halves of pairs."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    for character in lines:
        if _is_control(character) or _is_noncharacter(character):
            raise UsageError(f"U+{ord(character):04X} is no text: press keys by their names")
    return lines


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") and character not in _TYPED_BY_KEYS


def _is_noncharacter(character: str) -> bool:
    code = ord(character)
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF

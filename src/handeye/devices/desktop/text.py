"""Check texts before typing."""

from __future__ import annotations

import unicodedata
from typing import Final

from handeye.errors import UsageError

_TYPED_BY_KEYS: Final = "\n\t"


def typeable(text: str) -> str:
    """
    Return the text with line ends as "\\n". Raises UsageError for control characters, lone surrogates and
    noncharacters.
    """
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

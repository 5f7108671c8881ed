"""Check texts before typing."""

from __future__ import annotations

import re
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


# Parse web addresses as users write them.


_WEB_ADDRESS: Final = re.compile(r"https?://[^\s/]+(?:/\S*)?", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_AND_PORT: Final = re.compile(r"[^/:]+:\d+(?:/|$)")


def web_address(url: str) -> str:
    """
    Return the address with its scheme: `example.org` becomes https. Raises UsageError for any other scheme, which could
    start an arbitrary program, and for text that is not an address.
    """
    address = url.strip()
    if not _SCHEME.match(address) or _HOST_AND_PORT.match(address):
        address = f"https://{address}"
    if not _WEB_ADDRESS.fullmatch(address) or not address.isprintable():
        raise UsageError(f"{url!r} is no web address: give one that begins with https:// or http://")
    return address

"""Text from screens as it may be shown: it is somebody else's, and must not steer the terminal that prints it."""

from __future__ import annotations

import unicodedata
from typing import Final

# Control characters (an escape sequence can retitle a terminal or hide lines), format characters (which turn text around),
# line separators, and what cannot be encoded.
_UNSHOWN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
# Joiners inside emoji and in scripts that need them.
_JOINERS: Final = frozenset("\u200c\u200d")
# Characters of somebody's words in a message, and of a note that may quote them.
MOST_WORDS: Final = 120
MOST_OF_NOTE: Final = 400


def shown(text: str, most: int | None = None) -> str:
    """The text on one line with everything that is no visible character escaped (\\x1b), cut after `most` characters."""
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _UNSHOWN or character in _JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")

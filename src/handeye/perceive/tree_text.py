"""Shared by all accessibility trees: text clean-up, and the constants for sources, roles and missing boxes."""

from __future__ import annotations

import re
from typing import Final

from handeye.geometry import Box

TREE_SOURCE: Final = "accessibility"
"""The `source` of elements reported by the application itself."""

OFFSCREEN_BOX: Final = Box(0, 0, 0, 0)
"""The box of an element that is scrolled out of view."""

CONTENT_ROLES: Final = frozenset({"input", "document", "spinner", "combo box"})
"""Roles whose text is typed or chosen content, not a name: it does not identify the element, and may be secret."""

MAX_TEXT: Final = 10_000
"""Longest text in characters. A longer one is a document, and no target description quotes more of it."""

# Control characters except tabs and line ends, unpaired surrogates, byte order marks (Firefox puts one after an emoji),
# and the object replacement character.
_UNWRITTEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffc\ufffe\uffff]")


def clean_text(text: object) -> str:
    """
    Return a text without control characters, byte order marks and unpaired surrogates, cut to MAX_TEXT; "" for anything but
    a str.
    """
    return _UNWRITTEN.sub("", text[: 2 * MAX_TEXT])[:MAX_TEXT] if isinstance(text, str) else ""

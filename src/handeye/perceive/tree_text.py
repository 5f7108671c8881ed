"""What accessibility trees have in common, whichever system tells them: how texts are taken, and what stands for nowhere."""

from __future__ import annotations

import re
from typing import Final

from handeye.geometry import Box

TREE_SOURCE: Final = "accessibility"
"""The `source` of what an application says of itself."""

NOWHERE: Final = Box(0, 0, 0, 0)
"""The box of what is not on the screen: scrolled out."""

FILLED_IN: Final = frozenset({"input", "document", "spinner", "combo box"})
"""Roles whose text is what somebody wrote into them or chose, not what they are called: it names nothing, and may be secret."""

MAX_TEXT: Final = 10_000
"""Characters. One text longer than this is a document, of which nobody names more."""

# Control characters but tabs and line ends, the halves of characters, byte order marks (Firefox puts one after an emoji), and
# the sign that stands for an embedded object.
_UNWRITTEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffc\ufffe\uffff]")


def clean_text(text: object) -> str:
    """A text as people read it: no control characters, byte order marks or halves of characters, and no more than MAX_TEXT."""
    return _UNWRITTEN.sub("", text[: 2 * MAX_TEXT])[:MAX_TEXT] if isinstance(text, str) else ""

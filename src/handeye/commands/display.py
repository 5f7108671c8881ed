"""Text from screens as it may be shown: it is somebody else's, and must not steer the terminal that prints it."""

from __future__ import annotations

from typing import Final

from handeye.visible import visible_line

# Characters of somebody's words in a message, and of a note that may quote them.
MOST_WORDS: Final = 120
MOST_OF_NOTE: Final = 400


def shown(text: str, most: int | None = None) -> str:
    """The text on one line with everything that is no visible character escaped (\\x1b), cut after `most` characters."""
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    return visible_line(text)

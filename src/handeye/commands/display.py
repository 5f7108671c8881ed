"""Text from screens as it may be shown: it is somebody else's, and must not steer the terminal that prints it."""

from __future__ import annotations

from typing import Final

from handeye.visible import shown

__all__ = ["MOST_OF_NOTE", "MOST_WORDS", "shown"]

# Characters of somebody's words in a message, and of a note that may quote them.
MOST_WORDS: Final = 120
MOST_OF_NOTE: Final = 400

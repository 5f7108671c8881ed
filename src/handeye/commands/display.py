"""How much of somebody's words a message shows."""

from __future__ import annotations

from typing import Final

MOST_WORDS: Final = 120
"""Characters of a text or a name."""

MOST_OF_NOTE: Final = 400
"""Characters of a note, which may quote them."""

"""Kinds of control that people ask for, against what a picture shows: a face with a label, a field, bare text.

Many kinds look alike: a link, a tab, a menu item, a row of a list and a flat button are all a word, with or without a face.
They never contradict each other. What has a look of its own does: a blue face is no heading, a field is no button.
"""

from __future__ import annotations

from typing import Final

# What draws something else than words: beside bare text it may stand, or not, and the text alone does not show which.
_DRAWN: Final = frozenset({"switch", "slider", "checkbox", "radio", "progress bar", "image", "video"})
# A face with its label in the middle is none of these. Radio buttons are drawn so in rows, as segments of one control.
_NO_BUTTON: Final = _DRAWN - {"radio"} | {"heading"}
_NO_FIELD: Final = _DRAWN | {"heading", "button"}

# What a picture shows of a kind that is asked for: what was typed to find a row stands in the search field.
_SHOWN_AS: Final = {
    "button": ("button",),
    **dict.fromkeys(("text", "link", "heading"), ("text",)),
    **dict.fromkeys(("list item", "table row"), ("text", "button")),
}

# Told as a candidate, never clicked; and "not sure" in seed 001. Measured by no corpus: they follow from the two words.
CONTRADICTED: Final = 0.45
NOT_SHOWN: Final = 0.79


def looks_like(asked: str | None, shown: str) -> bool:
    """Return True if a place that shows one kind may be of the kind asked for. A kind without a look is everything's."""
    return asked not in _SHOWN_AS or shown in _SHOWN_AS[asked]


def most_sure(asked: str | None, shown: str) -> float:
    """Return the most confidence (0-1) of a place that shows one kind ("button", "input", "text") when another is asked for."""
    if (shown == "button" and asked in _NO_BUTTON) or (shown == "input" and asked in _NO_FIELD):
        return CONTRADICTED
    return NOT_SHOWN if asked in _DRAWN else 1.0

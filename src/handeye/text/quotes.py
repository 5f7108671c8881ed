"""Quotations: text in quotes is literal, whatever its words mean."""

from __future__ import annotations

from typing import Final, NamedTuple

# Closing marks of each opening mark; “ and ” are often swapped.
CLOSING: Final = {each: each for each in "'\"`”＂＇"} | {
    "‘": "’",
    "“": "”“",
    "„": "“”",
    "「": "」",
    "『": "』",
    "«": "»",
}
# Marks that also occur inside words (don't, l’eau), where they are no quotation marks.
_APOSTROPHES: Final = frozenset("'’＇")


class Quotation(NamedTuple):
    """A quotation: `text` is between the marks at source[start] and source[end - 1]."""

    start: int
    end: int
    text: str


def quotations(source: str) -> list[Quotation]:
    """Return the quotations in `source`, in order; never nested. An unclosed mark is an ordinary character."""
    found: list[Quotation] = []
    at = 0
    while at < len(source):
        end = _end(source, at)
        if end is not None:
            found.append(Quotation(at, end, source[at + 1 : end - 1].strip()))
        at = end or at + 1
    return found


def _end(source: str, start: int) -> int | None:
    """Return the end of the quotation that begins at `start`, or None without one."""
    closing = CLOSING.get(source[start])
    if closing is None or (source[start] in _APOSTROPHES and start and _is_letter(source[start - 1])):
        return None
    for at in range(start + 1, len(source)):
        inside = source[at] in _APOSTROPHES and at + 1 < len(source) and _is_letter(source[at + 1])
        if source[at] in closing and not inside:
            return at + 1 if source[start + 1 : at].strip() else None
    return None


def _is_letter(character: str) -> bool:
    """Return True for a letter of a script with apostrophes; Chinese text may touch its quotes without a space."""
    return character.isalnum() and character < "\u2e80"

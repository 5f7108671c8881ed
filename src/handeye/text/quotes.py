"""Quotations: what a person puts in quotes is the text itself, whatever its words mean."""

from __future__ import annotations

from typing import Final, NamedTuple

# Each opening mark with the marks that close it; “ and ” are often typed the wrong way round.
CLOSING: Final = {each: each for each in "'\"`”＂＇"} | {
    "‘": "’",
    "“": "”“",
    "„": "“”",
    "「": "」",
    "『": "』",
    "«": "»",
}
# These stand inside words too (don't, l’eau): there they open and close nothing.
_APOSTROPHES: Final = frozenset("'’＇")


class Quotation(NamedTuple):
    """`text` stands between the marks at source[start] and source[end - 1]."""

    start: int
    end: int
    text: str


def quotations(source: str) -> list[Quotation]:
    """Quotations in `source`, in order; never nested. A mark that nothing closes is a character like any other."""
    found: list[Quotation] = []
    at = 0
    while at < len(source):
        end = _end(source, at)
        if end is not None:
            found.append(Quotation(at, end, source[at + 1 : end - 1].strip()))
        at = end or at + 1
    return found


def _end(source: str, start: int) -> int | None:
    """The end of the quotation that begins at `start`; None where none does."""
    closing = CLOSING.get(source[start])
    if closing is None or (source[start] in _APOSTROPHES and start and _is_letter(source[start - 1])):
        return None
    for at in range(start + 1, len(source)):
        inside = source[at] in _APOSTROPHES and at + 1 < len(source) and _is_letter(source[at + 1])
        if source[at] in closing and not inside:
            return at + 1 if source[start + 1 : at].strip() else None
    return None


def _is_letter(character: str) -> bool:
    """A letter of a script that writes apostrophes: Chinese text stands against its quotes without a blank."""
    return character.isalnum() and character < "\u2e80"

"""What a person puts in quotes is the text itself, whatever its words mean."""

from __future__ import annotations

from typing import Final, NamedTuple

# Each opening mark with the marks that close it; “ and ” are often typed the wrong way round.
_CLOSING: Final = {
    "'": "'",
    '"': '"',
    "`": "`",
    "‘": "’",
    "“": "”“",
    "”": "”",
    "„": "“”",
    "「": "」",
    "『": "』",
    "«": "»",
    "＂": "＂",
    "＇": "＇",
}
# These stand inside words too (don't, l’eau): there they open and close nothing.
_APOSTROPHES: Final = frozenset("'’＇")


class Quotation(NamedTuple):
    """`text` stands between the marks at source[start] and source[end - 1]."""

    start: int
    end: int
    text: str


def quotations(source: str) -> list[Quotation]:
    """What is quoted in `source`, in order; never nested. A mark that nothing closes is a character like any other."""
    found: list[Quotation] = []
    at = 0
    while at < len(source):
        closing = _CLOSING.get(source[at])
        end = _end(source, at, closing) if closing and _opens(source, at) else None
        if end is None:
            at += 1
            continue
        found.append(Quotation(at, end, source[at + 1 : end - 1].strip()))
        at = end
    return found


def _opens(source: str, at: int) -> bool:
    return source[at] not in _APOSTROPHES or at == 0 or not _is_letter(source[at - 1])


def _end(source: str, start: int, closing: str) -> int | None:
    for at in range(start + 1, len(source)):
        if source[at] in closing:
            inside = source[at] in _APOSTROPHES and at + 1 < len(source) and _is_letter(source[at + 1])
            if not inside:
                return at + 1 if source[start + 1 : at].strip() else None
    return None


def _is_letter(character: str) -> bool:
    """A letter of a script that writes apostrophes: Chinese text stands against its quotes without a blank."""
    return character.isalnum() and character < "\u2e80"

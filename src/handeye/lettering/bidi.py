"""Right-to-left text in visual order, with Arabic letters joined: enough for one line on a phone's screen.

Pillow's basic layout draws code points from left to right; its other layout needs a system library that may be absent.
This covers Hebrew and Arabic words among Latin and Chinese ones (UAX #9 without embeddings).
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_FORMS = ("isolated", "final", "initial", "medial")


@lru_cache(maxsize=1)
def _presentation_forms() -> dict[tuple[str, str], str]:
    """(letter, form) -> the code point that shows the letter in that form, from Unicode's own decompositions."""
    table: dict[tuple[str, str], str] = {}
    for code in (*range(0xFB50, 0xFBFF), *range(0xFE80, 0xFEFD)):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[0].strip("<>") in _FORMS:
            table.setdefault((chr(int(parts[1], 16)), parts[0].strip("<>")), chr(code))
    return table


def join_arabic(text: str) -> str:
    """`text` (logical order) with Arabic letters replaced by their joined forms. Same length."""
    forms = _presentation_forms()
    out = []
    for index, letter in enumerate(text):
        before = _neighbour(text, index, -1)
        after = _neighbour(text, index, 1)
        joins_before = (before, "initial") in forms and (letter, "final") in forms
        joins_after = (letter, "initial") in forms and (after, "final") in forms
        form = _FORMS[(1 if joins_before else 0) + (2 if joins_after else 0)]
        out.append(forms.get((letter, form), letter))
    return "".join(out)


def _neighbour(text: str, index: int, step: int) -> str:
    index += step
    while 0 <= index < len(text) and unicodedata.combining(text[index]):
        index += step
    return text[index] if 0 <= index < len(text) else ""


def _direction(char: str) -> str:
    kind = unicodedata.bidirectional(char)
    if kind in ("R", "AL"):
        return "R"
    if kind == "L":
        return "L"
    return "N" if kind in ("EN", "AN") else ""


def visual(text: str) -> str:
    """`text` of one line, reordered so that drawing it from left to right reads correctly."""
    kinds = [_direction(char) for char in text]
    if "R" not in kinds:
        return text
    base = next(kind for kind in kinds if kind in ("L", "R"))
    joined = join_arabic(text)
    runs = _runs(joined, _resolve(kinds, base))
    if base == "R":
        runs.reverse()
    return "".join(_reversed_run(part) if kind == "R" else part for kind, part in runs)


def _resolve(kinds: list[str], base: str) -> list[str]:
    """Neutrals take the direction of both neighbours when they agree, else the line's."""
    strong = [kind if kind in ("L", "R") else "" for kind in kinds]
    out = list(strong)
    for index, kind in enumerate(strong):
        if kind:
            continue
        left = next((k for k in reversed(strong[:index]) if k), base)
        right = next((k for k in strong[index:] if k), base)
        out[index] = left if left == right else base
        if kinds[index] == "N":
            out[index] = left
    return out


def _runs(text: str, kinds: list[str]) -> list[tuple[str, str]]:
    runs: list[tuple[str, str]] = []
    for char, kind in zip(text, kinds, strict=True):
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1] + char)
        else:
            runs.append((kind, char))
    return runs


def _reversed_run(text: str) -> str:
    """Mirror a right-to-left run; numbers inside it keep reading from left to right."""
    out: list[str] = []
    number = ""
    for char in text:
        if unicodedata.bidirectional(char) in ("EN", "AN", "ES", "CS") and (number or char.isdigit()):
            number += char
            continue
        if number:
            out.append(number)
            number = ""
        out.append(char.translate(_MIRRORED))
    if number:
        out.append(number)
    return "".join(reversed(out))

"""
What runs say, in the reader's language.

Evidence, notes and errors are data: they are written once, in English, into events and JSON. Whoever shows them to a person
asks here for the Chinese of the sentences that runs say most; one that is not known is shown as it was written. What stands in
a sentence from elsewhere (texts of the screen, names of apps, a step's description) stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from handeye.report.sentence_forms import FORMS

# A slot's name begins with what it holds: a quotation, a number, one word, any text, a sentence that must be known, and one
# that is shown as it is where it is not.
_QUOTED: Final = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|“[^”]*”"""
_HOLDS: Final = {"q": _QUOTED, "n": r"[\d.]+", "w": r"\S+", "x": r".+", "s": r".+", "l": r".+"}
_SLOT: Final = re.compile(r"\{(\w+)\}")
_SEPARATOR: Final = re.compile(rf"(?<!\w)(?:{_QUOTED})(?!\w)|(?P<between>; |, )|(?P<opens>\()|(?P<closes>\))")
_LONGEST: Final = 2_000
"""Characters of what is looked at: an error may quote a page. A run says no sentence of its own that is longer."""
_DEEPEST: Final = 4
"""Sentences within sentences: "step 3 (...): not needed: A or B holds: C" has four."""


@lru_cache(maxsize=512)
def told(text: str, language: str) -> str:
    """`text`, as a run has said it, for a reader of "zh" or "en"."""
    if language != "zh" or len(text) > _LONGEST:
        return text
    return _loosely(text, 0)


def _loosely(text: str, depth: int) -> str:
    clauses = _split(text, "; ")
    in_chinese = [_known(clause, depth) for clause in clauses]
    if not any(in_chinese):
        return text
    return "；".join(known or clause for known, clause in zip(in_chinese, clauses, strict=True))


def _known(text: str, depth: int) -> str | None:
    """The Chinese of one sentence, or of several with commas between them that are all known; None when it is not known."""
    if depth > _DEEPEST:
        return None
    for pattern, chinese in _PATTERNS:
        if (found := pattern.fullmatch(text)) is not None:
            slots = {name: _filled(name, value, depth) for name, value in found.groupdict().items()}
            filled = {name: value for name, value in slots.items() if value is not None}
            if len(filled) == len(slots):
                return chinese.format(**filled)
    parts = _split(text, ", ")
    known = [each for part in parts if (each := _known(part, depth + 1)) is not None] if len(parts) > 1 else []
    return "，".join(known) if known and len(known) == len(parts) else None


def _filled(name: str, value: str, depth: int) -> str | None:
    if name[0] == "s":
        return _known(value, depth + 1)
    if name[0] == "l":
        return _loosely(value, depth + 1)
    if name[0] == "q" and "\\" not in value:
        return f"“{value[1:-1]}”"
    return value


def _split(text: str, separator: str) -> list[str]:
    """At each `separator` that stands in no quotation and in no brackets."""
    cuts, depth = [], 0
    for found in _SEPARATOR.finditer(text):
        depth = max(0, depth + bool(found["opens"]) - bool(found["closes"]))
        if found["between"] == separator and not depth:
            cuts.append(found.span())
    begins, ends = [0, *(end for _, end in cuts)], [*(begin for begin, _ in cuts), len(text)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _pattern(english: str) -> re.Pattern[str]:
    pieces = _SLOT.split(english)
    held = (f"(?P<{piece}>{_HOLDS[piece[0]]})" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return re.compile("".join(held), re.DOTALL)


_PATTERNS: Final = tuple((_pattern(english), chinese) for english, chinese in FORMS)

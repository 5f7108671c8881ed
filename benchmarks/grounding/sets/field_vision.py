"""Small situations rebuilt from bug reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grounding.cases import Case, Question, refusal
from grounding.remarks import parse_truth
from grounding.sets.lines import size_of

NAME: Final = "field_vision"
_PICTURE: Final = "picture.png"


def situations(data: Path) -> Iterator[Case]:
    """One case per folder. A question that is the name of a picture beside it is a reference image."""
    for truth in sorted((data / NAME).glob("*/truth.json")):
        folder = truth.parent
        asked = json.loads(truth.read_text(encoding="utf-8"))["questions"]
        questions = tuple(_question(folder, words, remark) for words, remark in asked.items())
        picture = folder / _PICTURE
        yield Case(NAME, "pixels", folder.name, folder.name, size_of(picture), questions, picture)


def _question(folder: Path, words: str, remark: str | list[int] | None) -> Question:
    reference = folder / words if (folder / words).is_file() else None
    truth = parse_truth(remark)
    if truth.expected == "refuse":
        return refusal(words, "refusal", reference=reference)
    kind = "reference" if reference else "phrase"
    family = "reference" if reference else "situation"
    return Question(words, kind, family, truth.boxes, truth.expected, reference, count=truth.count)

"""Instructions written by hand after a look at the pictures, with the element that each names."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grounding.pages.questions import Question
from grounding.pages.render import Element, Rendered, fold

FILE: Final = Path(__file__).parent / "instructions.jsonl"


@dataclass(frozen=True)
class Instruction:
    """
    Words about one element of a page. `role` is empty where the page has no such element and only a refusal is right.

    `nth` counts from 0 in reading order among the elements with the same role and text, and is needed only for several.
    """

    page: str
    words: str
    role: str = ""
    text: str = ""
    nth: int | None = None


def read(path: Path = FILE) -> list[Instruction]:
    """The instructions of a file with one JSON object a line."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Instruction(each["page"], each["words"], **(each["element"] or {})) for each in lines]


def ask(page: Rendered, instruction: Instruction) -> Question:
    """The question with the element's boxes on this rendering. Raises SystemExit where it does not name one element."""
    if not instruction.role:
        return Question(instruction.words, "absent")
    found = [each for each in page.elements if each.visible and _is_named(each, instruction)]
    found.sort(key=lambda each: (each.bounds[1], each.bounds[0]))
    if instruction.nth is not None:
        found = found[instruction.nth : instruction.nth + 1]
    if len(found) != 1:
        raise SystemExit(
            f"instructions.jsonl: {instruction.words!r} on {instruction.page}: {len(found)} visible elements are a "
            f"{instruction.role} {instruction.text!r}; correct its element or leave the line out"
        )
    return Question(instruction.words, "instruction", found[0].boxes)


def _is_named(element: Element, instruction: Instruction) -> bool:
    return element.role == instruction.role and fold(element.text) == fold(instruction.text)

"""Instructions to a person on desktops, and the point where the person clicked (ScreenAgent)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grounding.cases import Case, Question
from grounding.sets.lines import items, size_of
from handeye.geometry import Box, Point

NAME: Final = "screenagent_clicks"
NEAR_PX: Final = 12  # an answer whose centre is so near to the click is right, whatever its box
_DOING = re.compile(
    r"^\s*(?:please\s+)?(?:(?:double|left|right)[- ]click|click|press|select|choose|open|tap|find|hit)(?:\s+(?:on|the))*\s+",
    re.I,
)
_NAMES_A_CONTROL = re.compile(r"\b(?:icon|button|checkbox|menu|tab|box|field|bar|link|option|image|picture)\b", re.I)
_LONGEST_NAME: Final = 5  # words; a longer instruction that names no control describes a goal


def clicks(data: Path) -> Iterator[Case]:
    """One case per instruction of one click, asked in the person's whole words; a group is one session."""
    home = data / NAME
    for item in items(home / "items.jsonl"):
        if item["mouse_actions_in_step"] != 1:
            continue
        words = (item["instruction_en"] or item["instruction_zh"]).strip()
        click = Point(*item["point"])
        question = Question(words, kind_of(words), "instruction", (Box.at(click, NEAR_PX),), points=(click,))
        picture = home / item["image"]
        yield Case(NAME, "pixels", item["id"].partition("/")[0], item["id"], size_of(picture), (question,), picture)


def kind_of(instruction: str) -> str:
    """The sort of an instruction, by its words alone."""
    name = _DOING.sub("", instruction).strip() or instruction
    if re.search(r"['\"“‘].+['\"”’]", instruction):
        return "quotes a text"
    if _NAMES_A_CONTROL.search(name):
        return "names a control"
    short = len(name.split()) <= _LONGEST_NAME and name != instruction
    return "a short name" if short else "a goal, or nothing"

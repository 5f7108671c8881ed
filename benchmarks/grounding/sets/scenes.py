"""Scenes with their questions in one JSON file beside each picture: the public set of web pages, and any further set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from grounding.cases import ABSENT, Case, Question, refusal
from handeye.geometry import Box, Size

KINDS: Final = ("label", "named role", "instruction", ABSENT)


def scenes(folder: Path) -> Iterator[Case]:
    """
    The scenes of a folder of NAME.png and NAME.json; the folder's name is that of the set.

    The JSON holds `name`, `group`, `language`, `size` and `questions`, each with `words`, `kind` and `boxes` in pixels of the
    picture; no boxes: only a refusal is right. Raises ValueError, which names the file, for anything else.
    """
    for truth in sorted(folder.glob("*.json")):
        try:
            values = json.loads(truth.read_text(encoding="utf-8"))
            asked = tuple(_question(each, values["language"]) for each in values["questions"])
            size = Size(*values["size"])
            name, group = values["name"], values["group"]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{truth} is no scene: {error!r}") from error
        if asked:
            yield Case(folder.name, "pixels", group, name, size, asked, truth.with_suffix(".png"))


def _question(values: dict[str, Any], language: str) -> Question:
    kind, words = values["kind"], values["words"]
    boxes = tuple(Box(*box) for box in values["boxes"])
    row = f"{kind}, {values.get('language', language)}"
    return Question(words, row, kind, boxes) if boxes else refusal(words, row)

"""Tests of the reworded phrases, which do not repeat the words of their labels and icons."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from training.ranker.questions import REWORDED, reworded


def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (REWORDED / file).read_text(encoding="utf-8").splitlines()]


def test_every_phrase_refers_to_one_screen_label() -> None:
    labels = {each["screen"]: each["labels"] for each in lines("screens.jsonl")}
    assert all(labels[each["screen"]].count(each["label"]) == 1 for each in lines("labels.jsonl"))


def test_every_phrase_is_a_question_with_a_box() -> None:
    asked = [each for kind in ("application", "documentation", "icon") for each in reworded(kind)]
    assert len(asked) == len(lines("labels.jsonl")) + len(lines("icons.jsonl"))
    assert all(box[0] < box[2] and box[1] < box[3] for each in asked for box in each["boxes"])
    assert all(each["boxes"] and each["group"] for each in asked)
    assert max(Counter((each["screen"], each["words"], str(each["boxes"])) for each in asked).values()) == 1


def test_no_label_contains_email_address() -> None:
    assert not any("@" in label for each in lines("screens.jsonl") for label in each["labels"])


def test_screens_of_reworded_phrases_have_pictures() -> None:
    pictures = json.loads((Path(REWORDED).parent / "written" / "pictures.json").read_text(encoding="utf-8"))
    of_applications = {each["screen"] for each in reworded("application")}
    assert {each.rpartition(".")[0] for each in of_applications} <= pictures.keys()

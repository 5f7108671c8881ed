"""Tests of questions generated from a screen's truth: unambiguous, refused where required, deterministic by seed."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from training.phrases import named, refused, spatial
from training.phrases.drafts import Draft
from training.phrases.frames import for_checking, frames_of, languages
from training.phrases.generate import questions
from training.phrases.matching import contains, fold, one_edit_apart
from training.phrases.screen import Screen

SEEDS = range(25)
SIZE = (800, 600)
LARGE_LANGUAGES, OTHERS = ("en", "zh"), ("es", "pt", "fr")


def element(role: str, box: list[int], text: str = "", **more: Any) -> dict[str, Any]:
    told = {
        "box": box,
        "role": role,
        "text": text,
        "name": "",
        "interactive": True,
        "visible": 1.0,
        "state": "",
        "parent": None,
    }
    return {**told, **more}


def button(box: list[int], label: str, parent: int) -> list[dict[str, Any]]:
    """A button with its line of text."""
    inner = [box[0] + 10, box[1] + 8, box[2] - 10, box[3] - 8]
    return [element("button", box, label), element("text", inner, label, parent=parent)]


ROWS = [
    element("text", [40, 100 + 60 * row, 160, 120 + 60 * row], name)
    for row, name in enumerate(("Ann Lee", "Dan Wu", "Mia Wong"))
]
ELEMENTS = [
    *button([600, 20, 760, 56], "Save as", 0),  # 0, 1
    *ROWS,  # 2, 3, 4
    *button([500, 92, 580, 128], "Delete", 5),
    *button([500, 152, 580, 188], "Delete", 7),
    *button([500, 212, 580, 248], "Delete", 9),
    element("checkbox", [40, 400, 60, 420], state="checked"),  # 11
    element("text", [66, 400, 190, 420], "Remember me"),  # 12
    element("icon", [400, 400, 424, 424], name="tabler:heart"),  # 13
    element("input", [40, 480, 300, 520], "", parent=None),  # 14
    element("text", [40, 452, 110, 472], "City"),  # 15
    *button([600, 500, 700, 536], "Next", 16),
    element("button", [300, 560, 380, 590], "Preview", state="covered"),  # 18
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    truth = {"size": SIZE, "scale": 1, "kind": "web", "library": "none", "language": "en", "elements": ELEMENTS}
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "one.json").write_text(json.dumps(truth))
    cv2.imwrite(str(tmp_path / "plain" / "one.png"), np.full((SIZE[1], SIZE[0], 3), 255, np.uint8))
    return tmp_path


@pytest.fixture
def screen(folder: Path) -> Screen:
    return Screen.load(folder / "plain" / "one.json")


def all_drafts(screen: Screen) -> Iterator[Draft]:
    pool = refused.Pool(
        {"en": [("button", "Publish"), ("tab", "Order history"), ("text", "Delete"), ("link", "Preview")]}
    )
    for seed in SEEDS:
        chance = random.Random(seed)
        yield from named.drafts(screen, chance)
        yield from spatial.drafts(screen, chance)
        yield from refused.drafts(screen, pool, chance)


def test_equal_labels_are_not_asked_by_name_alone(screen: Screen) -> None:
    assert not [draft.words for draft in named.drafts(screen, random.Random(1)) if draft.element in (5, 7, 9)]


def test_equal_labels_are_ambiguous(screen: Screen) -> None:
    found = [draft for draft in all_drafts(screen) if draft.kind == "ambiguous" and draft.name == "Delete"]
    assert found
    assert all(draft.boxes == [] and draft.equal is not None and len(draft.equal) == 3 for draft in found)


def test_row_selects_one_of_equal_labels(screen: Screen) -> None:
    rows = [draft for draft in all_drafts(screen) if draft.category == "row" and "Dan Wu" in draft.words]
    assert rows
    assert {draft.element for draft in rows} == {7}


def test_ordinals_follow_the_order_on_the_screen(screen: Screen) -> None:
    second = [draft for draft in all_drafts(screen) if draft.kind == "ordinal" and "second Delete" in draft.words]
    assert second
    assert {draft.element for draft in second} == {7}


def test_control_and_its_label_are_both_right(screen: Screen) -> None:
    boxes = [draft.boxes for draft in all_drafts(screen) if draft.kind == "control" and "Remember me" in draft.words]
    assert boxes
    assert all([tuple(box) for box in each] == [(40, 400, 60, 420), (66, 400, 190, 420)] for each in boxes)


def test_absent_phrases_match_no_text_on_screen(screen: Screen) -> None:
    texts = [fold(each["text"]) for each in ELEMENTS if each["text"]]
    absent = [
        draft for draft in all_drafts(screen) if draft.kind == "absent" and draft.category == "absent" and draft.name
    ]
    assert len(absent) > 50
    for draft in absent:
        name = fold(draft.name)
        assert not any(contains(text, name) or text == name for text in texts), draft.words


def test_covered_text_is_not_asked_nor_absent(screen: Screen) -> None:
    assert not [draft.words for draft in all_drafts(screen) if fold(draft.name) == "preview"]


def test_partial_label_match_is_absent(screen: Screen) -> None:
    contained = [draft for draft in all_drafts(screen) if draft.hard == "contained"]
    assert {draft.name for draft in contained} == {"save"}


def test_opposite_of_a_label_is_absent(screen: Screen) -> None:
    names = {draft.name for draft in all_drafts(screen) if draft.hard == "opposite" and draft.language == "en"}
    assert names & {"previous", "go to the previous step"}


def test_icon_question_uses_vocabulary_term(screen: Screen) -> None:
    words = {draft.name for draft in all_drafts(screen) if draft.kind == "icon" and draft.language == "en"}
    assert "heart" in words


def test_same_seed_gives_the_same_questions(folder: Path) -> None:
    first, again, other = (list(questions(folder, seed, 20)) for seed in (4, 4, 5))
    assert first == again
    assert first != other
    assert {line["screen"] for line in first} == {"plain/one.png"}


def test_phrase_frames_are_many_with_held_out_share() -> None:
    for language in languages():
        ids = frames_of(language).all_ids()
        assert len(ids) >= (150 if language in LARGE_LANGUAGES else 60)
        assert not for_checking(f"{language}.label.np:{{x}}")
    every = [frame for language in languages() for frame in frames_of(language).all_ids()]
    share = sum(map(for_checking, every)) / len(every)
    assert 0.07 < share < 0.16  # of each of a phrase's two frames


def test_frames_have_known_slots_only() -> None:
    known = {
        *("p", "x", "q", "a", "b", "t", "n", "v", "r", "s", "role", "the_role", "roles"),
        *("art", "o", "e", "nth", "k", "count", "from", "line", "place", "colour", "first"),
    }
    for language in languages():
        for frame in frames_of(language).all_ids():
            slots = {name for _, name, _, _ in string.Formatter().parse(frame.partition(":")[2]) if name}
            assert slots <= known, frame


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [("save", "save", True), ("save", "svae", True), ("save", "saves", True), ("save", "sale as", False)],
)
def test_one_edit_apart_detects_near_matches(one: str, other: str, near: bool) -> None:
    assert one_edit_apart(one, other) is near


def test_contains_respects_word_boundaries() -> None:
    assert contains(fold("Save as…"), fold("save"))
    assert not contains(fold("Saved"), fold("save"))
    assert contains(fold("立即保存"), fold("保存"))

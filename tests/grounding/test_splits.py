"""Tests of the training splits: fixed, disjoint, and the same on every machine."""

from __future__ import annotations

import json

import pytest
from training.splits import CHECKED, FILE, SAME_GROUPS, TRAINABLE, divided, split

SETS: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))["sets"]


@pytest.mark.parametrize("name", SETS)
def test_split_sides_are_disjoint_with_expected_share(name: str) -> None:
    develop, check = SETS[name]["develop"], SETS[name]["check"]
    assert not set(develop) & set(check)
    share = len(check) / len([*develop, *check])
    assert share == pytest.approx(CHECKED.get(name, 0.5), abs=0.5 / len([*develop, *check]) + 1e-9)


@pytest.mark.parametrize("name", SETS)
def test_split_file_equals_hash_assignment(name: str) -> None:
    groups = [*SETS[name]["check"], *SETS[name]["develop"]]
    assert divided(name, reversed(groups)) == SETS[name]
    assert {split(name, group) for group in SETS[name]["check"]} == {"check"}
    assert {split(name, group) for group in SETS[name]["develop"]} == {"develop"}


def test_sets_of_the_same_screens_share_split() -> None:
    for name, other in SAME_GROUPS.items():
        assert all(split(name, group) == "check" for group in SETS[other]["check"])


def test_unlisted_groups_get_a_deterministic_side() -> None:
    sides = [split("pages", f"package {number}") for number in range(200)]
    assert sides == [split("pages", f"package {number}") for number in range(200)]
    assert 70 < sides.count("check") < 130
    assert (split("pages", "vue"), split("pages", "numpy")) == ("develop", "check")


def test_only_one_recorded_set_is_trained_on() -> None:
    assert set(TRAINABLE) == {"uibert_refexp_tree"}

"""Tests of the examples in docs/targets.md."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from handeye.target import Target, parse_target

PAGE = (Path(__file__).parents[2] / "docs" / "targets.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(part.strip() for part in line.split("→"))
    for block in re.findall(r"```targets\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


def bare(target: Target) -> Target:
    """Without the words that named it, whether they were literal, and a reference that only repeats the text."""
    return replace(
        target,
        phrase=None,
        literal=False,
        reference=None if target.reference == target.text else target.reference,
        relations=tuple(replace(each, anchor=bare(each.anchor)) for each in target.relations),
    )


@pytest.mark.parametrize(("query", "keys"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_documented_example_equals_its_keys(query: str, keys: str) -> None:
    assert bare(parse_target(query)) == bare(parse_target(keys))


def test_page_has_many_well_formed_examples() -> None:
    assert len(EXAMPLES) > 40
    assert all(len(example) == 2 for example in EXAMPLES)

"""Tests of parsing the true answers in `truth.json`, given as boxes or in words."""

from __future__ import annotations

import pytest
from grounding.remarks import Truth, parse_truth

from handeye.geometry import Box

PLACE, OTHER = Box(484, 95, 562, 111), Box(1, 2, 30, 40)


@pytest.mark.parametrize(
    ("remark", "truth"),
    [
        ([484, 95, 562, 111], Truth("find", (PLACE,))),
        ([[484, 95, 562, 111], [1, 2, 30, 40]], Truth("find", (PLACE, OTHER))),
        ("[484, 95, 562, 111]", Truth("find", (PLACE,))),
        ("[484, 95, 562, 111] or [1, 2, 30, 40]", Truth("find", (PLACE, OTHER))),
        ("[484, 95, 562, 111] or refuse", Truth("either", (PLACE,))),
        ("absent", Truth("refuse")),
        ("absent (4 equal places: refuse)", Truth("refuse")),
        ("absent (stands twice: refuse)", Truth("refuse")),
        ("refuse", Truth("refuse")),
        (None, Truth("refuse")),
        ("52 places", Truth("count", (), 52)),
    ],
)
def test_remark_is_parsed_to_truth(remark: str | list[object] | None, truth: Truth) -> None:
    assert parse_truth(remark) == truth


@pytest.mark.parametrize("remark", ["", "somewhere at the top", [1, 2, 3], []])
def test_unparsable_remark_raises_error(remark: str | list[object]) -> None:
    with pytest.raises(ValueError, match="neither a box, a refusal nor a count"):
        parse_truth(remark)

"""Tests of the written phrases, and of the check that reports faulty ones."""

from __future__ import annotations

from typing import Any

import pytest
from training.phrases.check import faults, phrases, pictures

ABOUT = {"page": {"size": [100, 50], "language": "en"}}


def phrase(**more: Any) -> dict[str, Any]:
    said = {
        "picture": "page",
        "words": "save",
        "language": "en",
        "kind": "text",
        "box": [10, 10, 30, 20],
        "second": [20, 15],
    }
    return {**said, **more}


def test_written_phrases_have_no_faults() -> None:
    assert faults(phrases(), pictures()) == []


@pytest.mark.parametrize(
    "more",
    [
        {"picture": "other"},
        {"kind": "guess"},
        {"box": None},
        {"second": None},
        {"kind": "absent"},
        {"box": [90, 10, 130, 20]},
        {"box": [30, 10, 10, 20]},
        {"second": [40, 15]},
    ],
)
def test_faulty_phrase_is_reported(more: dict[str, Any]) -> None:
    assert len(faults([phrase(**more)], ABOUT)) == 1


def test_repeated_phrase_is_reported() -> None:
    assert faults([phrase()], ABOUT) == []
    assert len(faults([phrase(), phrase()], ABOUT)) == 1

"""The true answers of `field_vision`, which its `truth.json` gives as boxes or as remarks in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grounding.cases import Expected
from handeye.geometry import Box

_BOX = re.compile(r"\[\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(-?\d+)\s*\]")
_COUNT = re.compile(r"\s*(\d+) places?\b")
_REFUSE = re.compile(r"\b(?:absent|refuse|refusal)\b", re.I)


@dataclass(frozen=True)
class Truth:
    """The right answer to one question."""

    expected: Expected
    boxes: tuple[Box, ...] = ()
    count: int = 0


def parse_truth(remark: str | Sequence[object] | None) -> Truth:
    """
    Return the truth that a value of `truth.json` stands for.

    A box, or a list of boxes, is a place to find; "absent", with or without a reason, and null are refusals; "[l, t, r, b] or
    refuse" is either; "52 places" is a count. Raises ValueError for anything else, so that no question is judged by a guess.
    """
    if remark is None:
        return Truth("refuse")
    text = remark if isinstance(remark, str) else str(list(remark))
    boxes = tuple(Box(*map(int, edges)) for edges in _BOX.findall(text))
    if count := _COUNT.match(text):
        return Truth("count", boxes, int(count[1]))
    refuses = bool(_REFUSE.search(_BOX.sub("", text)))
    if not boxes and not refuses:
        raise ValueError(f"the truth {remark!r} is neither a box, a refusal nor a count")
    return Truth("either" if boxes and refuses else "find" if boxes else "refuse", boxes)

"""Evidence from repetition: the number of a candidate among the elements of its kind in its row, and in its column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from handeye.geometry import Box
from handeye.locate.geometry import lines_of
from handeye.locate.ranker.candidates import Column, Pool
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.vocabulary import ordinal_in, position_in
from handeye.target import RelationKind

_KINDS: Final = (
    frozenset({"button", "link", "tab", "menu item", "list item", "icon", "image", "element", "group", "item", "card"}),
    frozenset({"input", "combo box", "spinner", "slider"}),
    frozenset({"checkbox", "radio", "switch"}),
    frozenset({"text", "heading"}),
)
"""Roles that are counted together."""
_ONE_SIZE: Final = 1.5  # factor: a higher or wider element is not counted with the others
_AXES: Final = {"row": RelationKind.ROW, "column": RelationKind.COLUMN}


def group_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Return the position of each candidate in its row and column of similar elements.

    The columns are the size of the line, the candidate's position in it (0: first, 1: last), the distance of that from the
    requested position, and 1 if it has the requested number, 0 if another. Missing for single elements, and without a
    requested position or number.
    """
    columns: dict[str, Column] = {}
    ordinal = question.target.ordinal or ordinal_in(question.phrase)
    for (name, axis), said in zip(_AXES.items(), position_in(question.phrase), strict=True):
        size, share, number = (np.full(len(pool), np.nan) for _ in range(3))
        for line in _lines(pool, axis):
            numbers = _numbers([pool.box(at) for at in line], axis)
            last = numbers[-1]
            if last < 1:
                continue
            for at, place in zip(line, numbers, strict=True):
                size[at], share[at] = last + 1, place / last
                if ordinal:
                    number[at] = float(place == (ordinal - 1 if ordinal > 0 else last + 1 + ordinal))
        apart = np.full(len(pool), np.nan) if said is None else np.abs(share - said)
        columns |= {f"{name}_size": size, f"{name}_share": share, f"{name}_number": number, f"{name}_apart": apart}
    return columns


def equal_evidence(pool: Pool) -> dict[str, Column]:
    """Return the number of other candidates with the same role and the same label or icon; 0 without either."""
    names = [
        (each.element_type, label or str(each.metadata.get("icon", "")))
        for each, label in zip(pool.elements, pool.labels, strict=True)
    ]
    counts = Counter(names)
    return {"equals": np.array([counts[each] - 1.0 if each[1] else 0.0 for each in names])}


def _lines(pool: Pool, axis: RelationKind) -> Iterator[list[int]]:
    """Yield the candidates of one kind and similar size that are in one line, in order."""
    for kind in _KINDS:
        members = [at for at, each in enumerate(pool.elements) if each.element_type in kind]
        for line in lines_of([pool.box(at) for at in members], axis):
            yield from _of_one_size(pool, [members[at] for at in line], axis)


def _of_one_size(pool: Pool, line: Sequence[int], axis: RelationKind) -> Iterator[list[int]]:
    side = "height" if axis is RelationKind.ROW else "width"
    extents = {at: max(1, getattr(pool.box(at), side)) for at in line}
    while extents:
        most = _ONE_SIZE * min(extents.values())
        yield [at for at, extent in extents.items() if extent <= most]
        extents = {at: extent for at, extent in extents.items() if extent > most}


def _numbers(boxes: Sequence[Box], axis: RelationKind) -> list[int]:
    """Return the number of each box from 0; nested boxes, such as an icon in its button, share one."""
    numbers = [0]
    for before, box in pairwise(boxes):
        middle, end = (box.center.x, before.right) if axis is RelationKind.ROW else (box.center.y, before.bottom)
        numbers.append(numbers[-1] + (middle >= end))
    return numbers

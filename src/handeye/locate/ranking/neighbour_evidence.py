"""Evidence from the texts around and inside a candidate: a field is known by its label, an icon by the words below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.locate.ranking.layout_evidence import spelling
from handeye.locate.ranking.meaning import Meaning
from handeye.locate.ranking.pool import LONGEST_LABEL, Column, Pool
from handeye.locate.ranking.question import Question

_SIDES: Final = ("left", "right", "above", "below", "inside")
"""Side of a candidate on which a text stands."""
_REACH: Final = 6.0  # heights of the lower one: a text that is farther away is no label of it
_WORDS: Final = frozenset({"text", "heading", "link"})

Indices = npt.NDArray[np.intp]


def neighbour_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """
    Agreement of the name with the nearest text on each side of a candidate, and with the one text inside it, by edit distance
    and by meaning (0-1); the distance of that text in heights; and agreement of the phrase with the nearest of them and the
    candidate's own label or role together: "the plus of the protein" with "Protein Add". Missing where no text is near.
    """
    words = question.name or question.phrase
    agreement = spelling(words, pool.texts), meaning.cosines(words, pool.texts)
    neighbours = _neighbours(pool)
    columns: dict[str, Column] = {"joint_meaning": _joint_meaning(question, pool, meaning, neighbours[:4])}
    for side, (nearest, gap) in zip(_SIDES, neighbours, strict=True):
        known = nearest >= 0
        for measure, values in zip(("ratio", "meaning"), agreement, strict=True):
            columns[f"{side}_{measure}"] = np.where(known, values[nearest], np.nan) if len(pool) else values
        if side != "inside":
            columns[f"{side}_gap"] = gap
    sides = [columns[f"{side}_{measure}"] for side in _SIDES for measure in ("ratio", "meaning")]
    columns["beside_best"] = np.fmax.reduce(np.array(sides)) if len(pool) else np.zeros(0)
    return columns


def _joint_meaning(question: Question, pool: Pool, meaning: Meaning, sides: Sequence[tuple[Indices, Column]]) -> Column:
    """The cosine between the phrase and each control's nearest text with its own label; missing for what is only text."""
    joint = [""] * len(pool)
    for at, element in enumerate(pool.elements):
        gaps = [gap[at] for _nearest, gap in sides]
        if element.element_type in _WORDS or np.isnan(gaps).all():
            continue
        nearest, _gap = sides[int(np.nanargmin(gaps))]
        joint[at] = f"{pool.texts[nearest[at]]} {pool.labels[at] or element.element_type}"[:LONGEST_LABEL]
    cosines = meaning.cosines(question.phrase, joint)
    return np.where([bool(each) for each in joint], cosines, np.nan)


def _neighbours(pool: Pool) -> tuple[tuple[Indices, Column], ...]:
    """For each side the index of each candidate's nearest text there (-1: none) and its distance in heights (NaN: none)."""
    count = len(pool)
    texts = np.array([at for at, text in enumerate(pool.texts) if text], dtype=np.intp)
    if not len(texts):
        return tuple((np.full(count, -1, np.intp), np.full(count, np.nan)) for _ in _SIDES)
    left, top, right, bottom = (pool.boxes[:, None, edge] for edge in range(4))
    text_left, text_top, text_right, text_bottom = (pool.boxes[None, texts, edge] for edge in range(4))
    level = np.minimum(bottom, text_bottom) - np.maximum(top, text_top) > 0
    in_column = np.minimum(right, text_right) - np.maximum(left, text_left) > 0
    height = np.maximum(1.0, np.minimum(bottom - top, text_bottom - text_top))
    x, y = (text_left + text_right) / 2, (text_top + text_bottom) / 2
    within = (left <= x) & (x < right) & (top <= y) & (y < bottom)
    own = np.arange(count)[:, None] == texts[None, :]
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    gaps = (
        np.where(level & (x < middle_x), left - text_right, np.nan),
        np.where(level & (x > middle_x), text_left - right, np.nan),
        np.where(in_column & (y < middle_y), top - text_bottom, np.nan),
        np.where(in_column & (y > middle_y), text_top - bottom, np.nan),
    )
    found = []
    for gap in gaps:
        shares = np.where(own | within, np.nan, np.maximum(gap, 0) / height)
        shares = np.where(shares <= _REACH, shares, np.inf)
        nearest = np.argmin(shares, axis=1)
        distance = shares[np.arange(count), nearest]
        found.append(
            (np.where(np.isfinite(distance), texts[nearest], -1), np.where(np.isfinite(distance), distance, np.nan))
        )
    inside = within & ~own
    single = inside.sum(axis=1) == 1
    found.append((np.where(single, texts[np.argmax(inside, axis=1)], -1), np.full(count, np.nan)))
    return tuple(found)

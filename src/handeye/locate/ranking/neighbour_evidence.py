"""Evidence from the texts around and inside a candidate: a field is known by its label, an icon by the words below it."""

from __future__ import annotations

from typing import Final

import numpy as np
from rapidfuzz import fuzz

from handeye.locate.ranking.meaning import Meaning
from handeye.locate.ranking.pool import LONGEST_LABEL, SIDES, Column, Pool
from handeye.locate.ranking.question import Question
from handeye.locate.text_forms import bare, simplify

_WORDS: Final = frozenset({"text", "heading", "link"})


def neighbour_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """
    How well the nearest text on each side of a candidate, and the one text inside it, agree with the name, by edit distance and
    by meaning (0-1); how far away the text is, in heights; and how well the nearest of them together with the candidate's own
    label or role agrees with the phrase: "Protein Add" with "the plus of the protein". Missing where no text is near.
    """
    words = question.name or question.phrase
    wanted = simplify(bare(words))
    spelled = [fuzz.ratio(wanted, simplify(bare(text))) / 100 if text else 0.0 for text in pool.texts]
    agreement = np.array(spelled, dtype=np.float64), meaning.cosines(words, pool.texts)
    columns: dict[str, Column] = {"joint_meaning": _joint_meaning(question, pool, meaning)}
    for side, (nearest, gap) in zip(SIDES, pool.neighbours, strict=True):
        known = nearest >= 0
        for measure, values in zip(("ratio", "meaning"), agreement, strict=True):
            columns[f"{side}_{measure}"] = np.where(known, values[nearest], np.nan) if len(pool) else values
        if side != "inside":
            columns[f"{side}_gap"] = gap
    sides = [columns[f"{side}_{measure}"] for side in SIDES for measure in ("ratio", "meaning")]
    columns["beside_best"] = np.fmax.reduce(np.array(sides)) if len(pool) else np.zeros(0)
    return columns


def _joint_meaning(question: Question, pool: Pool, meaning: Meaning) -> Column:
    """The cosine between the phrase and each control's nearest text with its own label; missing for what is only text."""
    joint = [""] * len(pool)
    sides = pool.neighbours[:4]
    for at, element in enumerate(pool.elements):
        gaps = [gap[at] for _nearest, gap in sides]
        if element.element_type in _WORDS or np.isnan(gaps).all():
            continue
        nearest, _gap = sides[int(np.nanargmin(gaps))]
        joint[at] = f"{pool.texts[nearest[at]]} {pool.labels[at] or element.element_type}"[:LONGEST_LABEL]
    cosines = meaning.cosines(question.phrase, joint)
    return np.where([bool(each) for each in joint], cosines, np.nan)

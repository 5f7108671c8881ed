"""Evidence from the strategies that looked before: agreement with what they found, never their confidence."""

from __future__ import annotations

import numpy as np

from handeye.locate.ranking.pool import Column, Pool, overlap
from handeye.locate.ranking.question import Question


def earlier_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Overlap with the place that was found alone, with the first of several, and with any of them. Candidates with the same label
    have the same evidence, unless the question says which of them is meant.
    """
    shares = np.array([[overlap(each.bbox, other.bbox) for other in pool.earlier] for each in pool.elements])
    shares = shares.reshape(len(pool), len(pool.earlier))
    if not question.target.chooses:
        for label in set(pool.labels) - {""}:
            equal = [at for at, each in enumerate(pool.labels) if each == label]
            shares[equal] = shares[equal].max(axis=0, initial=0.0)
    none = np.zeros(len(pool))
    first = shares[:, 0] if pool.earlier else none
    return {
        "answered_here": first if pool.answered else none,
        "first_here": none if pool.answered else first,
        "one_of_them_here": shares.max(axis=1) if pool.earlier else none,
    }

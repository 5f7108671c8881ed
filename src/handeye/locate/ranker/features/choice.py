"""
Evidence from words, role and geometry together: the candidates that fit words and role, and those that the relations
select.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.locate.base import Match
from handeye.locate.ranker.candidates import Column, Pool
from handeye.locate.ranker.features.appearance import role_agreement
from handeye.locate.ranker.features.layout import anchor_naming, anchors_among, naming
from handeye.locate.ranker.meaning import Meaning
from handeye.locate.ranker.question import Question
from handeye.locate.relations import choose_by_relations
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.target import Attempt, LocateResult, Target

_LEAST_NAMED: Final = 0.5  # least agreement of a candidate with the words (0-1)
_ALMOST: Final = 0.8  # share of the best score from which candidates fit equally well
_LEAST_ANCHOR: Final = 0.6  # least agreement of an anchor with a relation's words (0-1)
_ANY_ROLE: Final = frozenset({None, "item"})


def choice_evidence(question: Question, pool: Pool, meaning: Meaning, screen: Screen | None) -> dict[str, Column]:
    """
    Return the candidates that fit, and those that are selected.

    `suits`: 1 for candidates with the requested words and role, 0 for others; `suiting`: their number. `chosen`: 1 for
    those of them selected by relations, position, colour and number, 0 for others; `choices`: their number. Both are
    missing if the question has none of these.
    """
    count, target = len(pool), question.target
    if not count:
        return dict.fromkeys(("suits", "suiting", "chosen", "choices"), np.zeros(0))
    suiting = _fitting(question, pool, meaning)
    columns = {"suits": suiting.astype(np.float64), "suiting": np.full(count, float(suiting.sum()))}
    chosen, choices = np.full(count, np.nan), np.full(count, np.nan)
    if target.chooses:
        places = tuple(replace(pool.elements[at], id=int(at), confidence=1.0) for at in np.flatnonzero(suiting))
        left = _selected(target, places, pool, meaning, screen)
        chosen, choices = np.zeros(count), np.full(count, float(len(left)))
        chosen[[each.id for each in left if each.id is not None]] = 1.0
    return columns | {"chosen": chosen, "choices": choices}


def _fitting(question: Question, pool: Pool, meaning: Meaning) -> npt.NDArray[np.bool_]:
    target = question.target
    suits = np.ones(len(pool), dtype=bool)
    if target.role not in _ANY_ROLE:
        wanted = role_named(target.role or "") or target.role or ""
        agreement = np.array([role_agreement(wanted, each.element_type) for each in pool.elements])
        suits = agreement > 0
        if not question.name and (agreement == 1).any():
            suits = agreement == 1
    if question.name:
        icons = np.array([pool.icon_scores.get(at, 0.0) for at in range(len(pool))])
        named = np.where(suits, np.maximum(naming(Target(text=question.name), pool, meaning), icons), 0.0)
        suits = named >= max(_LEAST_NAMED, _ALMOST * named.max())
    return suits


def _selected(
    target: Target, places: tuple[UIElement, ...], pool: Pool, meaning: Meaning, screen: Screen | None
) -> tuple[UIElement, ...]:
    def find(anchor: Target) -> LocateResult:
        known = anchor_naming(anchor, pool, meaning)
        if known.max() < _LEAST_ANCHOR:
            return LocateResult(False, None, "none")
        anchors = tuple(pool.elements[at] for at in anchors_among(known, target.role, pool))
        if len(anchors) == 1:
            return LocateResult(True, anchors[0], "ranker")
        return LocateResult(False, None, "ranker", anchors, attempts=(Attempt("ranker", "ambiguous"),))

    if screen is None:
        target = replace(target, colour=None)
        screen = Screen(np.zeros((max(1, pool.size.height), max(1, pool.size.width), 3), np.uint8))
    return choose_by_relations(target, Match(places), screen, find).elements if places else ()

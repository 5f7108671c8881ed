"""Evidence from words, role and geometry together: which candidates suit both words and role, and which are chosen of these."""

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

_LEAST_NAMED: Final = 0.5  # how well the words name a candidate that suits them (0-1)
_ALMOST: Final = 0.8  # of the best score: candidates that suit equally well
_LEAST_ANCHOR: Final = 0.6  # how well a relation's words name its anchor
_ANY_ROLE: Final = frozenset({None, "item"})


def choice_evidence(question: Question, pool: Pool, meaning: Meaning, screen: Screen | None) -> dict[str, Column]:
    """
    `suits`: 1 for candidates with the words and the role that were said, 0 for others; `suiting`: how many there are.
    `chosen`: 1 for those of them that the relations, place, colour and number leave, 0 for others; `choices`: how many there
    are. Both are missing where nothing of that kind was said.
    """
    count, target = len(pool), question.target
    if not count:
        return dict.fromkeys(("suits", "suiting", "chosen", "choices"), np.zeros(0))
    suiting = _suiting(question, pool, meaning)
    columns = {"suits": suiting.astype(np.float64), "suiting": np.full(count, float(suiting.sum()))}
    chosen, choices = np.full(count, np.nan), np.full(count, np.nan)
    if target.chooses:
        places = tuple(replace(pool.elements[at], id=int(at), confidence=1.0) for at in np.flatnonzero(suiting))
        left = _left(target, places, pool, meaning, screen)
        chosen, choices = np.zeros(count), np.full(count, float(len(left)))
        chosen[[each.id for each in left if each.id is not None]] = 1.0
    return columns | {"chosen": chosen, "choices": choices}


def _suiting(question: Question, pool: Pool, meaning: Meaning) -> npt.NDArray[np.bool_]:
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


def _left(
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

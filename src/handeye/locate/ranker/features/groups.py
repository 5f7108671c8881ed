"""Evidence from repetition: the number of a candidate among the elements of its kind in its row, and in its column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.locate.geometry import lines_of
from handeye.locate.ranker.candidates import Column, Pool
from handeye.locate.ranker.features.appearance import role_agreement
from handeye.locate.ranker.features.layout import anchor_naming, anchors_among, naming
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning
from handeye.locate.ranker.vocabulary import ordinal_in, position_in
from handeye.locate.relations import choose_by_relations
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.target import Attempt, LocateResult, RelationKind, Target

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


# Evidence from words, role and geometry together: the candidates that fit words and role, and those that the relations
# select.


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

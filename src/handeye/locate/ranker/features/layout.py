"""
Evidence from a candidate's position: relations to other elements, its number among similar ones, its part of the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.colours import Shows, shows_colour
from handeye.locate.geometry import place_distance, stands_amid
from handeye.locate.ranker.candidates import LONGEST_LABEL, ONE_PLACE, Column, Pool, overlap
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning
from handeye.locate.ranker.vocabulary import place_of, position_in
from handeye.locate.relations import reading_order
from handeye.screen import Screen
from handeye.target import RelationKind, Target
from handeye.text import CACHE_SIZE, fold, simplify, without_diacritics

_RELATION: Final = (
    *("anchor_known", "anchor_spelled", "anchor_lead", "anchor_distance", "nearer", "nearer_of_all", "nearer_suiting"),
    *("beyond", "is_anchor", "level_with_anchor", "in_column_of_anchor"),
)
_ALMOST: Final = 0.95  # share of the best score from which candidates fit equally well


def relation_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """
    Return the distance from the anchor in the direction of the relation, the certainty of the anchor, and the number of
    nearer candidates with the same role. Missing without a relation.

    The anchor's certainty is given by all evidence and by spelling alone, since another name may have a similar spelling.
    """
    count = len(pool)
    missing = np.full(count, np.nan)
    if not count or not question.relations:
        return dict.fromkeys(_RELATION, missing)
    relation = question.relations[0]
    known = [anchor_naming(each.anchor, pool, meaning) for each in question.relations[:2]]
    first = [anchors_among(each, question.target.role, pool)[0] for each in known]
    anchors = [pool.box(each) for each in first]
    if not known[0].max():
        return dict.fromkeys(_RELATION, missing)
    found = [_distance(relation.kind, pool.box(each), anchors) for each in range(count)]
    distance = np.array([np.nan if each is None else each for each in found]) / max(1, anchors[0].height)
    is_anchor = np.array([overlap(pool.box(each), anchors[0]) >= ONE_PLACE for each in range(count)])
    distance[is_anchor] = np.nan
    best = np.sort(known[0])[::-1]
    agrees = np.array([_role_fits(question, each) for each in pool.elements])
    values = (
        np.full(count, best[0]),
        np.full(count, spelling(_words(relation.anchor), [pool.labels[first[0]]])[0]),
        np.full(count, best[0] - best[1] if count > 1 else best[0]),
        distance,
        _nearer(distance, np.array([each.element_type for each in pool.elements])),
        _nearer(distance, np.zeros(count)),
        _nearer(np.where(agrees, distance, np.nan), np.zeros(count)),
        np.array([float(each is None) for each in found]),
        is_anchor.astype(np.float64),
        _shared(pool.boxes[:, 1], pool.boxes[:, 3], anchors[0].top, anchors[0].bottom),
        _shared(pool.boxes[:, 0], pool.boxes[:, 2], anchors[0].left, anchors[0].right),
    )
    return dict(zip(_RELATION, values, strict=True))


def number_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """
    Return 1 for the candidate with the requested number among those with the role, and among those with the words, 0 for
    others.
    """
    count, ordinal = len(pool), question.target.ordinal
    if not ordinal or not count:
        return {"number_of_role": np.full(count, np.nan), "number_of_words": np.full(count, np.nan)}
    of_role = np.array([each.element_type == question.target.role for each in pool.elements])
    icons = np.array([pool.icon_scores.get(at, 0.0) for at in range(count)])
    known = np.maximum(naming(Target(text=question.name or question.phrase), pool, meaning), icons)
    of_words = known >= max(_ALMOST * known.max(), 0.5)
    return {
        "number_of_role": _has_number(of_role, ordinal, pool),
        "number_of_words": _has_number(of_words, ordinal, pool),
    }


def place_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Return the distance (0-1) from the requested part of the screen, and from the one in the words of the phrase; missing
    without.
    """
    share = pool.centers / np.array([max(1, pool.size.width), max(1, pool.size.height)])
    columns = {"place_distance": np.full(len(pool), np.nan)}
    if question.target.position:
        apart = share - np.array(place_of(question.target.position))
        columns["place_distance"] = np.hypot(apart[:, 0], apart[:, 1])
    for axis, (name, said) in enumerate(zip(("said_x", "said_y"), position_in(question.phrase), strict=True)):
        columns[name] = np.full(len(pool), np.nan) if said is None else np.abs(share[:, axis] - said)
    return columns


def colour_evidence(question: Question, pool: Pool, screen: Screen | None) -> dict[str, Column]:
    """Return 1 if the candidate shows the requested colour, 0.5 if it may. Missing without a colour or a screen."""
    colour = question.colour
    if colour is None or screen is None:
        return {"colour": np.full(len(pool), np.nan)}
    return {"colour": np.array([shows_colour(screen, pool.box(at), colour) / Shows.SURELY for at in range(len(pool))])}


def naming(target: Target, pool: Pool, meaning: Meaning) -> Column:
    """
    Return the agreement (0-1) of a target's words or role with each candidate: the better one of edit distance and meaning.
    """
    words = _words(target)
    if not words:
        return np.array([float(each.element_type == target.role) for each in pool.elements])
    best: Column = np.maximum(spelling(words, pool.labels), 0.9 * meaning.cosines(words, pool.labels))
    return best


def spelling(words: str, labels: Sequence[str]) -> Column:
    """Return the similarity of spelling (0-1) of some words and each label."""
    wanted = _spelled(words)
    return np.array([fuzz.ratio(wanted, _spelled(text)) / 100 if text else 0.0 for text in labels])


@lru_cache(maxsize=CACHE_SIZE)
def _spelled(text: str) -> str:
    return simplify(without_diacritics(text))


def _words(target: Target) -> str:
    return (target.text or target.description or target.phrase or "").strip()


def anchor_naming(anchor: Target, pool: Pool, meaning: Meaning) -> Column:
    """Return the agreement (0-1) of an anchor's words with each candidate: with its label, or with the name of its icon."""
    icons = [fold(str(each.metadata.get("icon", ""))) for each in pool.elements]
    shown = np.array([float(bool(icon) and icon == fold(anchor.text or "")) for icon in icons])
    best: Column = np.maximum(naming(anchor, pool, meaning), shown)
    return best


def anchors_among(known: Column, role: str | None, pool: Pool) -> list[int]:
    """
    Return the candidates with the highest agreement, the smallest at each place, without others of the requested role, such
    as a switch next to its label.
    """

    def order(at: int) -> tuple[bool, int]:
        return role is not None and pool.elements[at].element_type == role, pool.box(at).area

    found: list[int] = []
    for at in sorted((int(at) for at in np.flatnonzero(known == known.max())), key=order):
        asked_for = order(at)[0] and found
        if not asked_for and all(overlap(pool.box(at), pool.box(each)) < ONE_PLACE for each in found):
            found.append(at)
    return found


def _distance(kind: RelationKind, place: Box, anchors: Sequence[Box]) -> float | None:
    """Return the distance in pixels of a place from an anchor in the direction of a relation; None if it is elsewhere."""
    if kind is not RelationKind.BETWEEN:
        return place_distance(kind, place, anchors[0], loose=True)
    return 0.0 if len(anchors) > 1 and stands_amid(place, *anchors) else None


def _role_fits(question: Question, element: UIElement) -> bool:
    """
    Return True if the element has the requested role; without one, for any control, and for any element if there is a name.
    """
    if question.target.role is None:
        return element.element_type not in ("text", "heading") or bool(question.name)
    return element.element_type == question.target.role


def _nearer(distance: Column, kinds: npt.NDArray[np.generic]) -> Column:
    """Return the number of nearer candidates of the same kind; NaN for those not in the anchor's direction."""
    closer = (kinds[:, None] == kinds) & (distance[:, None] > distance[None, :])
    counted: Column = closer.sum(axis=1).astype(np.float64)
    counted[np.isnan(distance)] = np.nan
    return counted


def _shared(starts: Column, ends: Column, start: float, end: float) -> Column:
    """Return the common part of many spans and one span, as a share of the shorter one."""
    common = np.minimum(ends, end) - np.maximum(starts, start)
    share: Column = np.maximum(common, 0) / np.maximum(np.minimum(ends - starts, end - start), 1)
    return share


def _has_number(chosen: npt.NDArray[np.bool_], ordinal: int, pool: Pool) -> Column:
    """Return 1 for the chosen candidate with that number in reading order, 0 for the others."""
    found = np.zeros(len(pool))
    ordered = reading_order([pool.elements[at] for at in np.flatnonzero(chosen)])
    at = ordinal - 1 if ordinal > 0 else len(ordered) + ordinal
    if 0 <= at < len(ordered):
        found[[index for index, each in enumerate(pool.elements) if each is ordered[at]]] = 1.0
    return found


# Evidence from the texts around and inside a candidate: a field has a label, an icon a caption below it.


_SIDES: Final = ("left", "right", "above", "below", "inside")
"""Sides of a candidate on which a text may be."""
_REACH: Final = 6.0  # heights of the lower one: a text farther away is not its label
_WORDS: Final = frozenset({"text", "heading", "link"})

Indices = npt.NDArray[np.intp]


def neighbour_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """
    Return the agreement (0-1) of the name with the nearest text on each side of a candidate, and with the only text inside
    it, by edit distance and by meaning; and the distance of that text in heights.

    Also the agreement of the phrase with the nearest of these texts and the candidate's own label or role together: "the
    plus of the protein" with "Protein Add". Missing if no text is near.
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
    """Return the cosine between the phrase and each control's nearest text with its own label; missing for texts."""
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
    """
    Return for each side the index of each candidate's nearest text there (-1: none) and its distance in heights (NaN:
    none).
    """
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

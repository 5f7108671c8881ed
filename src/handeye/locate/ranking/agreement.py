"""Explanations of a candidate: the parts of the question that it satisfies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from handeye.locate.ranking.question import Question

SHOWS: Final = 0.5
"""Probability from which on an icon shows what was said."""


def agreement(question: Question, evidence: Mapping[str, float]) -> tuple[str, ...]:
    """
    Return for each part of a question whether a candidate satisfies it: its words, its kind, and the relation, position, number
    and colour together. `evidence` is the candidate's row of the evidence table, by the names of the columns.
    """
    return tuple(_parts(question, evidence))


def _parts(question: Question, evidence: Mapping[str, float]) -> Iterator[str]:
    target = question.target
    if question.name:
        if evidence["name_equal"]:
            yield "same text"
        elif evidence["icon"] >= SHOWS:
            yield "shows it"
        elif not (evidence["text_length"] or evidence["has_name"]):
            yield "does not show it"
        else:
            yield f"meaning {evidence['described_meaning']:.2f}"
    if target.role is not None:
        kinds = {1.0: "right kind", 0.5: "similar kind"}
        yield kinds.get(evidence["role_agrees"], "other kind")
    said = {
        "relation": target.relations,
        "position": target.position,
        "number": target.ordinal,
        "colour": target.colour,
    }
    if chosen_by := [name for name, value in said.items() if value]:
        yield f"{'fits' if evidence['chosen'] == 1 else 'does not fit'} the {' and '.join(chosen_by)}"

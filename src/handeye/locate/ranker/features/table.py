"""Evidence table: all features of all candidates of a question. A new feature is one function here, and a retraining."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.locate.ranker.candidates import Column, Pool, lead
from handeye.locate.ranker.features.appearance import (
    earlier_evidence,
    icon_evidence,
    role_evidence,
    roles_mentioned,
    shape_evidence,
    state_evidence,
    style_evidence,
)
from handeye.locate.ranker.features.groups import choice_evidence, equal_evidence, group_evidence
from handeye.locate.ranker.features.layout import (
    colour_evidence,
    neighbour_evidence,
    number_evidence,
    place_evidence,
    relation_evidence,
)
from handeye.locate.ranker.features.text import (
    concept_evidence,
    conflict_evidence,
    literal_evidence,
    meaning_evidence,
    part_evidence,
    term_evidence,
    word_evidence,
)
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning
from handeye.locate.ranker.vocabulary import terms_in
from handeye.screen import Screen

Table = npt.NDArray[np.float32]

_COMPARED: Final = (
    *("name_ratio", "name_token_set", "phrase_partial", "phrase_token_set", "words_said", "words_covered"),
    *("name_meaning", "phrase_meaning", "described_meaning"),
)
"""Columns whose lead over the best other candidate is a feature, too."""


def evidence_table(
    question: Question, pool: Pool, meaning: Meaning, screen: Screen | None = None
) -> tuple[Table, tuple[str, ...]]:
    """
    Return the evidence of shape (n + 1, m), and the names of its columns. The last row is "none of these": it has only the
    features of the question as a whole, and NaN elsewhere.
    """
    columns: dict[str, Column] = {
        **literal_evidence(question, pool),
        **word_evidence(question, pool),
        **conflict_evidence(question, pool),
        **concept_evidence(question, pool),
        **term_evidence(question, pool),
        **meaning_evidence(question, pool, meaning),
        **role_evidence(question, pool),
        **icon_evidence(question, pool),
        **state_evidence(pool),
        **relation_evidence(question, pool, meaning),
        **number_evidence(question, pool, meaning),
        **choice_evidence(question, pool, meaning, screen),
        **group_evidence(question, pool),
        **equal_evidence(pool),
        **neighbour_evidence(question, pool, meaning),
        **shape_evidence(pool),
        **place_evidence(question, pool),
        **colour_evidence(question, pool, screen),
        **part_evidence(pool, screen),
        **style_evidence(pool, screen),
        **earlier_evidence(question, pool),
    }
    columns |= {f"{name}_lead": lead(columns[name]) for name in _COMPARED}
    whole = dict(_question_features(question, pool, columns))
    table = np.full((len(pool) + 1, len(columns) + len(whole) + 1), np.nan, dtype=np.float32)
    for at, values in enumerate(columns.values()):
        table[:-1, at] = values
    for at, value in enumerate(whole.values(), len(columns)):
        table[:, at] = value
    table[:, -1] = 0.0
    table[-1, -1] = 1.0
    return table, (*columns, *whole, "is_none")


def _question_features(question: Question, pool: Pool, columns: dict[str, Column]) -> Iterator[tuple[str, float]]:
    target = question.target
    yield "said_words", float(len(question.words))
    yield "said_length", float(len(question.phrase))
    yield "says_role", float(target.role is not None)
    said = terms_in(question.name or question.phrase)
    yield "says_terms", float(len(said.terms))
    yield "says_more_than_terms", said.rest
    yield "says_name", float(bool(question.name))
    yield "says_relation", float(len(target.relations))
    yield "says_number", float(target.ordinal is not None)
    yield "says_place", float(target.position is not None)
    yield "says_colour", float(target.colour is not None)
    yield "says_negation", float(question.negated)
    yield "says_description", float(target.text is None and target.description is not None)
    yield "mentions_role", float(bool(roles_mentioned(question.phrase)))
    yield "candidates", float(len(pool))
    yield "was_answered", float(pool.answered)
    yield "were_found", float(len(pool.earlier))
    for name in (*_COMPARED, "name_equal", "icon", "role_agrees"):
        yield f"best_{name}", float(columns[name].max()) if len(pool) else 0.0
    yield "best_terms_covered", float(np.nan_to_num(columns["terms_covered"]).max(initial=0.0))

"""Evidence from the words of a candidate: how they agree with the words of the question, as text and by meaning."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log
from typing import Final

import numpy as np
from rapidfuzz import fuzz

from handeye.locate.icon_words import concepts
from handeye.locate.ranking.meaning import Meaning
from handeye.locate.ranking.opposites import opposed
from handeye.locate.ranking.pool import Column, Pool
from handeye.locate.ranking.question import Question, negates
from handeye.locate.ranking.terms import terms_in
from handeye.locate.ranking.words import words_of
from handeye.locate.text_forms import REMEMBERED, bare, differs_in_meaning, simplify
from handeye.target.quotes import quotations

_NEARLY: Final = 60.0  # of 100: texts that differ more are no forms of the same words
_MEASURES: Final[dict[str, Callable[[str, str], float]]] = {
    "ratio": fuzz.ratio,
    "partial": fuzz.partial_ratio,
    "token_set": fuzz.token_set_ratio,
}


def literal_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Equality, containment and edit distance of the name and of the whole phrase with the text of each candidate."""
    columns: dict[str, Column] = {}
    texts = [_compared(text) for text in pool.labels]
    for reading, words in (("name", question.name), ("phrase", question.phrase)):
        wanted = _compared(words)
        columns[f"{reading}_equal"] = np.array([bool(wanted) and text == wanted for text in texts], dtype=np.float64)
        columns[f"{reading}_in_text"] = np.array([_share(wanted, text) for text in texts], dtype=np.float64)
        columns[f"text_in_{reading}"] = np.array([_share(text, wanted) for text in texts], dtype=np.float64)
        for measure, score in _MEASURES.items():
            values = [score(wanted, text) / 100 if wanted and text else 0.0 for text in texts]
            columns[f"{reading}_{measure}"] = np.array(values, dtype=np.float64)
    return columns


def conflict_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Contradictions: other numbers than said, another text than the quoted one, a word that turns the meaning."""
    quoted = [_compared(each.text) for each in quotations(question.phrase)]
    numbers = _numbers(question.phrase)
    agrees, equals, turns = [], [], []
    for text in pool.labels:
        own = _numbers(text)
        agrees.append(np.nan if not numbers and not own else float(bool(own & numbers)) - float(bool(numbers - own)))
        equals.append(float(_compared(text) in quoted) if quoted else np.nan)
        near = bool(text) and fuzz.ratio(question.name.casefold(), text.casefold()) >= _NEARLY
        turns.append(float(differs_in_meaning(question.name, text)) if near else np.nan)
    differs = [float(negates(text) != question.negated) for text in pool.labels]
    opposite = [float(opposed(question.phrase, text)) for text in pool.labels]
    return {
        "numbers_agree": np.array(agrees),
        "quoted_equal": np.array(equals),
        "turns_meaning": np.array(turns),
        "negation_differs": np.array(differs),
        "opposite": np.array(opposite),
    }


def concept_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Share of the said interface concepts (save, delete, settings) that a label has, and of its own that were not said."""
    wanted = concepts(question.name)
    own = [concepts(text) for text in pool.labels]
    covered = [len(each & wanted) / len(wanted) if wanted and each else np.nan for each in own]
    extra = [len(each - wanted) / len(each) if wanted and each else np.nan for each in own]
    return {"concepts_covered": np.array(covered), "concepts_extra": np.array(extra)}


def term_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Share of the said terms of interfaces that a label has in any language, share of the label's that were not said, and share
    of the label in none. Missing where one of them has no terms.
    """
    said = terms_in(question.name or question.phrase)
    labels = [terms_in(text) for text in pool.labels]
    both = [bool(said.terms and each.terms) for each in labels]
    covered = [said.share_in(each) if known else np.nan for known, each in zip(both, labels, strict=True)]
    extra = [1 - each.share_in(said) if known else np.nan for known, each in zip(both, labels, strict=True)]
    rest = [each.rest if each.terms else np.nan for each in labels]
    return {"terms_covered": np.array(covered), "terms_extra": np.array(extra), "terms_rest": np.array(rest)}


def word_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Share of the candidate's words that were said, and of the said words that it has; rare words of the screen count more."""
    words = [words_of(text) for text in pool.labels]
    weight = _rarity(words)
    said = frozenset(question.words)
    known = sum(weight(each) for each in said) or 1.0
    own = np.array([sum(map(weight, each)) or 1.0 for each in words], dtype=np.float64)
    shared = np.array([sum(weight(word) for word in set(each) & said) for each in words], dtype=np.float64)
    return {"words_said": shared / own, "words_covered": shared / known}


def meaning_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """Cosine between the sentence vectors of the question and of the candidate's text and name; 0 without words."""
    columns: dict[str, Column] = {}
    for reading, words in (("name", question.name), ("phrase", question.phrase)):
        columns[f"{reading}_meaning"] = meaning.cosines(words, pool.labels)
    best = np.maximum(columns["name_meaning"], meaning.cosines(question.name, pool.names))
    columns["described_meaning"] = best
    return columns


@lru_cache(maxsize=REMEMBERED)
def _compared(text: str) -> str:
    """Return a text as it is compared; readers lose the underscores of underlined names: mpm_worker is read as mpm worker."""
    return simplify(bare(text.replace("_", " ")))


@lru_cache(maxsize=REMEMBERED)
def _numbers(text: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKC", text)
    return frozenset("".join(each if each.isdecimal() else " " for each in plain).split())


def _share(inner: str, outer: str) -> float:
    return len(inner) / len(outer) if inner and inner in outer else 0.0


def _rarity(texts: Sequence[Sequence[str]]) -> Callable[[str], float]:
    counts = Counter(word for words in texts for word in set(words))
    total = len(texts)
    return lambda word: log((total + 1) / (counts[word] + 0.5))

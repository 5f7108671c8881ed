"""Evidence from the words of a candidate: their agreement with the words of the question, by spelling and by meaning."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log
from typing import Final

import numpy as np
from rapidfuzz import fuzz

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.icon_names import concepts
from handeye.locate.ranker.candidates import Column, Pool, is_one_place
from handeye.locate.ranker.features.appearance import ink_of
from handeye.locate.ranker.question import Question, negates
from handeye.locate.ranker.sentence_encoder import Meaning
from handeye.locate.ranker.vocabulary import opposed, terms_in, words_of
from handeye.screen import Screen
from handeye.text import CACHE_SIZE, differs_in_meaning, quotations, simplify, without_diacritics

_NEARLY: Final = 60.0  # of 100: texts with a lower similarity are not variants of the same words
_MEASURES: Final[dict[str, Callable[[str, str], float]]] = {
    "ratio": fuzz.ratio,
    "partial": fuzz.partial_ratio,
    "token_set": fuzz.token_set_ratio,
}


def literal_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Return equality, containment and edit distance of the name and of the whole phrase with the text of each candidate.
    """
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
    """
    Return contradictions: other numbers than requested, another text than the quoted one, a word that negates the meaning.
    """
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
    """
    Return the share of the requested interface concepts (save, delete, settings) that a label has, and of its own that were
    not requested.
    """
    wanted = concepts(question.name)
    own = [concepts(text) for text in pool.labels]
    covered = [len(each & wanted) / len(wanted) if wanted and each else np.nan for each in own]
    extra = [len(each - wanted) / len(each) if wanted and each else np.nan for each in own]
    return {"concepts_covered": np.array(covered), "concepts_extra": np.array(extra)}


def term_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Return the share of the requested interface terms that a label has in any language, the share of the label's terms that
    were not requested, and the share of the label in no term. Missing if one of them has no terms.
    """
    said = terms_in(question.name or question.phrase)
    labels = [terms_in(text) for text in pool.labels]
    both = [bool(said.terms and each.terms) for each in labels]
    covered = [said.share_in(each) if known else np.nan for known, each in zip(both, labels, strict=True)]
    extra = [1 - each.share_in(said) if known else np.nan for known, each in zip(both, labels, strict=True)]
    rest = [each.rest if each.terms else np.nan for each in labels]
    return {"terms_covered": np.array(covered), "terms_extra": np.array(extra), "terms_rest": np.array(rest)}


def word_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Return the share of the candidate's words that were requested, and of the requested words that it has; words that are
    rare on the screen count more.
    """
    words = [words_of(text) for text in pool.labels]
    weight = _rarity(words)
    said = frozenset(question.words)
    known = sum(weight(each) for each in said) or 1.0
    own = np.array([sum(map(weight, each)) or 1.0 for each in words], dtype=np.float64)
    shared = np.array([sum(weight(word) for word in set(each) & said) for each in words], dtype=np.float64)
    return {"words_said": shared / own, "words_covered": shared / known}


def meaning_evidence(question: Question, pool: Pool, meaning: Meaning) -> dict[str, Column]:
    """
    Return the cosine between the sentence vectors of the question and of the candidate's text and name; 0 without words.
    """
    columns: dict[str, Column] = {}
    for reading, words in (("name", question.name), ("phrase", question.phrase)):
        columns[f"{reading}_meaning"] = meaning.cosines(words, pool.labels)
    best = np.maximum(columns["name_meaning"], meaning.cosines(question.name, pool.names))
    columns["described_meaning"] = best
    return columns


@lru_cache(maxsize=CACHE_SIZE)
def _compared(text: str) -> str:
    """Return a text as it is compared; OCR misses the underscores of underlined names: mpm_worker is read as mpm worker."""
    return simplify(without_diacritics(text.replace("_", " ")))


@lru_cache(maxsize=CACHE_SIZE)
def _numbers(text: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKC", text)
    return frozenset("".join(each if each.isdecimal() else " " for each in plain).split())


def _share(inner: str, outer: str) -> float:
    return len(inner) / len(outer) if inner and inner in outer else 0.0


def _rarity(texts: Sequence[Sequence[str]]) -> Callable[[str], float]:
    counts = Counter(word for words in texts for word in set(words))
    total = len(texts)
    return lambda word: log((total + 1) / (counts[word] + 0.5))


# Evidence for a candidate that is a part of a longer line of text, such as a link in a sentence: its boundaries.


_COLUMNS: Final = ("part_share", "part_bound_before", "part_bound_after", "part_looks_other", "part_is_apart")
# Boundary between a part and its neighbour, from the clearest to none.
_END, _MARK, _SCRIPT, _BLANK, _NONE = map(float, range(5))
_DIFFERS: Final = 0.12
_SEPARATORS: Final = frozenset("|｜¦/·•»›,，、;；")
_BARS: Final = (" I ", " l ")
_SIDE_WIDTH: Final = 2  # heights of the part: width of the line on each side that is compared with it


def part_evidence(pool: Pool, screen: Screen | None) -> dict[str, Column]:
    """
    Return the share of its line that a part is, the kind of boundary on each side, the difference of its ink from the ink
    next to it (0-1), and whether it is a separate label (these two are missing without a screen). All are missing for a
    candidate that is no part.
    """
    columns = {name: np.full(len(pool), np.nan) for name in _COLUMNS}
    parts = [each for each in pool.earlier if is_part(each)]
    for at, candidate in enumerate(pool.elements):
        # The parser may know only that part of the line; the OCR strategy knows the whole line.
        seen = [candidate] if is_part(candidate) else [each for each in parts if is_one_place(each, candidate)]
        if not seen:
            continue
        element = seen[0]
        line, part = _with_bars(str(element.metadata["line"])), element.text
        start = line.find(part)
        columns["part_share"][at] = len(part) / max(1, len(line))
        if start >= 0:
            columns["part_bound_before"][at] = _bound(part[:1], line[:start][::-1])
            columns["part_bound_after"][at] = _bound(part[-1:], line[start + len(part) :])
        if screen is not None:
            left, right = _ink_differences(screen, element.label_box or element.bbox)
            columns["part_looks_other"][at] = np.fmin(left, right)
            columns["part_is_apart"][at] = _is_separate_label(part, line, (left, right))
    return columns


def is_part(element: UIElement) -> bool:
    """Return True for a match of the OCR strategy inside a longer line."""
    return element.metadata.get("layer") == "part" and bool(element.metadata.get("line"))


def _is_separate_label(part: str, line: str, ink: tuple[float, float]) -> bool:
    """Return True for a separate label: a link with different ink, an item between separators, one of two scripts."""
    before, _, after = line.partition(part)
    differs = [each >= _DIFFERS for each in ink]
    separate = [_separates(part[:1], before[::-1]), _separates(part[-1:], after)]
    apart = [seen or set_off or np.isnan(each) for each, seen, set_off in zip(ink, differs, separate, strict=True)]
    return all(apart) and (any(differs) or all(separate))


def _separates(inner: str, outwards: str) -> bool:
    bound = _bound(inner, outwards)
    return bound in (_END, _SCRIPT) or (bound == _MARK and outwards.lstrip()[0] in _SEPARATORS)


def _bound(inner: str, outwards: str) -> float:
    """Return the kind of boundary next to a part's outermost character, reading away from the part."""
    near = outwards[:1]
    beyond = outwards.lstrip()[:1]
    if not beyond:
        return _END
    if not beyond.isalnum():
        return _MARK
    if (inner >= "\u2e80") != (beyond >= "\u2e80"):
        return _SCRIPT
    return _BLANK if near.isspace() else _NONE


def _with_bars(line: str) -> str:
    """Return a line with a bar for each single letter that OCR returns for bars between links: Home I News I Help."""
    if sum(map(line.count, _BARS)) > 1:
        for bar in _BARS:
            line = line.replace(bar, " | ")
    return line


def _ink_differences(screen: Screen, part: Box) -> tuple[float, float]:
    """
    Return the differences (0-1) between the ink colours of a part and of its left and right sides; NaN without ink there.
    """
    inner = ink_of(screen, part)
    reach = _SIDE_WIDTH * part.height
    sides = ((part.left - reach, part.left), (part.right, part.right + reach))
    outer = [ink_of(screen, Box(left, part.top, right, part.bottom)) for left, right in sides]
    left, right = (float(np.abs(inner - each).max()) / 255 for each in outer)
    return left, right

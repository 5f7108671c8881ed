"""Rank the candidates of a question by the probability that each is meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.errors import ParserFailed
from handeye.locate.ranker.candidates import ONE_PLACE, Pool, is_one_place, overlap
from handeye.locate.ranker.features.table import evidence_table
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning, TextEncoder
from handeye.locate.ranker.trees import Trees
from handeye.locate.ranker.vocabulary import words_of
from handeye.parse import read_arrays
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.text import ONE_HEIGHT, normalize

WEIGHTS: Final = Path(__file__).parent / "weights" / "ranker.npz"
_ARRAYS: Final = ("feature", "threshold", "left", "right", "nan_left", "value", "depth", "names", "temperature")
_EXACT_ODDS: Final = 3.0
"""Factor of the odds, compared with the trees' estimate, of a text that equals the words: on the sets of `make grounding`
42 of 42 such labels with less than 0.8 were right."""
_SHOWN_ODDS: Final = 1.7
"""The same for a drawing that shows the name without a requested role: there 26 of 27 between 0.7 and 0.8 were right. With
a requested role, 17 of 17 from 0.5 on were."""
_MOST_RAISED: Final = 0.94
"""Upper limit for raised drawings and controls, below LEAST_IRREVERSIBLE."""
_TEXTS: Final = frozenset({None, "heading", "link"})
"""Roles that are texts: the label of others may be elsewhere, such as the caption of an image."""
_DRAWN: Final = frozenset({"checkbox", "radio", "switch", "slider"})
"""Roles that are recognised by their drawing."""
EXPLAINED: Final = 3
"""Number of the most probable elements whose agreement with the question is explained."""
SHOWS: Final = 0.5
"""Probability from which an icon shows the name."""
_LEAST_JOINED: Final = 0.005  # less probable candidates are not joined


@dataclass(frozen=True)
class Ranked:
    """
    A candidate with the probability (0-1) that its place is meant, the parts of the question that it satisfies, whether its
    drawing shows the name, and whether a caption below it belongs to it.
    """

    element: UIElement
    probability: float
    parts: tuple[str, ...] = ()
    shows: bool = False
    has_caption: bool = False

    def __str__(self) -> str:
        """Return its role, position and probability, without its text, which may be a secret."""
        at, parts = self.element.center, f" ({', '.join(self.parts)})" if self.parts else ""
        return f"{self.element.element_type} at {at.x},{at.y}: {self.probability:.2f}{parts}"


class Ranker:
    """
    Weighs the evidence for all candidates of one question together. The probabilities of all places and of "none of these"
    sum to 1, so k candidates with equal evidence have at most 1/k each.

    `trees` score rows with the columns `names`; `temperature` divides the scores before they are converted to
    probabilities.
    """

    def __init__(self, trees: Trees, names: Sequence[str], temperature: float, meaning: Meaning) -> None:
        self._trees = trees
        self._names = tuple(names)
        self._temperature = temperature
        self._meaning = meaning

    @classmethod
    def load(cls, path: Path, meaning: Meaning) -> Ranker:
        """Return the ranker that training wrote to a file. Raises ParserFailed if it is missing or damaged."""
        values = read_arrays(path, "the ranker's trees", _ARRAYS)
        return cls(Trees.of(values), [str(each) for each in values["names"]], float(values["temperature"]), meaning)

    def rank(self, question: Question, pool: Pool, screen: Screen | None = None) -> tuple[Ranked, ...]:
        """
        Return the places of the pool, the most probable first, each represented by its highest candidate. Raises
        ParserFailed for trees of another version.
        """
        if not len(pool):
            return ()
        table, names = evidence_table(question, pool, self._meaning, screen)
        if unknown := set(self._names) - set(names):
            raise ParserFailed(f"the ranker's trees are of another version: nothing gives {', '.join(sorted(unknown))}")
        chances = self.chances(table[:, [names.index(name) for name in self._names]])
        for equal in equal_candidates(question, pool):
            chances[equal] = chances[equal].mean()
        self._raise_exact(question, chances, table, names)
        for lower, highest in titles(question, pool):
            chances[highest] += chances[lower].sum() / len(highest)
            chances[lower] = 0.0
        target, chosen = question.target, table[:-1, names.index("chosen")] == 1
        counts = (target.ordinal and question.name) or (question.is_exact and target.chooses)
        if counts and table[0, names.index("suiting")]:
            # Elements with the name exist: others cannot have the requested number; a quoted name must be where the phrase
            # says.
            chances[:-1][~chosen] = 0.0
        ranked = places(pool.elements, chances[:-1], pool.controls)
        rows = {id(each): at for at, each in enumerate(pool.elements)}
        explained = []
        for each in ranked[:EXPLAINED]:
            evidence = dict(zip(names, table[rows[id(each.element)]].tolist(), strict=True))
            explained.append(replace(each, parts=agreement(question, evidence), shows=evidence["icon"] >= SHOWS))
        return (*explained, *ranked[EXPLAINED:])

    @staticmethod
    def _raise_exact(
        question: Question, chances: npt.NDArray[np.float64], table: npt.NDArray[np.float32], names: Sequence[str]
    ) -> None:
        """
        Raise the probabilities of exact matches if the question says no more: a label, a drawing, a role with a number.
        """

        def column(name: str) -> npt.NDArray[np.float32]:
            return table[:, names.index(name)]

        target, role = question.target, role_named(question.target.role or "")
        of_kind, right_kind = column("role_agrees") >= (0.0 if role is None else 0.5), column("role_agrees") == 1
        same, shown = column("name_equal") == 1, column("icon") >= SHOWS
        is_plain = not (target.chooses or question.colour)
        if is_plain and role in _TEXTS:
            odds, most = (_SHOWN_ODDS, 1.0) if role is None else (_EXACT_ODDS, _MOST_RAISED)
            _multiply_odds(chances, shown & of_kind, odds, most)
            _multiply_odds(chances, same, _EXACT_ODDS)
        elif is_plain:
            _multiply_odds(chances, (shown & of_kind) | (same & right_kind), _EXACT_ODDS, _MOST_RAISED)
        elif len(target.relations) == 1 and question.name:
            chosen = (column("chosen") == 1) & (column("anchor_spelled") == 1)
            _multiply_odds(chances, (same | shown) & of_kind & chosen, _EXACT_ODDS)
        elif target.ordinal and role in _DRAWN and not (question.name or target.relations):
            _multiply_odds(chances, (column("chosen") == 1) & right_kind, _EXACT_ODDS)

    def chances(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return the probabilities of the rows of one question, of which the last is "none of these"."""
        scores = self._trees.scores(rows) / self._temperature
        raised = np.exp(scores - scores.max())
        chances: npt.NDArray[np.float64] = raised / raised.sum()
        return chances


@cache
def bundled_ranker() -> Ranker:
    """Return the bundled ranker with its encoder, loaded once."""
    return Ranker.load(WEIGHTS, Meaning(TextEncoder()))


def _multiply_odds(
    chances: npt.NDArray[np.float64], rows: npt.NDArray[np.bool_], odds: float, most: float = 1.0
) -> None:
    """
    Multiply the odds of some rows together, except the last, "none of these", so that all still sum to 1. Raised rows get
    at most `most` together.
    """
    rows = rows.copy()
    rows[-1] = False
    before = chances[rows].sum()
    if 0 < before < 1:
        after = max(before, min(most, odds * before / (odds * before + 1 - before)))
        chances[rows] *= after / before
        chances[~rows] *= (1 - after) / (1 - before)


def equal_candidates(question: Question, pool: Pool) -> Iterator[list[int]]:
    """
    Yield the indices of candidates that must be equally probable: those with one role and label if the question has no more
    than the label, and those with one icon that shows the name.

    Their position and neighbours make none of them more probable. If a heading is requested, only those of similar height
    are equal.
    """
    if question.target.chooses or question.colour:
        return
    said = frozenset(words_of(question.name or question.phrase))
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, (element, label) in enumerate(zip(pool.elements, pool.labels, strict=True)):
        shows = not label and pool.icon_scores.get(at, 0.0) >= SHOWS
        if shows or (label and said <= frozenset(words_of(label))):
            alike[element.element_type, label or str(element.metadata.get("icon", ""))].append(at)
    groups: Iterable[list[int]] = alike.values()
    if _asks_for_heading(question):
        groups = [each for group in groups for each in _of_one_height(group, pool)]
    yield from (each for each in groups if len(each) > 1)


def titles(question: Question, pool: Pool) -> Iterator[tuple[list[int], list[int]]]:
    """
    Yield the indices of candidates with one label if a heading is requested: those with lower letters, and those with the
    highest, which are the heading. A page's title often also appears above it in small letters.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for at, label in enumerate(pool.labels if _asks_for_heading(question) else ()):
        if words := normalize(label):
            alike[words].append(at)
    for group in alike.values():
        *lower, highest = _of_one_height(group, pool)
        if lower:
            yield [at for each in lower for at in each], highest


def _asks_for_heading(question: Question) -> bool:
    return role_named(question.target.role or "") == "heading"


def _of_one_height(group: Sequence[int], pool: Pool) -> list[list[int]]:
    """Divide candidates into groups of similar letter height (of the box, if the letters are unknown)."""

    def height(at: int) -> int:
        return (pool.elements[at].label_box or pool.box(at)).height

    parts: list[list[int]] = []
    last = 0.0
    for at in sorted(group, key=height):
        if not parts or height(at) >= ONE_HEIGHT * last:
            parts.append([])
        parts[-1].append(at)
        last = height(at)
    return parts


def places(
    elements: Sequence[UIElement], chances: npt.NDArray[np.float64], controls: npt.NDArray[np.intp]
) -> tuple[Ranked, ...]:
    """
    Join candidates that are one place to click, and add their probabilities.

    These are boxes at one place, elements with different labels in one control of `controls`, a control and its label, and
    an icon and the less probable caption below it. Improbable candidates are left out, except the best one, and so are
    impossible ones.
    """
    ranked: list[tuple[Ranked, int]] = []
    probable = max(1, int((chances >= _LEAST_JOINED).sum()))
    for at in np.argsort(-chances, kind="stable")[:probable]:
        element, chance = elements[at], float(chances[at])
        if not chance:
            break
        for number, (better, control) in enumerate(ranked):
            shared = control == controls[at] and better.element.text.strip() != element.text.strip()
            labelled = _is_label(better.element, element) or _is_label(element, better.element)
            captioned = _is_caption(element, better.element)
            if shared or labelled or captioned or is_one_place(better.element, element):
                has_caption = better.has_caption or captioned
                joined = replace(better, probability=better.probability + chance, has_caption=has_caption)
                ranked[number] = (joined, control)
                break
        else:
            ranked.append((Ranked(element, chance), int(controls[at])))
    return tuple(sorted((each for each, _control in ranked), key=lambda each: -each.probability))


def _is_label(text: UIElement, control: UIElement) -> bool:
    """Return True if a text is the label of a control, such as a check box."""
    if text.element_type != "text" or control.label_box is None:
        return False
    return text.text == control.text and overlap(text.bbox, control.label_box) >= ONE_PLACE


def _is_caption(text: UIElement, icon: UIElement) -> bool:
    """Return True if a text is centred just below an icon, as on a desktop or in a bar at the bottom."""
    if icon.element_type not in ("icon", "image") or icon.text.strip() or not text.text.strip():
        return False
    gap, apart = text.bbox.top - icon.bbox.bottom, abs(text.center.x - icon.center.x)
    height = icon.bbox.height
    return text.bbox.height <= height and -height / 4 <= gap <= height / 2 and apart <= icon.bbox.width / 4


def agreement(question: Question, evidence: Mapping[str, float]) -> tuple[str, ...]:
    """
    Return for each part of a question whether a candidate satisfies it: its words, its role, and the relation, position,
    number and colour together. `evidence` is the candidate's row of the evidence table, by the names of the columns.
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

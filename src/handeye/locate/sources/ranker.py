"""Ranker strategy, for targets of which no other strategy was certain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import Final, Literal, Protocol

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.locate.base import LEAST_SURE, Match, read_lines
from handeye.locate.ranker.candidates import LONGEST_LABEL, ONE_PLACE, Pool, is_one_place, merged, overlap
from handeye.locate.ranker.features.appearance import role_agreement
from handeye.locate.ranker.model import EXPLAINED, Ranked, Ranker
from handeye.locate.ranker.question import Question, negates
from handeye.locate.sources.ocr_checks import is_drawing
from handeye.locate.sources.tree_index import Tree
from handeye.locate.sources.tree_text_check import compare_with_frame
from handeye.ocr import TextReader
from handeye.parse import ParsedScreen
from handeye.perceive import StateProvider
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import is_ideograph, match_text, same_text

LEAST_FOR_ACTS: Final = 0.9
"""Least probability for acting on the best element if it has a text: other names of people reach 0.85."""
LEAST_IRREVERSIBLE: Final = 0.95
"""Least probability for an irreversible action on the best element."""
LEAST_OF_A_FIND: Final = 0.4
"""Least probability for accepting an uncertain match of another strategy."""
_LEAST_CANDIDATE: Final = 0.2  # less probable elements are not shown as candidates
_MOST_WEIGHED: Final = 12  # elements that are passed to the strategies after the ranker
_MOST: Final = 1000  # maximum number of elements: a full page of a 4K screen has 400


class Parser(Protocol):
    """The part of `handeye.locate.sources.parser.ScreenParser` that is used here."""

    def look(self, screen: Screen) -> ParsedScreen: ...

    def icon_scores(self, phrase: str, parsed: ParsedScreen) -> dict[int, float]: ...


@dataclass(frozen=True)
class Sources:
    """
    Sources of candidates: the `tree` of the frame's moment, and a `parser` of the frame. With `reader`, an element of the
    tree is compared with the frame before it is an answer.
    """

    tree: StateProvider | None
    parser: Parser | None
    reader: TextReader | None = None

    def pool(self, target: Target, screen: Screen, earlier: Sequence[UIElement], *, answered: bool) -> Pool:
        """
        Return all candidates in the target's region that a click would reach. A source that fails is left out; its error is
        raised if no source returned anything.
        """
        seen: list[Sequence[UIElement]] = []
        scores: dict[int, float] = {}
        errors: list[HandeyeError] = []
        looks = (
            partial(self._in_tree, screen),
            partial(self._parsed, target, screen, scores),
            partial(self._parts, target, screen),
        )
        for look in looks:
            try:
                seen.append(look())
            except HandeyeError as error:
                errors.append(error)
        if errors and not any(seen):
            raise errors[0]
        within = target.region.box(screen.size) if target.region else screen.box
        seen.append([each for each in earlier if each.source == "ocr"])
        elements = tuple(each for each in merged(seen) if within.contains(each.center))
        icons = {
            at: scores[each.id] for at, each in enumerate(elements) if each.source == "parser" and each.id in scores
        }
        return Pool(elements, screen.size, icons, tuple(earlier), answered)

    def _parts(self, target: Target, screen: Screen) -> Sequence[UIElement]:
        """Return the places where the words of a target are read: lines, and parts of lines."""
        if self.reader is None or self.parser is None:
            return ()
        lines = read_lines(self.reader, screen)
        found = [match for words in Question(target).readings for match in match_text(words, lines)]
        return [
            UIElement(
                "text",
                "",
                each.box,
                each.confidence,
                "ocr",
                text=each.text,
                label_box=each.first,
                metadata={"layer": each.layer, "line": each.line.text},
            )
            for each in found
        ]

    def _in_tree(self, screen: Screen) -> Sequence[UIElement]:
        """Return the elements of the tree that are shown and not covered."""
        if self.tree is None:
            return ()
        tree = Tree(self.tree.detect(screen))
        return [
            each
            for each in tree.shown
            if each.bbox.area and each.element_type != "window" and tree.cover_of(each) is None
        ]

    def _parsed(self, target: Target, screen: Screen, scores: dict[int, float]) -> Sequence[UIElement]:
        """
        Return the elements of the frame, and add to `scores`, by their ids, the probability that icons show the target.
        """
        if self.parser is None:
            return ()
        look = self.parser.look(screen)
        question = Question(target)
        for words in question.readings if _may_name_an_icon(question) else ():
            for id, score in self.parser.icon_scores(words, look).items():
                scores[id] = max(score, scores.get(id, 0.0))
        return look.state.elements


def _may_name_an_icon(question: Question) -> bool:
    """
    Return False for numbers, amounts and times, which no icon shows, and for a single letter unless an icon is requested.
    """
    name = question.name
    if not any(map(str.isalpha, name)):
        return not any(map(str.isdigit, name))
    return len(name) > 1 or is_ideograph(name) or question.target.role == "icon"


@dataclass(frozen=True)
class RankingStrategy:
    """
    Chooses among all elements on the frame by all evidence together.

    The best element is an answer from a probability of `least` on; an element without text from LEAST_SURE on, or from
    LEAST_FOR_ACTS on if no role was requested and its drawing is not recognised as the name. `min_confidence`, if given,
    replaces all of these. `ranker` loads the ranker at the first search. `earlier` are the elements found before in the
    same search, best first; `answered` if the first was a certain match.
    """

    ranker: Callable[[], Ranker]
    sources: Sources
    _: KW_ONLY
    least: float = LEAST_SURE
    min_confidence: float | None = None
    earlier: tuple[UIElement, ...] = ()
    answered: bool = False

    @property
    def name(self) -> str:
        return "ranker"

    def accepts(self, target: Target) -> str | None:
        if target.id or target.path:
            return "an element of a tree is asked for"
        question = Question(target)
        if question.target.exact and not (target.role or target.chooses):
            return "an exact text is asked for"
        if not target.text and question.negated:
            return "it is said what is not meant"
        anchors = [each.anchor for each in target.relations if not each.counts_lines]
        if any(each.relations or each.ordinal for each in anchors):
            return "its neighbour is known by its own neighbours or number, which are not weighed"
        if len(question.phrase) > LONGEST_LABEL:
            return f"more than {LONGEST_LABEL} characters are no name"
        return None if question.phrase else "there are no words to compare"

    @property
    def reads_phrases(self) -> Literal[True]:
        return True

    def after(self, found: Sequence[UIElement], *, answered: bool = False) -> RankingStrategy:
        """See locate.base.Reranking."""
        return replace(self, earlier=tuple(found), answered=answered)

    def doubts(self, target: Target, screen: Screen, found: UIElement) -> str:
        """See locate.base.Reranking."""
        if self.accepts(target) is not None:
            return ""
        try:
            pool, ranked = self.after((found,), answered=True)._ranked(target, screen)
        except HandeyeError:
            return ""
        if not 0 < len(pool) <= _MOST:
            return ""
        chance = sum(each.probability for each in ranked if overlap(each.element.bbox, found.bbox) >= ONE_PLACE)
        return "" if chance >= LEAST_OF_A_FIND else f"the ranker finds it improbable: {chance:.2f}"

    def without_tree(self) -> RankingStrategy | None:
        """
        Return the strategy for a frame that may be older than the tree, or None if there is no other source of candidates.
        """
        return replace(self, sources=replace(self.sources, tree=None)) if self.sources.parser is not None else None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        pool, ranked = self._ranked(target, screen)
        if len(pool) > _MOST:
            return Match((), f"{len(pool):,} elements are seen, more than {_MOST:,}: name a region", looked=False)
        # A description that fits nothing here is not absent: a model may understand it.
        looked = bool(target.text or target.phrase or target.role)
        if not ranked:
            seen = (
                "none of the things that are seen can be it" if len(pool) else "nothing is seen that could be weighed"
            )
            return Match((), seen, looked=looked)
        refusal = self._refusal(ranked[0], Question(target), pool, screen) or _rival_of(ranked, target)
        note = "; ".join(map(str, ranked[:EXPLAINED]))
        places = [replace(each.element, confidence=each.probability) for each in ranked[:EXPLAINED]]
        if not refusal:
            return Match((places[0],), note, settled=True)
        new = [each for each in places if each.confidence >= _LEAST_CANDIDATE and not self._was_found(each)]
        weighed = self._weighed(ranked, Question(target))
        return Match((), f"{refusal}: {note}", looked=looked, doubtful=tuple(new), weighed=weighed)

    @staticmethod
    def _weighed(ranked: Sequence[Ranked], question: Question) -> tuple[UIElement, ...]:
        """Return the most probable elements for the next strategy; none for exact names, which nothing else can replace."""
        if question.is_exact:
            return ()
        return tuple(
            replace(each.element, confidence=each.probability)
            for each in ranked[:_MOST_WEIGHED]
            if negates(each.element.text) == question.negated
        )

    def _ranked(self, target: Target, screen: Screen) -> tuple[Pool, tuple[Ranked, ...]]:
        """Return all candidates, and the ranked ones, the most probable first; none are ranked if there are too many."""
        pool = self.sources.pool(target, screen, self.earlier, answered=self.answered)
        return pool, self.ranker().rank(Question(target), pool, screen) if len(pool) <= _MOST else ()

    def _was_found(self, element: UIElement) -> bool:
        """Return True if an earlier strategy has found that element."""
        return any(is_one_place(element, each) for each in self.earlier)

    def _least_for(self, best: Ranked, question: Question) -> float:
        """
        Return the least probability of an answer; a name alone means a drawing only if the drawing or its caption shows it.
        """
        if self.min_confidence is not None:
            return self.min_confidence
        if best.element.text or best.has_caption or best.element.source == "accessibility":
            return self.least
        is_kind_said = question.target.role or not question.target.text
        return LEAST_SURE if is_kind_said or best.shows else LEAST_FOR_ACTS

    def _refusal(self, best: Ranked, question: Question, pool: Pool, screen: Screen) -> str:
        """Return why the best element is no answer; empty if it is one."""
        element = best.element
        least = self._least_for(best, question)
        if best.probability < least:
            return f"not sure enough for {least:g}"
        if question.is_exact and not _is_exactly(question, element, pool):
            return "nothing there has exactly that text and kind"
        label = element.text or (element.description if element.source == "accessibility" else "")
        if negates(label) != question.negated:
            return "one of the words and the label is negated"
        if same_text(question.name, element.text or "") and is_drawing(element, pool.elements, screen):
            return "what was read as that character looks like a drawing"
        if element.source == "accessibility" and compare_with_frame(screen, element, self.sources.reader)[0] is False:
            return "the frame shows something else there than the tree: it may be of another moment"
        return ""


def _rival_of(ranked: Sequence[Ranked], target: Target) -> str:
    """Return the objection that another element of the same role fits the words equally well; empty without one."""
    best, *others = ranked[:EXPLAINED]
    fits = any(each.startswith("fits") for each in best.parts) and not (target.ordinal or target.position)
    equal = (each.parts == best.parts and each.element.element_type == best.element.element_type for each in others)
    return "another place fits as well" if fits and any(equal) else ""


def _is_exactly(question: Question, element: UIElement, pool: Pool) -> bool:
    """
    Return True if an element, or another one at the same place such as the text on a button, has the exact name, and one of
    them has the requested role.
    """
    here = [element, *(each for each in pool.elements if is_one_place(each, element))]
    role = role_named(question.target.role) or question.target.role if question.target.role else None
    is_of_kind = role is None or any(role_agreement(role, each.element_type) > 0 for each in here)
    return is_of_kind and any(same_text(question.name, each.text or each.description) for each in here)

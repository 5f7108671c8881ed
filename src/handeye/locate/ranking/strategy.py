"""The ranker as the strategy that is asked when no other was sure."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.locate.base import Match
from handeye.locate.ranking.pool import Pool, merged
from handeye.locate.ranking.question import Question
from handeye.locate.ranking.ranker import Ranker
from handeye.locate.screen_parser import ScreenParser
from handeye.perceive.base import StateProvider
from handeye.screen import Screen
from handeye.target import Target

LEAST_PROBABILITY: Final = 0.9
"""From which probability on an answer is reliable; below it the best places are candidates."""
_TOLD: Final = 3


@dataclass(frozen=True)
class Sources:
    """What sees the candidates: the `tree` of the frame's moment, and a `parser` of the picture."""

    tree: StateProvider | None
    parser: ScreenParser | None

    def pool(self, target: Target, screen: Screen, earlier: Sequence[UIElement], *, answered: bool) -> Pool:
        """All candidates on a frame. What cannot look sees nothing."""
        seen: list[Sequence[UIElement]] = []
        if self.tree is not None:
            with contextlib.suppress(HandeyeError):
                seen.append([each for each in self.tree.detect(screen).elements if each.bbox.area])
        scores: dict[int, float] = {}
        parsed: Sequence[UIElement] = ()
        if self.parser is not None:
            look = self.parser.look(screen)
            parsed = look.state.elements
            for words in Question(target).readings:
                for id, score in self.parser.icon_scores(words, look).items():
                    scores[id] = max(score, scores.get(id, 0.0))
            seen.append(parsed)
        elements = merged(seen)
        icons = {
            at: scores[each.id] for at, each in enumerate(elements) if each.source == "parser" and each.id in scores
        }
        return Pool(elements, screen.size, icons, tuple(earlier), answered)


class RankingStrategy:
    """
    Chooses among everything that is seen on the frame, by all evidence together. The best place is
    an answer from a probability of `least` on. `ranker` loads the ranker, at the first question.
    """

    def __init__(
        self,
        ranker: Callable[[], Ranker],
        sources: Sources,
        *,
        least: float = LEAST_PROBABILITY,
        earlier: Sequence[UIElement] = (),
    ) -> None:
        self._ranker = ranker
        self._sources = sources
        self._least = least
        self._earlier = tuple(earlier)

    @property
    def name(self) -> str:
        return "ranker"

    def accepts(self, target: Target) -> str | None:
        if target.exact or target.id or target.path:
            return "an exact name is asked for"
        return None if Question(target).readings or target.role else "there are no words to compare"

    @property
    def reads_phrases(self) -> Literal[True]:
        return True

    def after(self, found: Sequence[UIElement]) -> RankingStrategy:
        """See locate.base.Reranking."""
        return RankingStrategy(self._ranker, self._sources, least=self._least, earlier=found)

    def without_tree(self) -> RankingStrategy:
        """The strategy for a frame that may be older than the tree."""
        return RankingStrategy(
            self._ranker, Sources(None, self._sources.parser), least=self._least, earlier=self._earlier
        )

    def locate(self, target: Target, screen: Screen) -> Match | None:
        pool = self._sources.pool(target, screen, self._earlier, answered=False)
        ranked = self._ranker().rank(Question(target), pool, screen)
        if not ranked:
            return None
        best = ranked[0]
        note = ", ".join(
            f"{each.element.text or each.element.element_type} {each.probability:.2f}" for each in ranked[:_TOLD]
        )
        if best.probability < self._least:
            return Match((), f"not sure enough: {note}")
        return Match((replace(best.element, confidence=best.probability),), note, settled=True)

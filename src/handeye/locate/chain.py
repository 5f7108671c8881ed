"""Strategies in order, until one finds the target."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, runtime_checkable

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.locate.base import Choosing, Learner, Match, Nesting, PhraseReader, Reranking, Strategy
from handeye.locate.relations import choose_by_relations
from handeye.screen import Screen
from handeye.target import Attempt, LocateResult, Outcome, Target, literal_texts, word_as_label
from handeye.time_limit import time_limit
from handeye.usage import Usage

# Below this a find is only a candidate and the next strategy is asked (seed 001: a model's 0.3 falls back to OCR).
LEAST_CONFIDENCE: Final = 0.5

_BARE: Final = frozenset({"text", "heading"})
"""Kinds that carry a text and are no controls."""

ASKS_A_MODEL: Final = "visual"

_CERTAIN: Final = 0.9
"""From which confidence on the find of a strategy stands without the ranker."""

SEARCH_SECONDS: Final = 60.0
"""For one search, the time of models excepted, which have limits of their own. A full page of a 4K screen takes 2 s on two
cores; noise of 50 megapixels would take a minute."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Stands in the chain for a strategy that cannot be used, so that the attempts say why."""

    name: str
    reason: str

    def accepts(self, target: Target) -> str | None:
        return self.reason

    def locate(self, target: Target, screen: Screen) -> Match | None:
        return None


@dataclass(slots=True)
class _Search:
    """
    One search on its way: when it `ends`, by the chain's clock, and what was looked for on this frame, so that no neighbour is
    looked for by every strategy anew.
    """

    ends: float
    anchors: dict[Target, LocateResult] = field(default_factory=dict)


class LocateChain:
    """
    Asks each strategy once, in order. Never raises for a target that is not there: the result's `attempts` tell.

    A single find of `least_confidence` (0-1; LEAST_CONFIDENCE for None) or more ends the search. Several equal ones are never
    chosen from; the strategies after that one are asked only for a find that settles which of them it is. `clock` counts
    seconds, of which a search has `deadline_s`: strategies whose turn comes later are not asked. A ranker among the strategies,
    or else `doubting`, is asked about each find before its turn that is not certain: what it finds improbable is a candidate.
    """

    def __init__(
        self,
        strategies: Sequence[Strategy],
        *,
        least_confidence: float | None = None,
        deadline_s: float = SEARCH_SECONDS,
        clock: Clock = time.perf_counter,
        doubting: Reranking | None = None,
    ) -> None:
        self._strategies = tuple(strategies)
        self._doubting = doubting
        self._least = LEAST_CONFIDENCE if least_confidence is None else least_confidence
        self._deadline_s = deadline_s
        self._clock = clock

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        return self._strategies

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        return self._locate(target, screen, _Search(self._clock() + self._deadline_s))

    def _locate(self, target: Target, screen: Screen, search: _Search) -> LocateResult:
        labels = _labels(target)
        attempts: list[Attempt] = []
        rivals: tuple[UIElement, ...] = ()
        doubtful: tuple[UIElement, ...] = ()
        doubted: UIElement | None = None
        weighed: tuple[UIElement, ...] = ()
        ranker = next((each for each in self._strategies if isinstance(each, Reranking)), self._doubting)
        for strategy in self._strategies:
            if isinstance(strategy, Reranking):
                before = (doubted,) if doubted else rivals or _most_trusted_first(doubtful)
                strategy = strategy.after(before, answered=doubted is not None)
                ranker = None  # it is not asked about its own find, nor about what a model says after it
            if isinstance(strategy, Choosing) and weighed:
                strategy = strategy.among(weighed)
            readings = (target,) if isinstance(strategy, PhraseReader | Learner) else (*labels, target)
            match, attempt = self._ask(strategy, readings, screen, search)
            attempts.append(attempt)
            if match is None:
                continue
            doubtful += match.doubtful
            weighed = weighed or match.weighed
            if not match.elements:
                continue
            best = match.elements[0]
            if attempt.outcome == "absent":
                doubtful += match.elements
            elif len(match.elements) > 1:
                rivals = rivals or match.elements
            elif ranker and _may_be_doubted(strategy, best) and (doubt := ranker.doubts(target, screen, best)):
                attempts[-1] = replace(attempt, outcome="absent", note=f"{attempt.note}; {doubt}")
                doubted = best
                doubtful += (best,)
            elif not rivals or _settles(best, rivals):
                # What stood there more than once may be settled otherwise the next time. So may other words for a label: all
                # that is seen was weighed for them, and the picture of their place does not show what has come up since.
                if not rivals and not isinstance(strategy, Reranking):
                    self._teach(strategy, target, screen, best)
                return LocateResult(True, best, strategy.name, attempts=tuple(attempts))
        return self._unfound(target, screen, attempts, rivals, doubtful)

    def judge(self, target: Target, held: bool) -> None:
        """Tell the strategies that learn whether what was last found for `target` turned out right."""
        for strategy in self._strategies:
            if isinstance(strategy, Learner):
                strategy.judge(target, held)

    def _teach(self, finder: Strategy, target: Target, screen: Screen, element: UIElement) -> None:
        for strategy in self._strategies:
            if strategy is not finder and isinstance(strategy, Learner):
                strategy.learn(target, screen, element)

    def _ask(
        self, strategy: Strategy, readings: Sequence[Target], screen: Screen, search: _Search
    ) -> tuple[Match | None, Attempt]:
        """The find of a strategy for the readings of one target, the last of which is what the words mean."""
        start = self._clock()
        if strategy.name == ASKS_A_MODEL:
            answer = self._asked(strategy, readings, screen, search, start)
            search.ends += self._clock() - start
            return answer
        if start > search.ends:
            return None, Attempt(strategy.name, "skipped", f"the {self._deadline_s:g} s of the search are over")
        with time_limit(search.ends - start):
            return self._asked(strategy, readings, screen, search, start)

    def _asked(
        self, strategy: Strategy, readings: Sequence[Target], screen: Screen, search: _Search, start: float
    ) -> tuple[Match | None, Attempt]:
        try:
            reasons = [strategy.accepts(reading) for reading in readings]
            if all(reason is not None for reason in reasons):
                return None, Attempt(strategy.name, "skipped", reasons[-1] or "")
            understood = [reading for reading, reason in zip(readings, reasons, strict=True) if reason is None]
            match = self._first_found(strategy, understood, readings[-1], screen, search)
        except HandeyeError as error:
            return None, Attempt(strategy.name, "failed", str(error), elapsed_ms=self._since(start), error=error)
        elapsed = self._since(start)
        if (
            not (match and match.elements) and reasons[-1] is not None
        ):  # it only knows how to look for the words themselves
            return None, Attempt(strategy.name, "skipped", reasons[-1], elapsed_ms=elapsed)
        return self._told(strategy.name, match, elapsed)

    def _first_found(
        self,
        strategy: Strategy,
        readings: Sequence[Target],
        meant: Target,
        screen: Screen,
        search: _Search,
    ) -> Match | None:
        """The first reading that is on the screen, narrowed to what it chooses; else what was said of the last one."""

        def find(anchor: Target) -> LocateResult:
            if anchor not in search.anchors:
                search.anchors[anchor] = self._locate(anchor, screen, search)
            return search.anchors[anchor]

        nesting = strategy if isinstance(strategy, Nesting) else None
        match: Match | None = None
        for reading in readings:
            match = strategy.locate(reading, screen)
            if match is not None and reading is not meant and _is_no_such_label(reading, match):
                match = None
            if match is not None and match.elements and reading.chooses and not match.settled:
                match = choose_by_relations(reading, match, screen, find, nesting)
            if match is not None and match.elements:
                break
        return match

    def _told(self, name: str, match: Match | None, elapsed: float) -> tuple[Match | None, Attempt]:
        """The outcome by the rule of this chain: found, ambiguous, or absent where nothing is sure enough."""
        if match is None or not match.elements:
            outcome: Outcome = "skipped" if match is not None and not match.looked else "absent"
            return match, Attempt(name, outcome, match.note if match else "", elapsed_ms=elapsed)
        # Written so that NaN, which a model may answer, counts as doubtful.
        sure = [element.confidence for element in match.elements if element.confidence >= self._least]
        if not sure:
            best = match.elements[0].confidence
            note = f"too doubtful: {best:.2f} is below {self._least:.2f}" + (f" ({match.note})" if match.note else "")
            return match, Attempt(name, "absent", note, best, elapsed)
        if len(match.elements) > 1:
            note = match.note or f"{len(match.elements)} equal places"
            return match, Attempt(name, "ambiguous", note, max(sure), elapsed)
        return match, Attempt(name, "found", match.note, sure[0], elapsed)

    def _since(self, start: float) -> float:
        return (self._clock() - start) * 1000

    def _unfound(
        self,
        target: Target,
        screen: Screen,
        attempts: list[Attempt],
        rivals: tuple[UIElement, ...],
        doubtful: tuple[UIElement, ...],
    ) -> LocateResult:
        candidates = tuple(replace(element, reliable=False) for element in rivals or _most_trusted_first(doubtful))
        method = next((attempt.strategy for attempt in attempts if attempt.outcome == "ambiguous"), "none")
        looked = any(
            attempt.outcome not in ("skipped", "failed") and not isinstance(strategy, Learner)
            for strategy, attempt in zip(self._strategies, attempts, strict=True)
        )
        if screen.black:
            attempts.append(Attempt("picture", "failed", f"it is black: {screen.black}"))
        if rivals:
            error = f"{target} fits {len(rivals)} places equally well; name a region, a role or a neighbour"
        else:
            tried = "; ".join(map(str, attempts)) or "no strategy could be tried"
            error = f"{target} was not found ({tried})" if looked else f"nobody could look for {target}: {tried}"
        return LocateResult(False, None, method, candidates, error, tuple(attempts), looked=looked)


def _labels(target: Target) -> tuple[Target, ...]:
    """
    A phrase as labels, which are meant before what it means: one that reads the same as all of it, then one that reads as its
    word for a kind, or for a look. (A model reads phrases itself, and a memory holds what a phrase turned out to mean.)
    """
    if target.phrase is None:
        return ()
    texts = literal_texts(target.phrase)
    literal = tuple(Target(text=text, reference=text, exact=True, region=target.region) for text in texts)
    word = word_as_label(target)
    return (*literal, word) if word else literal


def _is_no_such_label(reading: Target, match: Match) -> bool:
    """
    Return True if words were read as a label and a number, and one label stands there: a heading "Items" is not the last item;
    or as the label of a kind of control, and something else reads so: a heading "Red" is not the red button.
    """
    counted = reading.ordinal is not None and len(match.elements) < 2
    return counted or (reading.role is not None and all(each.element_type in _BARE for each in match.elements))


def _may_be_doubted(strategy: Strategy, found: UIElement) -> bool:
    """
    Return True for a find that the ranker is asked about: one that a strategy is not nearly certain of itself. Of a reference
    image the ranker knows no more than its name.
    """
    asked = strategy.name != ASKS_A_MODEL and not isinstance(strategy, Learner) and "reference" not in found.metadata
    return asked and found.confidence < _CERTAIN


def _trust(element: UIElement) -> float:
    """Its confidence, for sorting: what is no number is none."""
    return element.confidence if element.confidence >= 0 else 0.0


def _most_trusted_first(doubtful: tuple[UIElement, ...]) -> tuple[UIElement, ...]:
    """Return finds of several strategies by their confidence; equally doubtful ones keep the order of reading."""
    return tuple(sorted(doubtful, key=_trust, reverse=True))


def _settles(element: UIElement, rivals: tuple[UIElement, ...]) -> bool:
    """Return True if a reliable find by another strategy says which of the rivals is meant."""
    return element.reliable and sum(rival.bbox.intersect(element.bbox) is not None for rival in rivals) == 1


# The cost of a search in questions to models.


@runtime_checkable
class Metered(Protocol):
    """Something that asks models and adds up what that costs."""

    @property
    def usage(self) -> Usage: ...


@dataclass(frozen=True, slots=True)
class MeteredChain:
    """
    A chain whose results say what asking `meter` has cost. Where several threads share it, a result counts what all of them
    asked in its time.
    """

    chain: LocateChain
    meter: Metered

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        before = self.meter.usage
        result = self.chain.locate(target, screen)
        usage = self.meter.usage - before
        return replace(result, usage=usage) if usage.calls else result

    def judge(self, target: Target, held: bool) -> None:
        self.chain.judge(target, held)


def metered(chain: LocateChain, asked: object) -> LocateChain | MeteredChain:
    """The chain, metered when what it asks (a vision finder, or None) counts its cost."""
    return MeteredChain(chain, asked) if isinstance(asked, Metered) else chain

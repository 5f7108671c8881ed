"""Run strategies in order until one finds the target."""

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

# Below this a match is only a candidate and the next strategy is tried (docs/spec/visual-locator.md: a model's 0.3 falls
# back to OCR).
LEAST_CONFIDENCE: Final = 0.5

_TEXT_ONLY: Final = frozenset({"text", "heading"})
"""Element types that only show text and are no controls."""

ASKS_A_MODEL: Final = "visual"

_CERTAIN: Final = 0.9
"""Confidence from which a strategy's match is accepted without the ranker."""

SEARCH_SECONDS: Final = 60.0
"""Time limit of one search, without the time of models, which have their own limits. A full page of a 4K screen takes 2 s
on two cores; noise of 50 megapixels would take a minute."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Replaces a strategy that cannot be used, so that the attempts show the reason."""

    name: str
    reason: str

    def accepts(self, target: Target) -> str | None:
        return self.reason

    def locate(self, target: Target, screen: Screen) -> Match | None:
        return None


@dataclass(slots=True)
class _Search:
    """
    State of one search: when it `ends` by the chain's clock, and the anchors already located on this frame, so that each is
    located only once.
    """

    ends: float
    anchors: dict[Target, LocateResult] = field(default_factory=dict)


class LocateChain:
    """
    Runs each strategy once, in order. Does not raise if the target is not found: see the result's `attempts`.

    A single match of `least_confidence` (0-1; LEAST_CONFIDENCE for None) or more ends the search. Several equal matches are
    never chosen from; later strategies are then tried only to disambiguate them. `clock` counts seconds; strategies whose
    turn comes after `deadline_s` are skipped. The ranker among the strategies, or else `doubting`, checks each uncertain
    match of the strategies before it: an improbable one becomes a candidate.
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
        labels = _literal_targets(target)
        attempts: list[Attempt] = []
        rivals: tuple[UIElement, ...] = ()
        doubtful: tuple[UIElement, ...] = ()
        doubted: UIElement | None = None
        weighed: tuple[UIElement, ...] = ()
        ranker = next((each for each in self._strategies if isinstance(each, Reranking)), self._doubting)
        for strategy in self._strategies:
            if isinstance(strategy, Reranking):
                before = (doubted,) if doubted else rivals or _by_confidence(doubtful)
                strategy = strategy.after(before, answered=doubted is not None)
                ranker = None  # it does not check its own match, nor that of a model after it
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
            elif ranker and _needs_ranker_check(strategy, best) and (doubt := ranker.doubts(target, screen, best)):
                attempts[-1] = replace(attempt, outcome="absent", note=f"{attempt.note}; {doubt}")
                doubted = best
                doubtful += (best,)
            elif not rivals or _disambiguates(best, rivals):
                # Matches among duplicates and matches of the ranker are not remembered: they depend on everything on the
                # frame, and a fingerprint of the place does not show what has appeared elsewhere since.
                if not rivals and not isinstance(strategy, Reranking):
                    self._teach(strategy, target, screen, best)
                return LocateResult(True, best, strategy.name, attempts=tuple(attempts))
        return self._not_found(target, screen, attempts, rivals, doubtful)

    def judge(self, target: Target, held: bool) -> None:
        """Report to the strategies that learn whether acting on the last match for `target` succeeded."""
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
        """Return the match of a strategy for the readings of one target, the last of which is the interpreted phrase."""
        start = self._clock()
        if strategy.name == ASKS_A_MODEL:
            answer = self._try_strategy(strategy, readings, screen, search, start)
            search.ends += self._clock() - start
            return answer
        if start > search.ends:
            return None, Attempt(strategy.name, "skipped", f"the {self._deadline_s:g} s of the search are over")
        with time_limit(search.ends - start):
            return self._try_strategy(strategy, readings, screen, search, start)

    def _try_strategy(
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
        if not (match and match.elements) and reasons[-1] is not None:  # it can only search for the literal words
            return None, Attempt(strategy.name, "skipped", reasons[-1], elapsed_ms=elapsed)
        return self._with_outcome(strategy.name, match, elapsed)

    def _first_found(
        self,
        strategy: Strategy,
        readings: Sequence[Target],
        meant: Target,
        screen: Screen,
        search: _Search,
    ) -> Match | None:
        """
        Return the match of the first reading that is on the screen, filtered by its relations; else the match of the last
        reading.
        """

        def find(anchor: Target) -> LocateResult:
            if anchor not in search.anchors:
                search.anchors[anchor] = self._locate(anchor, screen, search)
            return search.anchors[anchor]

        nesting = strategy if isinstance(strategy, Nesting) else None
        match: Match | None = None
        for reading in readings:
            match = strategy.locate(reading, screen)
            if match is not None and reading is not meant and _rejects_literal(reading, match):
                match = None
            if match is not None and match.elements and reading.chooses and not match.settled:
                match = choose_by_relations(reading, match, screen, find, nesting)
            if match is not None and match.elements:
                break
        return match

    def _with_outcome(self, name: str, match: Match | None, elapsed: float) -> tuple[Match | None, Attempt]:
        """Return the match with its outcome: found, ambiguous, or absent if no element is confident enough."""
        if match is None or not match.elements:
            outcome: Outcome = "skipped" if match is not None and not match.looked else "absent"
            return match, Attempt(name, outcome, match.note if match else "", elapsed_ms=elapsed)
        # Written so that NaN, which a model may return, counts as not confident.
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

    def _not_found(
        self,
        target: Target,
        screen: Screen,
        attempts: list[Attempt],
        rivals: tuple[UIElement, ...],
        doubtful: tuple[UIElement, ...],
    ) -> LocateResult:
        candidates = tuple(replace(element, reliable=False) for element in rivals or _by_confidence(doubtful))
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


def _literal_targets(target: Target) -> tuple[Target, ...]:
    """
    Return the phrase as literal labels, which take precedence over its interpretation: one that equals the whole phrase,
    then one that equals its word for a role or an appearance.

    A model interprets phrases itself, and a memory stores the interpretation of a phrase.
    """
    if target.phrase is None:
        return ()
    texts = literal_texts(target.phrase)
    literal = tuple(Target(text=text, reference=text, exact=True, region=target.region) for text in texts)
    word = word_as_label(target)
    return (*literal, word) if word else literal


def _rejects_literal(reading: Target, match: Match) -> bool:
    """
    Return True if a literal reading does not fit the match.

    Words read as a label and a number need several such labels: a heading "Items" is not the last item. Words read as the
    label of a control need a control: a heading "Red" is not the red button.
    """
    counted = reading.ordinal is not None and len(match.elements) < 2
    return counted or (reading.role is not None and all(each.element_type in _TEXT_ONLY for each in match.elements))


def _needs_ranker_check(strategy: Strategy, found: UIElement) -> bool:
    """
    Return True for a match that the ranker checks: one that its strategy is not nearly certain of. The ranker knows only
    the name of a reference image, so it does not check those.
    """
    asked = strategy.name != ASKS_A_MODEL and not isinstance(strategy, Learner) and "reference" not in found.metadata
    return asked and found.confidence < _CERTAIN


def _sortable_confidence(element: UIElement) -> float:
    """Return the confidence as a sort key; NaN counts as 0."""
    return element.confidence if element.confidence >= 0 else 0.0


def _by_confidence(doubtful: tuple[UIElement, ...]) -> tuple[UIElement, ...]:
    """Return the elements sorted by confidence; equal ones keep their order."""
    return tuple(sorted(doubtful, key=_sortable_confidence, reverse=True))


def _disambiguates(element: UIElement, rivals: tuple[UIElement, ...]) -> bool:
    """Return True if a reliable match of another strategy identifies one of the rivals."""
    return element.reliable and sum(rival.bbox.intersect(element.bbox) is not None for rival in rivals) == 1


@runtime_checkable
class UsageCounter(Protocol):
    """Something that calls models and counts their usage."""

    @property
    def usage(self) -> Usage: ...


@dataclass(frozen=True, slots=True)
class UsageCountingChain:
    """
    A chain that adds the model usage of `meter` to its results. If threads share it, a result includes their concurrent
    usage.
    """

    chain: LocateChain
    meter: UsageCounter

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        before = self.meter.usage
        result = self.chain.locate(target, screen)
        usage = self.meter.usage - before
        return replace(result, usage=usage) if usage.calls else result

    def judge(self, target: Target, held: bool) -> None:
        self.chain.judge(target, held)


def with_usage(chain: LocateChain, asked: object) -> LocateChain | UsageCountingChain:
    """Return the chain, which adds the model usage to its results if `asked` (a vision finder, or None) counts it."""
    return UsageCountingChain(chain, asked) if isinstance(asked, UsageCounter) else chain

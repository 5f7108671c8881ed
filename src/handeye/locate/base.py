"""One way to find one target on one frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal, Protocol, runtime_checkable

from handeye.elements import UIElement
from handeye.errors import ConfigError, UsageError
from handeye.models import Settings
from handeye.screen import Screen
from handeye.target import Target

LEAST_SURE: Final = 0.8
"""
Confidence from which on a find is sure, as seed 001 has it: what was found with less is looked for again, and the ranker's best
place is an answer from this probability on.
"""


@dataclass(frozen=True, slots=True)
class Match:
    """
    The finds of one strategy: the best element first.

    Several elements mean that they fit equally well; the chain then refuses to choose. For a target that chooses itself (by
    relation, position or ordinal) they are all acceptable places, from which the chain narrows; `settled` says that this has
    been done before, by whoever remembers it. `note` says what the evidence was. Without elements, `looked` is False where it
    is not known that the target is not there: it was only understood in part. `doubtful` are places, the best first, that are
    shown as candidates and never acted on. `weighed` are the most probable of the places that were weighed against each other;
    their `confidence` is that probability.
    """

    elements: tuple[UIElement, ...]
    note: str = ""
    settled: bool = False
    looked: bool = True
    doubtful: tuple[UIElement, ...] = ()
    weighed: tuple[UIElement, ...] = ()


class Strategy(Protocol):
    """
    One way to look. `None` means "looked, not here"; a HandeyeError means "could not look".

    `accepts` says whether the target is of a kind this strategy understands, and if not, why (the reason is shown).
    """

    @property
    def name(self) -> str: ...

    def accepts(self, target: Target) -> str | None:
        """None when it can look for this target; else the reason why not."""
        ...

    def locate(self, target: Target, screen: Screen) -> Match | None: ...


@runtime_checkable
class PhraseReader(Protocol):
    """A strategy that understands a person's words itself: it is asked for the target alone, not for labels that read so."""

    @property
    def reads_phrases(self) -> Literal[True]: ...


@runtime_checkable
class Reranking(Protocol):
    """A strategy that weighs what the strategies before it found."""

    def after(self, found: Sequence[UIElement], *, answered: bool = False) -> Strategy:
        """
        Return the strategy for one search, in which `found` are these elements, the best first; `answered` if the first of them
        was a sure find.
        """
        ...

    def doubts(self, target: Target, screen: Screen, found: UIElement) -> str:
        """Return why a sure find is not probable; empty if it is, or if this strategy does not understand the target."""
        ...


@runtime_checkable
class Choosing(Protocol):
    """A strategy that can choose among what another one has weighed."""

    def among(self, weighed: Sequence[UIElement]) -> Strategy:
        """Return the strategy for one search, in which these places were weighed (Match.weighed)."""
        ...


@runtime_checkable
class Nesting(Protocol):
    """A strategy that knows what holds what, where rectangles mislead: an open menu lies outside of its title's."""

    def holds(self, outer: UIElement, inner: UIElement) -> bool:
        """Return True if `inner` is somewhere in `outer`, both as it found them last; False where it does not know them."""
        ...

    def is_over(self, inner: UIElement, outer: UIElement) -> bool:
        """Return True if `inner` is in an open menu that `outer` is not in, and only lies over it; False if that is unknown."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A strategy that remembers what the others found, and is told by the step that used it whether it was right."""

    def learn(self, target: Target, screen: Screen, element: UIElement) -> None:
        """Another strategy found `element` for `target` on that frame."""
        ...

    def judge(self, target: Target, held: bool) -> None:
        """Tell that the last find for `target` was acted on: it did what it should (`held`), or it did not."""
        ...


# The confidence from which on what was found is an answer, as a caller or the environment asks for it.


VARIABLE: Final = "HANDEYE_MIN_CONFIDENCE"


def requested_confidence(given: float | None = None) -> float | None:
    """
    Return the number (0-1) that is `given`, else that of the variable HANDEYE_MIN_CONFIDENCE in the environment or in `.env`,
    else None: each strategy has its own default then. Raises UsageError or ConfigError for what is no such number.
    """
    if given is None:
        settings = Settings(os.environ)
        with suppress(
            ConfigError
        ):  # a file that is no list of settings does not say it; who needs its settings tells of it
            settings.load()
        value = settings.number(VARIABLE, float, None)
        if value is not None and not 0 <= value <= 1 and (setting := settings.get(VARIABLE)) is not None:
            raise setting.wrong("a number from 0 to 1")
        return value
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise UsageError(f"{given!r} is no confidence: give a number from 0 to 1")
    return given

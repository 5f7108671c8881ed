"""Interfaces of the locator strategies, each one way to find one target on one frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Final, Literal, Protocol, runtime_checkable

from handeye.elements import UIElement
from handeye.errors import ConfigError, HandeyeError, OcrFailed, UsageError
from handeye.geometry import Box
from handeye.models import Settings
from handeye.ocr import RegionReader, TextReader
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import TextLine

LEAST_SURE: Final = 0.8
"""Confidence from which a match is certain (docs/spec/visual-locator.md): a match with less is searched again, and the
ranker's best candidate is an answer from this probability on."""


@dataclass(frozen=True, slots=True)
class Match:
    """
    The elements that one strategy found, the best first.

    Several elements mean that they fit equally well; the chain then does not choose. For a target with a relation, a
    position or an ordinal they are all candidates, which the chain filters; `settled` means that this was already done when
    the match was remembered. `note` is the evidence. Without elements, `looked` is False if it is unknown whether the
    target is absent: it was only partly understood. `doubtful` are elements, best first, that are shown as candidates but
    never acted on. `weighed` are the most probable of the elements that were ranked against each other; their `confidence`
    is that probability.
    """

    elements: tuple[UIElement, ...]
    note: str = ""
    settled: bool = False
    looked: bool = True
    doubtful: tuple[UIElement, ...] = ()
    weighed: tuple[UIElement, ...] = ()


class Strategy(Protocol):
    """One way to search. `None` means "searched, not found"; a HandeyeError means "could not search"."""

    @property
    def name(self) -> str: ...

    def accepts(self, target: Target) -> str | None:
        """Return None if this strategy can search for the target; else the reason, which is shown."""
        ...

    def locate(self, target: Target, screen: Screen) -> Match | None: ...


@runtime_checkable
class PhraseReader(Protocol):
    """A strategy that interprets a person's words itself: it gets only the target, not the literal labels of its phrase."""

    @property
    def reads_phrases(self) -> Literal[True]: ...


@runtime_checkable
class Reranking(Protocol):
    """A strategy that ranks the elements found by the strategies before it."""

    def after(self, found: Sequence[UIElement], *, answered: bool = False) -> Strategy:
        """
        Return the strategy for one search in which the elements `found` are known, best first; `answered` if the first was
        certain.
        """
        ...

    def doubts(self, target: Target, screen: Screen, found: UIElement) -> str:
        """
        Return why a certain match is improbable; empty if it is probable, or if this strategy does not understand the
        target.
        """
        ...


@runtime_checkable
class Choosing(Protocol):
    """A strategy that can choose among the elements that another one has ranked."""

    def among(self, weighed: Sequence[UIElement]) -> Strategy:
        """Return the strategy for one search in which these elements were ranked (Match.weighed)."""
        ...


@runtime_checkable
class Nesting(Protocol):
    """
    A strategy that knows which element contains which, where boxes mislead: an open menu lies outside the box of its title.
    """

    def holds(self, outer: UIElement, inner: UIElement) -> bool:
        """
        Return True if `inner` is a descendant of `outer`, both as last found; False if this strategy does not know them.
        """
        ...

    def is_over(self, inner: UIElement, outer: UIElement) -> bool:
        """
        Return True if `inner` is in an open menu that does not contain `outer`, and only covers it; False if that is
        unknown.
        """
        ...


@runtime_checkable
class Learner(Protocol):
    """A strategy that remembers the matches of the others, and is notified whether acting on them succeeded."""

    def learn(self, target: Target, screen: Screen, element: UIElement) -> None:
        """Remember that another strategy found `element` for `target` on that frame."""
        ...

    def judge(self, target: Target, held: bool) -> None:
        """Report whether acting on the last match for `target` had the expected result (`held`)."""
        ...


# Environment variable for the confidence from which a match is an answer.
VARIABLE: Final = "HANDEYE_MIN_CONFIDENCE"


def requested_confidence(given: float | None = None) -> float | None:
    """
    Return `given` (0-1), else the variable HANDEYE_MIN_CONFIDENCE of the environment or `.env`, else None: each strategy
    then uses its own default. Raises UsageError or ConfigError for an invalid number.
    """
    if given is None:
        settings = Settings(os.environ)
        with suppress(ConfigError):  # an invalid settings file is ignored here; code that needs its settings reports it
            settings.load()
        value = settings.number(VARIABLE, float, None)
        if value is not None and not 0 <= value <= 1 and (setting := settings.get(VARIABLE)) is not None:
            raise setting.wrong("a number from 0 to 1")
        return value
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise UsageError(f"{given!r} is no confidence: give a number from 0 to 1")
    return given


# Read text lines through any text reader, with its answer checked.


def read_lines(reader: TextReader, screen: Screen, within: Box | None = None) -> tuple[TextLine, ...]:
    """
    Return the lines that `reader` reads on the frame, or those whose center is `within` a part; only that part is read if
    the reader supports it. A reader may be third-party code: any error in it is raised as OcrFailed, or as its own
    HandeyeError.
    """
    try:
        if within is not None and isinstance(reader, RegionReader):
            lines = tuple(reader.read_region(screen, within))
        else:
            lines = tuple(reader.read(screen))
    except HandeyeError:
        raise
    except Exception as error:
        raise OcrFailed(f"the text reader failed: {error or type(error).__name__}") from error
    if not all(_is_valid(line) for line in lines):
        raise OcrFailed("the text reader answered something else than lines of text with a box and a confidence")
    return lines if within is None else tuple(line for line in lines if within.contains(line.box.center))


def _is_valid(line: object) -> bool:
    """Return True for a line whose fields have the right types."""
    if not isinstance(line, TextLine) or not isinstance(line.text, str) or not isinstance(line.box, Box):
        return False
    return isinstance(line.confidence, float | Real) and all(isinstance(edge, int | Integral) for edge in line.box)

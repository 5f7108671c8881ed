"""The verifier's interface and its verdict: whether a step did what it should, and if not, what is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from handeye.blockers import Blocker, BlockerType, SuggestionAction
from handeye.elements import UIElement
from handeye.matching import Change
from handeye.screen import Screen
from handeye.target import Expectation, Target


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """
    The verdict on one step (docs/spec/vision-agent.md).

    `verified` is True only when `evidence` proves the expectation; `matches_expected` is None when it could not be decided,
    which is never the same as success.
    """

    verified: bool
    confidence: float
    current_state: str = ""
    matches_expected: bool | None = None
    screen_changed: bool | None = None
    change_description: str = ""
    blocker: Blocker | None = None
    suggestion: SuggestionAction = SuggestionAction.CONTINUE
    suggestion_detail: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def undecided(self) -> bool:
        return self.matches_expected is None

    def __bool__(self) -> bool:
        return self.verified


class Verifier(Protocol):
    """Compares what was expected with what is seen. Raises a LocateError when a frame could not be checked."""

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult: ...

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        """
        Check that `element` is still what `target` asks for on the frame on which it is to be acted on
        (docs/spec/grounding.md).
        """
        ...

    def find_blocker(self, screen: Screen) -> Blocker | None: ...


@runtime_checkable
class ObservesBeforeTyping(Verifier, Protocol):
    """A verifier that distinguishes a new text from older equal ones by what it recorded before the text was typed."""

    def before_typing(self, text: str, screen: Screen) -> None:
        """Record what `screen` shows before `text` is typed. Raises a LocateError when the frame could not be checked."""
        ...


# Pieces of evidence, and how they are combined.


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    A finding about one part of an expectation: `holds` is None when it is undecided. `confidence` is 0-1. `unseen` is the
    text whose absence the finding is about: a blocker over the page may hide it.
    """

    holds: bool | None
    evidence: str
    confidence: float = 0.0
    unseen: str = ""


def combine(findings: Sequence[Evidence]) -> bool | None:
    """Return True if all hold, False if one fails, and None otherwise or without any."""
    if any(finding.holds is False for finding in findings):
        return False
    if not findings or any(finding.holds is None for finding in findings):
        return None
    return True


def combined_confidence(findings: Sequence[Evidence], holds: bool | None) -> float:
    """
    Return the confidence of a verdict: the lowest of those that must all hold, the highest of those that contradict; 0 for
    None.
    """
    if holds is None:
        return 0.0
    said = [finding.confidence for finding in findings if finding.holds is holds]
    return min(said, default=0.0) if holds else max(said, default=0.0)


# Suggest the next action after a verdict (docs/spec/vision-agent.md): each suggestion for exactly one situation.


# From this share of changed pixels on, the page is another one. A pressed button, a filled field or a new message came to
# 0.1-8 % on the virtual phone, a keyboard to 30 %, another page to 40 % and more in light themes.
ANOTHER_PAGE: Final = 0.35


def suggestion(holds: bool | None, change: Change | None, blocker: Blocker | None) -> tuple[SuggestionAction, str]:
    """
    Return the suggested action and its reason. `change` is None when there was no earlier frame.

    * continue: it is proved, or cannot be decided
    * skip: it is proved, and the screen is as before: it was so already
    * wait: the page still loads
    * dismiss: something that can be closed lies over the page
    * abort: what lies over the page needs a person (a password, a captcha, a login)
    * retry: the act had no effect, or not the wanted one on the same page
    * replan: another page came up, or something lies over the page that cannot be closed
    """
    if holds:
        if change is not None and not change:
            return SuggestionAction.SKIP, "it was so before, and nothing changed"
        return SuggestionAction.CONTINUE, ""
    if blocker is not None and blocker.type is not BlockerType.NONE:
        return _for_blocker(blocker)
    if change is not None and not change:
        return SuggestionAction.RETRY, "nothing happened: try the step again"
    if holds is None:
        return SuggestionAction.CONTINUE, "it could not be decided whether the step did what it should"
    if change is not None and change.fraction >= ANOTHER_PAGE:
        return SuggestionAction.REPLAN, "another page came up than was expected"
    return SuggestionAction.RETRY, "what was expected is not seen"


def _for_blocker(blocker: Blocker) -> tuple[SuggestionAction, str]:
    if blocker.type is BlockerType.LOADING:
        return SuggestionAction.WAIT, blocker.description
    if blocker.needs_person:
        return SuggestionAction.ABORT, f"{blocker.description}: a person has to do that"
    if blocker.dismiss_suggestion is None:
        return SuggestionAction.REPLAN, f"{blocker.description}, and nobody knows how to close it"
    return SuggestionAction.DISMISS, f"{blocker.description}: {blocker.dismiss_suggestion.description}"

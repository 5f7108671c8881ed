"""The verifier's interface and its verdict: whether a step did what it should, and if not, what is in the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from handeye.blockers import Blocker, SuggestionAction
from handeye.elements import UIElement
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

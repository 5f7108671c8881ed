"""Did the step do what it should have done, and if not, what stands in the way?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, Protocol, runtime_checkable

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import Expectation, Target


class SuggestionAction(Enum):
    """What to do next (seed 004)."""

    CONTINUE = "continue"
    RETRY = "retry"
    SKIP = "skip"
    WAIT = "wait"
    DISMISS = "dismiss"
    ABORT = "abort"
    REPLAN = "replan"


class BlockerType(Enum):
    """What stands in the way (seed 004)."""

    NONE = "none"
    POPUP = "popup"
    DIALOG = "dialog"
    PERMISSION = "permission"
    AD = "ad"
    ERROR = "error"
    LOADING = "loading"
    KEYBOARD = "keyboard"
    UNKNOWN = "unknown"


class Grant(StrEnum):
    """
    How far a permission can be granted, the least first: for once, while the app is in use, for the photos that are chosen,
    without a bound ("Allow", "Allow all"), and also while the app is in the background.
    """

    ONCE = "once"
    WHILE_IN_USE = "while-in-use"
    SELECTED = "selected"
    ALL = "all"
    ALWAYS = "always"


# These do not swallow a tap on something that is visible beside or above them.
PASSIVE: Final = frozenset({BlockerType.NONE, BlockerType.KEYBOARD, BlockerType.LOADING})


@dataclass(frozen=True, slots=True)
class DismissSuggestion:
    """How to get rid of a blocker: `action` is "tap", "press_key", "swipe" or "wait"."""

    action: str
    target_ref: str | None = None
    description: str = ""
    keycode: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Blocker:
    """
    Something over the screen that a step cannot get past. `box` is where it is, in frame pixels.

    `words` is what stands on it, and `grant` the mildest way to agree to what it asks for, never for always;
    `dismiss_suggestion` never agrees. What only a person may answer (a password, a captcha, a login) has `needs_person` set.
    A permission request has all that it offers in `grants`, and in `request` the sentence that asks, where the tree names it.
    """

    type: BlockerType
    description: str
    dismiss_suggestion: DismissSuggestion | None = None
    box: Box | None = None
    words: str = ""
    grant: DismissSuggestion | None = None
    needs_person: bool = False
    grants: Mapping[Grant, DismissSuggestion] = field(default_factory=dict)
    request: str = ""


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """
    The verdict on one step (seed 004).

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
    """Compares what was expected with what is seen. Raises a LocateError when it could not look."""

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult: ...

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        """Whether `element` is still what `target` asks for on the very frame on which it is to be acted on (seed 003)."""
        ...

    def find_blocker(self, screen: Screen) -> Blocker | None: ...


@runtime_checkable
class LooksBeforeTyping(Verifier, Protocol):
    """A verifier that tells a text that was sent from its likes by what it has seen before that was typed."""

    def before_typing(self, text: str, screen: Screen) -> None:
        """`text` is about to be typed where `screen` shows what is there now. Raises a LocateError when it could not look."""
        ...

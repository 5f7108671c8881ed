"""Values that describe what is in the way of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from handeye.geometry import Box


class SuggestionAction(Enum):
    """Suggested next action (docs/spec/vision-agent.md)."""

    CONTINUE = "continue"
    RETRY = "retry"
    SKIP = "skip"
    WAIT = "wait"
    DISMISS = "dismiss"
    ABORT = "abort"
    REPLAN = "replan"


class BlockerType(Enum):
    """Kind of a blocker (docs/spec/vision-agent.md)."""

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
    Extent of a permission's grant, the least first: once, while the app is in use, for selected photos, without a limit
    ("Allow", "Allow all"), and also while the app is in the background.
    """

    ONCE = "once"
    WHILE_IN_USE = "while-in-use"
    SELECTED = "selected"
    ALL = "all"
    ALWAYS = "always"


# These do not intercept a tap on something that is visible next to or above them.
PASSIVE: Final = frozenset({BlockerType.NONE, BlockerType.KEYBOARD, BlockerType.LOADING})


@dataclass(frozen=True, slots=True)
class DismissSuggestion:
    """A way to dismiss a blocker: `action` is "tap", "press_key", "swipe" or "wait"."""

    action: str
    target_ref: str | None = None
    description: str = ""
    keycode: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Blocker:
    """
    Something over the screen that a step cannot get past. `box` is its bounding box, in frame pixels.

    `words` is its text, and `grant` the least way to agree to what it asks for, never a permanent one; `dismiss_suggestion`
    never agrees. `needs_person` is True for what only a person may answer (a password, a captcha, a login). A permission
    request has all that it offers in `grants`, and in `request` the sentence that asks, where the tree identifies it.
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

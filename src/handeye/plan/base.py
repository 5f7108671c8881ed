"""From a task in a person's words to steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Protocol

from handeye.screen import Screen
from handeye.target import DYNAMIC, TEXT, Expectation, Target

_EMPTY: Mapping[str, Any] = MappingProxyType({})


class ActionName(Enum):
    """What a step does (seed 004)."""

    TAP = "tap"
    LONG_PRESS = "long_press"
    SWIPE = "swipe"
    INPUT_TEXT = "input_text"
    PRESS_KEY = "press_key"
    WAIT = "wait"
    GO_HOME = "go_home"
    LAUNCH_APP = "launch_app"
    OPEN_URL = "open_url"
    CALL = "call"
    CHECK = "check"  # does nothing, only verifies: for a state that must hold before the next act

    @property
    def needs_target(self) -> bool:
        return self in (ActionName.TAP, ActionName.LONG_PRESS)


class TargetType(Enum):
    """Where a target comes from (seed 004)."""

    ICON = "icon"
    UI = "ui"
    STATE = "state"
    TEXT = "text"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True)
class StepPlan:
    """
    One step of a plan (seed 004). Times are in milliseconds.

    `target_ref` is a reference image's name or alias, `text:...` or `dynamic:...`; `target` is the same, fully described.
    `expect` is what must be seen afterwards; `fallback` what to do when the target is not there, at most three times.
    `guard` must hold on the very frame on which the step acts, else nothing is done. `timeout` is the time until which the
    expectation may come true.
    """

    step: int
    action: ActionName
    target_ref: str | None = None
    target_type: TargetType | None = None
    description: str = ""
    params: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    verify_ref: str | None = None
    success_condition: str | None = None
    fallback: Mapping[str, Any] | None = None
    timeout: int = 3000
    retry: int = 2
    wait_before: int = 0
    wait_after: int = 300
    target: Target | None = None
    expect: Expectation | None = None
    guard: Expectation | None = None

    @property
    def wanted(self) -> Target | None:
        """What to look for: `target`, else what `target_ref` says."""
        if self.target is not None:
            return self.target
        return Target.parse(self.target_ref) if self.target_ref else None

    @property
    def expectation(self) -> Expectation | None:
        """What must be seen afterwards: `expect`, else the image that `verify_ref` names."""
        if self.expect is not None:
            return self.expect
        return Expectation(reference=self.verify_ref) if self.verify_ref else None


def target_type_of(target_ref: str) -> TargetType:
    """`dynamic:` and `text:` say it themselves; any other name is a reference image."""
    if target_ref.startswith(DYNAMIC):
        return TargetType.DYNAMIC
    return TargetType.TEXT if target_ref.startswith(TEXT) else TargetType.ICON


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """Steps towards a goal (seed 004). `module` names the app module that made the plan; `images` where its references are."""

    analysis: Mapping[str, Any]
    steps: tuple[StepPlan, ...]
    success_criteria: str = ""
    potential_issues: tuple[str, ...] = ()
    module: str = ""


class Planner(Protocol):
    """Makes a plan for a task. Raises NoPlan when it knows no way."""

    def plan(self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] = ()) -> TaskPlan: ...

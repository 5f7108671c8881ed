"""Plans: the steps that carry out a task given in a person's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, Protocol

from handeye.errors import InvalidPlan
from handeye.plan.templates.template import TextTemplate
from handeye.screen import Screen
from handeye.target import DYNAMIC, TEXT, Expectation, Target, parse_target

_EMPTY: Mapping[str, Any] = MappingProxyType({})
LATE_PARTS = ("text", "gone")
_NONE_LATE: Mapping[str, TextTemplate] = MappingProxyType({})


class DefaultTime(int):
    """Default time in milliseconds, which an execution level may override; a plain int was chosen by the plan's author."""


DEFAULT_WAIT_AFTER: Final = DefaultTime(300)
"""Default `wait_after` in milliseconds (docs/spec/vision-agent.md); the execution level's own wait is used instead."""


class ActionName(Enum):
    """Action of a step (docs/spec/vision-agent.md)."""

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
    CHECK = "check"  # only verifies: for a state that must hold before the next act
    READ = "read"  # takes a value from the screen, for a later step
    RETURN_HOME = "return_home"  # BACK until `target`, which only an app's first page has, is there

    @property
    def needs_target(self) -> bool:
        return self in (ActionName.TAP, ActionName.LONG_PRESS)


class TargetType(Enum):
    """Kind of a target (docs/spec/vision-agent.md)."""

    ICON = "icon"
    UI = "ui"
    STATE = "state"
    TEXT = "text"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True)
class Condition:
    """
    Condition of a step: it runs only if `expect` holds on the screen (with `wanted` False: only if it does not).

    Steps with the same `group` share one decision, made when the first of them is reached. A condition that cannot be decided
    does not hold: "unless the app is open already" then opens it.
    """

    expect: Expectation
    wanted: bool = True
    group: int = 0


@dataclass(frozen=True, slots=True)
class StepPlan:
    """
    One step of a plan (docs/spec/vision-agent.md). Times are in milliseconds.

    `target_ref` is a reference image's name or alias, `text:...` or `dynamic:...`; `target` is the same as a `Target`.
    `expect` is what must be seen afterwards; `fallback` is what to do if the target is not there, at most three times.
    `guard` must hold on the same frame on which the step acts, else nothing is done. `timeout` is how long the expectation may
    take to come true. All `conditions` must hold, else the step is skipped.

    `late` are texts with values that an earlier READ step takes from the screen, keyed by their place in the step
    ("params.text", "expect.text", "target.text", "guard.text", "description"); `with_values` fills them in. What was read is
    data: it is typed, searched for and compared, and never chooses an app, an address or an image.

    `momentary`: the step only closes a pop-up that is open now. It is not part of the task and is never remembered.
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
    wait_after: int = DEFAULT_WAIT_AFTER
    target: Target | None = None
    expect: Expectation | None = None
    guard: Expectation | None = None
    conditions: tuple[Condition, ...] = ()
    late: Mapping[str, TextTemplate] = field(default_factory=lambda: _NONE_LATE)
    momentary: bool = False

    @property
    def wanted(self) -> Target | None:
        """The target to look for: `target`, else the one parsed from `target_ref`."""
        if self.target is not None:
            return self.target
        return parse_target(self.target_ref) if self.target_ref else None

    def with_values(self, values: Mapping[str, str]) -> StepPlan:
        """Return the step with its `late` texts filled in. Raises InvalidPlan if a value is missing."""
        step = self
        for place, template in self.late.items():
            step = _put(step, place, template.fill(values))
        return replace(step, late=_NONE_LATE)

    @property
    def expectation(self) -> Expectation | None:
        """The state that must be seen afterwards: `expect`, else the image `verify_ref`, else `success_condition`."""
        if self.expect is not None:
            return self.expect
        if self.verify_ref:
            return Expectation(reference=self.verify_ref)
        return Expectation(description=self.success_condition) if self.success_condition else None


def _put(step: StepPlan, place: str, text: str) -> StepPlan:
    if place == "description":
        return replace(step, description=text)
    part, _, name = place.partition(".")
    if part == "params":
        return replace(step, params=MappingProxyType({**step.params, name: text}))
    if part == "target" and step.target is not None and name == "text":
        return replace(step, target=replace(step.target, text=text), target_ref=f"{TEXT}{text}")
    if part == "expect" and step.expect is not None and name in LATE_PARTS:
        return replace(step, expect=_with(step.expect, name, text))
    if part == "guard" and step.guard is not None and name in LATE_PARTS:
        return replace(step, guard=_with(step.guard, name, text))
    raise InvalidPlan(f"step {step.step}: a value that is read on the way cannot stand in {place!r}")


def _with(expect: Expectation, name: str, text: str) -> Expectation:
    return replace(expect, text=text) if name == "text" else replace(expect, gone=text)


def target_type_of(target_ref: str) -> TargetType:
    """Return the type from the prefix `dynamic:` or `text:`; any other name is a reference image."""
    if target_ref.startswith(DYNAMIC):
        return TargetType.DYNAMIC
    return TargetType.TEXT if target_ref.startswith(TEXT) else TargetType.ICON


class PlanOrigin(Enum):
    """Source of a plan."""

    TEMPLATE = "template"
    MEMORY = "memory"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """
    Steps towards a goal (docs/spec/vision-agent.md). `module` names the app module that made the plan, or whose images it uses.

    `doubt` is the reason why the task is not proved even if every step succeeds (see `handeye.plan.consent.proof`); such a run
    ends in NEEDS_REVIEW.
    """

    analysis: Mapping[str, Any]
    steps: tuple[StepPlan, ...]
    success_criteria: str = ""
    potential_issues: tuple[str, ...] = ()
    module: str = ""
    origin: PlanOrigin = PlanOrigin.TEMPLATE
    doubt: str = ""


class TaskPlanner(Protocol):
    """Makes a plan for a task, and a new one when the first has failed. Raises NoPlan if it finds none."""

    def plan(
        self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] | None = None
    ) -> TaskPlan: ...

    def replan(
        self,
        original_task: str,
        current_screenshot: Screen | None,
        failed_step: StepPlan,
        failure_reason: str,
        executed_steps: Sequence[StepPlan],
    ) -> TaskPlan: ...

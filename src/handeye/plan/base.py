"""From a task in a person's words to steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, Protocol

from handeye.errors import InvalidPlan
from handeye.plan.templates.template import TextTemplate
from handeye.screen import Screen
from handeye.target import DYNAMIC, TEXT, Expectation, Target

_EMPTY: Mapping[str, Any] = MappingProxyType({})
LATE_PARTS = ("text", "gone")
_NONE_LATE: Mapping[str, TextTemplate] = MappingProxyType({})


class Unsaid(int):
    """A time that nobody has chosen: the usual one to who reads the step, and no say against what is known better."""


USUAL_WAIT_AFTER: Final = Unsaid(300)
"""Seed 004's `wait_after`, in milliseconds, of a step that says none: its execution level's wait is used then."""


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
    READ = "read"  # takes a value from the screen, for a later step
    RETURN_HOME = "return_home"  # BACK until `target`, which stands on an app's first page only, is there

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
class Condition:
    """
    When a step is carried out at all: only if `expect` holds on the screen (or does not, with `wanted` False).

    Steps that share a `group` share one decision, made when the first of them is reached. What cannot be decided does not
    hold: "unless the app is open already" then opens it.
    """

    expect: Expectation
    wanted: bool = True
    group: int = 0


@dataclass(frozen=True, slots=True)
class StepPlan:
    """
    One step of a plan (seed 004). Times are in milliseconds.

    `target_ref` is a reference image's name or alias, `text:...` or `dynamic:...`; `target` is the same, fully described.
    `expect` is what must be seen afterwards; `fallback` what to do when the target is not there, at most three times.
    `guard` must hold on the very frame on which the step acts, else nothing is done. `timeout` is the time until which the
    expectation may come true. Of `conditions` all must hold, else the step is skipped.

    `late` are texts that hold values which an earlier READ step takes from the screen, by their place in the step
    ("params.text", "expect.text", "target.text", "guard.text", "description"); `with_values` puts them in. What was read is
    data: it is typed, looked for and compared, and never chooses an app, an address or an image.

    `momentary`: the step only closes what happens to be in the way now. It is not part of how the task is done, and never
    remembered.
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
    wait_after: int = USUAL_WAIT_AFTER
    target: Target | None = None
    expect: Expectation | None = None
    guard: Expectation | None = None
    conditions: tuple[Condition, ...] = ()
    late: Mapping[str, TextTemplate] = field(default_factory=lambda: _NONE_LATE)
    momentary: bool = False

    @property
    def wanted(self) -> Target | None:
        """What to look for: `target`, else what `target_ref` says."""
        if self.target is not None:
            return self.target
        return Target.parse(self.target_ref) if self.target_ref else None

    def with_values(self, values: Mapping[str, str]) -> StepPlan:
        """The step with what was read on the way put into its `late` texts. Raises InvalidPlan when one is missing."""
        step = self
        for place, template in self.late.items():
            step = _put(step, place, template.fill(values))
        return replace(step, late=_NONE_LATE)

    @property
    def expectation(self) -> Expectation | None:
        """What must be seen afterwards: `expect`, else the image `verify_ref`, else what `success_condition` says."""
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
    """`dynamic:` and `text:` say it themselves; any other name is a reference image."""
    if target_ref.startswith(DYNAMIC):
        return TargetType.DYNAMIC
    return TargetType.TEXT if target_ref.startswith(TEXT) else TargetType.ICON


class PlanOrigin(Enum):
    """Who made a plan."""

    TEMPLATE = "template"
    MEMORY = "memory"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """
    Steps towards a goal (seed 004). `module` names the app module that made the plan, or whose images it uses.

    `doubt` says why the task is not proved even when every step has proved what it expects (see
    `handeye.plan.consent.proof`): such a run ends in NEEDS_REVIEW.
    """

    analysis: Mapping[str, Any]
    steps: tuple[StepPlan, ...]
    success_criteria: str = ""
    potential_issues: tuple[str, ...] = ()
    module: str = ""
    origin: PlanOrigin = PlanOrigin.TEMPLATE
    doubt: str = ""


class TaskPlanner(Protocol):
    """Makes a plan for a task, and another one when the first has failed. Raises NoPlan when it knows no way."""

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

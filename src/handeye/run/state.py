"""State of a run that is carried from one step to the next, and the parts that a run works with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

from handeye.blockers import PermissionPolicy
from handeye.clock import Clock
from handeye.devices import Device
from handeye.ocr import TextReader
from handeye.perceive import StateProvider
from handeye.plan import ActionName, PlanOrigin, StepPlan, TaskPlan, TaskPlanner
from handeye.roles import role_of
from handeye.run.action_history import ActionHistory, is_harmless
from handeye.run.levels import Limits
from handeye.run.result import Event, EventKind, Listener, StepResult
from handeye.run.secret_frames import NOT_KEPT, ShownSecret
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.usage import Usage
from handeye.verify import Verifier

# Seconds for which a frame counts as current. Judging one by its text takes less, by a model longer.
FRESH_S: Final = 1.0
# Roles of fields that take text.
_FIELDS: Final = frozenset({"input", "combo box"})


@dataclass(slots=True)
class RunState:
    """
    State of a run between its steps.

    `seen` is the last frame, taken at `seen_at` (see `fresh`), for steps that do not touch what they see on it. `untyped` is
    the frame before the last typing: new text is found by comparison with it. `secrets` are those that may be on the screen:
    frames that may show one are dropped. `replanned` is True once a step has failed: from then on `deeds` is consulted before
    every act. `app` is the app that the steps have led into, where they name one. `in_field` is True if a field was typed
    into or tapped, and its keyboard was not closed since. `reported` is the step in which an error report was dismissed last.
    `plan` is the current plan, if any, and `task` its task. `unseen` is the last step that was not repeated although no
    effect was seen, because repeating it may do harm. `aside` are the acts of fallbacks. `gone` is True while the device is
    awaited, or if it did not come back.
    """

    deeds: ActionHistory = field(default_factory=ActionHistory)
    seen: Screen | None = None
    untyped: Screen | None = None
    secrets: list[ShownSecret] = field(default_factory=list)
    replanned: bool = False
    seen_at: float = -math.inf
    app: str | None = None
    in_field: bool = False
    reported: StepPlan | None = None
    plan: TaskPlan | None = None
    task: str = ""
    unseen: StepPlan | None = None
    aside: list[StepPlan] = field(default_factory=list)
    gone: bool = False

    def see(self, screen: Screen, now: float) -> None:
        """Record that `screen` was taken at `now`, by the run's clock."""
        self.seen, self.seen_at = screen, now

    def acted(self, step: StepPlan, role: str) -> None:
        """Record that the step acted on an element of that role, where it has one: a field brings up the keyboard."""
        wanted = step.wanted
        asked = role_of(wanted.role) if wanted is not None and wanted.role else None
        self.in_field |= step.action is ActionName.INPUT_TEXT or bool(_FIELDS & {role, asked})

    def may_repeat(self, step: StepPlan, role: str) -> bool:
        """
        Return True if the step may be repeated where no effect was seen, up to its `retry`: only acts that are known to be
        harmless, whoever planned them. A template's `retry` does not permit more: it is the same number as the default. Only
        for a swipe sideways, which turns a page or throws a row out of a list, is the author of the template trusted.
        """
        plan = self.plan
        if step.action is ActionName.SWIPE and (plan is None or plan.origin is PlanOrigin.TEMPLATE):
            return True
        return is_harmless(step, plan.steps if plan is not None else (), role)

    def fresh(self, step: StepPlan, now: float) -> Screen | None:
        """
        Return the last frame, where it is still current for `step`: on some phones a frame takes up to 2 s. None when the
        step has waited since, or has a guard, which must hold at the moment of the act.
        """
        old = step.guard is not None or step.wait_before > 0 or now - self.seen_at > FRESH_S
        return None if old else self.seen

    def drop_secret_frames(self, result: StepResult, reader: TextReader | None) -> None:
        """Remove the result's frames that may show a secret, and add a note about it."""
        frames = [frame for frame in (result.screenshot_before, result.screenshot_after) if frame is not None]
        dropped = [frame for frame in frames if any(each.may_be_visible_on(frame, reader) for each in self.secrets)]
        if dropped and NOT_KEPT not in result.notes:
            result.notes.append(NOT_KEPT)
        if result.screenshot_before in dropped:
            result.screenshot_before = None
        if result.screenshot_after in dropped:
            result.screenshot_after = None

    def let_go(self, *frames: Screen | None) -> None:
        """Release what was computed from frames that no later step compares with."""
        for frame in frames:
            if frame is not None and frame is not self.seen and frame is not self.untyped:
                frame.release()


# Parts that a run locates and verifies with, composed once per plan.


class Finder(Protocol):
    """Locates one target on one frame; "not found" is a result, not an error."""

    def locate(self, target: Target, screen: Screen) -> LocateResult: ...

    def judge(self, target: Target, held: bool) -> None:
        """Report on the last find for `target` after it was acted on: it was proved right (`held` is True), or it failed."""
        ...


class UsageMeter(Protocol):
    """Adds up the model usage."""

    @property
    def usage(self) -> Usage: ...


class Account(UsageMeter, Protocol):
    """The model budget of a task, and its usage."""

    def renew(self) -> None:
        """Reset the budget for the next task."""
        ...


@runtime_checkable
class LearningPlanner(TaskPlanner, Protocol):
    """A planner that remembers which plans worked."""

    def succeeded(self, plan: TaskPlan) -> None:
        """Record that the goal was proved by this plan alone."""
        ...

    def failed(self, plan: TaskPlan) -> None:
        """Record that the plan did not reach its goal."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """
    The locator, the verifier and the readers of a run.

    `offline` locates what may be searched for while a page still moves: it asks no model, and accepts no icon, drawn control
    or other label for words; None when that is what `finder` does. `meter` counts the model usage of the others; None when
    they ask no model. `reader` and `tree` read values, and read typed text back.
    """

    finder: Finder
    verifier: Verifier
    meter: UsageMeter | None = None
    reader: TextReader | None = None
    tree: StateProvider | None = None
    offline: Finder | None = None

    @property
    def usage(self) -> Usage:
        return self.meter.usage if self.meter is not None else Usage()


ToolsFor = Callable[[TaskPlan], Tools]


# Context that every part of a run receives.


@dataclass(frozen=True, slots=True)
class Context:
    """The device, the tools, the clock, the limits, the event listener and the permission policy of a run."""

    device: Device
    tools: Tools
    clock: Clock
    limits: Limits
    listen: Listener
    policy: PermissionPolicy = field(default_factory=PermissionPolicy)

    def tell(self, kind: EventKind, result: StepResult, message: str = "") -> None:
        """Send an event about the step that `result` belongs to."""
        self.listen(Event(kind, self.clock.wall(), message, step=result.step, step_result=result))

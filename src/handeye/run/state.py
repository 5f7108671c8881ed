"""What a run remembers from one step to the next."""

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

# Seconds for which a frame counts as what the screen shows. Judging one by its text takes less, by a model longer.
FRESH_S: Final = 1.0
# Roles of what is typed into.
_FIELDS: Final = frozenset({"input", "combo box"})


@dataclass(slots=True)
class RunState:
    """
    `seen` is the last frame, of the time `seen_at` (see `fresh`), for steps that do not touch what they see on it. `untyped` is
    the frame before the last typing: what stands there anew is told by comparing with it. `secrets` are those that the screen
    may show by now: no piece of it is kept then, and no frame on which one may stand. `replanned` says that a step failed
    before: from then on `deeds` has a say in every act. `app` is the one that the steps have led into, where they say so.
    `in_field` says that a field was typed into or tapped, and that its keyboard was not closed since. `reported` is the step in
    which an error's report was dismissed last. `plan` is the one that is carried out, where there is one, and `task` what it is
    for. `unseen` is the last step that was done once, and of whose effect nothing was seen, because nobody knows what a second
    time would do. `aside` is what fallbacks have done. `gone` says that the device is waited for, or did not come back.
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
        """`screen` was taken just `now`, by the run's clock."""
        self.seen, self.seen_at = screen, now

    def acted(self, step: StepPlan, role: str) -> None:
        """The step has acted on an element of that role, where it has one: a field brings up the keyboard."""
        wanted = step.wanted
        asked = role_of(wanted.role) if wanted is not None and wanted.role else None
        self.in_field |= step.action is ActionName.INPUT_TEXT or bool(_FIELDS & {role, asked})

    def may_repeat(self, step: StepPlan, role: str) -> bool:
        """
        Whether the step may be done again where nothing was seen of it, as often as its `retry` says: what is known to do no
        harm, whoever has planned it. That a template says how often is no word on that: it is the same number as the usual one.
        Only a swipe to the side, which turns a page or throws a row out of a list, is what the writer of a template has seen.
        """
        plan = self.plan
        if step.action is ActionName.SWIPE and (plan is None or plan.origin is PlanOrigin.TEMPLATE):
            return True
        return is_harmless(step, plan.steps if plan is not None else (), role)

    def fresh(self, step: StepPlan, now: float) -> Screen | None:
        """
        The last frame, where `step` may still go by it: on some phones a frame takes up to 2 s. None when the step has waited
        since, or has a guard, which must hold at the moment of the act.
        """
        old = step.guard is not None or step.wait_before > 0 or now - self.seen_at > FRESH_S
        return None if old else self.seen

    def drop_secret_frames(self, result: StepResult, reader: TextReader | None) -> None:
        """Take out of the result its frames on which a secret may stand, and say so in its notes."""
        frames = [frame for frame in (result.screenshot_before, result.screenshot_after) if frame is not None]
        dropped = [frame for frame in frames if any(each.may_stand_on(frame, reader) for each in self.secrets)]
        if dropped and NOT_KEPT not in result.notes:
            result.notes.append(NOT_KEPT)
        if result.screenshot_before in dropped:
            result.screenshot_before = None
        if result.screenshot_after in dropped:
            result.screenshot_after = None

    def let_go(self, *frames: Screen | None) -> None:
        """Give back what was computed from frames that no later step compares with."""
        for frame in frames:
            if frame is not None and frame is not self.seen and frame is not self.untyped:
                frame.release()


# What a run looks and checks with, composed once per plan.


class Finder(Protocol):
    """Finds one target on one frame; "not found" is a result, not an error."""

    def locate(self, target: Target, screen: Screen) -> LocateResult: ...

    def judge(self, target: Target, held: bool) -> None:
        """Tell that the last find for `target` was acted on: that was proved to be right (`held`), or it failed."""
        ...


class Metered(Protocol):
    """Adds up what asking models has cost."""

    @property
    def usage(self) -> Usage: ...


class Account(Metered, Protocol):
    """The budget of a task's models, and what they have spent."""

    def renew(self) -> None:
        """The next task begins: it may spend as much as the one before."""
        ...


@runtime_checkable
class LearningPlanner(TaskPlanner, Protocol):
    """A planner that remembers what has worked."""

    def succeeded(self, plan: TaskPlan) -> None:
        """The goal was proved by this plan alone."""
        ...

    def failed(self, plan: TaskPlan) -> None:
        """The plan did not lead to its goal."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """
    `offline` finds what may be looked for while a page still moves: it asks no model, and takes no icon, no drawn control and
    no other label for words; None when that is what `finder` does. `meter` counts what the others ask of models; None when they
    ask none. `reader` and `tree` are what values are read with, and typed text is read back with.
    """

    finder: Finder
    verifier: Verifier
    meter: Metered | None = None
    reader: TextReader | None = None
    tree: StateProvider | None = None
    offline: Finder | None = None

    @property
    def usage(self) -> Usage:
        return self.meter.usage if self.meter is not None else Usage()


ToolsFor = Callable[[TaskPlan], Tools]


# What every part of a run works with, handed on as one value.


@dataclass(frozen=True, slots=True)
class Context:
    """The device, what looks at it, the time, the bounds, who listens, and who decides on permissions."""

    device: Device
    tools: Tools
    clock: Clock
    limits: Limits
    listen: Listener
    policy: PermissionPolicy = field(default_factory=PermissionPolicy)

    def tell(self, kind: EventKind, result: StepResult, message: str = "") -> None:
        """An event about the step that `result` belongs to."""
        self.listen(Event(kind, self.clock.wall(), message, step=result.step, step_result=result))

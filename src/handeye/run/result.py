"""How a run ended, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from handeye.errors import HandeyeError
from handeye.plan import StepPlan, TaskPlan
from handeye.run.levels import ExecutionLevel, level_of
from handeye.screen import Screen
from handeye.target import LocateResult
from handeye.usage import Usage
from handeye.verify import VerifyResult


class StepStatus(Enum):
    """Seed 004's states, and UNVERIFIED: it was done, but nothing proves its effect."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    UNVERIFIED = "unverified"
    FAILED = "failed"
    SKIPPED = "skipped"


class TaskStatus(Enum):
    """Seed 004's states, and NEEDS_REVIEW: every step was done, but the goal could not be proved."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    NEEDS_REVIEW = "needs_review"
    FAILED = "failed"
    ABORTED = "aborted"


@dataclass
class StepResult:
    """
    What happened in one step. Times are seconds since the epoch.

    `notes` are the readable trail: fallbacks, dismissed blockers, how text was typed. `usage` is what asking models has cost in
    this step; None when none was asked. `value` is what a READ step took from the screen. `acted` says that an act of the step
    was given to the device, or may have been.
    """

    step: StepPlan
    status: StepStatus = StepStatus.PENDING
    start_time: float = 0.0
    end_time: float = 0.0
    retry_count: int = 0
    error_message: str = ""
    error: HandeyeError | None = None
    screenshot_before: Screen | None = None
    screenshot_after: Screen | None = None
    verify_result: VerifyResult | None = None
    located: LocateResult | None = None
    notes: list[str] = field(default_factory=list)
    usage: Usage | None = None
    value: str | None = None
    acted: bool = False

    @property
    def level(self) -> ExecutionLevel:
        """How much looking the step needs (seed 004)."""
        return level_of(self.step)

    @property
    def passed_over(self) -> bool:
        """Whether the step was done all the same: what it should bring about stood there before, and nothing changed."""
        return self.status is StepStatus.SKIPPED and self.verify_result is not None

    @property
    def elapsed_s(self) -> float:
        return max(0.0, self.end_time - self.start_time)

    def fail(self, message: str) -> None:
        """The step has come to a bad end, for what `message` says."""
        self.status = StepStatus.FAILED
        self.error_message = message

    def to_dict(self) -> dict[str, Any]:
        """For JSON: no pixels."""
        element = self.located.element if self.located else None
        verdict = self.verify_result
        return {
            "step": self.step.step,
            "action": self.step.action.value,
            "level": self.level.value,
            "description": self.step.description,
            "status": self.status.value,
            "elapsed_s": round(self.elapsed_s, 3),
            "retries": self.retry_count,
            "error": self.error_message,
            "method": self.located.method_used if self.located else None,
            "confidence": round(self.located.confidence, 3) if element and self.located else None,
            "box": list(element.bbox) if element else None,
            "verified": verdict.verified if verdict is not None else None,
            "evidence": list(verdict.evidence) if verdict is not None else [],
            "notes": list(self.notes),
            **({"value": self.value} if self.value is not None else {}),
            **({"usage": self.usage.to_dict()} if self.usage is not None else {}),
        }


@dataclass
class TaskResult:
    """
    How a task ended. `total_time` in seconds.

    `replans` are the plans that replaced the rest of `plan` after a step had failed, in order; `values` what READ steps took
    from the screen, by name. `planning` is what making plans has cost; None when no model was asked.
    """

    task: str
    status: TaskStatus
    plan: TaskPlan | None = None
    step_results: list[StepResult] = field(default_factory=list)
    total_time: float = 0.0
    error_message: str = ""
    error: HandeyeError | None = None
    device: str = ""
    replans: list[TaskPlan] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    planning: Usage | None = None

    @property
    def success(self) -> bool:
        return self.status is TaskStatus.SUCCESS

    @property
    def usage(self) -> Usage | None:
        """What asking models has cost, for plans and in all steps; None when none was asked."""
        costs = [cost for cost in (self.planning, *(step.usage for step in self.step_results)) if cost is not None]
        return sum(costs, start=Usage()) if costs else None

    def planned_with(self, cost: Usage) -> None:
        """Add what asking for a plan has cost."""
        if cost.calls:
            self.planning = (self.planning or Usage()) + cost

    @property
    def model_calls(self) -> int:
        """How often a model was asked."""
        return self.usage.calls if self.usage is not None else 0

    def to_dict(self) -> dict[str, Any]:
        """For JSON: no pixels."""
        return {
            "task": self.task,
            "status": self.status.value,
            "error": self.error_message,
            "device": self.device,
            "module": self.plan.module if self.plan else None,
            "total_s": round(self.total_time, 3),
            "model_calls": self.model_calls,
            "replans": len(self.replans),
            **({"values": dict(self.values)} if self.values else {}),
            "steps": [result.to_dict() for result in self.step_results],
            **({"usage": self.usage.to_dict()} if self.usage is not None else {}),
        }


def status_of(results: Sequence[StepResult]) -> TaskStatus:
    """
    The status of a run whose steps were all carried out, those that another plan got around left aside.

    The goal is what the last step brings about: a run is a success when that is proved, and every earlier step that had
    something to prove proved it. Steps that expect nothing need no proof: the last one could not hold without them.
    """
    if not results or results[-1].status is not StepStatus.SUCCESS:
        return TaskStatus.NEEDS_REVIEW
    return TaskStatus.NEEDS_REVIEW if any(map(_is_doubtful, results)) else TaskStatus.SUCCESS


def _is_doubtful(result: StepResult) -> bool:
    """Whether the step should have proved something and did not; one whose conditions did not hold had nothing to prove."""
    open_ended = result.status is StepStatus.UNVERIFIED or result.passed_over
    return open_ended and has_to_prove(result.step)


def has_to_prove(step: StepPlan) -> bool:
    """Whether the step expects more than that something changes."""
    expect = step.expectation
    return expect is not None and (expect.is_evidence or expect.app is not None)


# What happens in a run, as plain records: the run's only output. Progress, reports and traces listen.


class EventKind(Enum):
    RUN_STARTED = "run_started"
    PLANNED = "planned"
    REPLANNED = "replanned"
    STEP_STARTED = "step_started"
    LOCATED = "located"
    NOT_FOUND = "not_found"
    FALLBACK = "fallback"
    BLOCKER = "blocker"
    DEVICE = "device"  # the device is gone and waited for, or is back
    ACTING = "acting"  # the step is about to act: without it, nothing was done in it
    ACTED = "acted"
    VERIFIED = "verified"
    RETRY = "retry"
    STEP_FINISHED = "step_finished"
    NOTED = "noted"  # why the run goes on, or does not, after a step that failed: its notes have grown
    RUN_FINISHED = "run_finished"


@dataclass(frozen=True, slots=True)
class Event:
    """
    One thing that happened. `at` is seconds since the epoch; `message` is for people and never holds a secret.

    What the event is about comes with it: the plan, the step, the step's result or the run's.
    """

    kind: EventKind
    at: float
    message: str = ""
    plan: TaskPlan | None = None
    step: StepPlan | None = None
    step_result: StepResult | None = None
    result: TaskResult | None = None


Listener = Callable[[Event], None]


def ignore_events(event: Event) -> None:
    """A listener that does not listen."""


def combined_listener(one: Listener, other: Listener) -> Listener:
    """A listener that lets two hear, in this order."""

    def listen(event: Event) -> None:
        one(event)
        other(event)

    return listen

"""Results of a run and its steps, and the events of a run."""

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
    """The states of docs/spec/vision-agent.md, and UNVERIFIED: it was done, but its effect is not proved."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    UNVERIFIED = "unverified"
    FAILED = "failed"
    SKIPPED = "skipped"


class TaskStatus(Enum):
    """The states of docs/spec/vision-agent.md, and NEEDS_REVIEW: every step was done, but the goal could not be proved."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    NEEDS_REVIEW = "needs_review"
    FAILED = "failed"
    ABORTED = "aborted"


@dataclass
class StepResult:
    """
    Result of one step. Times are seconds since the epoch.

    `notes` are a readable log: fallbacks, dismissed blockers, how text was typed. `usage` is the model usage of this step;
    None when no model was asked. `value` is what a READ step read from the screen. `acted` is True if an act of the step was
    given to the device, or may have been.
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
        """The step's execution level, from 0 (not checked) to 3 (located by a model)."""
        return level_of(self.step)

    @property
    def passed_over(self) -> bool:
        """True if the step was skipped after it was done: its effect was there before, and nothing changed."""
        return self.status is StepStatus.SKIPPED and self.verify_result is not None

    @property
    def elapsed_s(self) -> float:
        return max(0.0, self.end_time - self.start_time)

    def fail(self, message: str) -> None:
        """Mark the step as failed with this error message."""
        self.status = StepStatus.FAILED
        self.error_message = message

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dict without pixels."""
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
    Result of a task. `total_time` in seconds.

    `replans` are the plans that replaced the rest of `plan` after a step had failed, in order; `values` what READ steps read
    from the screen, by name. `planning` is the model usage of making plans; None when no model was asked.
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
        """Model usage of planning and all steps; None when no model was asked."""
        costs = [cost for cost in (self.planning, *(step.usage for step in self.step_results)) if cost is not None]
        return sum(costs, start=Usage()) if costs else None

    def planned_with(self, cost: Usage) -> None:
        """Add the model usage of making a plan."""
        if cost.calls:
            self.planning = (self.planning or Usage()) + cost

    @property
    def model_calls(self) -> int:
        """Number of calls to models."""
        return self.usage.calls if self.usage is not None else 0

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dict without pixels."""
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
    Return the status of a run whose steps were all carried out, except those that another plan got around.

    The goal is the effect of the last step: a run is a success when that is proved, and every earlier step that had something
    to prove proved it. Steps that expect nothing need no proof: the last one could not hold without them.
    """
    if not results or results[-1].status is not StepStatus.SUCCESS:
        return TaskStatus.NEEDS_REVIEW
    return TaskStatus.NEEDS_REVIEW if any(map(_is_doubtful, results)) else TaskStatus.SUCCESS


def _is_doubtful(result: StepResult) -> bool:
    """
    Return True if the step should have proved something and did not; one whose conditions did not hold had nothing to prove.
    """
    open_ended = result.status is StepStatus.UNVERIFIED or result.passed_over
    return open_ended and has_to_prove(result.step)


def has_to_prove(step: StepPlan) -> bool:
    """Return True if the step expects more than that something changes."""
    expect = step.expectation
    return expect is not None and (expect.is_evidence or expect.app is not None)


# Events of a run: progress display, reports and traces listen to them.


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
    An event of a run. `at` is seconds since the epoch; `message` is for people and never holds a secret.

    The event carries its subject: the plan, the step, the step's result or the run's.
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
    """Ignore the event: the default listener."""


def combined_listener(one: Listener, other: Listener) -> Listener:
    """Return a listener that calls two listeners, in this order."""

    def listen(event: Event) -> None:
        one(event)
        other(event)

    return listen

"""What happens in a run, as plain records: the run's only output. Progress, reports and traces listen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from handeye.plan.base import StepPlan, TaskPlan
from handeye.run.result import StepResult, TaskResult


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


def ignore(event: Event) -> None:
    """A listener that does not listen."""


def both(one: Listener, other: Listener) -> Listener:
    """A listener that lets two hear, in this order."""

    def listen(event: Event) -> None:
        one(event)
        other(event)

    return listen

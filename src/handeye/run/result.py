"""How a run ended, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from handeye.errors import HandeyeError
from handeye.models.usage import Usage
from handeye.plan.base import StepPlan, TaskPlan
from handeye.screen import Screen
from handeye.target import LocateResult
from handeye.verify.base import VerifyResult


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
    this step; None when none was asked.
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

    @property
    def elapsed_s(self) -> float:
        return max(0.0, self.end_time - self.start_time)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: no pixels."""
        element = self.located.element if self.located else None
        verdict = self.verify_result
        return {
            "step": self.step.step,
            "action": self.step.action.value,
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
            **({"usage": self.usage.to_dict()} if self.usage is not None else {}),
        }


@dataclass
class TaskResult:
    """How a task ended. `total_time` in seconds."""

    task: str
    status: TaskStatus
    plan: TaskPlan | None = None
    step_results: list[StepResult] = field(default_factory=list)
    total_time: float = 0.0
    error_message: str = ""
    error: HandeyeError | None = None
    device: str = ""

    @property
    def success(self) -> bool:
        return self.status is TaskStatus.SUCCESS

    @property
    def usage(self) -> Usage | None:
        """What asking models has cost in all steps; None when none was asked."""
        costs = [step.usage for step in self.step_results if step.usage is not None]
        return sum(costs, start=Usage()) if costs else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON: no pixels."""
        return {
            "task": self.task,
            "status": self.status.value,
            "error": self.error_message,
            "device": self.device,
            "module": self.plan.module if self.plan else None,
            "total_s": round(self.total_time, 3),
            "steps": [result.to_dict() for result in self.step_results],
            **({"usage": self.usage.to_dict()} if self.usage is not None else {}),
        }

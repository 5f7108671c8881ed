"""Redaction of secrets: text typed by steps whose params contain `secret`, wherever it occurs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from handeye.plan import SHORTEST_SECRET, ActionName, StepPlan, TaskPlan, hidden, is_secret, secret_slots
from handeye.run import StepResult, TaskResult


class Secrets:
    """The secrets of one run that are known so far."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._names: set[str] = set()

    @classmethod
    def of(cls, result: TaskResult) -> Self:
        """Return all text that a run typed, or planned to type, secretly."""
        secrets = cls()
        secrets.learn(step for plan in (result.plan, *result.replans) if plan is not None for step in plan.steps)
        for step in result.step_results:
            secrets.add_result(step)
        return secrets

    @classmethod
    def of_plan(cls, plan: TaskPlan) -> Self:
        """Return the text that the steps of a plan would type secretly."""
        secrets = cls()
        secrets.learn(plan.steps)
        return secrets

    def learn(self, steps: Iterable[StepPlan]) -> None:
        """Add the texts that the steps type secretly, and the names of values that they will read first."""
        for step in steps:
            if not is_secret(step):
                continue
            self._add(str(step.params.get("text", "")))
            self._names |= secret_slots(step)

    def add_result(self, result: StepResult) -> None:
        """Like `learn`, and add the value that the step has read if it is to be typed secretly."""
        self.learn((result.step,))
        if self.reads_secret(result.step) and result.value is not None:
            self._add(result.value)

    def reads_secret(self, step: StepPlan) -> bool:
        return step.action is ActionName.READ and step.params.get("save_as") in self._names

    def hidden(self, value: Any) -> Any:
        """Return `value` with all secrets redacted (see `handeye.plan.serialization.hidden`)."""
        return hidden(value, self._texts)

    def _add(self, text: str) -> None:
        """Add a secret. One shorter than SHORTEST_SECRET is ignored, since it occurs in too many words."""
        if len(text) >= SHORTEST_SECRET:
            self._texts |= {text, repr(text)[1:-1]}  # an error may quote it

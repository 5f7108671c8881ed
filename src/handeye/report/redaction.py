"""What must not be written down: texts typed by steps whose params say `secret`, wherever they occur."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from handeye.plan import SHORTEST_SECRET, ActionName, StepPlan, TaskPlan, hidden, is_secret, secret_slots
from handeye.run import StepResult, TaskResult


class Secrets:
    """The secrets of one run, as far as they are known by now."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._names: set[str] = set()

    @classmethod
    def of(cls, result: TaskResult) -> Self:
        """All that a run has typed secretly, or was going to."""
        secrets = cls()
        secrets.learn(step for plan in (result.plan, *result.replans) if plan is not None for step in plan.steps)
        for step in result.step_results:
            secrets.learn_result(step)
        return secrets

    @classmethod
    def of_plan(cls, plan: TaskPlan) -> Self:
        """What the steps of a plan would type secretly."""
        secrets = cls()
        secrets.learn(plan.steps)
        return secrets

    def learn(self, steps: Iterable[StepPlan]) -> None:
        """The texts that the steps type secretly, and the names of what they will type once it was read."""
        for step in steps:
            if not is_secret(step):
                continue
            self._know(str(step.params.get("text", "")))
            self._names |= secret_slots(step)

    def learn_result(self, result: StepResult) -> None:
        """As `learn`, and what the step has read, if it is to be typed secretly."""
        self.learn((result.step,))
        if self.reads_secret(result.step) and result.value is not None:
            self._know(result.value)

    def reads_secret(self, step: StepPlan) -> bool:
        return step.action is ActionName.READ and step.params.get("save_as") in self._names

    def hidden(self, value: Any) -> Any:
        """`value` with every secret blanked out, as `handeye.plan.serialization.hidden` does it."""
        return hidden(value, self._texts)

    def _know(self, text: str) -> None:
        """The shortest are in every word."""
        if len(text) >= SHORTEST_SECRET:
            self._texts |= {text, repr(text)[1:-1]}  # an error may quote it

"""What must not be written down: texts typed by steps whose params say `secret`, wherever they occur."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final

from handeye.plan.base import ActionName, StepPlan
from handeye.plan.files import SHORTEST_SECRET, is_secret
from handeye.run.result import StepResult

HIDDEN: Final = "••••"
_TYPED: Final = "params.text"


class Secrets:
    """The secrets of one run, as far as they are known by now."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._names: set[str] = set()

    def learn(self, steps: Iterable[StepPlan]) -> None:
        """The texts that the steps type secretly, and the names of what they will type once it was read."""
        for step in steps:
            if not is_secret(step):
                continue
            self._know(str(step.params.get("text", "")))
            if (late := step.late.get(_TYPED)) is not None:
                self._names |= late.slots

    def learn_result(self, result: StepResult) -> None:
        """As `learn`, and what the step has read, if it is to be typed secretly."""
        self.learn((result.step,))
        if self.reads_secret(result.step) and result.value is not None:
            self._know(result.value)

    def reads_secret(self, step: StepPlan) -> bool:
        return step.action is ActionName.READ and step.params.get("save_as") in self._names

    def hidden(self, value: Any) -> Any:
        """`value` with every secret blanked out, in nested records, tuples, lists and mappings too; names of keys stay."""
        if not self._texts:
            return value
        if isinstance(value, str):
            for secret in self._texts:
                value = value.replace(secret, HIDDEN)
            return value
        if isinstance(value, tuple | list):
            return type(value)(self.hidden(item) for item in value)
        if isinstance(value, Mapping):
            return {key: self.hidden(item) for key, item in value.items()}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [each.name for each in dataclasses.fields(value)]
            return dataclasses.replace(value, **{name: self.hidden(getattr(value, name)) for name in names})
        return value

    def _know(self, text: str) -> None:
        """Longest first, so that no secret is torn by a shorter one inside it; the shortest are in every word."""
        if len(text) >= SHORTEST_SECRET and text not in self._texts:
            self._texts = sorted((*self._texts, text), key=len, reverse=True)

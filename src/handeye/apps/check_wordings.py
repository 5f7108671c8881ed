"""Find wordings that never reach their task, because another task takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from handeye.apps.handler import AppHandler
from handeye.apps.registry import ModuleRegistry
from handeye.apps.tasks import TaskTemplate
from handeye.errors import ConfigError
from handeye.plan import Slot, SlotType

TRIED: Final = 8
"""Wordings of one pattern that are tried. Options multiply: a pattern with five of them has 32 wordings, and eight cover each
of the first three; a pattern that is taken as a whole is found with the first."""

_VALUES: Final = {
    SlotType.NAME: "甲乙",
    SlotType.LABEL: "甲乙",
    SlotType.TEXT: "甲乙丙",
    SlotType.URL: "example.com",
    SlotType.PHONE: "10086",
}


@dataclass(frozen=True, slots=True)
class Wordings:
    """The patterns of one module, and those of the modules in `registry`."""

    handler: AppHandler
    registry: ModuleRegistry

    def problems(self) -> Iterator[tuple[ConfigError, bool]]:
        """Yield each pattern with wordings that do not reach its task, and True if none of them does."""
        for template in self.handler.tasks.values():
            values = {name: sample(slot) for name, slot in template.slots.items()}
            for number, pattern in enumerate(template.patterns):
                tasks = pattern.examples(values, TRIED)
                certain = [name for name in template.slots if name in pattern.certain]  # in the file's order
                meant = {name: template.slots[name].accept(values[name], quoted=True) for name in certain}
                lost = [(task, why) for task in tasks if (why := self._lost(template, task, meant))]
                if lost:
                    task, why = lost[0]
                    how_many = "never fits" if len(lost) == len(tasks) else "does not always fit"
                    text = f"has a pattern that {how_many}: {task!r} {why}"
                    expected = "words that no other pattern takes, the task before that one, or [..] for two patterns of a task"
                    yield template.error(text, ("patterns", number), expected), len(lost) == len(tasks)

    def _lost(self, template: TaskTemplate, task: str, meant: Mapping[str, str | None]) -> str:
        """Return the reason why `task` does not reach `template` with the values that are `meant`; empty when it does."""
        own_fit = template.match(task)
        if own_fit is None:
            return "is not what it takes"
        for name, value in meant.items():
            if own_fit.slots.get(name) != value:
                return f"is read with {own_fit.slots.get(name, template.defaults.get(name))!r} as {name}"
        fit = self.handler.match(task)
        if fit is not None and fit[0] is not template:
            return f"is taken by the task {fit[0].name!r}"
        own = self.handler.score(task)
        for other in self.registry.handlers:
            score = other.score(task)
            if other.name != self.handler.name and (score.total, score.templates) > (own.total, own.templates):
                taken = other.match(task)
                return f"goes to the module {other.name!r}" + (f", task {taken[0].name!r}" if taken else "")
        return ""


def sample(slot: Slot) -> str:
    """Return a valid value of the slot."""
    if slot.type is SlotType.ONE_OF:
        return next(iter(slot.one_of))
    if slot.type is SlotType.NUMBER:
        low, high = slot.minimum, slot.maximum
        return f"{low if low is not None else min(7, high if high is not None else 7):g}"
    return _VALUES[slot.type][: slot.max_length]

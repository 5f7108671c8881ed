"""From a task of tasks.yaml and its slots' values to the steps of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Final

from handeye.apps.filling import Filled
from handeye.apps.schema import STEP_LIMIT, TaskFile
from handeye.apps.step_schema import StepFile
from handeye.documents import Document, Location
from handeye.errors import ConfigError, InvalidPlan, NoPlan
from handeye.plan.base import Condition, StepPlan
from handeye.plan.slots import Slot
from handeye.plan.template import Pattern, TemplateMatch, TextTemplate

if TYPE_CHECKING:
    from handeye.apps.handler import AppHandler

INCLUDE_LIMIT: Final = 8
"""Tasks using tasks using tasks: deeper is a circle, or nobody can follow it."""

Values = Mapping[str, str | TextTemplate]
"""What the slots of a task hold: a text, or one with slots for what is read on the way."""

Regions = Mapping[str, tuple[float, ...]]


class TaskTemplate:
    """One task of a module: its wordings and its steps, with slots still to fill."""

    def __init__(self, file: TaskFile, regions: Regions, document: Document, number: int) -> None:
        self.file = file
        self.name = file.name
        self.regions = regions
        self._document = document
        self._number = number
        self.slots: dict[str, Slot] = {name: spec.slot() for name, spec in file.slots.items()}
        self.defaults = {name: slot.default for name, slot in self.slots.items() if slot.default is not None}
        self.patterns = tuple(Pattern.parse(source, self.slots) for source in file.patterns)
        self.reads = tuple(name for step in file.steps for name in step.reads)

    def match(self, task: str) -> TemplateMatch | None:
        """How `task` fits best: the earliest split, then the most words, then the first pattern."""
        fits = [found for pattern in self.patterns if (found := pattern.match(task))]
        return min(fits, key=lambda found: found.rank, default=None)

    def too_long(self, task: str) -> str | None:
        """What alone keeps `task` from fitting, where that is a slot's value that is longer than the task takes."""
        for pattern in self.patterns:
            for name, length in pattern.too_long(task).items():
                return (
                    f"its {name} has {length} characters, and {self.name} takes at most {self.slots[name].max_length}"
                )
        return None

    def error(self, text: str, where: Location, expected: str) -> ConfigError:
        """What is wrong at a place inside this task."""
        return self._document.error(f"task {self.name!r} {text}", ("tasks", self._number, *where), expected)

    def fill(self, text: str, values: Mapping[str, str]) -> str:
        return TextTemplate.parse(text).fill(values)


def fill_steps(handler: AppHandler, template: TaskTemplate, values: Values) -> tuple[StepPlan, ...]:
    """The steps, numbered from 1, with other tasks' steps in their places. Raises ConfigError and InvalidPlan."""
    filled = _Expansion().steps(_Scope(handler, template, values))
    return tuple(step.plan(number) for number, step in enumerate(filled, 1))


@dataclass(frozen=True, slots=True)
class _Scope:
    """
    A task that is being filled. `values` are its slots'; `wanted` says under which names the plan shall know what it reads,
    and under `conditions` all its steps stand.
    """

    handler: AppHandler
    template: TaskTemplate
    values: Values
    wanted: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()


class _Expansion:
    """Puts the steps of used tasks in their places; numbers decisions and names values over the whole plan."""

    def __init__(self) -> None:
        self._decisions = count(1)
        self._taken: set[str] = set()

    def steps(self, scope: _Scope) -> Iterator[Filled]:
        """Every step, in order. Raises ConfigError and InvalidPlan."""
        own = {name: scope.wanted.get(name) or self._free(name) for name in scope.template.reads}
        values = {**scope.values, **{name: TextTemplate.of(plan_name) for name, plan_name in own.items()}}
        inside = _Scope(scope.handler, scope.template, values, own, scope.conditions)
        for index, step in enumerate(scope.template.file.steps):
            for _ in range(step.repeat):
                yield from self._step(inside, index, step)

    def _step(self, scope: _Scope, index: int, step: StepFile) -> Iterator[Filled]:
        filled = Filled(scope.handler, scope.template, index, scope.values, names=scope.wanted)
        conditions = (*scope.conditions, *filled.conditions(self._decisions))
        if step.use is None:
            filled.under = conditions
            yield filled
            return
        owner, other = used(scope.handler, scope.template, index)
        values: dict[str, str | TextTemplate] = dict(other.defaults)
        for name in step.args:
            values[name] = _argument(filled, other, name)
        wanted = {inner: scope.wanted[outer] for inner, outer in step.save_as.items()}
        yield from self.steps(_Scope(owner, other, values, wanted, conditions))

    def _free(self, name: str) -> str:
        names = (name, *(f"{name}_{number}" for number in range(2, STEP_LIMIT + 2)))
        free = next(each for each in names if each not in self._taken)
        self._taken.add(free)
        return free


def _argument(filled: Filled, other: TaskTemplate, name: str) -> str | TextTemplate:
    """What a used task's slot gets: a value of its type, or a text that still waits for what is read on the way."""
    given = filled.template_of(filled.step.args[name])
    if given.slots:
        return given  # of type text or name, or check_uses would have refused it
    text = given.fill({})
    value = other.slots[name].accept(text, quoted=True)
    if value is None:
        raise InvalidPlan(f"{filled.step.use} cannot take {text!r} as {name}: expected {other.slots[name].type.value}")
    return value


def used(handler: AppHandler, template: TaskTemplate, index: int) -> tuple[AppHandler, TaskTemplate]:
    """The task that step `index` uses, and its module. Raises ConfigError when it is not there or its args do not fit."""
    step = template.file.steps[index]
    module, _, name = (step.use or "").rpartition(".")
    where = ("steps", index, "use")
    try:
        owner = handler.lookup(module) if module else handler
    except NoPlan as error:
        raise template.error(f"uses {step.use!r}: {error}", where, "module.task of a module that is there") from error
    other = owner.tasks.get(name)
    if other is None:
        known = ", ".join(owner.tasks) or "it has none"
        raise template.error(f"uses {step.use!r}, which is not there", where, f"a task of {owner.name}: {known}")
    takes = f"args: {', '.join(other.slots)}" if other.slots else "no args"
    for missing in sorted(other.slots.keys() - other.defaults.keys() - step.args.keys()):
        raise template.error(f"uses {step.use!r} without {missing!r}", where, takes)
    for unknown in sorted(step.args.keys() - other.slots.keys()):
        raise template.error(f"uses {step.use!r} with {unknown!r}", ("steps", index, "args"), takes)
    for unread in sorted(step.save_as.keys() - set(other.reads)):
        reads = f"one of its values: {', '.join(other.reads)}" if other.reads else "a task that reads it"
        raise template.error(
            f"wants {unread!r} of {step.use!r}, which does not read it", ("steps", index, "save_as"), reads
        )
    return owner, other

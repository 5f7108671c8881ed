"""From a task of tasks.yaml and its slots' values to the steps of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from handeye.apps.loading import Document, Location
from handeye.apps.schema import ExpectFile, StepFile, TargetFile, TaskFile
from handeye.errors import ConfigError, InvalidPlan, NoPlan
from handeye.plan.base import StepPlan, target_type_of
from handeye.plan.slots import Slot, SlotType, with_hosts
from handeye.plan.template import Pattern, TemplateMatch, TextTemplate
from handeye.target import DYNAMIC, TEXT, Expectation, Region, Target

if TYPE_CHECKING:
    from handeye.apps.handler import AppHandler

INCLUDE_LIMIT: Final = 8
"""Tasks using tasks using tasks: deeper is a circle, or nobody can follow it."""

STEP_LIMIT: Final = 200
"""Steps of one plan. Includes could otherwise multiply to any number."""

Values = Mapping[str, str]
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

    def match(self, task: str) -> TemplateMatch | None:
        """How `task` fits best: the earliest split, then the most words, then the first pattern."""
        fits = [found for pattern in self.patterns if (found := pattern.match(task))]
        return min(fits, key=lambda found: found.rank, default=None)

    def error(self, text: str, where: Location, expected: str) -> ConfigError:
        """What is wrong at a place inside this task."""
        return self._document.error(f"task {self.name!r} {text}", ("tasks", self._number, *where), expected)

    def fill(self, text: str, values: Values) -> str:
        return TextTemplate.parse(text).fill(values)


def fill_steps(handler: AppHandler, template: TaskTemplate, values: Values) -> tuple[StepPlan, ...]:
    """The steps, numbered from 1, with other tasks' steps in their places. Raises ConfigError and InvalidPlan."""
    check_uses(handler, template)
    steps: list[StepPlan] = []
    for number, filled in enumerate(_expand(handler, template, values), 1):
        if number > STEP_LIMIT:
            raise template.error(f"has more than {STEP_LIMIT} steps", (), "fewer includes")
        steps.append(filled.plan(number))
    return tuple(steps)


class _Filled:
    """A step with the task it came from and the values for its slots."""

    def __init__(self, handler: AppHandler, template: TaskTemplate, step: StepFile, values: Values) -> None:
        self.handler = handler
        self.template = template
        self.step = step
        self.values = with_hosts(values, template.slots)

    def text(self, source: str | None) -> str | None:
        return TextTemplate.parse(source).fill(self.values) if source is not None else None

    def deep(self, value: Any) -> Any:
        """Every text inside `value`, filled."""
        if isinstance(value, str):
            return TextTemplate.parse(value).fill(self.values)
        if isinstance(value, dict):
            return {key: self.deep(item) for key, item in value.items()}
        return [self.deep(item) for item in value] if isinstance(value, list) else value

    def params(self) -> dict[str, Any]:
        """The step's parameters. In an address, values are percent-encoded unless the slot is an address itself."""
        filled: dict[str, Any] = self.deep(self.step.params)
        if isinstance(url := self.step.params.get("url"), str):
            kinds = self.template.slots
            encoded = {
                name: value if name in kinds and kinds[name].type is SlotType.URL else quote(value, safe="")
                for name, value in self.values.items()
            }
            filled["url"] = TextTemplate.parse(url).fill(encoded)
        return filled

    def region(self, where: str | list[float] | None) -> Region | None:
        if where is None:
            return None
        return Region(*(self.template.regions[where] if isinstance(where, str) else where))

    def plan(self, number: int) -> StepPlan:
        step = self.step
        if step.action is None:
            raise AssertionError("a step with `use` was not expanded")
        target, ref = self.target(step.target)
        return StepPlan(
            step=number,
            action=step.action,
            target_ref=ref,
            target_type=target_type_of(ref) if ref else None,
            description=self.text(step.description) or "",
            params=self.params(),
            verify_ref=step.verify_ref,
            success_condition=self.text(step.success_condition),
            fallback=self.fallback(),
            timeout=step.timeout,
            retry=step.retry,
            wait_before=step.wait_before,
            wait_after=step.wait_after,
            target=target,
            expect=self.expectation(self.step.expect),
            guard=self.expectation(self.step.guard),
        )

    def target(self, wanted: str | TargetFile | None) -> tuple[Target | None, str | None]:
        """The target, and how it reads as a seed's `target_ref`."""
        if wanted is None:
            return None, None
        if isinstance(wanted, str):
            target = self._parsed(wanted)
        else:
            target = Target(
                text=self.text(wanted.text),
                reference=self.image(wanted.reference, only=not (wanted.text or wanted.description)),
                description=self.text(wanted.description),
                role=self.text(wanted.role),
                region=self.region(wanted.region),
                exact=wanted.exact,
            )
        if target.reference:
            return target, target.reference
        return target, f"{TEXT}{target.text}" if target.text else f"{DYNAMIC}{target.description}"

    def _parsed(self, source: str) -> Target:
        """As Target.parse, but a value never decides what kind of target it is: the prefix is the file's own."""
        plain = source.strip()
        if plain.startswith(DYNAMIC):
            return Target(description=self.text(plain[len(DYNAMIC) :].strip()))
        if plain.startswith(TEXT):
            return Target(text=self.text(plain[len(TEXT) :].strip()), exact=True)
        filled = self.text(plain)
        return Target(text=filled, reference=self.image(plain, only=False))

    def image(self, source: str | None, *, only: bool) -> str | None:
        """
        The reference's name. A name that comes from a slot is used only when it is the name or alias of an image that
        exists: what a person typed never becomes a path.
        """
        if source is None:
            return None
        template = TextTemplate.parse(source)
        filled = template.fill(self.values)
        if not template.slots:
            return filled
        known = self.handler.images().resolve_alias(filled)
        if known is None and only:
            raise self.template.error(
                f"needs an image named {filled!r}, and there is none",
                (),
                "text or description beside a reference that comes from a slot",
            )
        return known

    def expectation(self, wanted: ExpectFile | None) -> Expectation | None:
        if wanted is None:
            return None
        return Expectation(
            text=self.text(wanted.text),
            gone=self.text(wanted.gone),
            reference=wanted.reference,
            region=self.region(wanted.region),
            exact=wanted.exact,
            changed=wanted.changed,
            app=self.text(wanted.app),
            new=wanted.new,
        )

    def fallback(self) -> Mapping[str, Any] | None:
        fallback = self.step.fallback
        if fallback is None:
            return None
        filled = self.deep(fallback.model_dump(exclude_none=True))
        return dict(filled)


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
    takes = ", ".join(other.slots) or "none"
    for missing in sorted(other.slots.keys() - other.defaults.keys() - step.args.keys()):
        raise template.error(f"uses {step.use!r} without {missing!r}", where, f"args: {takes}")
    for unknown in sorted(step.args.keys() - other.slots.keys()):
        raise template.error(f"uses {step.use!r} with {unknown!r}", ("steps", index, "args"), f"args: {takes}")
    return owner, other


def check_uses(handler: AppHandler, template: TaskTemplate, trail: tuple[TaskTemplate, ...] = ()) -> None:
    """Raises ConfigError for a `use` that leads nowhere or in a circle."""
    for index, step in enumerate(template.file.steps):
        if step.use is None:
            continue
        owner, other = used(handler, template, index)
        if other is template or other in trail or len(trail) == INCLUDE_LIMIT:
            raise template.error(
                f"uses {step.use!r} in a circle, or more than {INCLUDE_LIMIT} deep",
                ("steps", index, "use"),
                "tasks that do not use each other in turn",
            )
        check_uses(owner, other, (*trail, template))


def _expand(handler: AppHandler, template: TaskTemplate, values: Values) -> Iterator[_Filled]:
    for index, step in enumerate(template.file.steps):
        if step.use is None:
            yield _Filled(handler, template, step, values)
            continue
        owner, other = used(handler, template, index)
        given = dict(other.defaults)
        for name, source in step.args.items():
            value = other.slots[name].accept(TextTemplate.parse(source).fill(values), quoted=True)
            if value is None:
                raise InvalidPlan(
                    f"{step.use} cannot take {source!r} as {name}: expected {other.slots[name].type.value}"
                )
            given[name] = value
        yield from _expand(owner, other, given)

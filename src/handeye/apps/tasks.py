"""From a task of tasks.yaml and its slots' values to the steps of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from handeye.apps.params_schema import PARAMS
from handeye.apps.schema import STEP_LIMIT, TaskFile
from handeye.apps.step_schema import ExpectFile, StepFile, TargetFile
from handeye.documents import Document, Location
from handeye.errors import ConfigError, InvalidPlan, NoPlan
from handeye.plan import (
    ActionName,
    Condition,
    Pattern,
    Slot,
    SlotType,
    StepPlan,
    TemplateMatch,
    TextTemplate,
    target_type_of,
    with_hosts,
)
from handeye.target import DYNAMIC, TEXT, Expectation, Region, Target

if TYPE_CHECKING:
    from handeye.apps.handler import AppHandler


# One step of tasks.yaml with its slots' values: a step of a plan.


class Filled:
    """
    Step `index` of a task, with the values of that task's slots.

    `names` says under which names the plan knows what the task reads; `under` are the conditions that the step stands under.
    """

    def __init__(
        self,
        handler: AppHandler,
        template: TaskTemplate,
        index: int,
        values: Mapping[str, str | TextTemplate],
        *,
        names: Mapping[str, str],
    ) -> None:
        self.handler = handler
        self.template = template
        self.step = template.file.steps[index]
        self.under: tuple[Condition, ...] = ()
        self._names = names
        known = with_hosts({name: each for name, each in values.items() if isinstance(each, str)}, template.slots)
        self._values: dict[str, str | TextTemplate] = {**values, **known}
        self._late: dict[str, TextTemplate] = {}

    def template_of(self, source: str) -> TextTemplate:
        """The text with everything put in that is known before the run."""
        return TextTemplate.parse(source).put(self._values)

    def text(self, source: str | None) -> str | None:
        """A text that must be known before the run. Raises InvalidPlan when it is not."""
        return self.template_of(source).fill({}) if source is not None else None

    def _late_text(self, source: str | None, place: str) -> str | None:
        """A text that may wait for what is read on the way; until then it shows the names of what is missing."""
        if source is None:
            return None
        template = self.template_of(source)
        if not template.slots:
            return template.fill({})
        self._late[place] = template
        return template.source

    def plan(self, number: int) -> StepPlan:
        step = self.step
        if step.action is None:
            raise AssertionError("a step with `use` was not expanded")
        target, ref = self._target(step.target)
        return StepPlan(
            step=number,
            action=step.action,
            target_ref=ref,
            target_type=target_type_of(ref) if ref else None,
            description=self._late_text(step.description, "description") or "",
            params=self._params(step.action),
            verify_ref=step.verify_ref,
            success_condition=self.text(step.success_condition),
            fallback=self._fallback(),
            timeout=step.timeout,
            retry=step.retry,
            wait_before=step.wait_before,
            wait_after=step.wait_after,
            target=target,
            expect=self._late_expectation(step.expect, "expect"),
            guard=self._late_expectation(step.guard, "guard"),
            conditions=self.under,
            late=dict(self._late),  # last: the lines above find out what is late
        )

    def conditions(self, decisions: Iterator[int]) -> Iterator[Condition]:
        """What `when` and `unless` say; each is one decision for all steps that stand under it."""
        for wanted, written in ((True, self.step.when), (False, self.step.unless)):
            if written is not None:
                expect = self._expectation(written, self.text(written.text), self.text(written.gone))
                yield Condition(expect, wanted, next(decisions))

    def _deep(self, value: Any) -> Any:
        """Every text inside `value`, filled."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self._deep(item) for key, item in value.items()}
        return [self._deep(item) for item in value] if isinstance(value, list) else value

    def _params(self, action: ActionName) -> dict[str, Any]:
        """The step's parameters. In an address, values are percent-encoded unless the slot is an address itself."""
        written = dict(self.step.params)
        if action is ActionName.READ:
            read = PARAMS[action].model_validate(written).model_dump(exclude_none=True)
            return {**read, "save_as": self._names[read["save_as"]]}
        late = {"text": self._late_text(written.pop("text"), "params.text")} if "text" in written else {}
        late |= {"url": self._address(written.pop("url"))} if "url" in written else {}
        return {**self._deep(written), **late}

    def _address(self, source: str) -> str:
        kinds = self.template.slots
        encoded = {
            name: value if name in kinds and kinds[name].type is SlotType.URL else quote(value, safe="")
            for name, value in self._values.items()
            if isinstance(value, str)
        }
        return TextTemplate.parse(source).fill(encoded)

    def _region(self, where: str | list[float] | None) -> Region | None:
        if where is None:
            return None
        return Region(*(self.template.regions[where] if isinstance(where, str) else where))

    def _target(self, wanted: str | TargetFile | None) -> tuple[Target | None, str | None]:
        """The target, and how it reads as a seed's `target_ref`."""
        if wanted is None:
            return None, None
        if isinstance(wanted, str):
            target = self._parsed(wanted)
        else:
            target = Target(
                text=self._late_text(wanted.text, "target.text"),
                reference=self._image(wanted.reference, only=not (wanted.text or wanted.description)),
                description=self.text(wanted.description),
                role=self.text(wanted.role),
                region=self._region(wanted.region),
                exact=wanted.exact,
                literal=not wanted.exact and _holds_values(wanted.text),
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
            return Target(text=self._late_text(plain[len(TEXT) :].strip(), "target.text"), exact=True)
        filled = self.text(plain)
        return Target(text=filled, reference=self._image(plain, only=False), literal=_holds_values(plain))

    def _image(self, source: str | None, *, only: bool) -> str | None:
        """
        The reference's name. A name that comes from a slot is used only when it is the name or alias of an image that
        exists: what a person typed never becomes a path.
        """
        if source is None:
            return None
        filled = self.text(source) or ""
        if not TextTemplate.parse(source).slots:
            return filled
        known = self.handler.images().resolve_alias(filled)
        if known is None and only:
            raise self.template.error(
                f"needs an image named {filled!r}, and there is none",
                (),
                "text or description beside a reference that comes from a slot",
            )
        return known

    def _late_expectation(self, wanted: ExpectFile | None, place: str) -> Expectation | None:
        if wanted is None:
            return None
        text, gone = self._late_text(wanted.text, f"{place}.text"), self._late_text(wanted.gone, f"{place}.gone")
        return self._expectation(wanted, text, gone)

    def _expectation(self, wanted: ExpectFile, text: str | None, gone: str | None) -> Expectation:
        return Expectation(
            text=text,
            gone=gone,
            reference=wanted.reference,
            region=self._region(wanted.region),
            exact=wanted.exact,
            changed=wanted.changed,
            app=self.text(wanted.app),
            new=wanted.new,
            description=self.text(wanted.description),
            row=self.text(wanted.row),
            switch=None if wanted.switch is None else wanted.switch == "on",
        )

    def _fallback(self) -> Mapping[str, Any] | None:
        fallback = self.step.fallback
        if fallback is None:
            return None
        filled = self._deep(fallback.model_dump(exclude_none=True))
        return dict(filled)


def _holds_values(source: str | None) -> bool:
    """Return True if a text has slots: a person's name is no other words for another one."""
    return source is not None and bool(TextTemplate.parse(source).slots)


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

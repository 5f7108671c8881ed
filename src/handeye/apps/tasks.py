"""Fill a task of tasks.yaml with its slots' values to get the steps of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Protocol
from urllib.parse import quote

from handeye.apps.images import AssetsManager
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


class TaskModule(Protocol):
    """The module that a task belongs to, as far as filling a task needs it."""

    @property
    def name(self) -> str: ...

    @property
    def tasks(self) -> Mapping[str, TaskTemplate]: ...

    @property
    def lookup(self) -> Callable[[str], TaskModule]:
        """Return another module by its name. Raises NoPlan."""
        ...

    def images(self) -> AssetsManager: ...


# Conversion of one step of tasks.yaml, with its slots' values, to a step of a plan.


class FilledStep:
    """
    Step `index` of a task, with the values of that task's slots.

    `names` maps what the task reads to the names in the plan; `under` are the conditions of the step.
    """

    def __init__(
        self,
        handler: TaskModule,
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
        """Return the text with every value that is known before the run."""
        return TextTemplate.parse(source).put(self._values)

    def text(self, source: str | None) -> str | None:
        """Return a text that must be known before the run. Raises InvalidPlan when it is not."""
        return self.template_of(source).fill({}) if source is not None else None

    def _late_text(self, source: str | None, place: str) -> str | None:
        """
        Return a text that may need values which are read during the run; until then it contains the names of the missing
        values.
        """
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
            late=dict(self._late),  # last: the lines above collect the late texts
        )

    def conditions(self, decisions: Iterator[int]) -> Iterator[Condition]:
        """Yield the conditions of `when` and `unless`; each is one decision for all steps under it."""
        for wanted, written in ((True, self.step.when), (False, self.step.unless)):
            if written is not None:
                expect = self._expectation(written, self.text(written.text), self.text(written.gone))
                yield Condition(expect, wanted, next(decisions))

    def _filled_texts(self, value: Any) -> Any:
        """Return `value` with every text inside it filled."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self._filled_texts(item) for key, item in value.items()}
        return [self._filled_texts(item) for item in value] if isinstance(value, list) else value

    def _params(self, action: ActionName) -> dict[str, Any]:
        """Return the step's parameters. In an address, values are percent-encoded unless the slot is an address itself."""
        written = dict(self.step.params)
        if action is ActionName.READ:
            read = PARAMS[action].model_validate(written).model_dump(exclude_none=True)
            return {**read, "save_as": self._names[read["save_as"]]}
        late = {"text": self._late_text(written.pop("text"), "params.text")} if "text" in written else {}
        late |= {"url": self._address(written.pop("url"))} if "url" in written else {}
        return {**self._filled_texts(written), **late}

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
        """Return the target, and its form as a `target_ref` (docs/spec/vision-agent.md)."""
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
                literal=not wanted.exact and _has_slots(wanted.text),
            )
        if target.reference:
            return target, target.reference
        return target, f"{TEXT}{target.text}" if target.text else f"{DYNAMIC}{target.description}"

    def _parsed(self, source: str) -> Target:
        """
        Parse a target like parse_target, but a value never decides what kind of target it is: only a prefix in the file
        counts.
        """
        plain = source.strip()
        if plain.startswith(DYNAMIC):
            return Target(description=self.text(plain[len(DYNAMIC) :].strip()))
        if plain.startswith(TEXT):
            return Target(text=self._late_text(plain[len(TEXT) :].strip(), "target.text"), exact=True)
        filled = self.text(plain)
        return Target(text=filled, reference=self._image(plain, only=False), literal=_has_slots(plain))

    def _image(self, source: str | None, *, only: bool) -> str | None:
        """
        Return the reference's name. A name that comes from a slot is used only when it is the name or alias of an existing
        image: what a person typed never becomes a path.
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
        filled = self._filled_texts(fallback.model_dump(exclude_none=True))
        return dict(filled)


def _has_slots(source: str | None) -> bool:
    """Return True if a text has slots: their values, such as a person's name, must not be matched by other words."""
    return source is not None and bool(TextTemplate.parse(source).slots)


INCLUDE_LIMIT: Final = 8
"""Most levels of tasks that use tasks: a deeper nesting is a cycle, or unreadable."""

Values = Mapping[str, str | TextTemplate]
"""Values of a task's slots: a text, or one with slots for what is read during the run."""

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
        """Return the best match of `task`, or None: the earliest split, then the most words, then the first pattern."""
        fits = [found for pattern in self.patterns if (found := pattern.match(task))]
        return min(fits, key=lambda found: found.rank, default=None)

    def too_long(self, task: str) -> str | None:
        """Return the message about a slot's value that is too long, where only that keeps `task` from fitting; else None."""
        for pattern in self.patterns:
            for name, length in pattern.too_long(task).items():
                return (
                    f"its {name} has {length} characters, and {self.name} takes at most {self.slots[name].max_length}"
                )
        return None

    def error(self, text: str, where: Location, expected: str) -> ConfigError:
        """Return an error about a place inside this task."""
        return self._document.error(f"task {self.name!r} {text}", ("tasks", self._number, *where), expected)

    def fill(self, text: str, values: Mapping[str, str]) -> str:
        return TextTemplate.parse(text).fill(values)


def fill_steps(handler: TaskModule, template: TaskTemplate, values: Values) -> tuple[StepPlan, ...]:
    """Return the steps, numbered from 1, with the steps of used tasks inserted. Raises ConfigError and InvalidPlan."""
    filled = _Expansion().steps(_Scope(handler, template, values))
    return tuple(step.plan(number) for number, step in enumerate(filled, 1))


@dataclass(frozen=True, slots=True)
class _Scope:
    """
    A task that is being filled. `values` are its slots'; `wanted` maps the values that it reads to their names in the plan;
    `conditions` apply to all its steps.
    """

    handler: TaskModule
    template: TaskTemplate
    values: Values
    wanted: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()


class _Expansion:
    """Inserts the steps of used tasks; numbers decisions and names values over the whole plan."""

    def __init__(self) -> None:
        self._decisions = count(1)
        self._taken: set[str] = set()

    def steps(self, scope: _Scope) -> Iterator[FilledStep]:
        """Yield every step, in order. Raises ConfigError and InvalidPlan."""
        own = {name: scope.wanted.get(name) or self._unused_name(name) for name in scope.template.reads}
        values = {**scope.values, **{name: TextTemplate.of(plan_name) for name, plan_name in own.items()}}
        inside = _Scope(scope.handler, scope.template, values, own, scope.conditions)
        for index, step in enumerate(scope.template.file.steps):
            for _ in range(step.repeat):
                yield from self._step(inside, index, step)

    def _step(self, scope: _Scope, index: int, step: StepFile) -> Iterator[FilledStep]:
        filled = FilledStep(scope.handler, scope.template, index, scope.values, names=scope.wanted)
        conditions = (*scope.conditions, *filled.conditions(self._decisions))
        if step.use is None:
            filled.under = conditions
            yield filled
            return
        owner, other = used_task(scope.handler, scope.template, index)
        values: dict[str, str | TextTemplate] = dict(other.defaults)
        for name in step.args:
            values[name] = _argument(filled, other, name)
        wanted = {inner: scope.wanted[outer] for inner, outer in step.save_as.items()}
        yield from self.steps(_Scope(owner, other, values, wanted, conditions))

    def _unused_name(self, name: str) -> str:
        names = (name, *(f"{name}_{number}" for number in range(2, STEP_LIMIT + 2)))
        free = next(each for each in names if each not in self._taken)
        self._taken.add(free)
        return free


def _argument(filled: FilledStep, other: TaskTemplate, name: str) -> str | TextTemplate:
    """Return the value for a used task's slot: a value of its type, or a text that needs what is read during the run."""
    given = filled.template_of(filled.step.args[name])
    if given.slots:
        return given  # of type text or name, or check_uses would have refused it
    text = given.fill({})
    value = other.slots[name].accept(text, quoted=True)
    if value is None:
        raise InvalidPlan(f"{filled.step.use} cannot take {text!r} as {name}: expected {other.slots[name].type.value}")
    return value


def used_task(handler: TaskModule, template: TaskTemplate, index: int) -> tuple[TaskModule, TaskTemplate]:
    """
    Return the task that step `index` uses, and its module. Raises ConfigError when it does not exist or its args do not fit.
    """
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

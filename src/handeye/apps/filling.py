"""One step of tasks.yaml with its slots' values: a step of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from handeye.apps.params_schema import PARAMS
from handeye.apps.step_schema import ExpectFile, TargetFile
from handeye.plan.base import ActionName, Condition, StepPlan, target_type_of
from handeye.plan.slots import SlotType, with_hosts
from handeye.plan.template import TextTemplate
from handeye.target import DYNAMIC, TEXT, Expectation, Region, Target

if TYPE_CHECKING:
    from handeye.apps.handler import AppHandler
    from handeye.apps.tasks import TaskTemplate


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

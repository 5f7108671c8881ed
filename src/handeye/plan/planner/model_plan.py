"""Convert a model's reply to a `TaskPlan`: look up images, turn invented names into descriptions, add a missing final check."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from handeye.plan.base import (
    ActionName,
    Condition,
    PlanOrigin,
    StepPlan,
    TargetType,
    TaskPlan,
    target_type_of,
)
from handeye.plan.consent.messages import as_typed
from handeye.plan.consent.sending import TITLE
from handeye.plan.planner.app_knowledge import AppKnowledge
from handeye.plan.templates.template import TextTemplate
from handeye.target import DYNAMIC, TEXT, Expectation, Target, parse_target
from handeye.text import quotations

# Schema of a model's plan: the JSON of docs/spec/vision-agent.md; no object allows extra keys.


MOST_STEPS: Final = 50
"""Most steps of a model's plan. The longest example of docs/spec/vision-agent.md has six; more than fifty are a loop."""

LONGEST_WAIT_MS: Final = 30_000
"""Longest wait in a model's plan: for more than half a minute there is no reason that can be checked."""

Line = Annotated[str, StringConstraints(max_length=400)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Typed = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Milliseconds = Annotated[int, Field(ge=0, le=LONGEST_WAIT_MS)]
Action = Literal[
    "tap",
    "long_press",
    "swipe",
    "input_text",
    "press_key",
    "wait",
    "go_home",
    "launch_app",
    "open_url",
    "call",
    "check",
    "read",
    "return_home",
]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ParamsReply(_Closed):
    text: Typed | None = None
    secret: bool | None = None
    direction: Literal["left", "right", "up", "down"] | None = None
    duration: Milliseconds | None = None
    count: int | None = None
    key: Words | None = None
    keycode: Annotated[int, Field(ge=0, le=1023)] | None = None
    package: Words | None = None
    url: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None
    number: Words | None = None
    save_as: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")] | None = None
    take: Literal["text", "row", "right", "below"] | None = None


class FallbackReply(_Closed):
    action: Literal["swipe", "tap", "press_key", "wait"]
    params: ParamsReply | None = None
    target_ref: Words | None = None
    description: Line | None = None


class StepReply(_Closed):
    step: int
    action: Action
    target_ref: Words | None = None
    target_type: Literal["icon", "ui", "state", "text", "dynamic"] | None = None
    description: Line | None = None
    params: ParamsReply | None = None
    verify_ref: Words | None = None
    success_condition: Line | None = None
    guard: Words | None = None
    fallback: FallbackReply | None = None
    timeout: Milliseconds | None = None
    retry: Annotated[int, Field(ge=0, le=5)] | None = None
    wait_before: Milliseconds | None = None
    wait_after: Milliseconds | None = None
    closes_popup: bool | None = None


class AnalysisReply(_Closed):
    current_screen: Line | None = None
    target_state: Line | None = None
    estimated_steps: int | None = None


class PlanReply(_Closed):
    """A plan, or only `impossible`: the reason why there is none."""

    analysis: AnalysisReply | None = None
    steps: Annotated[list[StepReply], Field(max_length=MOST_STEPS)] = Field(default_factory=list)
    success_criteria: Line | None = None
    potential_issues: Annotated[list[Line], Field(max_length=20)] | None = None
    impossible: Line | None = None

    @property
    def refusal(self) -> str:
        """The reason why the task cannot be done; "" for a plan."""
        return (self.impossible or "").strip()

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if self.refusal and self.steps:
            raise ValueError("a plan has steps and no `impossible`; what cannot be done has `impossible` and no steps")
        if not self.refusal and not (self.steps and (self.success_criteria or "").strip()):
            raise ValueError("a plan has steps and success_criteria; what cannot be done has `impossible` and says why")
        return self


FOUND_ENTRY: Final = "list item"
"""Role of an entry that a search has found (`handeye.roles`)."""

_UNSEEN: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
# Form of an image's name; anything else is a description.
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+\Z")

# Conditions that the switch of a row (here \0) is on or off.
_SWITCHED: Final = re.compile(
    r"(?:the )?(?:switch (?:of |for )?)?\0\s*(?:的?开关)?(?:switch )?(?:is )?(?:now )?(?:已经|已|处于|为|是)*\s*"
    r"(?:(?P<on>打开|开启|启用|开|on|enabled|turned on|switched on)|关闭|停用|关|off|disabled|turned off|switched off)"
    r"(?:状态)?(?:了)?[。.]?",
    re.IGNORECASE,
)


def plan_of(reply: PlanReply, task: str, known: AppKnowledge) -> TaskPlan:
    """
    Return the plan of `reply`, not yet checked (see `handeye.plan.validation` and `handeye.plan.consent.objections`).

    A reference image that does not exist becomes a description. A text from the task is typed as the task spells it, and a tap
    on a typed text means the search result. If the last step proves nothing, a check of `success_criteria` is appended. A step
    that closes a pop-up runs only while that is open.
    """
    issues = [as_one_line(issue) for issue in reply.potential_issues or ()]
    read: list[str] = []
    steps: list[StepPlan] = []
    for each in reply.steps:
        steps.append(_Step(each, task, known, tuple(read), issues).plan())
        if each.params is not None and each.params.save_as:
            read.append(each.params.save_as)
    steps = [_tap_search_result(step, steps[:at]) for at, step in enumerate(steps)]
    criteria = as_one_line(reply.success_criteria or "")
    last = steps[-1].expectation
    if last is None or not last.is_evidence:
        goal = switch_seen(criteria) or Expectation(description=criteria)
        steps.append(
            StepPlan(len(steps) + 1, ActionName.CHECK, description=criteria, success_condition=criteria, expect=goal)
        )
    analysis = reply.analysis.model_dump(exclude_none=True) if reply.analysis else {}
    return TaskPlan(
        analysis={name: as_one_line(value) if isinstance(value, str) else value for name, value in analysis.items()},
        steps=tuple(steps),
        success_criteria=criteria,
        potential_issues=tuple(issues),
        module=known.module,
        origin=PlanOrigin.MODEL,
    )


def _tap_search_result(step: StepPlan, before: Sequence[StepPlan]) -> StepPlan:
    """Give a tap on the text that was just typed the role of a search result: the field shows the same text."""
    typed = next((each.params.get("text") for each in reversed(before) if each.action is ActionName.INPUT_TEXT), None)
    if (
        step.action is not ActionName.TAP
        or step.target is None
        or step.target.text is None
        or step.target.text != typed
    ):
        return step
    return replace(step, target=replace(step.target, role=step.target.role or FOUND_ENTRY))


def switch_seen(condition: str) -> Expectation | None:
    """
    Return the expectation of a condition that only says that the switch of one quoted row is on or off, else None. It is
    verified by how the switch is drawn, without a model.

    >>> seen = switch_seen("“蓝牙”已打开")
    >>> seen.row, seen.switch, switch_seen("“蓝牙”的页面已打开")
    ('蓝牙', True, None)
    """
    quoted = quotations(condition)
    if len(quoted) != 1:
        return None
    switched = _SWITCHED.fullmatch(f"{condition[: quoted[0].start]}\0{condition[quoted[0].end :]}".strip())
    if switched is None or not quoted[0].text:
        return None
    return Expectation(row=quoted[0].text, switch=switched["on"] is not None)


def as_one_line(text: str) -> str:
    """Return a model's text as one line without control and format characters."""
    seen = (char for char in text if unicodedata.category(char) != "Cf")
    return " ".join("".join(" " if unicodedata.category(char) in _UNSEEN else char for char in seen).split())


class _Step:
    """Converts one step of a reply. Remarks for the plan's reader are appended to `issues`."""

    def __init__(
        self, reply: StepReply, task: str, known: AppKnowledge, read: tuple[str, ...], issues: list[str]
    ) -> None:
        self.reply, self.task, self.known, self.read, self.issues = reply, task, known, read, issues
        self.description = as_one_line(reply.description or "")

    def plan(self) -> StepPlan:
        reply = self.reply
        target, ref = self.target()
        params, late = self.params()
        step = StepPlan(
            step=reply.step,
            action=ActionName(reply.action),
            target_ref=ref,
            target_type=_type(reply, ref),
            description=self.description,
            params=params,
            verify_ref=self.verify_ref(),
            success_condition=as_one_line(reply.success_condition or "") or None,
            fallback=self.fallback(reply.fallback),
            target=target,
            guard=Expectation(text=as_one_line(reply.guard), region=TITLE, exact=True) if reply.guard else None,
            late=late,
            momentary=bool(reply.closes_popup),
        )
        times = {name: getattr(reply, name) for name in ("timeout", "retry", "wait_before", "wait_after")}
        step = replace(step, **{name: value for name, value in times.items() if value is not None})
        step = replace(step, expect=self.expectation(step))
        return replace(step, conditions=self.conditions(step))

    def expectation(self, step: StepPlan) -> Expectation | None:
        if step.success_condition is None and step.verify_ref is None:
            return None
        if step.verify_ref is None and (switch := switch_seen(step.success_condition or "")) is not None:
            return switch
        return Expectation(reference=step.verify_ref, description=step.success_condition)

    def conditions(self, step: StepPlan) -> tuple[Condition, ...]:
        """Return the condition of a step that closes a pop-up: that it is still open."""
        wanted = step.wanted if step.momentary else None
        if wanted is None:
            return ()
        seen = Expectation(text=wanted.text, reference=wanted.reference, description=wanted.description)
        return (Condition(seen, group=step.step),)

    def target(self) -> tuple[Target | None, str | None]:
        """Return the target and its `target_ref`: an image that exists, a text, or a description."""
        ref = as_one_line(self.reply.target_ref or "")
        if not ref:
            return None, None
        if ref.startswith(TEXT):
            text = ref[len(TEXT) :].strip()
            return (Target(text=text, exact=True), f"{TEXT}{text}") if text else (None, None)
        if not ref.startswith(DYNAMIC) and (name := self.known.reference(ref)) is not None:
            return Target(reference=name, description=self.description or None), name
        words = self.words(ref)
        if not words:
            return None, None
        if ref.startswith(DYNAMIC) or words != ref:
            return Target(description=words), f"{DYNAMIC}{words}"
        target = parse_target(words)
        return replace(target, reference=None) if target.text else target, f"{DYNAMIC}{words}"

    def words(self, ref: str) -> str:
        """Return the description to look for: the words after `dynamic:`, or the step's description for an invented name."""
        if ref.startswith(DYNAMIC):
            return ref[len(DYNAMIC) :].strip()
        if not _NAME.match(ref):
            return ref
        self.issues.append(f"step {self.reply.step}: there is no picture {ref!r}; it is looked for by its description")
        return self.description or ref.replace("_", " ")

    def verify_ref(self) -> str | None:
        """Return the image that proves the step, or None if it does not exist."""
        ref = as_one_line(self.reply.verify_ref or "")
        name = self.known.reference(ref) if ref else None
        if ref and name is None:
            self.issues.append(f"step {self.reply.step}: there is no picture {ref!r} to check it by")
        return name

    def params(self) -> tuple[Mapping[str, Any], Mapping[str, TextTemplate]]:
        """Return the parameters, and separately those with values that are read during the run."""
        params = _plain(self.reply.params)
        text = params.get("text")
        if not isinstance(text, str):
            return params, {}
        if any(f"{{{name}}}" in text for name in self.read):
            return {name: value for name, value in params.items() if name != "text"}, {"params.text": self.late(text)}
        return params | {"text": as_typed(text, self.task) or text}, {}

    def late(self, text: str) -> TextTemplate:
        """Return the text as a template with the values read before as slots; other braces are literal."""
        return TextTemplate(tuple(re.split(rf"\{{({'|'.join(map(re.escape, self.read))})\}}", text)))

    def fallback(self, reply: FallbackReply | None) -> Mapping[str, Any] | None:
        if reply is None:
            return None
        found: dict[str, Any] = {"action": reply.action, "params": _plain(reply.params)}
        if reply.target_ref:
            found["target_ref"] = self.fallback_target(
                as_one_line(reply.target_ref), as_one_line(reply.description or "")
            )
        if reply.description:
            found["description"] = as_one_line(reply.description)
        return found

    def fallback_target(self, ref: str, description: str) -> str:
        if ref.startswith((TEXT, DYNAMIC)):
            return ref
        name = self.known.reference(ref)
        return name if name is not None else f"{DYNAMIC}{description or ref.replace('_', ' ')}"


def _plain(params: ParamsReply | None) -> dict[str, Any]:
    return params.model_dump(exclude_none=True) if params is not None else {}


def _type(reply: StepReply, ref: str | None) -> TargetType | None:
    if ref is None:
        return None
    found = target_type_of(ref)
    declared = TargetType(reply.target_type) if reply.target_type else None
    return (
        declared
        if found is TargetType.ICON and declared in (TargetType.ICON, TargetType.UI, TargetType.STATE)
        else found
    )

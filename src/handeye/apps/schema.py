"""The files of an app module, as they may be written: config.yaml, tasks.yaml, images/aliases.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    StringConstraints,
    Tag,
    ValidationError,
    field_validator,
    model_validator,
)
from rapidfuzz import process

from handeye.apps.loading import Location, nested, problem, strings
from handeye.errors import InvalidPlan
from handeye.plan.base import ActionName
from handeye.plan.slots import HOST, Slot, SlotType
from handeye.plan.template import Pattern, TextTemplate

NEAR_ENOUGH: Final = 60.0
"""rapidfuzz ratio (0-100) from which a misspelt key is worth a guess: "patern" for "patterns" has 86, "foo" for "for" 67,
unrelated words stay below 50."""

LONGEST_WAIT_MS: Final = 600_000
"""Ten minutes: a longer wait in a step is a unit mistaken for seconds' thousandth."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Milliseconds = Annotated[int, Field(ge=0, le=LONGEST_WAIT_MS)]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Direction = Literal["left", "right", "up", "down"]


def _one_as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


OneOrMore = Annotated[list[Text], BeforeValidator(_one_as_list)]


class Strict(BaseModel):
    """A mapping whose keys are all known: a misspelt one is an error with a suggestion, never silently ignored."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: Any) -> Any:
        if isinstance(value, dict):
            known = [info.alias or name for name, info in cls.model_fields.items()]
            for key in value:
                if key not in known:
                    raise problem(f"unknown key {key!r}", expected=_suggestion(str(key), known), key=str(key))
        return value


def _suggestion(key: str, known: list[str]) -> str:
    near = process.extractOne(key, known, score_cutoff=NEAR_ENOUGH)
    return f"{near[0]!r}" if near else "one of " + ", ".join(known)


class ModuleConfig(Strict):
    """config.yaml. `package`: Android package names; `keywords`: words that suggest this app; `aliases`: its other names."""

    name: Name
    title: Text
    package: OneOrMore = []
    keywords: list[Text] = []
    aliases: list[Text] = []
    description: str = ""

    @field_validator("package")
    @classmethod
    def _package(cls, value: list[str]) -> list[str]:
        for package in value:
            if not all(part.isidentifier() and part.isascii() for part in package.split(".")) or "." not in package:
                raise problem(f"package is {package!r}", expected="an Android package name such as com.tencent.mm")
        return value


class Aliases(RootModel[dict[str, Name]]):
    """images/aliases.yaml: what people call an image -> its name."""


class SlotFile(Strict):
    type: Literal["text", "name", "number", "url", "one_of"] = "text"
    values: dict[str, str] | list[str] | None = None
    default: str | None = None
    max_length: Annotated[int, Field(ge=1, le=20_000)] | None = None
    minimum: float | None = None
    maximum: float | None = None

    @model_validator(mode="after")
    def _fits(self) -> SlotFile:
        if (self.type == "one_of") != bool(self.values):
            raise problem("type and values do not fit", expected="values for type one_of, and only for it", key="type")
        return self

    def slot(self) -> Slot:
        """The same as a value."""
        values = self.values or {}
        spoken = values if isinstance(values, dict) else {value: value for value in values}
        return Slot(SlotType(self.type), spoken, self.default, self.max_length, self.minimum, self.maximum)


class RegionFile(RootModel[Annotated[list[Fraction], Field(min_length=4, max_length=4)]]):
    """[left, top, right, bottom] as fractions of the screen."""

    @model_validator(mode="after")
    def _not_empty(self) -> RegionFile:
        left, top, right, bottom = self.root
        if left >= right or top >= bottom:
            raise problem(
                f"region {self.root} is empty", expected="[left, top, right, bottom] with left < right, top < bottom"
            )
        return self


def _where(value: Any) -> Any:
    if isinstance(value, list):
        try:
            RegionFile.model_validate(value)
        except ValidationError as error:
            raise problem(f"region is {value!r}", expected="four fractions 0-1: [left, top, right, bottom]") from error
    elif not isinstance(value, str):
        raise problem(f"region is {value!r}", expected="a name from regions, or [left, top, right, bottom]")
    return value


Where = Annotated[Any, BeforeValidator(_where)]
"""A name from `regions`, or [left, top, right, bottom]."""


class TargetFile(Strict):
    text: Text | None = None
    reference: Text | None = None
    description: Text | None = None
    role: Text | None = None
    region: Where | None = None
    exact: bool = False

    @model_validator(mode="after")
    def _something(self) -> TargetFile:
        if not (self.text or self.reference or self.description):
            raise problem("a target says nothing", expected="text, reference or description")
        return self


def _target_form(value: Any) -> str:
    return "<keys>" if isinstance(value, dict | TargetFile) else "<text>"


AnyTarget = Annotated[
    Annotated[Text, Tag("<text>")] | Annotated[TargetFile, Tag("<keys>")], Discriminator(_target_form)
]
"""An image's name, `text:...` or `dynamic:...`; or a mapping. Told apart first, so that errors speak of one of them."""


class ExpectFile(Strict):
    text: Text | None = None
    gone: Text | None = None
    reference: Text | None = None
    region: Where | None = None
    exact: bool = False
    changed: bool = False
    app: Text | None = None
    new: bool = False

    @model_validator(mode="after")
    def _something(self) -> ExpectFile:
        if self.new and not self.text:
            raise problem("new without text", expected="the text that must be there anew", key="new")
        if not (self.text or self.gone or self.reference or self.changed or self.app):
            raise problem("an expectation says nothing", expected="text, gone, reference, app or changed")
        return self


class _Params(Strict):
    pass


class _Swipe(_Params):
    direction: Direction
    duration: Milliseconds = 0


class _Duration(_Params):
    duration: Milliseconds = 1000


class _InputText(_Params):
    text: Text
    secret: bool = False


class _PressKey(_Params):
    key: Text | None = None
    keycode: Annotated[int, Field(ge=0, le=1000)] | None = None

    @model_validator(mode="after")
    def _one(self) -> _PressKey:
        if (self.key is None) == (self.keycode is None):
            raise problem(
                "press_key does not say which key", expected="either key (such as BACK) or keycode (a number)"
            )
        return self


class _Launch(_Params):
    package: Text


class _Url(_Params):
    url: Text


class _Number(_Params):
    number: Text


PARAMS: Final[Mapping[ActionName, type[_Params]]] = {
    ActionName.TAP: _Params,
    ActionName.LONG_PRESS: _Duration,
    ActionName.SWIPE: _Swipe,
    ActionName.INPUT_TEXT: _InputText,
    ActionName.PRESS_KEY: _PressKey,
    ActionName.WAIT: _Duration,
    ActionName.GO_HOME: _Params,
    ActionName.LAUNCH_APP: _Launch,
    ActionName.OPEN_URL: _Url,
    ActionName.CALL: _Number,
    ActionName.CHECK: _Params,
}
"""What each action takes in `params`."""


class FallbackFile(Strict):
    """What a fallback may do (seed 004)."""

    action: Literal["swipe", "tap", "press_key", "wait"]
    params: dict[str, Any] = {}
    target_ref: Text | None = None
    description: str = ""

    @model_validator(mode="after")
    def _complete(self) -> FallbackFile:
        if (self.action == "tap") != bool(self.target_ref):
            raise problem("a fallback's target_ref is for tap, and tap needs it", expected="target_ref with action tap")
        try:
            PARAMS[ActionName(self.action)].model_validate(self.params)
        except ValidationError as error:
            raise nested(error, "params") from None
        return self


class StepFile(Strict):
    """Either `action`, or `use` with `args`: the steps of another task at this place."""

    action: ActionName | None = Field(default=None, strict=False)
    use: Annotated[str, StringConstraints(pattern=r"^([A-Za-z_]\w*\.)?[A-Za-z_]\w*$")] | None = None
    args: dict[str, Text] = {}
    target: AnyTarget | None = None
    params: dict[str, Any] = {}
    description: str = ""
    expect: ExpectFile | None = None
    guard: ExpectFile | None = None
    fallback: FallbackFile | None = None
    verify_ref: Text | None = None
    success_condition: Text | None = None
    retry: Annotated[int, Field(ge=0, le=10)] = 2
    timeout: Milliseconds = 3000
    wait_before: Milliseconds = 0
    wait_after: Milliseconds = 300

    @model_validator(mode="after")
    def _action_or_use(self) -> StepFile:
        if (self.action is None) == (self.use is None):
            raise problem("a step must have one of action and use", expected="an action such as tap, or use: task_name")
        if self.use is not None:
            extra = sorted(self.model_fields_set - {"use", "args", "description"})
            if extra:
                raise problem(f"a step with use cannot have {extra[0]}", expected="use and args", key=extra[0])
            return self
        if self.args:
            raise problem("args without use", expected="use: the task that takes them", key="args")
        action = self.action or ActionName.CHECK
        if action.needs_target and self.target is None:
            raise problem(f"{action.value} without a target", expected="target: an image's name, text:..., or keys")
        if action is ActionName.CHECK and not (self.target or self.expect or self.verify_ref):
            raise problem("check has nothing to check", expected="expect, verify_ref or target")
        try:
            PARAMS[action].model_validate(self.params)
        except ValidationError as error:
            raise nested(error, "params") from None
        return self


class TaskFile(Strict):
    """One task. Without patterns it can only be used by other tasks."""

    name: Name
    patterns: OneOrMore = []
    slots: dict[Name, SlotFile] = {}
    steps: Annotated[list[StepFile], Field(min_length=1)]
    current_screen: str = ""
    target_state: str = ""
    success_criteria: str = ""
    potential_issues: list[Text] = []

    @model_validator(mode="after")
    def _slots_fit(self) -> TaskFile:
        kinds = {name: spec.slot() for name, spec in self.slots.items()}
        for number, source in enumerate(self.patterns):
            here = ("patterns", number)
            try:
                pattern = Pattern.parse(source, kinds)
            except InvalidPlan as error:
                raise problem(str(error), expected="words with slots, such as 打开{app}", key=here) from None
            undeclared = sorted(pattern.slots - kinds.keys())
            if undeclared:
                raise problem(
                    f"pattern {source!r} has the slot {undeclared[0]!r}, which slots does not describe",
                    expected=f"slots: {{{undeclared[0]}: {{type: text}}}}",
                    key=here,
                )
            unsure = sorted(n for n in kinds.keys() - pattern.certain if kinds[n].default is None)
            if unsure:
                raise problem(
                    f"pattern {source!r} may leave the slot {unsure[0]!r} without a value",
                    expected="the slot in every wording, or a default for it",
                    key=here,
                )
        for where, text in strings(self.model_dump(exclude={"name", "patterns", "slots"})):
            _check_text(text, where, kinds)
        return self


def _check_text(text: str, where: Location, kinds: Mapping[str, Slot]) -> None:
    try:
        hosts = {name + HOST for name, kind in kinds.items() if kind.type is SlotType.URL}
        unknown = sorted(TextTemplate.parse(text).slots - kinds.keys() - hosts)
    except InvalidPlan as error:
        raise problem(str(error), expected="{slot}, or {{ for a brace", key=where) from None
    if unknown:
        known = ", ".join(kinds) or "none, it has no slots"
        raise problem(f"unknown slot {unknown[0]!r} in {text!r}", expected=f"a slot of this task: {known}", key=where)


class TasksFile(Strict):
    """tasks.yaml. `regions` gives names to parts of the screen."""

    regions: dict[Name, RegionFile] = {}
    tasks: list[TaskFile] = []

    @model_validator(mode="after")
    def _names(self) -> TasksFile:
        seen: set[str] = set()
        for task in self.tasks:
            if task.name in seen:
                raise problem(f"there are two tasks named {task.name!r}", expected="each name once", key="tasks")
            seen.add(task.name)
        return self

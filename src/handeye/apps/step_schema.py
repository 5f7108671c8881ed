"""Schema of one step of tasks.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    StringConstraints,
    Tag,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from handeye.apps.params_schema import PARAMS, SLOT
from handeye.apps.strict import (
    A_TEXT,
    EMPTY,
    NOT_EMPTY,
    NULL,
    PACKAGE,
    WHOLE,
    Fraction,
    Milliseconds,
    Name,
    ReferenceName,
    ReferenceOrWords,
    Schema,
    Strict,
    Text,
    checked_package,
    has,
    has_value,
    one_of,
    only,
    rule,
    rules,
    some_of,
    value_matches,
)
from handeye.documents import TASK_NAME, Location, nested, problem, strings
from handeye.plan import DEFAULT_WAIT_AFTER, ActionName
from handeye.target import ANOTHER_APP, HOME_APP

REPEAT_LIMIT: Final = 20
"""Most repetitions of one step. A settings list of 40 rows is 7 swipes long; a list of more than 20 should be searched, not
scrolled."""


MOST_SLOTS: Final = 50
"""Most slots of one task: a sentence has room for five."""


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


_FOUR: Final = {
    "type": "array",
    "items": {"type": "number", "minimum": 0, "maximum": 1},
    "minItems": 4,
    "maxItems": 4,
}
Where = Annotated[Any, BeforeValidator(_where), WithJsonSchema({"anyOf": [{"type": "string"}, _FOUR]})]
"""A name from `regions`, or [left, top, right, bottom]."""


class TargetFile(Strict):
    """A target: its image is tried before its text. With `exact` no partial or fuzzy match counts."""

    model_config = ConfigDict(json_schema_extra=rules(some_of(has("text"), has("reference"), has("description"))))

    text: Text | None = Field(default=None, description="what stands on it")
    reference: ReferenceName | None = Field(
        default=None, description="a reference image's name or alias; looked for before the text"
    )
    description: Text | None = Field(default=None, description="free words, for a model")
    role: Text | None = Field(default=None, description="the kind of control: button, switch, list item ...")
    region: Where | None = Field(
        default=None, description="where to look: a name from regions, or [left, top, right, bottom] as fractions"
    )
    exact: bool = Field(default=False, description="no partial and no fuzzy match: for names of people")

    @model_validator(mode="after")
    def _something(self) -> TargetFile:
        if not (self.text or self.reference or self.description):
            raise problem("a target says nothing", expected="text, reference or description")
        return self


def _target_form(value: Any) -> str:
    return "<keys>" if isinstance(value, dict | TargetFile) else "<text>"


AnyTarget = Annotated[
    Annotated[ReferenceOrWords, Tag("<text>")] | Annotated[TargetFile, Tag("<keys>")], Discriminator(_target_form)
]
"""An image's name, `text:...` or `dynamic:...`; or a mapping. The form is decided first, so that errors are about one of
them."""


def _app(value: str) -> str:
    return value if value in (HOME_APP, ANOTHER_APP) or "{" in value else checked_package(value)


_APPS: Final[Schema] = {
    **A_TEXT,
    "anyOf": [{"enum": [HOME_APP, ANOTHER_APP]}, {"pattern": PACKAGE}, {"pattern": SLOT}],
}
_SAID: Final = ("text", "gone", "reference", "switch", "app", "description")
"""Each of them is an expectation; `changed: true` is one too."""


class ExpectFile(Strict):
    """
    An expectation; every part that is given must hold, inside `region`, or in the one row that contains the text `row`.

    `app` is a package name, `home` or `another`; texts in quotation marks in `description` are searched for, the rest is for
    a model.
    """

    model_config = ConfigDict(
        json_schema_extra=rules(
            some_of(*map(has, _SAID), has_value("changed", True)),
            rule(has_value("new", True), has("text")),
            rule(has("switch"), has("row")),
            rule(has("row"), value_matches("region", NULL)),
        )
    )

    text: Text | None = Field(default=None, description="this text is there")
    gone: Text | None = Field(default=None, description="this text is not there")
    reference: ReferenceName | None = Field(default=None, description="this reference image is there")
    region: Where | None = Field(
        default=None, description="only there: a name from regions, or [left, top, right, bottom] as fractions"
    )
    row: Text | None = Field(default=None, description="only in the one row in which this text stands")
    switch: Literal["on", "off"] | None = Field(default=None, description="the switch in that row is on, or off")
    exact: bool = Field(default=False, description="no partial and no fuzzy match")
    changed: bool = Field(default=False, description="something moved, which proves nothing")
    app: Annotated[Text, AfterValidator(_app), WithJsonSchema(_APPS)] | None = Field(
        default=None, description="a package in front; home: the home screen; another: another app than before"
    )
    new: bool = Field(default=False, description="the text stands there more often than before it was typed")
    description: Text | None = Field(
        default=None, description="in words: texts in quotation marks are looked for, the rest is for a model"
    )

    @model_validator(mode="after")
    def _something(self) -> ExpectFile:
        if self.new and not self.text:
            raise problem("new without text", expected="the text that must be there anew", key="new")
        if self.switch and not self.row:
            raise problem("switch without row", expected="row: the text beside the switch", key="switch")
        if self.row and self.region is not None:
            raise problem("row and region at the same time", expected="one of them", key="row")
        if not (self.changed or any(getattr(self, key) for key in _SAID)):
            raise problem("an expectation says nothing", expected="text, gone, reference, switch, app or changed")
        return self


_NEED_TARGET: Final = frozenset(
    {*(action for action in ActionName if action.needs_target), ActionName.READ, ActionName.RETURN_HOME}
)
_OF_USE: Final = frozenset({"use", "args", "save_as", "description", "when", "unless", "repeat"})
_CHECKED: Final = ("expect", "verify_ref", "target")
"""Keys of which a check needs one."""

_READS: Final = some_of(
    has_value("action", ActionName.READ.value), {"required": ["save_as"], **value_matches("save_as", NOT_EMPTY)}
)
_STEP_RULES: Final = (
    one_of(has("action"), has("use")),
    rule(has("use"), only(_OF_USE), {"properties": {"args": EMPTY, "save_as": EMPTY}}),
    rule(has_value("action", *sorted(action.value for action in _NEED_TARGET)), has("target")),
    rule(has_value("action", ActionName.CHECK.value), some_of(*map(has, _CHECKED))),
    rule(_READS, value_matches("repeat", {"maximum": 1})),
)


class FallbackFile(Strict):
    """A fallback, tried when the target is not found."""

    model_config = ConfigDict(
        json_schema_extra=rules(rule(has_value("action", "tap"), has("target_ref"), value_matches("target_ref", NULL)))
    )

    action: Literal["swipe", "tap", "press_key", "wait"] = Field(description="what is tried")
    params: dict[str, Any] = Field(default_factory=dict, description="what the action needs")
    target_ref: ReferenceOrWords | None = Field(
        default=None, description="for tap: an image's name, text:... or dynamic:..."
    )
    description: str = Field(default="", description="what the report and the terminal show")

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
    """
    Either `action`, or `use` with `args`: the steps of another task at this place.

    It is carried out only `when` an expectation holds, or `unless` it holds; `repeat` repeats it, with a new decision each
    time. `save_as` of a used task selects the values that it reads, and names them.
    """

    model_config = ConfigDict(json_schema_extra=rules(*_STEP_RULES))

    action: ActionName | None = Field(default=None, strict=False, description="what is done")
    use: Annotated[str, StringConstraints(pattern=TASK_NAME)] | None = Field(
        default=None, description="task, or module.task: its steps are done at this place"
    )
    args: Annotated[dict[str, Text], Field(max_length=MOST_SLOTS)] = Field(
        default_factory=dict, description="values for the slots of the used task"
    )
    save_as: Annotated[dict[Name, Name], Field(max_length=MOST_SLOTS)] = Field(
        default_factory=dict, description="of the used task: its value's name -> the name here"
    )
    when: ExpectFile | None = Field(default=None, description="only if this is seen")
    unless: ExpectFile | None = Field(default=None, description="only if this is not seen")
    repeat: Annotated[int, Field(ge=1, le=REPEAT_LIMIT), WHOLE] = Field(
        default=1, description="so many times, deciding anew each time"
    )
    target: AnyTarget | None = Field(default=None, description="an image's name, text:..., dynamic:..., or keys")
    params: dict[str, Any] = Field(default_factory=dict, description="what the action needs")
    description: str = Field(default="", description="what the report and the terminal show")
    expect: ExpectFile | None = Field(default=None, description="what must be seen afterwards")
    guard: ExpectFile | None = Field(default=None, description="what must hold on the frame on which the step acts")
    fallback: FallbackFile | None = Field(
        default=None, description="what to do when the target is not there, at most three times"
    )
    verify_ref: ReferenceName | None = Field(default=None, description="a reference image that must be seen afterwards")
    success_condition: Text | None = Field(default=None, description="words for the report")
    retry: Annotated[int, Field(ge=0, le=10), WHOLE] = Field(
        default=2, description="how often a step that had no effect is done again"
    )
    timeout: Milliseconds = Field(default=3000, description="milliseconds that the target and the expectation may take")
    wait_before: Milliseconds = Field(default=0, description="milliseconds")
    wait_after: Milliseconds = Field(default=DEFAULT_WAIT_AFTER, description="milliseconds, at most")

    @property
    def reads(self) -> tuple[str, ...]:
        """The names in this task of the values that this step reads."""
        if self.action is ActionName.READ:
            return (str(self.params["save_as"]),)
        return tuple(self.save_as.values())

    @model_validator(mode="after")
    def _action_or_use(self) -> StepFile:
        if (self.action is None) == (self.use is None):
            raise problem("a step must have one of action and use", expected="an action such as tap, or use: task_name")
        if self.use is not None:
            extra = sorted(self.model_fields_set - _OF_USE)
            if extra:
                raise problem(f"a step with use cannot have {extra[0]}", expected="use and args", key=extra[0])
        else:
            self._check_action(self.action or ActionName.CHECK)
        if self.repeat > 1 and self.reads:
            raise problem("a value cannot be read several times", expected="repeat: 1", key="repeat")
        return self

    def _check_action(self, action: ActionName) -> None:
        if self.args:
            raise problem("args without use", expected="use: the task that takes them", key="args")
        if self.save_as:
            raise problem("save_as without use", expected="params: {save_as: NAME} for action read", key="save_as")
        if action in _NEED_TARGET and self.target is None:
            raise problem(f"{action.value} without a target", expected="target: an image's name, text:..., or keys")
        if action is ActionName.CHECK and not any(getattr(self, key) for key in _CHECKED):
            raise problem("check has nothing to check", expected="expect, verify_ref or target")
        try:
            PARAMS[action].model_validate(self.params)
        except ValidationError as error:
            raise nested(error, "params") from None

    def texts(self) -> Iterator[tuple[Location, str]]:
        """Return every text in which slots are filled, with its path in the step."""
        written = self.model_dump(exclude={"action", "use", "save_as"}, exclude_none=True)
        if self.action is ActionName.READ:
            written["params"] = {}
        return strings(written)

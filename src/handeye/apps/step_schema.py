"""One step of tasks.yaml, as it may be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    RootModel,
    StringConstraints,
    Tag,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from handeye.apps.strict import Fraction, Milliseconds, Name, Strict, Text, a_package
from handeye.documents import Location, nested, problem, strings
from handeye.errors import InvalidPlan
from handeye.plan.base import USUAL_WAIT_AFTER, ActionName
from handeye.plan.template import Pattern
from handeye.target import ANOTHER_APP, HOME_APP

READ_SLOT: Final = "value"
"""What the slot in the `pattern` of a read step is called: the part of the text that is kept. Others take what varies."""

REPEAT_LIMIT: Final = 20
"""Times one step is repeated. A settings list of 40 rows is 7 swipes long; more than 20 is a list to search, not to scroll."""

Direction = Literal["left", "right", "up", "down"]


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
    """What to look for: an image is tried before a text. With `exact` no partial or fuzzy match counts."""

    text: Text | None = Field(default=None, description="what stands on it")
    reference: Text | None = Field(
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
    Annotated[Text, Tag("<text>")] | Annotated[TargetFile, Tag("<keys>")], Discriminator(_target_form)
]
"""An image's name, `text:...` or `dynamic:...`; or a mapping. Told apart first, so that errors speak of one of them."""


def _app(value: str) -> str:
    return value if value in (HOME_APP, ANOTHER_APP) or "{" in value else a_package(value)


class ExpectFile(Strict):
    """
    What must be seen; every part that is given must hold, inside `region`, or in the one row where the text `row` stands.

    `app` is a package name, `home` or `another`; `description` is for a model, but for the texts in quotation marks.
    """

    text: Text | None = Field(default=None, description="this text is there")
    gone: Text | None = Field(default=None, description="this text is not there")
    reference: Text | None = Field(default=None, description="this reference image is there")
    region: Where | None = Field(
        default=None, description="only there: a name from regions, or [left, top, right, bottom] as fractions"
    )
    row: Text | None = Field(default=None, description="only in the one row in which this text stands")
    switch: Literal["on", "off"] | None = Field(default=None, description="the switch in that row is on, or off")
    exact: bool = Field(default=False, description="no partial and no fuzzy match")
    changed: bool = Field(default=False, description="something moved, which proves nothing")
    app: Annotated[Text, AfterValidator(_app)] | None = Field(
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
        if self.row and self.region:
            raise problem("row and region at the same time", expected="one of them", key="row")
        said = (self.text, self.gone, self.reference, self.changed, self.app, self.switch, self.description)
        if not any(said):
            raise problem("an expectation says nothing", expected="text, gone, reference, switch, app or changed")
        return self


class _Params(Strict):
    pass


Package = Annotated[Text, AfterValidator(lambda value: value if "{" in value else a_package(value))]
"""An Android package name; with a slot in it, it is one only when the slot is filled."""


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
    package: Package


class _Url(_Params):
    url: Text


class _Number(_Params):
    number: Text


class _Read(_Params):
    save_as: Name
    take: Literal["text", "row", "right", "below"] = "row"
    pattern: Text | None = None

    @field_validator("pattern")
    @classmethod
    def _finds_the_value(cls, value: str | None) -> str | None:
        if value is None:
            return None
        expected = f"words around {{{READ_SLOT}}}, such as 剩余{{{READ_SLOT}}}GB"
        try:
            pattern = Pattern.parse(value)
        except InvalidPlan as error:
            raise problem(str(error), expected=expected) from None
        if READ_SLOT not in pattern.certain:
            raise problem(f"pattern is {value!r}", expected=expected)
        return value


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
    ActionName.READ: _Read,
    ActionName.RETURN_HOME: _Params,
}
"""What each action takes in `params`."""

_NEED_TARGET: Final = frozenset({ActionName.READ, ActionName.RETURN_HOME})
_OF_USE: Final = frozenset({"use", "args", "save_as", "description", "when", "unless", "repeat"})


class FallbackFile(Strict):
    """What a fallback may do (seed 004)."""

    action: Literal["swipe", "tap", "press_key", "wait"]
    params: dict[str, Any] = Field(default_factory=dict)
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
    """
    Either `action`, or `use` with `args`: the steps of another task at this place.

    It is carried out only `when` something is seen, or `unless` it is; `repeat` does it so many times, each time asking
    again. `save_as` of a used task says which of the values that it reads are wanted here, and under which names.
    """

    action: ActionName | None = Field(default=None, strict=False)
    use: Annotated[str, StringConstraints(pattern=r"^([A-Za-z_]\w*\.)?[A-Za-z_]\w*$")] | None = None
    args: dict[str, Text] = Field(default_factory=dict, description="values for the slots of the used task")
    save_as: dict[Name, Name] = Field(
        default_factory=dict, description="of the used task: its value's name -> the name here"
    )
    when: ExpectFile | None = Field(default=None, description="only if this is seen")
    unless: ExpectFile | None = Field(default=None, description="only if this is not seen")
    repeat: Annotated[int, Field(ge=1, le=REPEAT_LIMIT)] = Field(
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
    verify_ref: Text | None = Field(default=None, description="a reference image that must be seen afterwards")
    success_condition: Text | None = Field(default=None, description="words for the report")
    retry: Annotated[int, Field(ge=0, le=10)] = Field(
        default=2, description="how often a step that had no effect is done again"
    )
    timeout: Milliseconds = Field(default=3000, description="milliseconds that the target and the expectation may take")
    wait_before: Milliseconds = Field(default=0, description="milliseconds")
    wait_after: Milliseconds = Field(default=USUAL_WAIT_AFTER, description="milliseconds, at most")

    @property
    def reads(self) -> tuple[str, ...]:
        """The names under which values that this step reads are known in its task."""
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
        if (action.needs_target or action in _NEED_TARGET) and self.target is None:
            raise problem(f"{action.value} without a target", expected="target: an image's name, text:..., or keys")
        if action is ActionName.CHECK and not (self.target or self.expect or self.verify_ref):
            raise problem("check has nothing to check", expected="expect, verify_ref or target")
        try:
            PARAMS[action].model_validate(self.params)
        except ValidationError as error:
            raise nested(error, "params") from None

    def texts(self) -> Iterator[tuple[Location, str]]:
        """Every text in which slots are filled, with its path in the step."""
        written = self.model_dump(exclude={"action", "use", "save_as"}, exclude_none=True)
        if self.action is ActionName.READ:
            written["params"] = {}
        return strings(written)

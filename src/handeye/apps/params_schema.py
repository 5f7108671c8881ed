"""Schemas of the `params` of each action of tasks.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema, field_validator, model_validator

from handeye.actions import MOST_TAPS
from handeye.apps.strict import (
    A_TEXT,
    PACKAGE,
    WHOLE,
    Milliseconds,
    Name,
    Strict,
    Text,
    checked_package,
    has,
    one_of,
    rules,
)
from handeye.documents import problem
from handeye.errors import InvalidPlan
from handeye.plan import ActionName, Pattern

READ_SLOT: Final = "value"
"""The name of the slot in the `pattern` of a read step whose text is the value. Other slots match varying text."""

KEYCODE_LIMIT: Final = 1023
"""The largest key code: Android's are below 400, and its input driver has ten bits for them."""

SLOT: Final = "[{]"
"""JSON Schema pattern of a text with a slot, whose value is not known yet."""

Direction = Literal["left", "right", "up", "down"]


class Params(Strict):
    """Params of an action that takes none."""


Package = Annotated[
    Text,
    AfterValidator(lambda value: value if "{" in value else checked_package(value)),
    WithJsonSchema({**A_TEXT, "anyOf": [{"pattern": PACKAGE}, {"pattern": SLOT}]}),
]
"""An Android package name; with a slot in it, it is checked only when the slot is filled."""


class _Swipe(Params):
    direction: Direction = Field(description="the way the finger goes: up brings what is further down into sight")
    duration: Milliseconds = Field(default=300, description="milliseconds")


class _Tap(Params):
    count: Annotated[int, Field(ge=1, le=MOST_TAPS), WHOLE] = Field(
        default=1, description="taps in a row: 2 for a double tap"
    )


class _Duration(Params):
    duration: Milliseconds = Field(default=1000, description="milliseconds")


class _InputText(Params):
    text: Text = Field(description="what is typed")
    secret: bool = Field(default=False, description="keeps the text out of every report")


class _PressKey(Params):
    model_config = ConfigDict(json_schema_extra=rules(one_of(has("key"), has("keycode"))))

    key: Text | None = Field(default=None, description="its name: BACK, ENTER, VOLUME_UP ...")
    keycode: Annotated[int, Field(ge=0, le=KEYCODE_LIMIT), WHOLE] | None = Field(default=None, description="its number")
    clear_way: bool = Field(
        default=False,
        description="dismisses first what lies over the page, such as a dialog, an advert or the keyboard",
    )

    @model_validator(mode="after")
    def _one(self) -> _PressKey:
        if (self.key is None) == (self.keycode is None):
            raise problem(
                "press_key does not say which key", expected="either key (such as BACK) or keycode (a number)"
            )
        return self


class _Launch(Params):
    package: Package = Field(description="the app's Android package")


class _Url(Params):
    url: Text = Field(description="an http or https address")


class _Number(Params):
    number: Text = Field(description="the number that is called")


class _Read(Params):
    save_as: Name = Field(description="later steps use the value as {name}")
    take: Literal["text", "row", "right", "below"] = Field(
        default="row",
        description="what is read: the target's own text, or what stands in its row, right of it, below it",
    )
    pattern: Text | None = Field(
        default=None, description="words around {value}, which is kept; other slots take what varies"
    )

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


PARAMS: Final[Mapping[ActionName, type[Params]]] = {
    ActionName.TAP: _Tap,
    ActionName.LONG_PRESS: _Duration,
    ActionName.SWIPE: _Swipe,
    ActionName.INPUT_TEXT: _InputText,
    ActionName.PRESS_KEY: _PressKey,
    ActionName.WAIT: _Duration,
    ActionName.GO_HOME: Params,
    ActionName.LAUNCH_APP: _Launch,
    ActionName.OPEN_URL: _Url,
    ActionName.CALL: _Number,
    ActionName.CHECK: Params,
    ActionName.READ: _Read,
    ActionName.RETURN_HOME: Params,
}
"""The `params` of each action."""

"""Common rules of all files of an app module: known keys only, plain names, limited texts and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError
from rapidfuzz import process

from handeye.documents import NAME, problem
from handeye.target import DYNAMIC, TEXT

NEAR_ENOUGH: Final = 60.0
"""rapidfuzz ratio (0-100) from which a known key is suggested for a misspelt one: "patern" for "patterns" has 86, "foo" for
"for" 67, unrelated words stay below 50."""

LONGEST_WAIT_MS: Final = 600_000
"""Ten minutes: a longer wait in a step is a mistake in the unit."""

TEXT_LIMIT: Final = 2000
"""Most characters of one text in a module: the longest message that a messenger takes in one piece."""


MOST_WORDINGS: Final = 200
"""Most texts in one list: wordings of a task, keywords of an app. The modules that ship have up to 10 of each."""


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE: Final = BeforeValidator(_whole)
"""Accepts 2.0 as an integer, as JSON and so every editor does."""

Name = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=TEXT_LIMIT)]
Texts = Annotated[list[Text], Field(max_length=MOST_WORDINGS)]
Milliseconds = Annotated[int, Field(ge=0, le=LONGEST_WAIT_MS), WHOLE]
Fraction = Annotated[float, Field(ge=0.0, le=1.0, strict=True)]


def _one_as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _one_or_more(item: dict[str, Any]) -> WithJsonSchema:
    return WithJsonSchema({"anyOf": [item, {"type": "array", "items": item, "maxItems": MOST_WORDINGS}]})


A_TEXT: Final[dict[str, Any]] = {"type": "string", "minLength": 1, "maxLength": TEXT_LIMIT}
"""JSON Schema of a text."""

OneOrMore = Annotated[list[Text], Field(max_length=MOST_WORDINGS), BeforeValidator(_one_as_list), _one_or_more(A_TEXT)]
"""A text, or a list of them."""

PICTURE_FILE: Final = "[.]([Pp][Nn][Gg]|[Jj][Pp][Ee]?[Gg]|[Ww][Ee][Bb][Pp]|[Bb][Mm][Pp]|[Gg][Ii][Ff])\\s*$"
"""Pattern of the end of a picture's path. The search for a reference opens such a file, wherever it is, when nothing has that
name."""

_PICTURE_FILE: Final = re.compile(PICTURE_FILE)


def checked_reference(name: str) -> str:
    """
    Return `name` if it can be that of a reference image: a module names its pictures, and reads no other file. Raises a
    problem for a file's path.
    """
    if _PICTURE_FILE.search(name):
        raise problem(f"{name!r} is a file", expected="an image's name, without folder and suffix, or text:...")
    return name


def checked_reference_or_text(name: str) -> str:
    """Return `name` if it can be that of a reference image, or is marked as a text (`text:...`, `dynamic:...`)."""
    return name if name.strip().startswith((TEXT, DYNAMIC)) else checked_reference(name)


ReferenceName = Annotated[
    Text, AfterValidator(checked_reference), WithJsonSchema({**A_TEXT, "not": {"pattern": PICTURE_FILE}})
]
"""The name or alias of a reference image."""

ReferenceOrWords = Annotated[
    Text,
    AfterValidator(checked_reference_or_text),
    WithJsonSchema({**A_TEXT, "not": {"pattern": f"^(?!\\s*({TEXT}|{DYNAMIC}))[\\s\\S]*{PICTURE_FILE}"}}),
]
"""The name or alias of a reference image, or `text:...` or `dynamic:...`."""

PACKAGE: Final = "^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)+$"
"""An Android package: words with dots between them, at least two."""

_PACKAGE: Final = re.compile(PACKAGE)


def checked_package(name: str) -> str:
    """Return `name` if it can be that of an Android package. Raises a problem otherwise."""
    if not _PACKAGE.fullmatch(name):
        raise problem(f"{name!r} is no package", expected="an Android package name such as com.tencent.mm")
    return name


Packages = Annotated[
    list[Annotated[Text, AfterValidator(checked_package)]],
    Field(max_length=MOST_WORDINGS),
    BeforeValidator(_one_as_list),
    _one_or_more({**A_TEXT, "pattern": PACKAGE}),
]
"""A package, or a list of them."""


MOST_KEYS: Final = 200
"""Most keys of a mapping that are compared with the known ones, each with a suggestion."""


class Strict(BaseModel):
    """A mapping with known keys only: a misspelt one is an error with a suggestion, never silently ignored."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="wrap")
    @classmethod
    def _suggest_keys(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        known = [info.alias or name for name, info in cls.model_fields.items()]
        if isinstance(value, dict) and len(value) > MOST_KEYS:
            raise problem(f"there are {len(value)} keys", expected="some of " + ", ".join(known))
        try:
            return handler(value)
        except ValidationError as error:
            found = error.errors()
            if all(detail["type"] != "extra_forbidden" for detail in found):
                raise
            raise ValidationError.from_exception_data(
                cls.__name__, [_with_suggestion(each, known) for each in found]
            ) from None


def _with_suggestion(detail: ErrorDetails, known: list[str]) -> InitErrorDetails:
    """Return the error again; for an unknown key of this very mapping with a suggestion."""
    kind: str | PydanticCustomError = detail["type"]
    if kind == "extra_forbidden" and len(detail["loc"]) == 1:
        key = str(detail["loc"][0])
        kind = problem(f"unknown key {key!r}", expected=_suggestion(key, known))
    elif kind == "handeye":
        kind = PydanticCustomError("handeye", "{problem}", detail["ctx"])
    return InitErrorDetails(type=kind, loc=detail["loc"], input=detail["input"], ctx=detail.get("ctx", {}))


def _suggestion(key: str, known: list[str]) -> str:
    near = process.extractOne(key, known, score_cutoff=NEAR_ENOUGH)
    if near:
        return f"{near[0]!r}"
    return "one of " + ", ".join(known) if known else "no keys here"


# JSON Schema rules between a mapping's keys, which let editors refuse what the models refuse.


Schema = dict[str, Any]

GIVEN: Final[Schema] = {"not": {"type": "null"}}
"""Any value but null, which counts as a missing key."""

EMPTY: Final[Schema] = {"maxItems": 0, "maxProperties": 0}
"""An empty list or mapping, or nothing."""

NOT_EMPTY: Final[Schema] = {"minItems": 1, "minProperties": 1}
"""A list or mapping that is not empty."""

NULL: Final[Schema] = {"type": "null"}


def has(*keys: str) -> Schema:
    """Return a schema: all of these keys are given."""
    return {"required": list(keys), "properties": dict.fromkeys(keys, GIVEN)}


def has_value(key: str, *values: object) -> Schema:
    """Return a schema: the key is given, with one of these values."""
    said = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
    return {"required": [key], "properties": {key: said}}


def value_matches(key: str, value: Schema) -> Schema:
    """Return a schema: the key has such a value, or is missing."""
    return {"properties": {key: value}}


def one_of(*cases: Schema) -> Schema:
    """Return a schema: exactly one of the cases holds."""
    return {"oneOf": list(cases)}


def some_of(*cases: Schema) -> Schema:
    """Return a schema: at least one of the cases holds."""
    return {"anyOf": list(cases)}


def rule(condition: Schema, then: Schema, otherwise: Schema | None = None) -> Schema:
    """Return a schema: where `condition` holds, `then` must hold too; elsewhere `otherwise`."""
    return {"if": condition, "then": then, **({"else": otherwise} if otherwise is not None else {})}


def rules(*each: Schema) -> Schema:
    """Return the `json_schema_extra` of a model: all of the schemas hold."""
    return {"allOf": list(each)}


def only(keys: Iterable[str]) -> Schema:
    """Return a schema: there are no other keys than these."""
    return {"propertyNames": {"enum": sorted(keys)}}

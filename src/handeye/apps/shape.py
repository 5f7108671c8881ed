"""What a mapping's keys ask of each other, in JSON Schema's words: each model has them, for editors to refuse what it does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

Schema = dict[str, Any]

GIVEN: Final[Schema] = {"not": {"type": "null"}}
"""Any value but null, which is as if the key were not there."""

EMPTY: Final[Schema] = {"maxItems": 0, "maxProperties": 0}
"""An empty list or mapping, or nothing."""

NOT_EMPTY: Final[Schema] = {"minItems": 1, "minProperties": 1}
"""No empty list and no empty mapping."""

NULL: Final[Schema] = {"type": "null"}


def has(*keys: str) -> Schema:
    """All of these keys are given."""
    return {"required": list(keys), "properties": dict.fromkeys(keys, GIVEN)}


def says(key: str, *values: object) -> Schema:
    """The key is given, with one of these values."""
    said = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
    return {"required": [key], "properties": {key: said}}


def is_(key: str, value: Schema) -> Schema:
    """The key is such a value, or not there."""
    return {"properties": {key: value}}


def one_of(*cases: Schema) -> Schema:
    """Exactly one of them holds."""
    return {"oneOf": list(cases)}


def some_of(*cases: Schema) -> Schema:
    """At least one of them holds."""
    return {"anyOf": list(cases)}


def rule(condition: Schema, then: Schema, otherwise: Schema | None = None) -> Schema:
    """Where `condition` holds, `then` must hold too; elsewhere `otherwise`."""
    return {"if": condition, "then": then, **({"else": otherwise} if otherwise is not None else {})}


def rules(*each: Schema) -> Schema:
    """For a model's `json_schema_extra`: all of them hold."""
    return {"allOf": list(each)}


def only(keys: Iterable[str]) -> Schema:
    """There is no other key than these."""
    return {"propertyNames": {"enum": sorted(keys)}}

"""JSON Schema rules between a mapping's keys, which let editors refuse what the models refuse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

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

"""The exact way to write a target: text="Save" role=button right_of="Cancel"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from handeye.errors import UsageError
from handeye.roles import ROLES, role_named, role_of
from handeye.target.node_path import steps_of
from handeye.target.values import Position, Region, Relation, RelationKind, Target

_KEY: Final = re.compile(r"([A-Za-z_]+)[ \t]*=[ \t]*")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」"}
_WORDS: Final = ("text", "id", "path", "description")
_RELATIONS: Final = {
    "right_of": RelationKind.RIGHT_OF,
    "left_of": RelationKind.LEFT_OF,
    "above": RelationKind.ABOVE,
    "below": RelationKind.BELOW,
    "in": RelationKind.IN,
    "near": RelationKind.NEAR,
    "beside": RelationKind.BESIDE,
    "before": RelationKind.BEFORE,
    "after": RelationKind.AFTER,
    "between": RelationKind.BETWEEN,
    "row": RelationKind.ROW,
    "column": RelationKind.COLUMN,
}
# What an error shows of a query.
_SHOWN: Final = 60
KEYS: Final = (*_WORDS, "role", "reference", "image", "region", "position", "ordinal", "colour", "exact", *_RELATIONS)


@dataclass(frozen=True, slots=True)
class Pair:
    """One key with its value, as it was written but for quotes and escapes; `quoted` when it stood in quotes."""

    key: str
    value: str
    quoted: bool


def parse_pairs(query: str, phrase: Callable[[str], Target]) -> Target | None:
    """
    The target that key=value pairs spell out; None when `query` is no such form. `phrase` reads values that name neighbours.

    A query is of this form when it begins with a key that exists, or with any key whose value is quoted. Raises UsageError for
    a key that does not exist or stands twice, and for a value that its key cannot have.
    """
    pairs = _pairs(query)
    if not pairs or not (pairs[0].quoted or pairs[0].key in KEYS):
        return None
    values: dict[str, Any] = {}
    relations: list[Relation] = []
    for pair in pairs:
        if pair.key not in KEYS:
            raise UsageError(
                f"a target has no {_short(pair.key)!r} (in {_short(query)!r}); there are: {', '.join(KEYS)}. "
                "A text on the screen that looks like this is written text:..."
            )
        if pair.key in _RELATIONS:
            relations.append(Relation(_RELATIONS[pair.key], phrase(pair.value)))
            continue
        name = "reference" if pair.key == "image" else pair.key
        if name in values:
            raise UsageError(f"{pair.key!r} is given twice in {_short(query)!r}")
        values[name] = _value(pair)
    return Target(**values, relations=tuple(relations), literal="text" in values)


def _pairs(query: str) -> list[Pair]:
    """The pairs of a query that is nothing else, else none."""
    found: list[Pair] = []
    at = 0
    while at < len(query):
        key = _KEY.match(query, at)
        if key is None:
            return []
        value, quoted, at = _scan(query, key.end())
        found.append(Pair(key.group(1).lower(), value, quoted))
        while at < len(query) and (query[at].isspace() or query[at] in ",;"):
            at += 1
    return found


def _scan(query: str, at: int) -> tuple[str, bool, int]:
    """The value at `at`, whether it is quoted, and where it ends: at its quote, else before the next key."""
    closing = _QUOTES.get(query[at : at + 1])
    if closing:
        end = at + 1
        while end < len(query) and query[end] != closing:
            end += 2 if query[end] == "\\" else 1
        if end < len(query):
            return _ESCAPE.sub(r"\1", query[at + 1 : end]), True, end + 1
    end, brackets = at, 0
    while end < len(query):
        character = query[end]
        brackets += (character == "[") - (character == "]")  # the attributes of a path look like pairs
        if character.isspace() and brackets <= 0 and _KEY.match(query, _next(query, end)):
            break
        end = _next(query, end) if character.isspace() else end + 1
    return query[at:end].strip(), False, end


def _next(query: str, at: int) -> int:
    """Where the blanks at `at` end."""
    while at < len(query) and query[at].isspace():
        at += 1
    return at


def _value(pair: Pair) -> object:
    key, value = pair.key, pair.value
    if key == "role":
        role = role_of(value) or role_named(value)
        if role is None:
            raise UsageError(f"no kind of control is called {_short(value)!r}; there are: {', '.join(ROLES)}")
        return role
    if key == "path":
        steps_of(value)
        return value
    if key == "exact":
        if value.lower() not in ("true", "false", "yes", "no"):
            raise UsageError(f"exact is true or false, not {_short(value)!r}")
        return value.lower() in ("true", "yes")
    if key == "ordinal":
        try:
            return int(value)
        except ValueError as error:
            raise UsageError(
                f"ordinal is a whole number (1 is the first, -1 the last), not {_short(value)!r}"
            ) from error
    if key == "position":
        try:
            return Position(value.lower().replace("_", "-").replace(" ", "-"))
        except ValueError as error:
            known = ", ".join(each.value for each in Position)
            raise UsageError(f"position is one of {known}, not {_short(value)!r}") from error
    return _region(value) if key == "region" else value


def _region(value: str) -> Region:
    try:
        left, top, right, bottom = (float(part) for part in value.split(","))
    except ValueError as error:
        raise UsageError(
            f"region is left,top,right,bottom as fractions of the screen, not {_short(value)!r}"
        ) from error
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise UsageError(f"region is left,top,right,bottom between 0 and 1, in this order, not {_short(value)!r}")
    return Region(left, top, right, bottom)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"

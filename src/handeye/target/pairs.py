"""Parse a target written as key=value pairs: text="Save" role=button right_of="Cancel"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from handeye.errors import UsageError
from handeye.roles import ROLES, role_named, role_of
from handeye.target.node_path import steps_of
from handeye.target.values import Position, Region, Relation, RelationKind, Target, short
from handeye.text import CLOSING

_KEY: Final = re.compile(r"([A-Za-z_]+)[ \t]*=[ \t]*")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_RELATIONS: Final = {kind.name.lower(): kind for kind in RelationKind}
KEYS: Final = (
    *(
        "text",
        "id",
        "path",
        "description",
        "role",
        "reference",
        "image",
        "region",
        "position",
        "ordinal",
        "colour",
        "exact",
    ),
    *_RELATIONS,
)


class Pair(NamedTuple):
    """One key with its value, without quotes and escapes; `quoted` if it was in quotes."""

    key: str
    value: str
    quoted: bool


def parse_pairs(query: str, phrase: Callable[[str], Target]) -> Target | None:
    """
    Return the target that key=value pairs describe, or None if `query` has another form. `phrase` parses the values of
    relations.

    A query has this form if it begins with an existing key, or with any key whose value is quoted. Raises UsageError for an
    unknown or repeated key, and for an invalid value.
    """
    pairs = _pairs(query)
    if not pairs or not (pairs[0].quoted or pairs[0].key in KEYS):
        return None
    values: dict[str, Any] = {}
    relations: list[Relation] = []
    for pair in pairs:
        if pair.key not in KEYS:
            raise UsageError(
                f"a target has no {short(pair.key)!r} (in {short(query)!r}); there are: {', '.join(KEYS)}. "
                "A text on the screen that looks like this is written text:..."
            )
        if pair.key in _RELATIONS:
            relations.append(Relation(_RELATIONS[pair.key], phrase(pair.value)))
            continue
        name = "reference" if pair.key == "image" else pair.key
        if name in values:
            raise UsageError(f"{pair.key!r} is given twice in {short(query)!r}")
        values[name] = _value(pair)
    return Target(**values, relations=tuple(relations), literal="text" in values)


def _pairs(query: str) -> list[Pair]:
    """Return the pairs of a query that consists only of pairs; else an empty list."""
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
    """Return the value at `at`, whether it is quoted, and its end: at its quote, else before the next key."""
    closing = CLOSING.get(query[at : at + 1])
    if closing:
        end = at + 1
        while end < len(query) and query[end] not in closing:
            end += 2 if query[end] == "\\" else 1
        if end < len(query):
            return _ESCAPE.sub(r"\1", query[at + 1 : end]), True, end + 1
    end, brackets = at, 0
    while end < len(query):
        character = query[end]
        brackets += (character == "[") - (character == "]")  # the attributes of a path look like pairs
        if character.isspace() and brackets <= 0 and _KEY.match(query, _skip_whitespace(query, end)):
            break
        end = _skip_whitespace(query, end) if character.isspace() else end + 1
    return query[at:end].strip(), False, end


def _skip_whitespace(query: str, at: int) -> int:
    """Return the index after the whitespace at `at`."""
    while at < len(query) and query[at].isspace():
        at += 1
    return at


def _value(pair: Pair) -> object:
    if pair.key == "path":
        steps_of(pair.value)  # raises for an invalid path
    read, expected = _READERS.get(pair.key, (str, ""))
    try:
        return read(pair.value)
    except (ValueError, KeyError) as error:
        raise UsageError(f"{pair.key} is {expected}, not {short(pair.value)!r}") from error


def _region(value: str) -> Region:
    left, top, right, bottom = (float(part) for part in value.split(","))
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise ValueError(value)
    return Region(left, top, right, bottom)


def _role(value: str) -> str:
    role = role_of(value) or role_named(value)
    if role is None:
        raise ValueError(value)
    return role


# Parser for the value of each key (ValueError or KeyError if invalid), and a description of valid values.
_READERS: Final[dict[str, tuple[Callable[[str], object], str]]] = {
    "role": (_role, f"a kind of control ({', '.join(ROLES)})"),
    "exact": (lambda value: {"true": True, "yes": True, "false": False, "no": False}[value.lower()], "true or false"),
    "ordinal": (int, "a whole number (1 is the first, -1 the last)"),
    "position": (
        lambda value: Position(value.lower().replace("_", "-").replace(" ", "-")),
        f"one of {', '.join(each.value for each in Position)}",
    ),
    "region": (_region, "left,top,right,bottom as fractions of the screen between 0 and 1, in this order"),
}

"""XPath-like paths to elements of a tree: `//Button[@text="OK"]`, `/Pane/List[2]/ListItem[1]`.

    path      = step, { step }
    step      = ( "/" | "//" ), name, { "[", predicate, "]" }
    name      = "*" | class | role
    predicate = number | "last()" | condition, { "and", condition }
    condition = "@", attribute, [ "=" | "!=", string ]
              | ( "contains" | "starts-with" ), "(", "@", attribute, ",", string, ")"

`/` selects children (at the start: the roots), `//` descendants. A name is a class (`android.widget.Button`), its last part
(`Button`), or a role; a class of any platform also means its role, so `Edit` finds an EditText. Names are case-insensitive. A
number counts the step's elements below one parent, from 1. Attributes: text, description, name (text, else description), id
(all of it, or the part after the last "/"), class, role, package, enabled, clickable, checked, selected, focused;
`content-desc` and `resource-id` are aliases of description and id. Strings are in single or double quotes. A first step
`/hierarchy`, as in Android's own paths, is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from handeye.elements import UIElement
from handeye.errors import UsageError

MAX_PATH: Final = 2_000
_STEP: Final = re.compile(r"(//?)([^/\[\]\s@()'\"=]+)")
_NUMBER: Final = re.compile(r"\[\s*(?:(\d{1,6})|(last\(\)))\s*\]")
_STRING: Final = r"""("[^"]*"|'[^']*')"""
_CONDITION: Final = re.compile(
    rf"\s*(?:@([\w-]+)\s*(?:(!?=)\s*{_STRING})?|(contains|starts-with)\(\s*@([\w-]+)\s*,\s*{_STRING}\s*\))\s*"
)

Test = Callable[[UIElement], bool]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `name` is a class, a role or "*", in lower case; `deep` if it selects all descendants."""

    deep: bool
    name: str
    predicates: tuple[int | Test, ...]  # a number as written, -1 for the last


@lru_cache(maxsize=256)
def steps_of(path: str) -> tuple[Step, ...]:
    """Return the steps of a path, at least one. Raises UsageError, with the position, for an invalid path."""
    if len(path) > MAX_PATH:
        raise UsageError(f"a path of {len(path)} characters is too long: {MAX_PATH} at most")
    steps: list[Step] = []
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise _syntax_error(path, at, "a step: / or // and a class, a role or *")
        at = step.end()
        predicates: list[int | Test] = []
        while path.startswith("[", at):
            at = _predicate(path, at, predicates)
        steps.append(Step(step[1] == "//", step[2].casefold(), tuple(predicates)))
    if not steps:
        raise UsageError("a path is empty; write for example //Button[@text='OK']")
    return tuple(steps)


def _predicate(path: str, at: int, predicates: list[int | Test]) -> int:
    """Parse one `[...]` that starts at `at` into `predicates`; return its end."""
    if number := _NUMBER.match(path, at):
        if number[1] and not int(number[1]):
            raise _syntax_error(path, at, "a number from 1")
        predicates.append(int(number[1]) if number[1] else -1)
        return number.end()
    at += 1
    while True:
        condition = _CONDITION.match(path, at)
        if condition is None:
            raise _syntax_error(path, at, "a number, last(), @attribute='...' or contains(@attribute, '...')")
        predicates.append(_test(path, at, condition))
        at = condition.end()
        if path.startswith("]", at):
            return at + 1
        if not path.startswith("and", at):
            raise _syntax_error(path, at, '"]" or "and"')
        at += len("and")


def _test(path: str, at: int, condition: re.Match[str]) -> Test:
    attribute, operator, value, function, inside, part = condition.groups()
    read = _ATTRIBUTES.get(attribute or inside)
    if read is None:
        raise _syntax_error(path, at, f"one of the attributes {', '.join(_ATTRIBUTES)}")
    wanted = (value or part or "''")[1:-1]
    if function == "contains":
        return lambda element: any(wanted in known for known in read(element))
    if function == "starts-with":
        return lambda element: any(known.startswith(wanted) for known in read(element))
    if operator is None:
        return lambda element: any(known not in ("", "false") for known in read(element))
    return lambda element: (wanted in read(element)) == (operator == "=")


def _with_last_part(element: UIElement, key: str, before_last: str) -> tuple[str, str]:
    """Return the attribute of the element, and its last part."""
    known = str(element.metadata.get(key, ""))
    return known, known.rpartition(before_last)[2]


def _flag(value: object) -> tuple[str]:
    return ("true" if value else "false",)


_ATTRIBUTES: Final[dict[str, Callable[[UIElement], tuple[str, ...]]]] = {
    "text": lambda element: (element.text,),
    **dict.fromkeys(("description", "content-desc"), lambda element: (element.description,)),
    "name": lambda element: (element.text or element.description,),
    **dict.fromkeys(("id", "resource-id"), lambda element: _with_last_part(element, "id", "/")),
    "class": lambda element: _with_last_part(element, "class", "."),
    "role": lambda element: (element.element_type,),
    "package": lambda element: (str(element.metadata.get("package", "")),),
    "enabled": lambda element: _flag(element.enabled is not False),
    "clickable": lambda element: _flag(element.interactive),
    "checked": lambda element: _flag(element.metadata.get("checked")),
    "selected": lambda element: _flag(element.metadata.get("selected")),
    "focused": lambda element: _flag(element.metadata.get("focused")),
}


def _syntax_error(path: str, at: int, expected: str) -> UsageError:
    return UsageError(f"the path {path!r} cannot be read at character {at + 1}: expected {expected}")

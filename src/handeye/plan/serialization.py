"""
Serialization of plans as plain data: for the folder of a run, for remembered plans, for tests.

The keys are the fields of `TaskPlan` and `StepPlan`; fields with their default value are left out.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from handeye.errors import InvalidPlan
from handeye.plan.base import ActionName, DefaultTime, StepPlan, TaskPlan
from handeye.plan.templates.template import TextTemplate
from handeye.plan.validation import problems

SHORTEST_SECRET: Final = 3
"""Least length of a secret that is also redacted inside other texts; shorter ones occur in every word."""

REDACTION: Final = "••••"
_MOST_OF_VALUE: Final = 60


class _PlanFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    plan: TaskPlan


def plan_to_dict(plan: TaskPlan) -> dict[str, Any]:
    """
    Return the plan as JSON data. The text of an `input_text` step with `secret` in its params is left out, and redacted
    wherever else it occurs: such a plan can be read and shown, and lacks that text when it is carried out.

    Raises InvalidPlan for a value that JSON cannot hold.
    """
    secrets = [
        step.params["text"] for step in plan.steps if is_secret(step) and isinstance(step.params.get("text"), str)
    ]
    steps = tuple(_without_text(step) if is_secret(step) else step for step in plan.steps)
    written: dict[str, Any] = _plain(dataclasses.replace(plan, steps=steps), "")
    safe: dict[str, Any] = hidden(written, [text for text in secrets if len(text) >= SHORTEST_SECRET])
    return safe


def plan_from_dict(data: object) -> TaskPlan:
    """Return the plan that `plan_to_dict` wrote. Raises InvalidPlan, which names the place and the problem."""
    try:
        text = json.dumps({"plan": with_templates(data)}, allow_nan=False)
        plan = _PlanFile.model_validate_json(text).plan
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        value = detail["input"]
        shown = f", not {value!r:.{_MOST_OF_VALUE}}" if isinstance(value, str | int | float) else ""
        raise InvalidPlan(f"a plan's {place(detail['loc'][1:])}: {detail['msg']}{shown}") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidPlan(f"a plan is no plain data: {error}") from error
    for problem in problems(plan):
        raise InvalidPlan(f"a plan that cannot be carried out: {problem}")
    return plan


def is_secret(step: StepPlan) -> bool:
    """Return True if the step types a text that must not be stored."""
    return step.action is ActionName.INPUT_TEXT and bool(step.params.get("secret"))


def secret_slots(step: StepPlan) -> frozenset[str]:
    """Return the names of the values, read by earlier steps, in the step's secret text; none if it has no such text."""
    late = step.late.get("params.text") if is_secret(step) else None
    return frozenset(late.slots) if late is not None else frozenset()


def place(where: tuple[int | str, ...]) -> str:
    """Return a path of keys and indices in the form `steps[2].action`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".") or "beginning"


def with_templates(data: object) -> object:
    """Return the plain data with the texts in `late` parsed as templates. Raises InvalidPlan for a text that is none."""
    if not isinstance(data, Mapping) or not isinstance(data.get("steps"), list):
        return data
    return {**data, "steps": [_with_late(step) for step in data["steps"]]}


def _with_late(step: object) -> object:
    if not isinstance(step, Mapping) or not isinstance(late := step.get("late"), Mapping):
        return step
    read = {
        name: {"pieces": list(TextTemplate.parse(text).pieces)} if isinstance(text, str) else text
        for name, text in late.items()
    }
    return {**step, "late": read}


def _plain(value: object, where: str) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, TextTemplate):
        return value.source
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(part, f"{where}.{name}") for name, part in _changed_fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(part, f"{where}.{name}") for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part, f"{where}[{index}]") for index, part in enumerate(value)]
    if value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise InvalidPlan(f"a plan's {where.lstrip('.')} cannot be written: {value!r:.{_MOST_OF_VALUE}}")


def _changed_fields(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields that do not have their default value."""
    for each in dataclasses.fields(value):
        current = getattr(value, each.name)
        if each.default_factory is not dataclasses.MISSING:
            default: Any = each.default_factory()
        else:
            default = each.default
        if (
            default is dataclasses.MISSING
            or current != default
            or (isinstance(default, DefaultTime) and not isinstance(current, DefaultTime))
        ):
            yield each.name, current


def _without_text(step: StepPlan) -> StepPlan:
    return dataclasses.replace(step, params={name: value for name, value in step.params.items() if name != "text"})


def blanked(text: str, secrets: Iterable[str]) -> str:
    """Return `text` with every secret redacted; the longest first, so that none is split by a shorter one inside it."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, REDACTION)
    return text


def hidden(value: Any, secrets: Collection[str]) -> Any:
    """Return `value` with every secret redacted, also in nested dataclasses, tuples, lists and mappings; keys are unchanged."""
    if not secrets:
        return value
    if isinstance(value, str):
        return blanked(value, secrets)
    if isinstance(value, tuple) and hasattr(value, "_make"):  # a named tuple, such as a region
        return value._make(hidden(item, secrets) for item in value)
    if isinstance(value, tuple | list):
        return type(value)(hidden(item, secrets) for item in value)
    if isinstance(value, Mapping):
        return {key: hidden(item, secrets) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in dataclasses.fields(value)]
        return dataclasses.replace(value, **{name: hidden(getattr(value, name), secrets) for name in names})
    return value

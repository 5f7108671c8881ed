"""Validation that every plan must pass before it runs, whatever its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from handeye.actions import MOST_TAPS
from handeye.devices import keycode
from handeye.errors import UsageError
from handeye.plan.base import ActionName, StepPlan, TaskPlan

MOST_STEPS: Final = 200
"""Most steps of one plan: includes of templates could otherwise multiply without limit."""

LONGEST_MS: Final = 600_000
"""Ten minutes: a longer wait is probably a wrong unit, not milliseconds."""

MOST_RETRIES: Final = 10
LONGEST_TEXT: Final = 20_000
"""Most characters of one typed text: as long as a task may be (handeye.plan.templates.template.TASK_LIMIT)."""

DIRECTIONS: Final = ("left", "right", "up", "down")
FALLBACKS: Final = (ActionName.SWIPE, ActionName.TAP, ActionName.PRESS_KEY, ActionName.WAIT)
"""Actions allowed if a target is not there (docs/spec/vision-agent.md)."""

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a step, or of the plan as a whole (`step` 0)."""

    step: int
    text: str

    def __str__(self) -> str:
        return f"step {self.step}: {self.text}" if self.step else self.text


def problems(plan: TaskPlan) -> Iterator[Problem]:
    """Yield the plan's problems in the order of its steps; none for a plan that can be carried out."""
    if not plan.steps:
        yield Problem(0, "it has no steps")
    if len(plan.steps) > MOST_STEPS:
        yield Problem(0, f"it has {len(plan.steps)} steps; at most {MOST_STEPS} are carried out")
        return
    known: set[str] = set()
    for number, step in enumerate(plan.steps, 1):
        if step.step != number:
            yield Problem(number, f"it has the number {step.step}; steps count from 1 without gaps")
        for text in _of_step(step, known):
            yield Problem(number, f"{step.action.value}: {text}")
        if step.action is ActionName.READ:
            known.add(str(step.params.get("save_as")))


def _of_step(step: StepPlan, known: set[str]) -> Iterator[str]:
    needs_target = step.action.needs_target or step.action in (ActionName.READ, ActionName.RETURN_HOME)
    if needs_target and step.wanted is None:
        yield "it has no target"
    if step.action is ActionName.CHECK and step.wanted is None and step.expectation is None:
        yield "it has nothing to check"
    for problem in params_problems(step.action, {**step.params, **_late_params(step)}):
        # The text of a `secret` step is never stored: a plan that was read back lacks it until it is given again.
        if not (step.params.get("secret") and problem.startswith("params.text is missing")):
            yield problem
    yield from _of_fallback(step.fallback)
    for name, value in (("timeout", step.timeout), ("wait_before", step.wait_before), ("wait_after", step.wait_after)):
        if not 0 <= value <= LONGEST_MS:
            yield f"{name} is {value}; it must be milliseconds from 0 to {LONGEST_MS}"
    if not 0 <= step.retry <= MOST_RETRIES:
        yield f"retry is {step.retry}; it must be 0 to {MOST_RETRIES}"
    for slot in sorted({slot for template in step.late.values() for slot in template.slots} - known):
        yield f"the value {slot!r} is used, and no step before it reads it"


def _late_params(step: StepPlan) -> dict[str, str]:
    """Return placeholders for the params whose value is read during the run: present, and not yet known."""
    return {name.removeprefix("params."): "…" for name in step.late if name.startswith("params.")}


def _of_fallback(fallback: Params | None) -> Iterator[str]:
    if fallback is None:
        return
    names = [action.value for action in FALLBACKS]
    if fallback.get("action") not in names:
        yield f"fallback.action is {fallback.get('action')!r}; it must be one of {', '.join(names)}"
        return
    action, target = ActionName(fallback["action"]), fallback.get("target_ref")
    if (action is ActionName.TAP) != bool(target):
        yield "a fallback's target_ref is for tap, and tap needs it"
    if target is not None and not isinstance(target, str):
        yield "fallback.target_ref must be a text"
    params = fallback.get("params", {})
    if not isinstance(params, Mapping):
        yield "fallback.params must be a mapping"
        return
    yield from (f"fallback.{problem}" for problem in params_problems(action, params))


def params_problems(action: ActionName, params: Params) -> Iterator[str]:
    """Yield the problems of an action's parameters."""
    for name, check in _PARAMS.get(action, {}).items():
        required = name in _REQUIRED
        if params.get(name) is None:
            if required:
                yield f"params.{name} is missing"
        elif problem := check(params[name]):
            yield f"params.{name} is {params[name]!r:.60}; {problem}"
    if action is ActionName.PRESS_KEY and (params.get("key") is None) == (params.get("keycode") is None):
        yield "params must have one of key (such as BACK) and keycode (a number)"


def _direction(value: object) -> str:
    return "" if value in DIRECTIONS else f"it must be one of {', '.join(DIRECTIONS)}"


def _taps(value: object) -> str:
    sound = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_TAPS
    return "" if sound else f"it must be 1 to {MOST_TAPS} taps in a row"


def _duration(value: object) -> str:
    sound = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST_MS
    return "" if sound else f"it must be milliseconds from 0 to {LONGEST_MS}"


def _text(value: object) -> str:
    return "" if isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT else "it must be a text that is not empty"


def _key(value: object) -> str:
    try:
        keycode(value if isinstance(value, str | int) else "")
    except UsageError:
        return "it must be the name of an Android key, such as BACK, or its number"
    return ""


def _package(value: object) -> str:
    parts = value.split(".") if isinstance(value, str) else []
    sound = len(parts) > 1 and all(part.isidentifier() and part.isascii() for part in parts)
    return "" if sound else "it must be an Android package name such as com.tencent.mm"


def _url(value: object) -> str:
    try:
        parts = urlsplit(value) if isinstance(value, str) else urlsplit("")
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username and parts.port != 0
    except ValueError:
        sound = False
    return "" if sound else "it must be an http or https address without a name and a password in it"


def _identifier(value: object) -> str:
    return "" if isinstance(value, str) and value.isidentifier() else "it must be one word of letters, digits and _"


_REQUIRED: Final = frozenset({"direction", "text", "package", "url", "number", "save_as"})
_PARAMS: Final[Mapping[ActionName, Mapping[str, Callable[[object], str]]]] = {
    ActionName.TAP: {"count": _taps},
    ActionName.LONG_PRESS: {"duration": _duration},
    ActionName.SWIPE: {"direction": _direction, "duration": _duration},
    ActionName.INPUT_TEXT: {"text": _text},
    ActionName.PRESS_KEY: {"key": _key, "keycode": _key},
    ActionName.WAIT: {"duration": _duration},
    ActionName.LAUNCH_APP: {"package": _package},
    ActionName.OPEN_URL: {"url": _url},
    ActionName.CALL: {"number": _text},
    ActionName.READ: {"save_as": _identifier},
}

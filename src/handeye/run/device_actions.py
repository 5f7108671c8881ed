"""Convert a step and the place of its target to one device action."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from handeye.actions import (
    MOST_TAPS,
    Action,
    Call,
    Click,
    GoHome,
    InputText,
    LaunchApp,
    LongPress,
    OpenUrl,
    PressKey,
    Swipe,
    Tap,
    Wait,
)
from handeye.errors import InvalidPlan
from handeye.geometry import Point
from handeye.plan import ActionName, StepPlan
from handeye.screen import InputPoint, Screen

# Start and end of a swipe, as fractions of the screen: clear of the edges, where systems have their own gestures. It starts
# on the page also in landscape: there, title and search take the upper third, tabs the lower quarter.
_SWIPES: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "left": ((0.85, 0.55), (0.15, 0.55)),
    "right": ((0.15, 0.55), (0.85, 0.55)),
    "up": ((0.5, 0.72), (0.5, 0.2)),
    "down": ((0.5, 0.4), (0.5, 0.88)),
}
DIRECTIONS = tuple(_SWIPES)
SWIPE_MS = 300
LONG_PRESS_MS = 1000


def swipe(direction: str, screen: Screen, duration_ms: int = SWIPE_MS) -> Swipe:
    """Return a swipe in one of DIRECTIONS across the frame. Raises InvalidPlan."""
    if direction not in _SWIPES:
        raise InvalidPlan(f"cannot swipe {direction!r}; directions are {', '.join(DIRECTIONS)}")
    (x1, y1), (x2, y2) = _SWIPES[direction]
    width, height = screen.size
    return Swipe(
        screen.to_input(Point(int(x1 * width), int(y1 * height))),
        screen.to_input(Point(int(x2 * width), int(y2 * height))),
        duration_ms,
    )


def taps(at: InputPoint, count: int) -> Tap | Click:
    """Return a tap, or several in a row."""
    return Tap(at) if count == 1 else Click(at, count=count)


def action_for(step: StepPlan, at: Point | None, screen: Screen | None) -> Action | None:
    """
    Return the device action of a step, or None for a step that only looks; `at` is where its target was found, in pixels of
    `screen`. Direct commands need neither.

    Raises InvalidPlan when a parameter is missing or of the wrong kind.
    """
    match step.action:
        case ActionName.TAP:
            return taps(_place(step, at, screen), _count(step))
        case ActionName.LONG_PRESS:
            return LongPress(_place(step, at, screen), _number(step, "duration", LONG_PRESS_MS))
        case ActionName.SWIPE:
            if screen is None:
                raise InvalidPlan(f"step {step.step}: a swipe needs a frame to tell how far it goes")
            return swipe(_text(step, "direction"), screen, _number(step, "duration", SWIPE_MS))
        case ActionName.INPUT_TEXT:
            return InputText(_text(step, "text"), secret=bool(step.params.get("secret", False)))
        case ActionName.PRESS_KEY:
            return PressKey(_key(step))
        case ActionName.WAIT:
            return Wait(_number(step, "duration", 1000))
        case ActionName.GO_HOME:
            return GoHome()
        case ActionName.LAUNCH_APP:
            return LaunchApp(_text(step, "package"))
        case ActionName.OPEN_URL:
            return OpenUrl(_text(step, "url"))
        case ActionName.CALL:
            return Call(_text(step, "number"))
        case ActionName.CHECK | ActionName.READ | ActionName.RETURN_HOME:
            return None


def _place(step: StepPlan, at: Point | None, screen: Screen | None) -> InputPoint:
    if at is None or screen is None:
        raise InvalidPlan(f"step {step.step} ({step.action.value}) has no target to act on")
    return screen.to_input(at)


def _required(step: StepPlan, name: str) -> Any:
    if name not in step.params:
        raise InvalidPlan(f"step {step.step} ({step.action.value}) lacks the parameter {name!r}")
    return step.params[name]


def _text(step: StepPlan, name: str) -> str:
    value = _required(step, name)
    if not isinstance(value, str) or not value:
        raise InvalidPlan(f"step {step.step}: {name} must be a text that is not empty, not {type(value).__name__}")
    return value


def _key(step: StepPlan) -> str | int:
    value = step.params.get("key", step.params.get("keycode"))
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidPlan(f"step {step.step}: press_key needs `key` (a name such as BACK, or a number), not {value!r}")
    return value


def _count(step: StepPlan) -> int:
    value = step.params.get("count", 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_TAPS:
        raise InvalidPlan(f"step {step.step}: count must be 1 to {MOST_TAPS} taps, not {value!r}")
    return value


def _number(step: StepPlan, name: str, default: int) -> int:
    value = step.params.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InvalidPlan(f"step {step.step}: {name} must be milliseconds from 0 up, not {value!r}")
    return int(value)

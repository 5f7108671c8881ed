"""
Execution levels of steps, which decide how much a step is checked and how long its effect may take
(docs/spec/vision-agent.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from handeye.plan import ActionName, DefaultTime, StepPlan
from handeye.run.idempotency import agrees_by_key


class ExecutionLevel(Enum):
    """The four levels of docs/spec/vision-agent.md, cheapest first."""

    FIRE_AND_FORGET = 0
    QUICK_VERIFY = 1
    LOCATE_AND_EXECUTE = 2
    FULL_AI = 3


_DIRECT: Final = frozenset(
    {
        *(ActionName.LAUNCH_APP, ActionName.CALL, ActionName.OPEN_URL),
        *(ActionName.GO_HOME, ActionName.WAIT, ActionName.PRESS_KEY),
    }
)
# Longest time that the effect of an act may take, in milliseconds (docs/spec/vision-agent.md). Upper bounds: where the screen
# can be checked, waiting ends sooner.
_WAITS: Final[Mapping[ExecutionLevel, int]] = MappingProxyType(
    {
        ExecutionLevel.FIRE_AND_FORGET: 100,
        ExecutionLevel.QUICK_VERIFY: 200,
        ExecutionLevel.LOCATE_AND_EXECUTE: 300,
        ExecutionLevel.FULL_AI: 1000,
    }
)
_ACTION_WAITS: Final[Mapping[ActionName, int]] = MappingProxyType(
    {ActionName.LAUNCH_APP: 500, ActionName.OPEN_URL: 2500}
)


def level_of(step: StepPlan) -> ExecutionLevel:
    """
    Return the level, by the step's action and the description of its target: a direct command (0), a gesture or typing
    without a target (1), a target that a picture, a text or the tree shows (2), or one that only words describe, which a
    model finds (3).
    """
    if step.action in _DIRECT and step.wanted is None:
        return ExecutionLevel.FIRE_AND_FORGET
    wanted = step.wanted
    if wanted is None:
        check = step.action is ActionName.CHECK
        return ExecutionLevel.LOCATE_AND_EXECUTE if check else ExecutionLevel.QUICK_VERIFY
    shown = wanted.reference or wanted.text or wanted.role or wanted.id or wanted.path
    return ExecutionLevel.LOCATE_AND_EXECUTE if shown else ExecutionLevel.FULL_AI


def longest_wait_s(step: StepPlan) -> float:
    """
    Return the longest time in seconds that the step's effect may take: its own `wait_after`, else its level's. An upper
    bound.
    """
    if not isinstance(step.wait_after, DefaultTime):
        return step.wait_after / 1000
    return _ACTION_WAITS.get(step.action, _WAITS[level_of(step)]) / 1000


def clears_way(step: StepPlan) -> bool:
    """Return True if the step, which has no target, first dismisses what covers the page, as steps with a target do."""
    return step.params.get("clear_way") is True


def is_blind(step: StepPlan) -> bool:
    """
    Return True if the step is carried out without looking: it has level 0, and no expectation, guard, condition or
    `clear_way`.

    A key that activates the focused button is never blind: it would agree to a request that has come up.
    """
    if step.expectation is not None or step.guard is not None or step.conditions or agrees_by_key(step):
        return False
    if clears_way(step):
        return False
    return level_of(step) is ExecutionLevel.FIRE_AND_FORGET


# Bounds of a run, each with its reason.


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run. Times in seconds."""

    # docs/spec/vision-agent.md: a fallback is tried at most three times.
    fallbacks: int = 3
    # Three dialogs on top of each other happen (permission, advert, rating); a fourth is a loop.
    dismissals: int = 3
    # The wait after a fallback in docs/spec/vision-agent.md, so that the screen comes to rest.
    settle_s: float = 0.5
    # Pause after each action, before its effect is looked at; a step's own `wait_after` counts where it is longer. It is the
    # OPERATION_DELAY of docs/spec/vision-agent.md, for phones with slow animations; usually not needed, since effects are
    # awaited.
    pause_s: float = 0.0
    # Interval between two frames while waiting for an expectation. A shorter one only reads more equal frames.
    poll_s: float = 0.2
    # Interval between two frames that show whether the screen is at rest: animations run at 60 frames a second, so that any
    # interval shows them moving; a shorter one only takes more frames.
    still_s: float = 0.1
    # Number of steps whose frames stay in the result: two of 8 MB each on a phone of 1080x2400. Listeners receive every frame
    # before it is dropped.
    kept_frames: int = 30
    # A spinner that is shown longer than this is a fault, not a wait.
    loading_s: float = 20.0
    # A device that does not reconnect within this time is lost for the run. A phone on WiFi is away for 20 to 30 s when its
    # router restarts or it changes networks, and a call to it waits 20 s by itself.
    reconnect_s: float = 60.0
    # Number of other plans after the first one has failed. A planner that was wrong about a screen twice is not right the
    # third time.
    replans: int = 2
    # docs/spec/vision-agent.md: BACK at most ten times on the way to an app's first page, and this pause for its animation.
    backs: int = 10
    back_s: float = 0.3
    # A page that has not changed this long after BACK does not react to it.
    unmoved_s: float = 1.5

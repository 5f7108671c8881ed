"""How much looking a step needs, and how long its effect may take (seed 004, "执行策略分层设计")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from handeye.plan import ActionName, StepPlan, Unsaid
from handeye.run.idempotency import agrees_by_key


class ExecutionLevel(Enum):
    """Seed 004's four levels, cheapest first."""

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
# Seed 004: how long the effect of an act may take, in milliseconds. Upper bounds: whoever can look stops waiting sooner.
_WAITS: Final[Mapping[ExecutionLevel, int]] = MappingProxyType(
    {
        ExecutionLevel.FIRE_AND_FORGET: 100,
        ExecutionLevel.QUICK_VERIFY: 200,
        ExecutionLevel.LOCATE_AND_EXECUTE: 300,
        ExecutionLevel.FULL_AI: 1000,
    }
)
_SLOWER: Final[Mapping[ActionName, int]] = MappingProxyType({ActionName.LAUNCH_APP: 500, ActionName.OPEN_URL: 2500})


def level_of(step: StepPlan) -> ExecutionLevel:
    """
    By what the step does and how its target is described: a direct command (0), a gesture or typing that needs no target (1),
    a target that a picture, a text or the tree shows (2), one that only words describe, for a model to find (3).
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
    """Seconds that the step's effect may take: its own `wait_after`, else its level's. An upper bound for whoever looks."""
    if not isinstance(step.wait_after, Unsaid):
        return step.wait_after / 1000
    return _SLOWER.get(step.action, _WAITS[level_of(step)]) / 1000


def clears_way(step: StepPlan) -> bool:
    """Whether the step, which has no target, dismisses first what lies over the page, as one with a target does."""
    return step.params.get("clear_way") is True


def is_blind(step: StepPlan) -> bool:
    """
    Whether the step is carried out without looking: of level 0, with nothing to prove, to guard, to decide or to clear away.

    A key that presses what is in focus is not: it would agree to a request that has come up.
    """
    if step.expectation is not None or step.guard is not None or step.conditions or agrees_by_key(step):
        return False
    if clears_way(step):
        return False
    return level_of(step) is ExecutionLevel.FIRE_AND_FORGET


# How patient a run is: every bound in one place, with its reason.


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run. Times in seconds."""

    # Seed 004: a fallback is tried at most three times.
    fallbacks: int = 3
    # Three dialogs on top of each other happen (permission, advert, rating); a fourth is a loop.
    dismissals: int = 3
    # Seed 004's wait after a fallback, so that the screen comes to rest.
    settle_s: float = 0.5
    # After each action, before its effect is looked at; a step's own `wait_after` counts where it is longer. Seed 004's
    # OPERATION_DELAY, for a phone whose animations are slow. Not needed as a rule: an effect is waited for.
    pause_s: float = 0.0
    # Between two looks while waiting for an expectation. Shorter only reads more equal frames.
    poll_s: float = 0.2
    # Between two frames that tell whether the screen is at rest: animations run at 60 frames a second, so that any pause shows
    # them moving; a shorter one only takes more frames.
    still_s: float = 0.1
    # Steps whose frames stay in the result: two of 8 MB each on a phone of 1080x2400. Listeners hear of every frame in time.
    kept_frames: int = 30
    # A spinner that turns longer than this is a fault, not a wait.
    loading_s: float = 20.0
    # A device that is not back within this time is lost for the run. A phone on WiFi is away for 20 to 30 s when its router
    # starts anew or it changes networks, and a call to it waits 20 s by itself.
    reconnect_s: float = 60.0
    # Other plans after the first one has failed. Who has been wrong about a screen twice is not right the third time.
    replans: int = 2
    # Seed 004: BACK at most ten times on the way to an app's first page, and so long for its animation.
    backs: int = 10
    back_s: float = 0.3
    # A page that has not moved this long after BACK does not answer it.
    unmoved_s: float = 1.5

"""Disturbances of a task: each row configures the virtual phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from handeye_phone import Scenario
from scenarios.tasks import Task

CALM: Final = "none"


def _none(task: Task) -> bool:
    return False


def _every(task: Task) -> bool:
    return True


def _sends(task: Task) -> bool:
    return bool(task.goal.sent)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """`about` is for the table's legend; `bars` is True for tasks that it keeps from being done or called done."""

    name: str
    about: str
    scenario: Scenario
    bars: Callable[[Task], bool] = _none

    def around(self, task: Task) -> Scenario:
        """Return the phone's scenario for this task: what comes with an app comes with the task's app."""
        start = task.start
        return replace(
            self.scenario, app=task.app, missing_contacts=start.missing, permission_needed=start.permission_needed
        )

    def allows(self, task: Task) -> bool:
        """Return True if the task can be done in spite of it."""
        return task.solvable and not self.bars(task) and (self.scenario.adb_keyboard or task.types_ascii)


DISTURBANCES: Final = (
    Disturbance(CALM, "nothing", Scenario()),
    Disturbance("dialog", "the task's app asks for the location when it opens", Scenario(permission_dialog=True)),
    Disturbance("advert", "an advert with a small ✕ lies over the app each time it opens", Scenario(advert=True)),
    Disturbance(
        "countdown",
        "an advert fills the screen for 5 s each time the app opens; after 2 s it can be skipped, a tap beside that follows it",
        Scenario(countdown_s=5),
    ),
    Disturbance(
        "slow",
        "pages load for 1.5 s, a screenshot takes 0.3-1 s longer, a tap 0.4 s",
        Scenario(loading_ms=1500, capture_ms=(300, 1000), tap_ms=400),
    ),
    Disturbance("dark", "the dark theme", Scenario(dark=True)),
    Disturbance("density", "320 dpi instead of 420", Scenario(density=320)),
    Disturbance("rotation", "the phone lies on its side", Scenario(rotation=1)),
    Disturbance("lost link", "after 20 commands the link is cut for 3 s", Scenario(drop_link_s=3.0, drop_after=20)),
    Disturbance("crash", "at the third tap in it, the app crashes, once", Scenario(crash_after_taps=3)),
    Disturbance("crash at once", "at the first tap in it, the app crashes, once", Scenario(crash_after_taps=1)),
    Disturbance(
        "crash at sending",
        "at the fourth tap in it, the app crashes, once: the message is sent, and nothing shows it",
        Scenario(crash_after_taps=4),
        bars=_sends,
    ),
    Disturbance(
        "link gone",
        "after 3 commands, before anything is done, the link is cut for good",
        Scenario(drop_link_s=600.0, drop_after=3),
        bars=_every,
    ),
    Disturbance("no IME", "ADBKeyboard is not installed: only ASCII can be typed", Scenario(adb_keyboard=False)),
)

"""Tests of a crash at a switch: the switch is tapped again only when seen in its earlier state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from handeye.actions import Action, ActionResult, LaunchApp, Tap
from handeye.blockers import SuggestionAction
from handeye.geometry import Box, Point
from handeye.plan import ActionName, Condition, PlanOrigin, StepPlan
from handeye.run import StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.verify import VerifyResult

SETTINGS = "com.example.settings"
ROW, KNOB = Box(0, 60, 60, 80), Box(70, 60, 90, 80)
OFF = Condition(Expectation(row="Bluetooth", switch=False))
ON = Expectation(row="Bluetooth", switch=True)

LAUNCH = StepPlan(
    1,
    ActionName.LAUNCH_APP,
    params={"package": SETTINGS},
    expect=Expectation(app=SETTINGS),
    description="open settings",
)
TURN = StepPlan(2, ActionName.TAP, target=Target(text="Bluetooth"), expect=ON, conditions=(OFF,), retry=0)
LOOK = StepPlan(3, ActionName.CHECK, expect=ON)


class Phone(FakeDevice):
    """
    Settings with one switch, and the home screen. At the `crash`-th tap in them (0: never) the settings die; what that tap
    turned stays turned if they have saved it. With `behind`, the switch is on a page of its own; a `slow` one is seen to be off
    for longer than a run lasts.
    """

    def __init__(self, crash: int = 1, *, saves: bool = False, behind: bool = False) -> None:
        pages = {
            "desk": FakePage(),
            "list": FakePage({"Bluetooth": ROW}),
            "switch": FakePage({"Use Bluetooth" if behind else "Bluetooth": ROW}),
        }
        super().__init__(pages, start="desk")
        self.first, self.crash, self.saves = "list" if behind else "switch", crash, saves
        self.on, self.taps, self.turned = False, 0, 0
        self.slow = False

    def front_app(self) -> str | None:
        return "desk" if self.page == "desk" else SETTINGS

    def home_app(self) -> str | None:
        return "desk"

    def screenshot(self) -> Screen:
        """As on real phones, the pages of the settings differ by little."""
        pixels = np.full((200, 100, 3), 30 if self.page == "desk" else 240, dtype=np.uint8)
        if self.page == "switch":
            pixels[KNOB.top : KNOB.bottom, KNOB.left : KNOB.right] = (0, 120, 0) if self.on else 160
        return Screen(pixels, window={"page": self.page, "typed": "", "on": self.on})

    def perform(self, action: Action) -> ActionResult:
        super().perform(action)
        if isinstance(action, LaunchApp):
            self.page = self.first
        elif (
            isinstance(action, Tap) and self.page != "desk" and ROW.contains(Point(int(action.at.x), int(action.at.y)))
        ):
            self._tapped()
        return ActionResult()

    def _tapped(self) -> None:
        self.taps += 1
        crashes = self.taps == self.crash
        if self.page == "list":
            self.page = "switch"
        elif not self.slow and (not crashes or self.saves):
            self.on, self.turned = not self.on, self.turned + 1
        if crashes:
            self.page = "desk"


class SwitchVerifier(FakeVerifier):
    """Sees the one switch where it stands; on any other page that is undecided, as for the real one."""

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        if expect is None or expect.switch is None:
            return super().verify(expect, before, after)
        changed = None if before is None else before.digest != after.digest
        if after.window["page"] != "switch":
            return VerifyResult(False, 0.0, screen_changed=changed, evidence=("there is no such row",))
        holds = after.window["on"] is expect.switch
        action = SuggestionAction.CONTINUE if holds else SuggestionAction.RETRY
        return VerifyResult(holds, 1.0, matches_expected=holds, screen_changed=changed, suggestion=action)


def run(
    phone: Phone, steps: Sequence[StepPlan], *others: Sequence[StepPlan], origin: PlanOrigin = PlanOrigin.TEMPLATE
) -> TaskResult:
    tools = Tools(FakeFinder(phone), SwitchVerifier(phone))
    planner = FakePlanner({"task": steps}, {"task": others}, origin=origin)
    return TaskRunner(phone, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")


def test_switch_unchanged_by_crash_is_tapped_again() -> None:
    phone = Phone()
    result = run(phone, (LAUNCH, TURN, LOOK))
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert (phone.on, phone.turned, phone.taps) == (True, 1, 2)
    (failed,) = [each for each in result.step_results if each.status is StepStatus.FAILED]
    assert "as after a crash" in failed.error_message


def test_switch_turned_before_crash_is_not_tapped_again() -> None:
    phone = Phone(saves=True)
    result = run(phone, (LAUNCH, TURN, LOOK))
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert (phone.on, phone.taps) == (True, 1)


@pytest.mark.parametrize(
    "conditions", [(), (Condition(ON, wanted=False),), (Condition(Expectation(text="Bluetooth")),)]
)
@pytest.mark.parametrize("saves", [False, True], ids=["lost", "saved"])
def test_switch_step_without_state_condition_is_not_repeated(saves: bool, conditions: tuple[Condition, ...]) -> None:
    phone = Phone(saves=saves)
    result = run(phone, (LAUNCH, replace(TURN, conditions=conditions), LOOK))
    assert not result.success
    assert phone.taps <= 1


def test_grouped_steps_turn_switch_once_after_crash() -> None:
    phone = Phone()
    turn = replace(TURN, conditions=(replace(OFF, group=2),))
    result = run(phone, (LAUNCH, turn, replace(turn, step=3, description="again")))
    assert (phone.on, phone.turned) == (True, 1), result.error_message


def test_condition_on_another_switch_does_not_allow_repeat() -> None:
    phone = Phone()
    elsewhere = Condition(Expectation(row="NFC", switch=False))
    assert not run(phone, (LAUNCH, replace(TURN, conditions=(elsewhere,)), LOOK)).success
    assert phone.taps == 1


def test_tapped_switch_without_crash_is_not_tapped_again() -> None:
    phone = Phone(crash=0)
    phone.slow = True
    result = run(phone, (LAUNCH, TURN), (TURN, LOOK))
    assert not result.success
    assert phone.taps == 1


def test_switch_that_always_crashes_is_not_reported_on() -> None:
    phone = Phone()
    tapped = phone._tapped

    def crash_again() -> None:
        phone.crash = phone.taps + 1
        tapped()

    phone._tapped = crash_again  # type: ignore[method-assign]
    result = run(phone, (LAUNCH, TURN, LOOK))
    assert not result.success
    assert (phone.on, phone.turned) == (False, 0)


def test_switch_behind_the_crashing_row_is_turned() -> None:
    behind = Expectation(row="Use Bluetooth", switch=True)
    steps = (
        LAUNCH,
        StepPlan(
            2,
            ActionName.TAP,
            target=Target(text="Bluetooth", role="list item"),
            expect=Expectation(text="Use Bluetooth"),
        ),
        StepPlan(
            3,
            ActionName.TAP,
            target=Target(text="Use Bluetooth"),
            expect=behind,
            conditions=(Condition(replace(behind, switch=False)),),
        ),
    )
    phone = Phone(behind=True)
    result = run(phone, steps)
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert (phone.on, phone.turned) == (True, 1)

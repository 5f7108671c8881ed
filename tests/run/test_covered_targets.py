"""What lies over a target goes before it is touched, and a target that stays covered is not touched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handeye.actions import Action, PressKey, Tap
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.plan.base import ActionName, StepPlan
from handeye.run.result import TaskResult, TaskStatus
from handeye.run.runner import TaskRunner
from handeye.run.tools import Tools
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.verify.base import Blocker, BlockerType, DismissSuggestion, VerifyResult

SEND = Box(50, 150, 90, 190)
KEYBOARD = Blocker(
    BlockerType.KEYBOARD, "the keyboard", DismissSuggestion("press_key", keycode=4), Box(0, 100, 100, 200)
)


class UnderKeys(FakeVerifier):
    """On the page "keys" the tree's button lies under the keyboard, which hides no field and so is no blocker by itself."""

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        seen = super().verify_before(target, element, screen)
        if screen.window["page"] != "keys":
            return seen
        return replace(seen, verified=False, matches_expected=False, blocker=KEYBOARD, evidence=("under the keyboard",))


def run(*, goes_away: bool, retry: int) -> tuple[TaskResult, list[Action]]:
    pages = {
        "keys": FakePage({"发送": SEND}, {"发送": "typed a key"}, keys={4: "chat"} if goes_away else {}),
        "chat": FakePage({"发送": SEND}, {"发送": "sent"}),
        "sent": FakePage({"已发送": SEND}),
        "typed a key": FakePage(),
    }
    device = FakeDevice(pages, start="keys")
    step = StepPlan(1, ActionName.TAP, target=Target(text="发送"), expect=Expectation(text="已发送"), retry=retry)
    tools = Tools(FakeFinder(device), UnderKeys(device))
    runner = TaskRunner(
        device,
        planner=FakePlanner({"task": [step]}),
        tools=lambda plan: tools,
        clock=FakeClock(),
        rest=False,
    )
    return runner.run("task"), device.performed


@pytest.mark.parametrize("retry", [0, 2])
def test_the_keyboard_over_a_button_is_closed_before_the_button_is_touched(retry: int) -> None:
    result, performed = run(goes_away=True, retry=retry)
    assert result.success
    assert [type(action) for action in performed] == [PressKey, Tap]
    assert any("keyboard" in note for note in result.step_results[0].notes)


def test_a_button_under_a_keyboard_that_stays_is_not_touched() -> None:
    result, performed = run(goes_away=False, retry=2)
    assert result.status is TaskStatus.FAILED
    assert not any(isinstance(action, Tap) for action in performed)
    assert "under the keyboard" in result.error_message

"""Tests of keys that may press a focused confirm button: the screen is checked for dialogs first."""

from __future__ import annotations

import pytest

from handeye.actions import PressKey, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

ALLOW, DENY = Box(60, 150, 90, 170), Box(10, 150, 30, 170)
AGREEING: list[str | int] = ["ENTER", "KEYCODE_ENTER", 66, "66", "NUMPAD_ENTER", "DPAD_CENTER", "SPACE", 62]


def press(*keys: str | int) -> list[StepPlan]:
    return [StepPlan(at, ActionName.PRESS_KEY, params={"key": key}) for at, key in enumerate(keys, 1)]


def run(*keys: str | int, start: str = "ask", needs_person: bool = False) -> tuple[FakeDevice, TaskResult]:
    """A run that presses the keys where a permission is asked for; BACK on another page brings the request up."""
    blocker = Blocker(
        BlockerType.DIALOG if needs_person else BlockerType.PERMISSION,
        "a request",
        DismissSuggestion("tap", box=DENY),
        Box(0, 100, 100, 200),
        "允许微信使用相机",
        DismissSuggestion("tap", box=ALLOW),
        needs_person,
    )
    keys_of_request = dict.fromkeys(AGREEING, "granted")
    device = FakeDevice(
        {
            "page": FakePage(keys={"BACK": "ask"}),
            "ask": FakePage({"Deny": DENY}, {"Deny": "denied"}, keys=keys_of_request, blocker=blocker),
            "denied": FakePage(),
            "granted": FakePage(),
        },
        start=start,
    )
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({"task": press(*keys)})
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False)
    return device, runner.run("task")


@pytest.mark.parametrize("key", AGREEING)
def test_confirming_key_is_not_pressed_on_permission_dialog(key: str | int) -> None:
    device, _result = run(key)
    assert device.page == "denied"
    assert [type(action) for action in device.performed] == [Tap, PressKey]


def test_confirming_key_is_not_pressed_on_new_dialog() -> None:
    assert run("BACK", "ENTER", start="page")[0].page == "denied"


def test_confirming_key_leaves_person_only_dialog_unanswered() -> None:
    device, result = run("ENTER", needs_person=True)
    assert (device.page, device.performed, result.status) == ("ask", [], TaskStatus.NEEDS_REVIEW)


def test_key_that_confirms_nothing_is_pressed_immediately() -> None:
    device, _result = run("VOLUME_UP", "TAB")
    assert [type(action) for action in device.performed] == [PressKey, PressKey]

"""Tests of covered targets: what covers a target is closed first, or the target is not tapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from handeye.actions import Action, PressKey, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion
from handeye.elements import UIElement
from handeye.geometry import Box, Point
from handeye.plan import ActionName, StepPlan
from handeye.run import StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.screen import Screen
from handeye.target import Expectation, LocateResult, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.verify import VerifyResult

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


class Keyed(FakeDevice):
    """Says whether its keyboard is shown; None where it `says` nothing."""

    says: bool | None = True

    def keyboard_shown(self) -> bool | None:
        return self.says


class FieldFinder(FakeFinder):
    """Finds fields as what they are."""

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        found = super().locate(target, screen)
        if target.text != "消息" or found.element is None:
            return found
        return replace(found, element=replace(found.element, element_type="input"))


FOCUS = StepPlan(1, ActionName.TAP, target=Target(text="消息"), expect=Expectation(text="发送"))


def run(
    *, goes_away: bool, retry: int, says: bool | None = True, before: Sequence[StepPlan] = ()
) -> tuple[TaskResult, list[Action]]:
    pages = {
        "empty": FakePage({"消息": SEND}, {"消息": "keys"}),
        "keys": FakePage({"发送": SEND}, {"发送": "typed a key"}, keys={4: "chat"} if goes_away else {}),
        "chat": FakePage({"发送": SEND}, {"发送": "sent"}),
        "sent": FakePage({"已发送": SEND}),
        "typed a key": FakePage(),
    }
    device = Keyed(pages, start="empty" if FOCUS in before else "keys")
    device.says = says
    step = StepPlan(1, ActionName.TAP, target=Target(text="发送"), expect=Expectation(text="已发送"), retry=retry)
    steps = [replace(each, step=number) for number, each in enumerate((*before, step), 1)]
    tools = Tools(FieldFinder(device), UnderKeys(device))
    runner = TaskRunner(
        device,
        planner=FakePlanner({"task": steps}),
        tools=lambda plan: tools,
        clock=FakeClock(),
        rest=False,
    )
    return runner.run("task"), device.performed


@pytest.mark.parametrize("retry", [0, 2])
def test_keyboard_over_button_is_closed_before_the_tap(retry: int) -> None:
    result, performed = run(goes_away=True, retry=retry)
    assert result.success
    assert [type(action) for action in performed] == [PressKey, Tap]
    assert any("keyboard" in note for note in result.step_results[0].notes)


def test_button_under_persistent_keyboard_is_not_tapped() -> None:
    result, performed = run(goes_away=False, retry=2)
    assert result.status is TaskStatus.FAILED
    assert not any(isinstance(action, Tap) for action in performed)
    assert "under the keyboard" in result.error_message


@pytest.mark.parametrize("says", [False, None])
def test_page_drawn_keys_are_not_closed_with_back(says: bool | None) -> None:
    """A word game shows rows of letters, and BACK would leave it."""
    _, performed = run(goes_away=True, retry=2, says=says)
    assert PressKey(4) not in performed


def test_key_drawn_by_the_page_is_tapped() -> None:
    _, performed = run(goes_away=True, retry=0, says=False)
    assert [type(action) for action in performed] == [Tap]


TYPE = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hi"})


@pytest.mark.parametrize("before", [FOCUS, TYPE], ids=["tapped", "typed"])
def test_keyboard_of_unknown_state_is_closed_once(before: StepPlan) -> None:
    result, performed = run(goes_away=True, retry=0, says=None, before=[before])
    assert result.step_results[-1].status is StepStatus.SUCCESS, result.error_message
    assert performed.count(PressKey(4)) == 1
    _, performed = run(goes_away=False, retry=2, says=None, before=[before])
    assert performed.count(PressKey(4)) == 1


# -- a keyboard of another script, which no picture tells


class Placed(Keyed):
    """Says where its keyboard is, too."""

    box: Box | None = Box(0, 100, 100, 200)

    def keyboard_box(self) -> Box | None:
        return self.box if self.page == "keys" else None


class Unread(FakeVerifier):
    """Reads nothing that it knows where the target should be."""

    says: bool | None = None

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        return VerifyResult(bool(self.says), 0.5, matches_expected=self.says, evidence=("no text is surely read",))


def run_placed(method: str, box: Box | None, seen: bool | None, *, goes_away: bool = True) -> list[Action]:
    pages = {
        "keys": FakePage({"发送": SEND}, {"发送": "typed a key"}, keys={4: "chat"} if goes_away else {}),
        "chat": FakePage({"发送": SEND}, {"发送": "sent"}),
        "sent": FakePage({"已发送": SEND}),
        "typed a key": FakePage(),
    }
    device = Placed(pages, start="keys")
    device.box = box

    class Finder(FakeFinder):
        def locate(self, target: Target, screen: Screen) -> LocateResult:
            return replace(super().locate(target, screen), method_used=method)

    verifier = Unread(device)
    verifier.says = seen
    tools = Tools(Finder(device), verifier)
    step = StepPlan(1, ActionName.TAP, target=Target(text="发送"), expect=Expectation(text="已发送"))
    runner = TaskRunner(
        device, planner=FakePlanner({"task": [step]}), tools=lambda plan: tools, clock=FakeClock(), rest=False
    )
    runner.run("task")
    return device.performed


KEYS = Placed.box


@pytest.mark.parametrize("method", ["accessibility", "cache", "fixed"])
@pytest.mark.parametrize("seen", [None, False])
def test_tree_element_under_keyboard_is_not_tapped(method: str, seen: bool | None) -> None:
    performed = run_placed(method, KEYS, seen)
    assert performed[0] == PressKey(4)
    assert not any(isinstance(action, Tap) for action in performed[:1])


def test_tree_element_under_persistent_keyboard_is_not_tapped() -> None:
    performed = run_placed("accessibility", KEYS, None, goes_away=False)
    assert performed
    assert not any(isinstance(action, Tap) for action in performed)


@pytest.mark.parametrize(
    ("method", "box", "seen"),
    [
        ("accessibility", Box(0, 195, 100, 200), None),
        ("accessibility", None, None),
        ("accessibility", KEYS, True),
        ("ocr", KEYS, None),
    ],
    ids=["beside it", "none", "seen on it", "found by its look"],
)
def test_keyboard_not_over_the_target_stays_open(method: str, box: Box | None, seen: bool | None) -> None:
    assert PressKey(4) not in run_placed(method, box, seen)


# -- a window of another app, of which the device says that it gets the touches


@pytest.mark.parametrize(("over", "tapped"), [("Bubbles!", False), (None, True)])
@pytest.mark.parametrize("method", ["accessibility", "ocr", "cache"])
def test_target_under_another_window_is_not_tapped(over: str | None, tapped: bool, method: str) -> None:
    class Overlaid(FakeDevice):
        def window_over(self, at: Point) -> str | None:
            return over if SEND.contains(at) else None

    class Finder(FakeFinder):
        def locate(self, target: Target, screen: Screen) -> LocateResult:
            return replace(super().locate(target, screen), method_used=method)

    device = Overlaid(
        {"chat": FakePage({"发送": SEND}, {"发送": "sent"}), "sent": FakePage({"已发送": SEND})}, start="chat"
    )
    tools = Tools(Finder(device), FakeVerifier(device))
    step = StepPlan(1, ActionName.TAP, target=Target(text="发送"), expect=Expectation(text="已发送"), retry=1)
    result = TaskRunner(
        device, planner=FakePlanner({"task": [step]}), tools=lambda plan: tools, clock=FakeClock(), rest=False
    ).run("task")
    assert any(isinstance(action, Tap) for action in device.performed) is tapped
    assert result.success is tapped
    assert tapped or "Bubbles!" in result.error_message

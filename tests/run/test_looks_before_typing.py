"""Tests of the look before typing, by which new text is recognized afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handeye.actions import InputText, Tap
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskRunner, TaskStatus, Tools
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

FIELD, ELSEWHERE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)
NEW = Expectation(text="嗯", new=True)
TYPING = StepPlan(1, ActionName.INPUT_TEXT, target=Target(text="field"), params={"text": "嗯"}, expect=NEW)


class Looking(FakeVerifier):
    """Notes what it was let look at; that takes `seconds`, and leads the device to the page `then`, where one is named."""

    def __init__(self, device: FakeDevice, clock: FakeClock, seconds: float, then: str) -> None:
        super().__init__(device)
        self.looked: list[tuple[str, str, int]] = []
        self._phone, self._clock, self._seconds, self._then = device, clock, seconds, then

    def before_typing(self, text: str, screen: Screen) -> None:
        self.looked.append((text, screen.window["page"], len(self._phone.performed)))
        self._clock.sleep(self._seconds)
        self._phone.page = self._then or self._phone.page


def run(step: StepPlan, *, seconds: float = 0.0, then: str = "") -> tuple[Looking, FakeDevice, TaskStatus]:
    pages = {"chat": FakePage({"field": FIELD}), "moved": FakePage({"field": ELSEWHERE})}
    device, clock = FakeDevice(pages, start="chat"), FakeClock()
    verifier = Looking(device, clock, seconds, then)
    tools = Tools(FakeFinder(device), verifier)
    planner = FakePlanner({"task": [step]})
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=clock, rest=False)
    return verifier, device, runner.run("task").status


def test_screen_is_read_once_before_field_gets_focus() -> None:
    verifier, device, status = run(TYPING)
    assert status is TaskStatus.SUCCESS
    assert verifier.looked == [("嗯", "chat", 0)]
    assert [type(action) for action in device.performed] == [Tap, InputText]


@pytest.mark.parametrize(
    "step",
    [
        replace(TYPING, expect=Expectation(text="嗯")),
        replace(TYPING, expect=Expectation(text="其他", new=True)),
        replace(TYPING, expect=None),
        replace(TYPING, params={"text": "嗯", "secret": True}),
        replace(TYPING, action=ActionName.TAP, params={}),
    ],
)
def test_other_steps_read_nothing_before_typing(step: StepPlan) -> None:
    assert run(step)[0].looked == []


@pytest.mark.parametrize(("seconds", "tapped"), [(0.2, FIELD), (2.0, ELSEWHERE)])
def test_field_moved_during_slow_read_is_located_again(seconds: float, tapped: Box) -> None:
    verifier, device, _ = run(TYPING, seconds=seconds, then="moved")
    assert len(verifier.looked) == 1
    taps = [action for action in device.performed if isinstance(action, Tap)]
    assert [tap.at for tap in taps] == [tapped.center]

"""Tests of a lost device: one bounded wait for its return, and one report."""

from __future__ import annotations

import pytest

from handeye.actions import GoHome, Tap
from handeye.errors import DeviceLost
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import Event, EventKind, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.run.levels import Limits
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

HERE = Box(0, 0, 40, 40)
GONE = "the phone went away"
PAGES = {"home": FakePage({"Mail": HERE}, {"Mail": "inbox"}), "inbox": FakePage({"Inbox": HERE})}


class World:
    """A phone that is away from its call number `first` on, for `back_s`; each call then waits `call_s` for it."""

    def __init__(self, first: int, call_s: float, back_s: float = 1e9) -> None:
        self.clock, self.calls, self.lost_at, self.told = FakeClock(), 0, -1.0, list[Event]()
        self.first, self.call_s, self.back_s = first, call_s, back_s
        self.device = FakeDevice(PAGES, start="home", trouble=self.trouble)

    def trouble(self, call: str) -> None:
        self.calls += 1
        if self.calls < self.first:
            return
        if self.lost_at < 0:
            self.lost_at = self.clock.now()
        if self.clock.now() + self.call_s < self.lost_at + self.back_s:
            self.clock.sleep(self.call_s)
            raise DeviceLost(GONE)

    def run(self, role: str | None = "tab") -> TaskResult:
        step = StepPlan(1, ActionName.TAP, target=Target(text="Mail", role=role), expect=Expectation(text="Inbox"))
        tools = Tools(FakeFinder(self.device), FakeVerifier(self.device))
        runner = TaskRunner(
            self.device,
            planner=FakePlanner({"task": [step]}),
            tools=lambda plan: tools,
            clock=self.clock,
            listen=self.told.append,
        )
        return runner.run("task")

    @property
    def waited(self) -> float:
        return self.clock.now() - self.lost_at


@pytest.mark.parametrize("call_s", [0.0, 1.0, 7.0, 20.0])
@pytest.mark.parametrize("first", [1, 2, 3])
def test_reconnect_wait_stays_within_the_limit(first: int, call_s: float) -> None:
    world = World(first, call_s)
    result = world.run()
    assert result.status in (TaskStatus.FAILED, TaskStatus.NEEDS_REVIEW)
    assert isinstance(result.error, DeviceLost)
    # The last call begins in time, and waits for the device by itself.
    assert world.waited <= Limits().reconnect_s + call_s
    assert result.error_message.count(GONE) == 1
    assert not any(GONE in note for note in result.step_results[-1].notes)


def test_lost_device_gets_no_cleanup_actions() -> None:
    world = World(2, 20.0)
    world.run()
    assert not any(isinstance(action, GoHome) for action in world.device.performed)
    assert world.calls == 4  # the tap, and frames after 20 and 40 s


@pytest.mark.parametrize(
    ("call_s", "back_s"), [(0.0, 25.0), (7.0, 15.0), (20.0, 19.0), (20.0, 30.0), (20.0, 59.0), (0.0, 59.0)]
)
@pytest.mark.parametrize("first", [1, 2, 3])
def test_run_continues_when_device_returns_in_time(first: int, call_s: float, back_s: float) -> None:
    assert World(first, call_s, back_s).run().success


def test_unknown_effect_tap_is_not_repeated_after_reconnect() -> None:
    """The connection is lost during the tap, and the phone shows no effect after the reconnect."""
    world = World(2, 7.0, 15.0)
    result = world.run(role=None)
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert not any(isinstance(action, Tap) for action in world.device.performed)
    assert "may have been sent or done" in result.error_message


def test_device_loss_and_return_are_reported_as_events() -> None:
    world = World(2, 20.0, 45.0)
    assert world.run().success
    told = [event.message for event in world.told if event.kind is EventKind.DEVICE]
    assert told == [f"the device is gone, and waited for, 60 s at most: {GONE}", "the device is back after 40 s"]


class Asked(FakeDevice):
    """Says which app is in front, with the trouble of any call."""

    asked = 0

    def front_app(self) -> str | None:
        self.asked += 1
        if self.trouble is not None:
            self.trouble("front_app")
        return "mail" if self.page == "inbox" else "home"

    def home_app(self) -> str | None:
        return "home"


def test_device_loss_before_the_action_is_waited_for() -> None:
    """The connection is lost in the query for the app in front, before any action."""
    lost: list[str] = []

    def trouble(call: str) -> None:
        if call == "front_app" and not lost:
            lost.append(call)
            raise DeviceLost(GONE)

    device = Asked(PAGES, start="home", trouble=trouble)
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    step = StepPlan(1, ActionName.TAP, target=Target(text="Mail"), expect=Expectation(app="mail"))
    runner = TaskRunner(
        device, planner=FakePlanner({"task": [step]}), tools=lambda plan: tools, clock=FakeClock(), rest=False
    )
    assert runner.run("task").success
    assert sum(isinstance(action, Tap) for action in device.performed) == 1


def test_ctrl_c_during_reconnect_ends_run_immediately() -> None:
    """No draft is erased on a device that is not connected."""
    calls: list[str] = []

    def trouble(call: str) -> None:
        calls.append(call)
        if len(calls) > 4:
            raise KeyboardInterrupt
        if len(calls) > 2:
            raise DeviceLost(GONE)

    device = FakeDevice(PAGES, start="inbox", trouble=trouble)
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    steps = [StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hi"}, expect=Expectation(text="hi"))]
    runner = TaskRunner(device, planner=FakePlanner({"task": steps}), tools=lambda plan: tools, clock=FakeClock())
    with pytest.raises(KeyboardInterrupt):
        runner.run("task")
    assert len(calls) == 5

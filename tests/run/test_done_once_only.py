"""Tests of actions of unknown effect: not repeated by retries, fallbacks, replans or a resume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from handeye.actions import PressKey, Swipe, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion
from handeye.geometry import Box
from handeye.plan import ActionName, PlanOrigin, StepPlan, TaskPlan
from handeye.run import ResumePoint, StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

HERE, THERE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)
UNKNOWN = "盲盒"
PAGE = {"page": FakePage({"Shop": HERE, UNKNOWN: THERE, "Settings": Box(0, 50, 40, 90)})}


def tap(text: str, expect: str | None = "Done", **more: object) -> StepPlan:
    proof = Expectation(text=expect) if expect else None
    return replace(StepPlan(1, ActionName.TAP, target=Target(text=text), expect=proof), **more)  # type: ignore[arg-type]


def check(text: str) -> StepPlan:
    return StepPlan(1, ActionName.CHECK, expect=Expectation(text=text), timeout=100)


def numbered(*steps: StepPlan) -> tuple[StepPlan, ...]:
    return tuple(replace(step, step=number) for number, step in enumerate(steps, 1))


class World:
    """One device with its pages, the plan for the task, and the plans after it."""

    def __init__(
        self,
        *steps: StepPlan,
        others: Sequence[Sequence[StepPlan]] = (),
        origin: PlanOrigin = PlanOrigin.TEMPLATE,
        pages: dict[str, FakePage] | None = None,
        start: str = "page",
    ) -> None:
        self.device = FakeDevice(pages or PAGE, start=start)
        self.steps, self.origin = numbered(*steps), origin
        self.verifier = FakeVerifier(self.device)
        tools = Tools(FakeFinder(self.device), self.verifier)
        self.runner = TaskRunner(
            self.device,
            planner=FakePlanner({"task": self.steps}, {"task": [numbered(*other) for other in others]}, origin=origin),
            tools=lambda plan: tools,
            clock=FakeClock(),
            rest=False,
        )

    def run(self) -> TaskResult:
        return self.runner.run("task")

    def resume(self, *statuses: StepStatus) -> TaskResult:
        plan = TaskPlan({}, self.steps, origin=self.origin)
        return self.runner.run("task", resume=ResumePoint(plan, dict(enumerate(statuses, 1))))

    def count(self, kind: type[Tap] | type[Swipe] | type[PressKey] = Tap) -> int:
        return sum(isinstance(action, kind) for action in self.device.performed)


@pytest.mark.parametrize("retry", [1, 2, 5])
@pytest.mark.parametrize("origin", PlanOrigin)
def test_button_of_unknown_effect_is_not_retried(origin: PlanOrigin, retry: int) -> None:
    world = World(tap(UNKNOWN, retry=retry), origin=origin)
    result = world.run()
    assert world.count() == 1
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent or done" in result.error_message


@pytest.mark.parametrize("origin", PlanOrigin)
def test_navigation_tap_is_retried_for_any_plan_origin(origin: PlanOrigin) -> None:
    world = World(tap("Settings", retry=3), origin=origin)
    assert world.run().status is TaskStatus.FAILED
    assert world.count() == 4


@pytest.mark.parametrize(("origin", "times"), [(PlanOrigin.TEMPLATE, 3), (PlanOrigin.MODEL, 1)])
def test_sideways_swipe_of_model_plan_is_not_retried(origin: PlanOrigin, times: int) -> None:
    step = StepPlan(1, ActionName.SWIPE, params={"direction": "left"}, expect=Expectation(text="Done"))
    world = World(step, origin=origin)
    world.run()
    assert world.count(Swipe) == times


DIALOG = Blocker(BlockerType.DIALOG, "a dialog", DismissSuggestion("press_key", keycode=4), HERE)


@pytest.mark.parametrize(("name", "times"), [(UNKNOWN, 1), ("Settings", 2)])
def test_dialog_after_unknown_tap_does_not_repeat_it(name: str, times: int) -> None:
    pages = {
        "page": FakePage({name: THERE}, {name: "won"}),
        "won": FakePage({name: THERE, "Great": HERE}, keys={4: "after"}, blocker=DIALOG),
        "after": FakePage({name: THERE}, {name: "done"}, looks="page"),
        "done": FakePage({"Done": HERE}),
    }
    world = World(tap(name, retry=1), origin=PlanOrigin.MODEL, pages=pages)
    world.run()
    assert world.count() == times


@pytest.mark.parametrize(("name", "times"), [(UNKNOWN, 1), ("Settings", 3)])
def test_fallback_repeats_only_harmless_taps(name: str, times: int) -> None:
    fallback = {"action": "tap", "target_ref": f"text:{name}"}
    world = World(tap("Missing", fallback=fallback))
    assert world.run().status is TaskStatus.FAILED
    assert world.count() == times


@pytest.mark.parametrize(("key", "times"), [("VOLUME_UP", 1), ("SPACE", 1), ("DEL", 1), ("BACK", 3), ("TAB", 3)])
def test_fallback_repeats_only_navigation_keys(key: str, times: int) -> None:
    world = World(tap("Missing", fallback={"action": "press_key", "params": {"key": key}}))
    world.run()
    assert world.count(PressKey) == times


@pytest.mark.parametrize("again", [UNKNOWN, f"{UNKNOWN}按钮"])
def test_replan_does_not_repeat_unconfirmed_action(again: str) -> None:
    pages = {"page": FakePage({"Shop": HERE, UNKNOWN: THERE, f"{UNKNOWN}按钮": THERE})}
    world = World(tap(UNKNOWN), others=[[tap(again, None), check("Shop")]], origin=PlanOrigin.MODEL, pages=pages)
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count() == 1


def test_replan_may_use_another_navigation_path() -> None:
    world = World(tap(UNKNOWN), others=[[tap("Settings", None), check("Shop")]], origin=PlanOrigin.MODEL)
    assert world.run().success


@pytest.mark.parametrize("status", [StepStatus.UNVERIFIED, StepStatus.RUNNING, StepStatus.FAILED])
def test_resumed_run_does_not_repeat_unknown_button(status: StepStatus) -> None:
    world = World(check("Shop"), tap(UNKNOWN, None), check("Shop"))
    result = world.resume(StepStatus.SUCCESS, status)
    assert world.count() == 0
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert UNKNOWN in result.error_message


@pytest.mark.parametrize("status", [StepStatus.UNVERIFIED, StepStatus.RUNNING, StepStatus.FAILED])
def test_resumed_run_repeats_navigation_taps(status: StepStatus) -> None:
    world = World(check("Shop"), tap("Settings", None), check("Shop"))
    assert world.resume(StepStatus.SUCCESS, status).success
    assert world.count() == 1


def test_resumed_run_executes_remaining_tap_with_same_label() -> None:
    world = World(check("Shop"), tap(UNKNOWN, "Shop"), tap(UNKNOWN, None), check("Shop"))
    world.resume(StepStatus.SUCCESS, StepStatus.SUCCESS)
    assert world.count() == 1


@pytest.mark.parametrize("status", [StepStatus.SUCCESS, StepStatus.UNVERIFIED, StepStatus.RUNNING])
def test_replanned_task_does_not_repeat_unknown_button(status: StepStatus) -> None:
    world = World(check("Elsewhere"), tap(UNKNOWN, "Elsewhere"), check("Elsewhere"))
    result = world.resume(StepStatus.SUCCESS, status)
    assert world.count() == 0
    assert result.status is TaskStatus.NEEDS_REVIEW

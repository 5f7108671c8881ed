"""Tests of runs whose targets only a model can locate: reported usage, budgets and slow answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest

from handeye.actions import Action, ActionResult, Tap
from handeye.errors import BudgetExceeded, NoPlan
from handeye.geometry import Box, Point
from handeye.matching import Reference
from handeye.models import LLMConfig, configured_vision
from handeye.models.budget import Limits
from handeye.models.config.prices import Price
from handeye.models.families.lookup import profile_named
from handeye.plan import ActionName, StepPlan, TaskPlan
from handeye.report import load_run, save_run
from handeye.report.html import render
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools, region_unchanged
from handeye.run.composition import compose
from handeye.screen import Screen
from handeye.target import Expectation, LocateResult, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.testing.model_scenes import Scene, SceneModel, draw_scene
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye.text import TextLine

FIRST, SECOND = (draw_scene(Random(seed), (720, 1280)) for seed in (1, 2))
CLAUDE = profile_named("claude")
KEY = "sk-run-0123456789"


class TwoScreens:
    """Shows the first scene until its first control is tapped, and then the second."""

    uri = "fake:two"

    def __init__(self) -> None:
        self.shown: Scene = FIRST
        self.taps: list[Point] = []

    def screenshot(self) -> Screen:
        return Screen(self.shown.screen.pixels.copy())

    def perform(self, action: Action) -> ActionResult:
        if isinstance(action, Tap):
            at = Point(round(action.at.x), round(action.at.y))
            self.taps.append(at)
            if self.shown is FIRST and FIRST.controls[0].box.contains(at):
                self.shown = SECOND
        return ActionResult()

    def close(self) -> None: ...


class NoPictures:
    def find(self, name: str) -> tuple[Reference, ...]:
        return ()


class Unlettered:
    name = "unlettered"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return ()


class Planned:
    """One tap on each of `labels`."""

    def __init__(self, labels: list[str]) -> None:
        self._labels = labels

    def plan(self, task: str, screenshot: Screen | None = None, history: object = ()) -> TaskPlan:
        return TaskPlan({}, tuple(step(number, label) for number, label in enumerate(self._labels, 1)), module="test")

    def replan(self, original_task: str, *_: object) -> TaskPlan:
        raise NoPlan(f"no other plan for {original_task!r}")


def step(number: int, label: str) -> StepPlan:
    changed = Expectation(changed=True)
    return StepPlan(
        number, ActionName.TAP, target=Target(text=label), expect=changed, retry=0, timeout=300, wait_after=0
    )


def run(server: ModelServer, labels: list[str], device: TwoScreens, **settings: object) -> TaskResult:
    config = LLMConfig.custom(KEY, server.base_url, "claude-test", price=Price(3.0, 15.0, 0.3), **settings)
    vision = configured_vision(config, reader=Unlettered())

    def tools(plan: TaskPlan) -> Tools:
        return compose(NoPictures(), Unlettered(), vision=vision)

    return TaskRunner(device, planner=Planned(labels), tools=tools).run("a task")


@pytest.fixture
def result() -> TaskResult:
    with ModelServer(SceneModel([FIRST, SECOND], CLAUDE), key=KEY) as server:
        result = run(server, [FIRST.controls[0].label], TwoScreens())
        assert result.usage is not None
        assert result.usage.calls == len(server.questions)
    return result


def test_model_located_target_is_tapped_and_usage_reported(result: TaskResult) -> None:
    located = result.step_results[0].located
    assert located is not None
    assert located.method_used == "visual"
    assert located.element is not None
    assert located.element.bbox == FIRST.controls[0].box
    usage = result.to_dict()["usage"]
    calls = usage["calls"]
    assert (usage["tokens_in"], usage["tokens_out"]) == (100 * calls, 20 * calls)
    assert usage["cost"] == pytest.approx(calls * (100 * 3.0 + 20 * 15.0) / 1e6)
    assert result.to_dict()["steps"][0]["usage"] == usage


@pytest.mark.parametrize(("lang", "said"), [("en", "tokens in: "), ("zh", "模型用量")])
def test_report_shows_model_cost_before_and_after_reload(
    result: TaskResult, tmp_path: Path, lang: str, said: str
) -> None:
    folder = save_run(result, tmp_path / "run")
    stored = json.loads((folder / "result.json").read_text("utf-8"))
    assert stored["usage"]["calls"] == stored["steps"][0]["usage"]["calls"] >= 1
    page = render(result, lang=lang)
    assert said in page
    assert "$0.0006" in page or "$0.0012" in page
    assert render(load_run(folder), lang=lang).count(said) == page.count(said)
    assert KEY not in page + json.dumps(stored)


def test_run_without_model_calls_reports_no_usage(tmp_path: Path) -> None:
    device = FakeDevice({"home": FakePage()}, start="home")
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({"task": (StepPlan(1, ActionName.GO_HOME),)})
    result = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock()).run("task")
    assert result.usage is None
    assert "usage" not in json.dumps(result.to_dict())
    assert "usage" not in (save_run(result, tmp_path / "run") / "result.json").read_text("utf-8")
    assert "模型用量" not in render(result)


def test_exceeded_token_budget_fails_run_with_message() -> None:
    device = TwoScreens()
    with ModelServer(SceneModel([FIRST, SECOND], CLAUDE), key=KEY) as server:
        labels = [FIRST.controls[0].label, SECOND.controls[1].label]
        result = run(server, labels, device, limits=Limits(tokens=100))
        asked = len(server.questions)
    assert result.status is TaskStatus.FAILED
    assert isinstance(result.error, BudgetExceeded)
    assert "budget of 100 tokens" in result.error_message
    assert asked == 1
    assert len(device.taps) <= 1


def test_refused_api_key_fails_run_without_tapping() -> None:
    device = TwoScreens()
    with ModelServer(ScriptedReply("no", status=401)) as server:
        result = run(server, [FIRST.controls[0].label], device)
    assert result.status is TaskStatus.FAILED
    assert "key" in result.error_message
    assert KEY not in result.error_message
    assert device.taps == []
    assert result.usage is None or not result.usage.tokens_in  # a refused question may count as one


class Slow:
    """A finder that takes its time, while something happens."""

    def __init__(self, finder: FakeFinder, clock: FakeClock, seconds: float, meanwhile: Callable[[], None]) -> None:
        self._finder, self._clock, self._seconds, self._meanwhile = finder, clock, seconds, meanwhile
        self.looks = 0

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        self.looks += 1
        found = self._finder.locate(target, screen)
        self._clock.sleep(self._seconds)
        self._meanwhile()
        return found

    def judge(self, target: Target, held: bool) -> None: ...


@dataclass(frozen=True)
class Ended:
    status: TaskStatus
    looks: int
    taps: int


def looked_slowly(seconds: float, *, moves: bool) -> Ended:
    """A run whose finder takes so long, with another page in front when it is done if `moves`."""
    pages = {
        "home": FakePage({"Mail": Box(0, 0, 40, 40)}, {"Mail": "mail"}),
        "mail": FakePage({"Inbox": Box(50, 50, 90, 90)}),
    }
    device, clock = FakeDevice(pages, start="home"), FakeClock()

    def move_on() -> None:
        if moves:
            device.page = "mail"

    finder = Slow(FakeFinder(device), clock, seconds, move_on)
    tap = StepPlan(
        1, ActionName.TAP, target=Target(text="Mail"), expect=Expectation(text="Inbox"), retry=0, timeout=2000
    )
    tools, planner = Tools(finder, FakeVerifier(device)), FakePlanner({"task": (tap,)})
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=clock, rest=False)
    status = runner.run("task").status
    return Ended(status, finder.looks, sum(isinstance(each, Tap) for each in device.performed))


@pytest.mark.parametrize("seconds", [0.1, 5.0])
def test_slow_locate_on_stable_screen_needs_no_repeat(seconds: float) -> None:
    assert looked_slowly(seconds, moves=False) == Ended(TaskStatus.SUCCESS, 1, 1)


def test_slow_locate_on_changed_screen_is_not_tapped() -> None:
    """A model took 5 s to locate the button, and by then another page was in front."""
    ended = looked_slowly(5.0, moves=True)
    assert ended.status is TaskStatus.FAILED
    assert ended.taps == 0


def test_region_is_unchanged_when_frame_differs_elsewhere() -> None:
    first = np.zeros((100, 100, 3), np.uint8)
    second = first.copy()
    second[:10, :10] = 255
    seen, now = Screen(first), Screen(second)
    assert region_unchanged(Box(50, 50, 80, 80), seen, now)
    assert not region_unchanged(Box(5, 5, 30, 30), seen, now)
    assert not region_unchanged(Box(50, 50, 80, 80), seen, Screen(np.zeros((90, 100, 3), np.uint8)))


class Asked:
    """A model's finder: what it was asked, page by page, and finds nothing that is not declared."""

    def __init__(self, finder: FakeFinder) -> None:
        self._finder = finder
        self.pages: list[str] = []

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        self.pages.append(screen.window["page"])
        return self._finder.locate(target, screen)

    def judge(self, target: Target, held: bool) -> None: ...


class Nothing(FakeFinder):
    """Finds nothing, for free."""

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        return super().locate(Target(text="nothing of the kind"), screen)


@pytest.mark.parametrize(("swipes", "asked"), [(True, ["third"]), (False, ["first"])])
def test_model_is_asked_once_after_fallbacks_are_exhausted(swipes: bool, asked: list[str]) -> None:
    pages = {
        "first": FakePage(swipes={"left": "second"}),
        "second": FakePage(swipes={"left": "third"}),
        "third": FakePage({"Mail": Box(0, 0, 40, 40)}),
    }
    device = FakeDevice(pages, start="first")
    model = Asked(FakeFinder(device))
    tools = Tools(model, FakeVerifier(device), offline=Nothing(device))
    fallback = {"action": "swipe", "params": {"direction": "left"}} if swipes else None
    tap = StepPlan(1, ActionName.TAP, target=Target(text="Mail"), fallback=fallback)
    planner = FakePlanner({"task": (tap,)})
    TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")
    assert model.pages == asked


def test_target_found_offline_needs_no_model_call() -> None:
    device = FakeDevice({"home": FakePage({"Mail": Box(0, 0, 40, 40)})}, start="home")
    model = Asked(FakeFinder(device))
    tools = Tools(model, FakeVerifier(device), offline=FakeFinder(device))
    planner = FakePlanner({"task": (StepPlan(1, ActionName.TAP, target=Target(text="Mail")),)})
    TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")
    assert model.pages == []

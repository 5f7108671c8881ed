"""Tests of resume data from an earlier run's folder: its acts, its first plan, the frame before typing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from handeye.blockers import SuggestionAction
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.report import RunRecorder, load_resumable_run, prepare_folder
from handeye.run import StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.verify import VerifyResult

SEND = StepPlan(1, ActionName.TAP, target=Target(text="Send"), expect=Expectation(text="hello"))
PAGES = {"chat": FakePage({"Send": Box(0, 0, 40, 40), "hello": Box(50, 50, 90, 90)})}
# Steps (0-255) by which a kept frame may differ from the one that was seen.
LOSS = 4


class SaysSo(FakeVerifier):
    """Suggests to skip what held before."""

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        verdict = super().verify(expect, before, after)
        so = verdict.verified and not verdict.screen_changed
        return replace(verdict, suggestion=SuggestionAction.SKIP) if so else verdict


def recorded(folder: Path, device: FakeDevice, planner: FakePlanner) -> TaskResult:
    tools = Tools(FakeFinder(device), SaysSo(device))
    recorder = RunRecorder(prepare_folder(folder))
    runner = TaskRunner(
        device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), listen=recorder, rest=False
    )
    return runner.run("task")


def test_act_skipped_after_doing_it_is_in_doubt(tmp_path: Path) -> None:
    """The same message was on the screen before, so it is unknown if this one was sent."""
    device, folder = FakeDevice(PAGES, start="chat"), tmp_path / "run"
    typing = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"})
    planner = FakePlanner({"task": [typing, replace(SEND, step=2), replace(SEND, step=3, target=Target(text="Go"))]})
    result = recorded(folder, device, planner)
    assert [each.status for each in result.step_results][1:] == [StepStatus.SKIPPED, StepStatus.FAILED]
    earlier = load_resumable_run(folder).earlier
    assert earlier.statuses[2] is StepStatus.UNVERIFIED
    assert earlier.deeds().in_doubt


def test_replaced_first_plan_is_still_known(tmp_path: Path) -> None:
    device, folder = FakeDevice(PAGES, start="chat"), tmp_path / "run"
    absent = StepPlan(1, ActionName.TAP, target=Target(text="Absent"), expect=Expectation(text="There"))
    planner = FakePlanner({"task": [absent]}, {"task": [[StepPlan(1, ActionName.CHECK, expect=Expectation(text="x"))]]})
    assert recorded(folder, device, planner).status is TaskStatus.FAILED
    earlier = load_resumable_run(folder).earlier
    assert earlier.first is not None
    assert [step.target for step in earlier.first.steps] == [Target(text="Absent")]
    assert [step.action for step in earlier.plan.steps] == [ActionName.CHECK, ActionName.CHECK]


def test_frame_before_interrupted_typing_is_restored(tmp_path: Path) -> None:
    device, folder = FakeDevice(PAGES, start="chat"), tmp_path / "run"
    before = device.screenshot()
    typing = StepPlan(2, ActionName.INPUT_TEXT, params={"text": "hi"}, expect=Expectation(text="hi"))
    check = StepPlan(1, ActionName.CHECK, expect=Expectation(text="Send"))
    assert recorded(folder, device, FakePlanner({"task": [check, typing]})).success
    events = folder / "events.jsonl"
    lines = events.read_text("utf-8").splitlines(keepends=True)
    acted = next(at for at, line in enumerate(lines) if '"acted"' in line)
    events.write_text("".join(lines[: acted + 1]), "utf-8")
    (folder / "result.json").unlink()
    earlier = load_resumable_run(folder).earlier
    assert earlier.statuses[2] is StepStatus.RUNNING
    assert earlier.untyped is not None
    kept, seen = earlier.untyped.pixels.astype(int), before.pixels.astype(int)
    assert abs(kept - seen).max() <= LOSS

"""Tests of the progress lines that a run prints on a terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from handeye.cli.progress import Progress
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.report import RunRecord, RunRecorder, load_run
from handeye.report.html import escape
from handeye.run import Event, ResumePoint, StepStatus, TaskResult, TaskRunner, Tools, combined_listener
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier, failing_on

TASK = "打开邮件"
PAGES = {"home": FakePage({"邮件": Box(0, 0, 40, 40)}, {"邮件": "mail"}), "mail": FakePage({"Inbox": Box(0, 0, 9, 9)})}
TAP = StepPlan(1, ActionName.TAP, target=Target(text="邮件"), description="点击邮件", expect=Expectation(text="Inbox"))
ABSENT = StepPlan(1, ActionName.TAP, target=Target(text="没有"), description="点击没有", timeout=100, retry=0)


class World:
    """A runner with fakes, and the lines that it prints."""

    def __init__(self, planner: FakePlanner) -> None:
        self.device = FakeDevice(PAGES, start="home")
        self._planner = planner
        self._screen = io.StringIO()
        self._progress = Progress(Console(file=self._screen, width=200))
        self.results: list[TaskResult] = []

    def runner(self, folder: Path | None = None) -> TaskRunner:
        def listen(event: Event) -> None:
            self._progress(event)
            if event.result is not None:
                self.results.append(event.result)

        heard = combined_listener(listen, RunRecorder(folder)) if folder is not None else listen
        tools = Tools(FakeFinder(self.device), FakeVerifier(self.device))
        return TaskRunner(self.device, planner=self._planner, tools=lambda plan: tools, clock=FakeClock(), listen=heard)

    @property
    def said(self) -> list[str]:
        return self._screen.getvalue().splitlines()


@pytest.mark.parametrize(("lang", "word"), [("zh", "被中断"), ("en", "interrupted")])
def test_ctrl_c_marks_step_interrupted_not_failed(
    lang: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDEYE_LANG", lang)
    world = World(FakePlanner({TASK: [TAP]}))
    world.device.trouble = failing_on({2: KeyboardInterrupt()})
    with pytest.raises(KeyboardInterrupt):
        world.runner(tmp_path / "run").run(TASK)
    (step,) = [at for at, line in enumerate(world.said) if "点击邮件" in line]
    assert "■" in world.said[step]
    assert world.said[step + 1].strip() == word
    assert world.results[-1].step_results[0].status is StepStatus.RUNNING
    for record in (load_run(tmp_path / "run"), RunRecord.of(world.results[-1])):
        assert (record.status, [each.status for each in record.steps]) == ("aborted", ["interrupted"])


def test_task_is_printed_once_despite_replanning() -> None:
    """A resumed run without a step to continue from makes a new plan."""
    planner = FakePlanner({TASK: [TAP]})
    world = World(planner)
    assert world.runner().run(TASK, resume=ResumePoint(planner.plan(TASK), {})).success
    assert [line.strip() for line in world.said].count(TASK) == 1
    plans = [line.split(":")[0].strip() for line in world.said if "1 步" in line]
    assert plans == ["计划", "新计划"]


def test_replacement_plan_is_announced() -> None:
    world = World(FakePlanner({TASK: [ABSENT]}, {TASK: [[TAP]]}))
    assert world.runner().run(TASK).success
    assert [line.split(":")[0].strip() for line in world.said if "1 步" in line] == ["计划", "新计划"]


@pytest.mark.parametrize(
    ("lang", "failed", "ended"),
    [
        ("zh", "没有找到文字“没有”", "失败"),
        ("en", "text '没有' was not found", "failed"),
    ],
)
def test_step_failure_is_printed_in_selected_language(
    lang: str, failed: str, ended: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence and errors are data: the run folder stores them in English in every display language."""
    if lang == "en":
        monkeypatch.setenv("HANDEYE_LANG", "en")
    world = World(FakePlanner({TASK: [ABSENT]}))
    assert not world.runner(tmp_path / "run").run(TASK).success
    assert any(failed in line for line in world.said)
    assert failed in world.said[-1]
    assert world.said[-1].startswith(ended)
    assert "text '没有' was not found" in load_run(tmp_path / "run").error
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert escape(failed) in page

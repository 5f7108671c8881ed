"""Tests that plans from a run folder are checked against the task, because the folder may be foreign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.apps import ModuleRegistry
from handeye.cli.app import app
from handeye.devices.image import ImageDevice
from handeye.errors import UsageError
from handeye.plan import ActionName, PlanOrigin, StepPlan, TaskPlan
from handeye.report import RunRecorder, check_plan_trust, load_resumable_run, prepare_folder
from handeye.run import Event, EventKind, StepResult, StepStatus, TaskResult, TaskStatus
from handeye.session import Session
from handeye.target import Expectation, Target
from handeye_phone.model import PhoneModel

HOME = "返回桌面"
LOOK = "在设置里看看型号"
MODULES = ModuleRegistry(environment={})
GO_HOME = StepPlan(1, ActionName.GO_HOME)
CALL = StepPlan(2, ActionName.CALL, params={"number": "900123456"})
END = StepPlan(3, ActionName.CHECK, expect=Expectation(text="型号"))


def folder_of(folder: Path, task: str, *plans: TaskPlan) -> Path:
    """A run that was killed after the first step of its last plan."""
    result = TaskResult(task, TaskStatus.RUNNING, device="image:shot.png")
    recorder = RunRecorder(prepare_folder(folder))
    recorder(Event(EventKind.RUN_STARTED, 1.0, result=result))
    for number, plan in enumerate(plans):
        result.plan = plan
        kind = EventKind.REPLANNED if number else EventKind.PLANNED
        recorder(Event(kind, 2.0, plan=plan, result=result))
        step = StepResult(plan.steps[0], StepStatus.SUCCESS, 3.0, 4.0)
        recorder(Event(EventKind.STEP_STARTED, 3.0, step_result=step))
        recorder(Event(EventKind.ACTING, 3.0, step_result=step))
        recorder(Event(EventKind.STEP_FINISHED, 4.0, step_result=step))
    recorder.let_go()
    return folder


def by_model(*steps: StepPlan) -> TaskPlan:
    return TaskPlan({}, steps, origin=PlanOrigin.MODEL, module="somebody's")


def test_altered_template_plan_is_not_resumed(tmp_path: Path) -> None:
    """The plan claims to come from the template: its steps are compared, not the claim."""
    evil = folder_of(tmp_path / "run", HOME, TaskPlan({}, (GO_HOME, CALL, END), module="system"))
    with pytest.raises(
        UsageError,
        match=r"not the one that is made for '返回桌面' today.*run the task itself again: handeye run '返回桌面'",
    ):
        check_plan_trust(load_resumable_run(evil), MODULES)


def test_unchanged_template_plan_is_resumed(tmp_path: Path) -> None:
    for number, task in enumerate((HOME, "打开微信", "给张三发微信消息说你好")):
        left = load_resumable_run(folder_of(tmp_path / str(number), task, MODULES.plan(task)))
        assert check_plan_trust(left, MODULES) == left


@pytest.mark.parametrize("origin", [PlanOrigin.MODEL, PlanOrigin.MEMORY])
def test_model_plan_is_checked_against_the_task(tmp_path: Path, origin: PlanOrigin) -> None:
    evil = TaskPlan({}, (GO_HOME, CALL, END), module="settings", origin=origin)
    with pytest.raises(UsageError, match="does not ask for a call to '900123456'"):
        check_plan_trust(load_resumable_run(folder_of(tmp_path / "run", LOOK, evil)), MODULES)


def test_replaced_and_replacing_plans_are_both_checked(tmp_path: Path) -> None:
    sound, evil = by_model(GO_HOME, StepPlan(2, ActionName.CHECK, expect=END.expect)), by_model(GO_HOME, CALL, END)
    for number, plans in enumerate(((sound, evil), (evil, sound))):
        with pytest.raises(UsageError, match="900123456"):
            check_plan_trust(load_resumable_run(folder_of(tmp_path / str(number), LOOK, *plans)), MODULES)
    left = check_plan_trust(load_resumable_run(folder_of(tmp_path / "sound", LOOK, sound, sound)), MODULES)
    assert left.earlier.plan.module == MODULES.route(LOOK).handler.name  # not the folder's word


def test_refused_plan_leaves_the_run_folder_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PhoneModel().frame().save(tmp_path / "shot.png")
    evil = folder_of(tmp_path / "run", HOME, TaskPlan({}, (GO_HOME, CALL, END), module="system"))
    before = {path.name: path.read_bytes() for path in evil.iterdir() if path.is_file()}
    answer = CliRunner().invoke(app, ["run", "--resume", "run", "--json"])
    assert answer.exit_code == 2, answer.output
    assert "not the one" in json.loads(answer.stdout)["error"]
    with pytest.raises(UsageError, match="not the one"):
        Session(ImageDevice(tmp_path / "shot.png"), model="off").resume(evil)
    assert {path.name: path.read_bytes() for path in evil.iterdir() if path.is_file()} == before


def test_resume_prints_task_and_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device comes from the folder, so the user is shown which one it is."""
    monkeypatch.chdir(tmp_path)
    tap = StepPlan(1, ActionName.TAP, target=Target(text="设置"), expect=END.expect)
    folder_of(tmp_path / "run", LOOK, by_model(tap))
    answer = CliRunner().invoke(app, ["run", "--resume", "run"])
    assert "going on with '在设置里看看型号' on image:shot.png" in answer.output
    answer = CliRunner().invoke(app, ["run", "--resume", "run", "--device", "image:other.png"])
    assert "on image:other.png" in answer.output

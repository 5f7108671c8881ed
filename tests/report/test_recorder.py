"""Tests of the run recorder: readable wherever a run was cut off, and resumed without repeating an action."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.actions import InputText, Tap
from handeye.errors import ConfigError, UnsupportedAction, UsageError, WriteFailed
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan, TextTemplate, plan_from_dict
from handeye.report import RunRecord, RunRecorder, load_resumable_run, load_run, prepare_folder
from handeye.report.folder import is_running, plans_of
from handeye.report.junit import to_junit
from handeye.run import (
    Event,
    EventKind,
    Listener,
    StepResult,
    StepStatus,
    TaskResult,
    TaskRunner,
    TaskStatus,
    Tools,
    combined_listener,
)
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

HERE, THERE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)
PAGES = {
    "home": FakePage({"Alice": HERE}, {"Alice": "chat"}),
    "chat": FakePage({"Chat": THERE, "Send": HERE}, {"Send": "sent"}),
    "sent": FakePage({"Chat": THERE, "Sent": HERE}),
}
STEPS = (
    StepPlan(1, ActionName.TAP, target=Target(text="Alice"), description="打开 Alice", expect=Expectation(text="Chat")),
    StepPlan(2, ActionName.INPUT_TEXT, params={"text": "hello"}, expect=Expectation(text="hello")),
    StepPlan(3, ActionName.TAP, target=Target(text="Send"), expect=Expectation(text="Sent")),
    StepPlan(4, ActionName.CHECK, expect=Expectation(text="Sent")),
)
TASK = "给 Alice 发 hello"


def runner_of(device: FakeDevice, steps: tuple[StepPlan, ...], listen: Listener) -> TaskRunner:
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({TASK: steps})
    return TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False, listen=listen)


def recorded(
    folder: Path, steps: tuple[StepPlan, ...] = STEPS, *, device: FakeDevice | None = None, hear: Listener | None = None
) -> TaskResult:
    recorder = RunRecorder(prepare_folder(folder))
    listen = combined_listener(recorder, hear) if hear is not None else recorder
    result = runner_of(device or FakeDevice(PAGES, start="home"), steps, listen).run(TASK)
    assert recorder.failure is None
    return result


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that succeeded."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    assert recorded(folder).success
    return folder


def cut(folder: Path, at: int, to: Path) -> Path:
    """A copy of the folder as if the process had been killed after so many bytes of its events."""
    to.mkdir(parents=True, exist_ok=True)
    (to / "events.jsonl").write_bytes((folder / "events.jsonl").read_bytes()[:at])
    (to / "plan.json").write_bytes((folder / "plan.json").read_bytes())
    shutil.copytree(folder / "screens", to / "screens", dirs_exist_ok=True)
    return to


def test_notes_added_after_a_step_are_recorded(tmp_path: Path) -> None:
    missing = (STEPS[0], StepPlan(2, ActionName.TAP, target=Target(text="Bob"), expect=Expectation(text="Sent")))
    result = recorded(tmp_path / "run", missing)
    step = load_run(tmp_path / "run").steps[-1]
    assert result.status is TaskStatus.FAILED
    assert step.status == "failed"
    assert step.before is not None
    assert any(note.startswith("no other plan: ") for note in step.notes), step.notes
    assert step.notes == tuple(result.step_results[-1].notes)


def upto(folder: Path, event: str, number: int) -> int:
    """The length of the events up to the end of that event of that step."""
    length = 0
    for raw in (folder / "events.jsonl").read_bytes().splitlines(keepends=True):
        length += len(raw)
        line = json.loads(raw)
        if line["event"] == event and line["step"]["number"] == number:
            return length
    raise AssertionError(f"no {event} of step {number}")


def test_recorded_folder_matches_the_result(tmp_path: Path) -> None:
    pictures: list[object] = []
    told: list[StepResult] = []

    def keep(event: Event) -> None:
        """Before the recorder lets the frames go."""
        if event.kind is EventKind.STEP_FINISHED and event.step_result is not None:
            told.append(replace(event.step_result))
            pictures.append(event.step_result.screenshot_after)

    recorder = RunRecorder(prepare_folder(tmp_path / "run"))
    result = runner_of(FakeDevice(PAGES, start="home"), STEPS, combined_listener(keep, recorder)).run(TASK)
    run = load_run(tmp_path / "run")
    expected = RunRecord.of(replace(result, step_results=told))
    assert run.steps == expected.steps
    assert replace(run, started=0, total_s=0) == replace(expected, started=0, total_s=0)
    assert all(picture is not None for picture in pictures)
    assert all(step.screenshot_before is None and step.screenshot_after is None for step in result.step_results)
    assert sorted(run.pictures) == ["01-after", "01-before", "02-after", "03-after"]
    assert json.loads((tmp_path / "run/result.json").read_text("utf-8"))["status"] == "success"
    assert recorder.report is not None
    assert "打开 Alice" in recorder.report.read_text("utf-8")
    assert [plan_from_dict(plan).steps for plan in plans_of(tmp_path / "run")] == [STEPS]


def test_every_event_is_on_disk_when_reported(tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    def look(event: Event) -> None:
        lines = (tmp_path / "run/events.jsonl").read_text("utf-8").splitlines()
        seen.append((event.kind.value, json.loads(lines[-1])["event"]))

    recorded(tmp_path / "run", hear=look)
    assert len(seen) > 15
    assert all(told == written for told, written in seen)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_run_truncated_anywhere_can_be_read(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    length = (whole / "events.jsonl").stat().st_size
    at = data.draw(st.integers(1, length))
    run = load_run(cut(whole, at, tmp_path_factory.mktemp("cut")))
    complete = at == length
    assert run.status == ("success" if complete else "interrupted")
    assert len(run.steps) <= 4
    assert all(step.status == "success" for step in run.steps[:-1])
    suite = to_junit(run)
    assert ('failures="0" errors="0"' in suite) is complete


def test_killed_step_is_recorded_as_interrupted(whole: Path, tmp_path: Path) -> None:
    run = load_run(cut(whole, upto(whole, "acting", 3), tmp_path))
    assert [step.status for step in run.steps] == ["success", "success", "interrupted"]
    assert run.steps[2].box == tuple(HERE)
    assert run.steps[2].verified is None
    assert run.task == TASK


@pytest.mark.parametrize(
    ("event", "number", "page", "typed", "status", "done"),
    [
        ("step_finished", 1, "chat", "", TaskStatus.SUCCESS, [InputText, Tap]),
        ("step_started", 3, "chat", "hello", TaskStatus.SUCCESS, [Tap]),
        ("located", 3, "chat", "hello", TaskStatus.SUCCESS, [Tap]),
        ("acting", 3, "chat", "hello", TaskStatus.NEEDS_REVIEW, []),
        ("acting", 3, "sent", "hello", TaskStatus.SUCCESS, []),
        ("acted", 3, "sent", "hello", TaskStatus.SUCCESS, []),
        ("step_finished", 3, "sent", "hello", TaskStatus.SUCCESS, []),
        ("step_finished", 3, "home", "hello", TaskStatus.NEEDS_REVIEW, []),
    ],
)
def test_killed_run_resumes_without_repeating_actions(
    whole: Path, tmp_path: Path, event: str, number: int, page: str, typed: str, status: TaskStatus, done: list[type]
) -> None:
    folder = cut(whole, upto(whole, event, number) + 7, tmp_path / "run")  # with the beginning of another line
    left = load_resumable_run(folder)
    recorder = RunRecorder(folder, resume=True)
    device = FakeDevice(PAGES, start=page, home="home")
    device.typed = typed
    result = runner_of(device, STEPS, recorder).run(left.task, resume=left.earlier)
    assert recorder.failure is None
    assert result.status is status
    assert [type(action) for action in device.performed] == done
    run = load_run(folder)
    assert (run.status, run.resumed, run.task) == (status.value, 1, TASK)
    assert len({step.before.name for step in run.steps if step.before} | set(run.pictures)) == len(run.pictures)


def test_run_can_be_resumed_twice(whole: Path, tmp_path: Path) -> None:
    """Actions of the first session still count in the third."""
    folder = cut(whole, upto(whole, "acting", 3), tmp_path / "run")
    left = load_resumable_run(folder)
    recorder = RunRecorder(folder, resume=True)
    device = FakeDevice(PAGES, start="chat")
    assert runner_of(device, STEPS, recorder).run(TASK, resume=left.earlier).status is TaskStatus.NEEDS_REVIEW
    again = load_resumable_run(folder).earlier
    assert again.statuses == left.earlier.statuses
    assert again.deeds().in_doubt
    assert again.done == ()


def test_replanned_run_can_be_resumed(tmp_path: Path) -> None:
    """Step numbers continue after the first plan, and its actions still count."""
    lost = replace(STEPS[2], target=Target(text="Absent"))
    other = (replace(STEPS[2], step=1), replace(STEPS[3], step=2))
    device = FakeDevice(PAGES, start="home")
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({TASK: (*STEPS[:2], lost)}, {TASK: [other]})
    recorder = RunRecorder(prepare_folder(tmp_path / "whole"))
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), listen=recorder)
    assert runner.run(TASK).success
    assert load_run(tmp_path / "whole").replans == 1
    folder = cut(tmp_path / "whole", upto(tmp_path / "whole", "acted", 4), tmp_path / "run")
    earlier = load_resumable_run(folder).earlier
    assert [step.step for step in earlier.plan.steps] == [4, 5]
    assert [step.action for step in earlier.done] == [ActionName.TAP, ActionName.INPUT_TEXT]
    assert earlier.deeds().in_doubt
    there = FakeDevice(PAGES, start="sent")
    result = runner_of(there, STEPS, RunRecorder(folder, resume=True)).run(TASK, resume=earlier)
    assert result.status is TaskStatus.SUCCESS
    assert there.performed == []


def test_unresumable_runs_raise_errors(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has succeeded"):
        load_resumable_run(whole)
    with pytest.raises(UsageError, match="no plan"):
        load_resumable_run(cut(whole, 150, tmp_path / "early"))
    lost = cut(whole, upto(whole, "acted", 1), tmp_path / "lost")
    (lost / "plan.json").unlink()
    with pytest.raises(UsageError, match=r"plan\.json is missing"):
        load_resumable_run(lost)
    odd = cut(whole, upto(whole, "acted", 1), tmp_path / "odd")
    (odd / "plan.json").write_text('{"plans": []}')
    with pytest.raises(ConfigError, match="lacks a plan"):
        load_resumable_run(odd)
    with pytest.raises(ConfigError, match=r"result\.json"):
        load_resumable_run(tmp_path / "nothing")
    with pytest.raises(ConfigError, match=r"events\.jsonl"):
        RunRecorder(tmp_path / "nothing", resume=True)


def test_running_folder_cannot_be_resumed_or_reused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    found: list[bool] = []

    def look(event: Event) -> None:
        if event.kind is not EventKind.STEP_STARTED:
            return
        found.append(is_running(folder))
        assert load_run(folder).status == "running"
        with pytest.raises(UsageError, match="still going on"):
            prepare_folder(folder)
        with pytest.raises(UsageError, match="still going on"):
            load_resumable_run(folder)
        with pytest.raises(UsageError, match="still going on"):
            RunRecorder(folder, resume=True)

    assert recorded(folder, hear=look).success
    assert found == [True] * 4
    assert not is_running(folder)


def test_second_recorder_of_a_folder_is_refused(tmp_path: Path) -> None:
    """Both were given the folder before either had started."""
    folder = prepare_folder(prepare_folder(tmp_path / "run"))
    first = RunRecorder(folder)
    with pytest.raises(UsageError, match="still going on"):
        RunRecorder(folder)
    with pytest.raises(UsageError, match="still going on"):
        prepare_folder(folder)
    assert runner_of(FakeDevice(PAGES, start="home"), STEPS, first).run(TASK).success
    assert first.failure is None
    assert len(plans_of(folder)) == 1
    assert load_run(folder).status == "success"


def test_unused_run_folder_is_removed(tmp_path: Path) -> None:
    recorder = RunRecorder(prepare_folder(tmp_path / "run"))
    recorder.let_go()
    assert not (tmp_path / "run").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    RunRecorder(prepare_folder(tmp_path / "mine")).let_go()
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_secrets_are_not_written_to_disk(tmp_path: Path) -> None:
    secret = "p4ss 密码 hunter"
    typing = StepPlan(2, ActionName.INPUT_TEXT, params={"text": secret, "secret": True}, description=f"输入 {secret}")
    device = FakeDevice(PAGES, start="home")
    steps = (STEPS[0], typing, replace(STEPS[3], step=3, description=f"{secret} is accepted"))
    planner = FakePlanner({f"用 {secret} 登录": steps})
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    folder = prepare_folder(tmp_path / "run")
    runner = TaskRunner(
        device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), listen=RunRecorder(folder)
    )
    assert runner.run(f"用 {secret} 登录").status is TaskStatus.FAILED
    assert [action.text for action in device.performed if isinstance(action, InputText)] == [secret]
    for file in folder.iterdir():
        if file.is_file():
            content = file.read_text("utf-8")
            assert "p4ss" not in content, file.name
            assert "hunter" not in content, file.name
    assert load_run(folder).task == "用 •••• 登录"
    with pytest.raises(UsageError, match=r"types a secret, .*; run the task itself again$"):
        load_resumable_run(folder)


def test_value_typed_as_secret_is_masked(tmp_path: Path) -> None:
    late = {"params.text": TextTemplate.parse("{code}")}
    reading = StepPlan(1, ActionName.READ, target=Target(text="code"), params={"save_as": "code"})
    typing = StepPlan(2, ActionName.INPUT_TEXT, params={"secret": True}, late=late)
    plan = FakePlanner({"x": (reading, typing)}).plan("x")
    result = TaskResult("x", TaskStatus.RUNNING, plan)
    step = StepResult(reading, StepStatus.SUCCESS, value="42", notes=["read"])
    recorder = RunRecorder(prepare_folder(tmp_path / "run"))
    recorder(Event(EventKind.RUN_STARTED, 1.0, result=result))
    recorder(Event(EventKind.PLANNED, 2.0, plan=plan, result=result))
    recorder(Event(EventKind.STEP_STARTED, 3.0, step_result=replace(step, value=None)))
    recorder(Event(EventKind.STEP_FINISHED, 4.0, step_result=step))
    recorder(Event(EventKind.RUN_FINISHED, 5.0, result=result))
    assert recorder.failure is None
    assert load_run(tmp_path / "run").steps[0].value == "••••"


def test_full_disk_stops_recording_but_not_the_run(tmp_path: Path) -> None:
    """Later actions are unknown, so the folder cannot be resumed."""
    resource = pytest.importorskip("resource")
    folder = tmp_path / "run"
    recorder = RunRecorder(prepare_folder(folder))
    device = FakeDevice(PAGES, start="home")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(event: Event) -> None:
        if event.kind is EventKind.STEP_FINISHED and event.step_result and event.step_result.step.step == 2:
            resource.setrlimit(resource.RLIMIT_FSIZE, ((folder / "events.jsonl").stat().st_size + 10, hard))

    try:
        result = runner_of(device, STEPS, combined_listener(fill, recorder)).run(TASK)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert result.success
    assert isinstance(recorder.failure, WriteFailed)
    assert recorder.report is None
    assert [step.status for step in load_run(folder).steps] == ["success", "interrupted"]
    with pytest.raises(UsageError, match=r"plan\.json is missing"):
        load_resumable_run(folder)


def test_result_is_recorded_when_disk_has_space_again(tmp_path: Path) -> None:
    """A successful run is not recorded as interrupted; the folder still cannot be resumed."""
    resource = pytest.importorskip("resource")
    folder = tmp_path / "run"
    recorder = RunRecorder(prepare_folder(folder))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(event: Event) -> None:
        if event.kind is EventKind.STEP_FINISHED and event.step_result and event.step_result.step.step == 2:
            resource.setrlimit(resource.RLIMIT_FSIZE, ((folder / "events.jsonl").stat().st_size + 10, hard))
        if event.kind is EventKind.RUN_FINISHED:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert is_running(folder)

    try:
        assert runner_of(FakeDevice(PAGES, start="home"), STEPS, combined_listener(fill, recorder)).run(TASK).success
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    run = load_run(folder)
    assert isinstance(recorder.failure, WriteFailed)
    assert (run.status, [step.status for step in run.steps]) == ("success", ["success", "interrupted"])
    assert not is_running(folder)
    with pytest.raises(UsageError, match="has succeeded"):
        load_resumable_run(folder)


def test_error_kind_is_recorded(tmp_path: Path) -> None:
    """JUnit distinguishes device errors from app failures by it."""

    def no_taps(call: str) -> None:
        if call == "Tap":
            raise UnsupportedAction("this device has no fingers")

    result = recorded(tmp_path / "a", device=FakeDevice(PAGES, start="home", trouble=no_taps))
    assert result.status is TaskStatus.FAILED
    run = load_run(tmp_path / "a")
    assert (run.steps[0].error_kind, run.error_kind) == ("UnsupportedAction", "UnsupportedAction")
    assert recorded(tmp_path / "b", (replace(STEPS[0], target=Target(text="Bob")),)).status is TaskStatus.FAILED
    assert load_run(tmp_path / "b").steps[0].error_kind == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "not valid JSON"),
        (b"[1]", "has no event"),
        (b'{"event": 7}', "has no event"),
        (b'{"event": "planned"}', "has no time"),
        (b'{"event": "planned", "at": NaN}', "NaN"),
        (b'{"event": "acted", "at": 1, "step": {"number": 1}}', "never began"),
        (b'{"event": "step_started", "at": 1, "step": 7}', "no object"),
        (b'{"event": "step_started", "at": 1, "step": {"number": "<b>"}}', "number"),
        (b'{"event": "planned", "at": 1, "task": 7}', "task"),
        (b'{"event": "run_started", "at": 1}\n{"event": "planned", "at": 1, "planning": {"calls": "x"}}', "usage"),
        (b"[" * 100_000, "not valid JSON"),
    ],
)
def test_invalid_event_lines_are_refused(tmp_path: Path, line: bytes, says: str) -> None:
    (tmp_path / "events.jsonl").write_bytes(line + b"\n")
    with pytest.raises(ConfigError, match=says):
        load_run(tmp_path)


def test_frame_names_of_foreign_folder_are_checked(whole: Path, tmp_path: Path) -> None:
    events = (whole / "events.jsonl").read_text("utf-8").replace('"01-before"', '"../../secret"')
    (tmp_path / "events.jsonl").write_text(events, "utf-8")
    with pytest.raises(ConfigError, match="is no frame"):
        load_run(tmp_path)


def test_unknown_events_are_ignored(whole: Path, tmp_path: Path) -> None:
    lines = (whole / "events.jsonl").read_text("utf-8").splitlines()
    lines.insert(3, '{"event": "dreamt", "at": 5, "of": ["sheep"]}')
    (tmp_path / "events.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert replace(load_run(tmp_path), pictures={}) == replace(load_run(whole), pictures={})

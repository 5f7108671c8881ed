"""Tests of `handeye runs`, `report --junit` and `run --resume` on complete and truncated run folders."""

from __future__ import annotations

import json
import os
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.devices.image import ImageDevice
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.plan import ActionName, PlanOrigin, StepPlan
from handeye.report import RunRecorder, load_run, prepare_folder
from handeye.run import TaskRunner, Tools
from handeye.session import Session
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye_phone.model import PhoneModel

TASK = "打开 \x1b[31m 邮件"
PAGES = {"home": FakePage({"邮件": Box(0, 0, 40, 40)}, {"邮件": "mail"}), "mail": FakePage({"Inbox": Box(0, 0, 9, 9)})}
STEPS = (
    StepPlan(1, ActionName.TAP, target=Target(text="邮件"), description="点击 邮件", expect=Expectation(text="Inbox")),
    StepPlan(2, ActionName.CHECK, expect=Expectation(text="Inbox")),
)


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Four folders: a success, one that was killed in its first step, one of an older release, one that is broken."""
    root = tmp_path / "runs"
    device = FakeDevice(PAGES, start="home")
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    recorder = RunRecorder(prepare_folder(root / "20261122-100000-mail"))
    planner = FakePlanner({TASK: STEPS}, origin=PlanOrigin.MODEL)
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), listen=recorder)
    assert runner.run(TASK).success
    whole = recorder.folder
    killed = shutil.copytree(whole, root / "20261122-110000-killed")
    events = (whole / "events.jsonl").read_bytes()
    (killed / "events.jsonl").write_bytes(events[: events.index(b'"verified"')])
    (killed / "result.json").unlink()
    old = root / "20251122-090000-old"
    old.mkdir()
    facts = {"task": "an older run", "status": "needs_review", "started": 500.0, "steps": []}
    (old / "result.json").write_text(json.dumps(facts))
    broken = root / "20261122-120000-broken"
    broken.mkdir()
    (broken / "events.jsonl").write_text("no JSON\n")
    (root / "notes").mkdir()
    for age, folder in enumerate((broken, killed, whole, old)):
        for file in folder.glob("*.json*"):
            os.utime(file, (2_000_000_000 - age, 2_000_000_000 - age))
    return root


def test_runs_are_listed_newest_first(runs: Path) -> None:
    answer = handeye("runs", "list", "--root", str(runs), "--json")
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert sorted(each["status"] for each in told["runs"]) == ["interrupted", "needs_review", "success"]
    assert told["runs"][-1]["task"] == "an older run"
    assert {each["steps"] for each in told["runs"]} == {0, 1, 2}
    assert all(each["model_calls"] == 0 for each in told["runs"])
    assert "broken" in told["unreadable"][0]
    one = json.loads(handeye("runs", "list", "--root", str(runs), "--limit", "2", "--json").stdout)
    assert [Path(each["folder"]).name for each in one["runs"]] == ["20261122-110000-killed"]


def test_runs_in_subfolders_are_listed_and_shown(runs: Path) -> None:
    """`make demo` puts its runs into the subfolder runs/demo/."""
    group = runs / "demo"
    group.mkdir()
    (runs / "20261122-100000-mail").rename(group / "calm")
    (group / "no run").mkdir()
    listed = json.loads(handeye("runs", "list", "--root", str(runs), "--json").stdout)["runs"]
    assert str(group / "calm") in [run["folder"] for run in listed]
    assert len(listed) == 3
    assert "demo/calm" in handeye("runs", "list", "--root", str(runs)).stdout
    shown = handeye("runs", "show", "demo/ca", "--root", str(runs), "--json")
    assert json.loads(shown.stdout)["folder"] == str(group / "calm")


def test_run_list_escapes_control_characters(runs: Path) -> None:
    answer = handeye("runs", "list", "--root", str(runs))
    assert "\x1b" not in answer.stdout
    assert "\\x1b[31m 邮件" in answer.stdout
    assert "success" in answer.stdout
    assert "not valid JSON" in answer.stderr


@pytest.mark.parametrize(
    "name",
    ["20261122-100000-mail", "a-folder-whose-name-is-wider-than-the-terminal-that-shows-it-to-a-person-who-copies-it"],
)
def test_narrow_list_truncates_neither_tasks_nor_folders(runs: Path, name: str) -> None:
    """`runs show` takes the folder name, so it must be printed in full."""
    task = "给张三发微信消息说今天晚上六点在老地方见面，不见不散"
    folder = runs / name
    if name != "20261122-100000-mail":
        shutil.copytree(runs / "20261122-100000-mail", folder)
    for file in ("events.jsonl", "result.json"):
        path = folder / file
        path.write_text(
            path.read_text("utf-8").replace(json.dumps(TASK, ensure_ascii=False), json.dumps(task)), "utf-8"
        )
    said = CliRunner().invoke(app, ["runs", "list", "--root", str(runs)], env={"COLUMNS": "80"}).stdout
    assert task in said
    assert name in said
    assert "…" not in said
    assert CliRunner().invoke(app, ["runs", "show", name, "--root", str(runs)]).exit_code == 0


def test_empty_run_list_is_no_error(tmp_path: Path) -> None:
    answer = handeye("runs", "list", "--root", str(tmp_path / "none"))
    assert answer.exit_code == 0
    assert "no runs" in answer.output


def test_run_is_shown_with_evidence(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chinese = handeye("runs", "show", "20261122-10", "--root", str(runs)).output
    for words in ("成功", "期望: 有文字“Inbox”", "已验证 2 / 2"):
        assert words in chinese
    monkeypatch.setenv("HANDEYE_LANG", "en")
    for name in (str(runs / "20261122-100000-mail"), "20261122-100000-mail", "20261122-10"):
        answer = handeye("runs", "show", name, "--root", str(runs))
        assert answer.exit_code == 0, answer.output
        assert "success" in answer.output
        assert "evidence: text 'Inbox' is there holds" in answer.output
        assert "\x1b" not in answer.output
    told = json.loads(handeye("runs", "show", "20261122-11", "--root", str(runs), "--json").stdout)
    assert told["status"] == "interrupted"
    assert [step["status"] for step in told["steps"]] == ["interrupted"]
    assert told["steps"][0]["box"] == [0, 0, 40, 40]


def test_absent_files_of_a_run_are_listed(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that succeeded on a full disk has no frames, no plans, no result and no report; and steps may be missing."""
    monkeypatch.setenv("HANDEYE_LANG", "en")
    whole = runs / "20261122-100000-mail"
    assert json.loads(handeye("runs", "show", str(whole), "--json").stdout)["missing"] == []
    assert "missing" not in handeye("runs", "show", str(whole)).output
    for name in ("plan.json", "result.json", "report.html"):
        (whole / name).unlink()
    kept = len(list((whole / "screens").iterdir()))
    assert kept
    shutil.rmtree(whole / "screens")
    lost = f"{kept} frame{'s' if kept > 1 else ''}"
    told = json.loads(handeye("runs", "show", str(whole), "--json").stdout)
    assert (told["status"], told["missing"]) == ("success", [lost, "plan.json", "result.json", "report.html"])
    assert (
        f"these are missing: {lost}, plan.json, result.json, report.html, so it cannot be resumed"
        in handeye("runs", "show", str(whole)).output
    )
    assert "missing" not in handeye("runs", "show", str(runs / "20251122-090000-old")).output


@pytest.mark.parametrize(("name", "says"), [("2026", "fits 3 runs"), ("zzz", "there is no run"), ("..", "there is no")])
def test_unknown_or_ambiguous_run_name_is_usage_error(runs: Path, name: str, says: str) -> None:
    answer = handeye("runs", "show", name, "--root", str(runs), "--json")
    assert answer.exit_code == 2
    assert says in json.loads(answer.stdout)["error"]


def test_killed_run_gets_report_and_junit(runs: Path, tmp_path: Path) -> None:
    out, junit = tmp_path / "report.html", tmp_path / "junit.xml"
    answer = handeye("report", str(runs / "20261122-110000-killed"), "--out", str(out), "--junit", str(junit), "--json")
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["status"] == "interrupted"
    assert "被中断" in out.read_text("utf-8")
    (suite,) = ET.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("errors")) == ("1", "1")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name a task"),
        (("a task", "--resume", "somewhere"), "not both"),
        (("--resume", "somewhere", "--out", "elsewhere"), "own folder"),
        (("a task", "--no-report", "--junit", "x.xml"), "--no-report"),
        (("a task", "--allow", "camera"), "allow-listed"),
        (("a task", "--permissions", "allow-listed", "--allow", "the moon"), "the moon"),
        (("a task", "--permissions", "always"), "permissions"),
        (("a task", "--plans", "maybe"), "plans"),
        (("--resume", "no-such-folder"), "no-such-folder"),
    ],
)
def test_invalid_run_options_are_refused_before_run(
    words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = handeye("run", *words, "--json")
    assert answer.exit_code == 2, answer.output
    assert says in json.loads(answer.stdout)["error"]
    assert not list(tmp_path.iterdir())


def test_successful_run_is_not_resumed(runs: Path) -> None:
    folder = runs / "20261122-100000-mail"
    before = {path.name: path.read_bytes() for path in folder.glob("*.*")}
    answer = handeye("run", "--resume", str(folder), "--json")
    assert answer.exit_code == 2
    assert "has succeeded" in json.loads(answer.stdout)["error"]
    assert {path.name: path.read_bytes() for path in folder.glob("*.*")} == before


def test_resumed_run_uses_its_original_device(runs: Path) -> None:
    """The original device is gone: the run folder records the failure and can be resumed later."""
    folder = runs / "20261122-110000-killed"
    answer = handeye("run", "--resume", str(folder), "--json")
    assert answer.exit_code == 2, answer.output
    assert "fake:" in json.loads(answer.stdout)["error"]
    told = json.loads(handeye("runs", "show", str(folder), "--json").stdout)
    assert (told["status"], told["resumed"], told["task"]) == ("failed", 1, TASK)
    assert handeye("run", "--resume", str(folder), "--device", "image:nothing.png").exit_code == 2


def test_session_resumes_run_folder(runs: Path, tmp_path: Path) -> None:
    """The picture shows another page: the verified state is missing, and the task cannot be planned again."""
    PhoneModel().frame().save(tmp_path / "shot.png")
    session = Session(ImageDevice(tmp_path / "shot.png"), model="off")
    result = session.resume(runs / "20261122-110000-killed")
    assert not result.success
    told = load_run(runs / "20261122-110000-killed")
    assert (told.status, told.resumed, told.task) == (result.status.value, 1, TASK)
    with pytest.raises(UsageError, match="has succeeded"):
        session.resume(runs / "20261122-100000-mail")


@pytest.mark.parametrize("number", ["1" + 400 * "0", "1e999", "-1e300", "NaN", "Infinity", 5000 * "9"])
def test_out_of_range_numbers_make_run_unreadable(runs: Path, number: str) -> None:
    folder = runs / "20261122-120000-broken"
    for line in ('"event": "run_finished", "at": 2.0, "total_s": {}', '"event": "run_started", "at": {}'):
        (folder / "events.jsonl").write_text("{" + line.format(number) + "}\n")
        answer = handeye("runs", "list", "--root", str(runs), "--json")
        assert answer.exit_code == 0, answer.output
        assert len(json.loads(answer.stdout)["unreadable"]) == 1
        assert handeye("report", str(folder)).exit_code == 2
    (folder / "events.jsonl").unlink()
    (folder / "result.json").write_text('{"task": "x", "status": "success", "total_s": ' + number + "}")
    assert handeye("runs", "show", str(folder)).exit_code == 2


@pytest.mark.parametrize("status", ["bad\\u0001", "\\ud800", "<&\\u000b"])
def test_junit_stays_valid_xml_for_any_status(runs: Path, tmp_path: Path, status: str) -> None:
    folder, junit = runs / "20251122-090000-old", tmp_path / "junit.xml"
    step = '{"number": 1, "action": "tap", "description": "%s", "status": "%s", "error_kind": "%s"}' % (3 * (status,))
    text = f'{{"task": "{status}", "status": "{status}", "error_kind": "{status}", "device": "{status}", "steps": '
    (folder / "result.json").write_text(text + f"[{step}]}}")
    answer = handeye("report", str(folder), "--junit", str(junit))
    assert answer.exit_code == 0, answer.output
    (suite,) = ET.parse(junit).getroot()
    assert int(suite.get("failures", 0)) + int(suite.get("errors", 0)) == 1

"""Tests of docs/reports.md: its read-only commands run as shown, and its tables match the code."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.geometry import Box
from handeye.plan import ActionName, PlanOrigin, StepPlan
from handeye.report import RunRecorder, prepare_folder
from handeye.run import TaskRunner, Tools
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye_phone.model import PhoneModel

TEXT = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"^```\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]
# What the picture of the launcher's first page cannot show ends so.
ENDS = {"handeye match wechat shot.png --all": 1, "handeye verify shot.png --reference settings": 0}
TASK = "open the mail"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a picture, a finished run, and one that was killed."""
    place = tmp_path_factory.mktemp("docs")
    PhoneModel().frame().save(place / "shot.png")
    device = FakeDevice(
        {"home": FakePage({"Mail": Box(0, 0, 9, 9)}, {"Mail": "mail"}), "mail": FakePage()}, start="home"
    )
    step = StepPlan(1, ActionName.TAP, target=Target(text="Mail"), expect=Expectation(gone="Mail"))
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    recorder = RunRecorder(prepare_folder(place / "runs" / "first"))
    planner = FakePlanner({TASK: [step]}, origin=PlanOrigin.MODEL)
    TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), listen=recorder).run(TASK)
    cut = shutil.copytree(place / "runs" / "first", place / "runs" / "cut")
    events = (cut / "events.jsonl").read_bytes()
    (cut / "events.jsonl").write_bytes(events[: events.index(b'"step_finished"')])
    return place


def test_documented_commands_are_complete() -> None:
    assert {words.split()[1] for words in COMMANDS} == {
        *("run", "runs", "report", "plan", "locate", "match", "verify", "flow")
    }


@pytest.mark.parametrize("command", [each for each in COMMANDS if not each.startswith("handeye run ")])
def test_documented_read_only_command_works(place: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    answer = CliRunner().invoke(app, shlex.split(command)[1:])
    assert answer.exit_code == ENDS.get(command, 0), answer.output


@pytest.mark.parametrize("command", [each for each in COMMANDS if each.startswith("handeye run ")])
def test_documented_acting_command_is_parsed(place: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device is an image, which accepts no actions: everything before the first action must pass."""
    monkeypatch.chdir(place)
    answer = CliRunner().invoke(app, [*shlex.split(command)[1:], "--device", "image:shot.png", "--json"])
    assert answer.exit_code in (1, 3, 5), answer.output
    assert '"status"' in answer.stdout


def test_documented_file_table_matches_a_run_folder(place: Path) -> None:
    table = TEXT.split("| file |")[1].split("\n\n")[0]
    named = {name.partition("/")[0] for name in re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)}
    assert named == {path.name for path in (place / "runs" / "first").iterdir()}

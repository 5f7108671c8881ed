"""Tests of trust: plans, settings and modules of a working folder, and runs of another user, need it."""

from __future__ import annotations

import json
import logging
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from handeye.apps import ModuleRegistry
from handeye.cli.app import app
from handeye.errors import NoPlan, UsageError
from handeye.models import LLMConfig
from handeye.plan import ActionName, PlanOrigin, StepPlan, TaskPlan, default_memory
from handeye.plan.planner.memory import PlanKey, PlanMemory
from handeye.report import load_resumable_run
from handeye.run import default_agent
from handeye.session import Session
from handeye.target import Expectation
from handeye.testing.fakes import FakeDevice, FakePage
from handeye.trusted_files import MOST_FILES, is_trusted, own_change, reason_for_distrust, trust

TASK = "打开微信，看看第二个联系人的资料"
KEY = PlanKey(TASK, "wechat")
PLAN = TaskPlan(
    {},
    (
        StepPlan(1, ActionName.GO_HOME, description="home"),
        StepPlan(2, ActionName.TAP, target_ref="text:资料", description="open it", expect=Expectation(text="资料")),
    ),
    success_criteria="it is open",
    module="wechat",
    origin=PlanOrigin.MODEL,
)
PLANS = Path(".handeye") / "plans"
MODULES = Path("handeye_apps")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, made by somebody else: a cloned repository with plans, settings and a module of its own."""
    folder = tmp_path / "clone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("HANDEYE_DOTENV")
    return folder


def device() -> FakeDevice:
    return FakeDevice({"a": FakePage({})}, start="a")


def planted_plans() -> None:
    """As another person's Handeye has written them."""
    with pytest.MonkeyPatch.context() as theirs:
        theirs.setenv("HANDEYE_STATE_DIR", str(Path("..") / "their state"))
        memory = PlanMemory(PLANS)
        assert memory.keep(KEY, PLAN)
        assert memory.keep(replace(KEY, size=device().screenshot().size), PLAN)


def planted_settings(model: str = "theirs") -> None:
    Path(".env").write_text(f"LLM_PROVIDER=ollama\nLLM_MODEL={model}\n", "utf-8")


def planted_module() -> None:
    home = MODULES / "wechat"
    home.mkdir(parents=True)
    (home / "config.yaml").write_text("name: wechat\ntitle: 微信\n", "utf-8")
    (home / "tasks.yaml").write_text(
        "tasks:\n  - name: theirs\n    patterns: 打开微信\n    steps:\n      - {action: wait, description: 他们的}\n",
        "utf-8",
    )


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def plan_by_command() -> bool:
    return handeye("plan", TASK, "--json").exit_code == 0


def plan_in_python() -> bool:
    try:
        return default_agent().planner.plan(TASK).origin is PlanOrigin.MEMORY
    except NoPlan:
        return False


def plan_in_a_run(monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr("handeye.commands.run.open_device", lambda uri: device())
    answer = handeye("run", TASK, "--json", "--no-report", "--plans", "read-only")
    return answer.exit_code != 4


@pytest.mark.parametrize("door", ["command", "python", "run"])
def test_plans_of_working_folder_need_trust(door: str, clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doors: dict[str, Callable[[], bool]] = {
        "command": plan_by_command,
        "python": plan_in_python,
        "run": lambda: plan_in_a_run(monkeypatch),
    }
    planted_plans()
    is_used = doors[door]
    assert not is_used()
    assert handeye("trust").exit_code == 0
    assert is_used()
    path = PLANS / "wechat.yaml"
    path.write_text(path.read_text("utf-8") + "# changed\n", "utf-8")
    assert not is_used(), "other content was not trusted"
    handeye("trust")
    assert is_used()
    assert handeye("trust", "--forget").exit_code == 0
    assert not is_used()


def test_untrusted_plans_are_not_modified(clone: Path) -> None:
    planted_plans()
    before = (PLANS / "wechat.yaml").read_bytes()
    memory = default_memory()
    assert memory is not None
    assert memory.folder != PLANS
    assert memory.keep(KEY, PLAN)
    assert (PLANS / "wechat.yaml").read_bytes() == before


def test_plans_written_by_handeye_stay_trusted(clone: Path) -> None:
    PLANS.mkdir(parents=True)
    for number in range(2):
        memory = default_memory()
        assert memory is not None
        assert memory.folder == PLANS
        assert memory.keep(PlanKey(f"{TASK} {number}", "wechat"), PLAN)
    memory = default_memory()
    assert memory is not None
    assert memory.knows(f"{TASK} 1", "wechat")


def test_plans_written_concurrently_are_trusted(clone: Path) -> None:
    """The plans belong to different modules and so to different files."""
    PLANS.mkdir(parents=True)
    writes = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_foreign_folders import PLAN, PLANS, PlanKey, PlanMemory
memory = PlanMemory(PLANS)
for number in range(10):
    assert memory.keep(PlanKey(f"打开微信，看看第{number}个联系人的资料", sys.argv[1]), PLAN)
"""
    here = str(Path(__file__).parent)
    writing = [
        subprocess.Popen([sys.executable, "-c", writes, module, here]) for module in ("wechat", "settings", "system")
    ]
    assert [each.wait(timeout=120) for each in writing] == [0, 0, 0]
    assert len(list(PLANS.iterdir())) == 3
    assert is_trusted(PLANS)


def test_file_added_during_own_change_is_untrusted(clone: Path) -> None:
    PLANS.mkdir(parents=True)
    with own_change(PLANS) as written:
        (PLANS / "theirs.yaml").write_text("version: 1\n", "utf-8")
        (PLANS / "ours.yaml").write_text("version: 1\n", "utf-8")
        written.append(PLANS / "ours.yaml")
    assert reason_for_distrust(PLANS) == "it has changed since you trusted it (theirs.yaml)"


def test_settings_of_working_folder_need_trust(clone: Path) -> None:
    planted_settings()
    assert LLMConfig.from_env() is None
    assert handeye("model", "check").exit_code != 0
    handeye("trust")
    config = LLMConfig.from_env()
    assert config is not None
    assert config.model == "theirs"
    planted_settings("changed")
    assert LLMConfig.from_env() is None


@pytest.mark.parametrize("named", [".env", "./.env"])
def test_explicitly_named_settings_are_used(named: str, clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted_settings()
    monkeypatch.setenv("HANDEYE_DOTENV", named)
    assert LLMConfig.from_env() is not None
    monkeypatch.delenv("HANDEYE_DOTENV")
    assert LLMConfig.from_env(dotenv=clone / ".env") is not None


def test_modules_of_working_folder_need_trust(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted_module()

    def said() -> str:
        return str(json.loads(handeye("plan", "打开微信", "--json").stdout))

    assert "他们的" not in said()
    handeye("trust")
    assert "他们的" in said()
    handeye("trust", "--forget")
    assert "他们的" not in said()
    monkeypatch.setenv("HANDEYE_APPS", str(MODULES))
    assert "他们的" in said(), "named by a person"


def test_module_created_by_handeye_is_trusted(clone: Path) -> None:
    assert handeye("apps", "new", "notes").exit_code == 0
    assert handeye("apps", "schema").exit_code == 0
    assert "notes" in {handler.name for handler in ModuleRegistry().handlers}


@pytest.mark.parametrize("name", ["again", "zzz"])
def test_second_link_to_known_folder_is_a_change(clone: Path, name: str) -> None:
    """Also when the link sorts after the folder, whose files are already recorded."""
    planted_module()
    trust(MODULES)
    (MODULES / name).symlink_to("wechat")
    assert not is_trusted(MODULES)
    trust(MODULES)
    (MODULES / name).unlink()
    assert not is_trusted(MODULES)


def test_linked_content_is_part_of_trust(clone: Path, tmp_path: Path) -> None:
    planted_module()
    (MODULES / "wechat").rename(tmp_path / "elsewhere")
    (MODULES / "wechat").symlink_to(tmp_path / "elsewhere")
    (MODULES / "round").symlink_to(MODULES.resolve())
    trust(MODULES)
    assert is_trusted(MODULES)
    (tmp_path / "elsewhere" / "tasks.yaml").write_text("tasks: []\n", "utf-8")
    assert not is_trusted(MODULES)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_pipes_and_devices_are_not_read(clone: Path) -> None:
    planted_module()
    os.mkfifo(MODULES / "wechat" / "pipe")
    (MODULES / "wechat" / "zeros").symlink_to("/dev/zero")
    assert handeye("trust").exit_code == 0
    assert is_trusted(MODULES)


def test_folder_with_too_many_files_is_not_trusted(clone: Path) -> None:
    planted_module()
    for number in range(MOST_FILES):
        (MODULES / str(number)).touch()
    answer = handeye("trust")
    assert answer.exit_code == 2
    assert str(MOST_FILES) in answer.stderr
    assert not is_trusted(MODULES)
    assert handeye("apps", "new", "notes").exit_code == 0
    assert not is_trusted(MODULES)


@pytest.mark.parametrize("damage", ["", "[", "[]", '{"files": 3}', "[" * 10_000])
def test_damaged_trust_record_trusts_nothing(damage: str, clone: Path, tmp_path: Path) -> None:
    planted_settings()
    handeye("trust")
    (record,) = (tmp_path / "state" / "trusted").iterdir()
    record.write_text(damage, "utf-8")
    assert LLMConfig.from_env() is None
    handeye("trust")
    assert LLMConfig.from_env() is not None


def test_trust_record_is_private(clone: Path, tmp_path: Path) -> None:
    planted_settings()
    handeye("trust")
    (record,) = (tmp_path / "state" / "trusted").iterdir()
    if sys.platform != "win32":
        assert record.stat().st_mode & 0o077 == 0
    assert "theirs" not in record.read_text("utf-8")


def test_each_unused_item_is_reported_once(clone: Path) -> None:
    planted_plans()
    planted_settings()
    planted_module()
    done = subprocess.run(
        [sys.executable, "-m", "handeye", "plan", TASK, "--json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert json.loads(done.stdout)["exit_code"] == 4
    for path in (PLANS, Path(".env"), MODULES):
        assert done.stderr.count(f"{path.resolve()} was found and is not used") == 1
    assert done.stderr.count(f"`handeye trust {shlex.quote(str(clone))}` allows it") == 3


def test_settings_of_other_programs_are_not_reported(clone: Path, caplog: pytest.LogCaptureFixture) -> None:
    Path(".env").write_text("DJANGO_SECRET_KEY=x\nDEBUG=1\n", "utf-8")
    assert LLMConfig.from_env() is None
    assert caplog.text == ""
    Path(".env").write_bytes(b"\xff\xfe\x00")
    assert LLMConfig.from_env() is None
    assert caplog.text == ""


def test_virtual_environment_named_dot_env_is_ignored(clone: Path) -> None:
    planted_module()
    (Path(".env") / "bin").mkdir(parents=True)
    (Path(".env") / "bin" / "python").touch()
    answer = handeye("trust")
    assert answer.exit_code == 0
    assert ".env" not in answer.stdout
    assert is_trusted(MODULES)


def test_untrustable_folder_does_not_block_other_items(clone: Path) -> None:
    planted_module()
    planted_settings()
    for number in range(MOST_FILES):
        (MODULES / str(number)).touch()
    answer = handeye("trust")
    assert answer.exit_code == 2
    assert "it is not trusted" in answer.stderr
    assert is_trusted(Path(".env"))


def test_changed_file_is_named(clone: Path, caplog: pytest.LogCaptureFixture) -> None:
    planted_module()
    trust(MODULES)
    (MODULES / "wechat" / "tasks.yaml").write_text("tasks: []\n", "utf-8")
    assert not is_trusted(MODULES)
    assert "it has changed since you trusted it (wechat/tasks.yaml)" in caplog.text


def test_doctor_reports_unused_items(clone: Path) -> None:
    planted_settings()
    planted_plans()
    told = {each["name"]: each for each in json.loads(handeye("doctor", "--json").stdout)["findings"]}
    for name in (".env", str(PLANS)):
        assert told[name]["detail"] == "found, and not used: you have not trusted it"
        assert f"handeye trust {shlex.quote(str(clone))}" in told[name]["remedy"]
    handeye("trust")
    assert ".env" not in {each["name"] for each in json.loads(handeye("doctor", "--json").stdout)["findings"]}


def test_trust_lists_what_it_allows(clone: Path) -> None:
    answer = handeye("trust")
    assert answer.exit_code == 2
    assert "nothing in" in answer.stderr
    planted_plans()
    planted_settings()
    planted_module()
    answer = handeye("trust")
    assert answer.exit_code == 0
    for told in (".env", str(PLANS), "wechat.yaml", str(MODULES), "wechat/tasks.yaml"):
        assert told in answer.stdout
    assert handeye("trust", "nowhere").exit_code == 2


@pytest.fixture
def ended_run(tmp_path: Path) -> Path:
    """The folder of a run that failed, and could be gone on with."""
    result = Session(device()).run("打开微信", report=tmp_path / "run")
    assert not result.success
    return tmp_path / "run"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_run_of_another_user_needs_trust(ended_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_resumable_run(ended_run)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(UsageError, match=f"another user .{me}., .*handeye trust"):
        load_resumable_run(ended_run)
    answer = handeye("run", "--resume", str(ended_run))
    assert answer.exit_code == 2
    assert "another user" in answer.stderr
    assert handeye("trust", str(ended_run)).exit_code == 0
    load_resumable_run(ended_run)
    (ended_run / "plan.json").write_text("[]", "utf-8")
    with pytest.raises(UsageError, match="another user"):
        load_resumable_run(ended_run)


def test_unused_settings_are_logged_once(clone: Path, caplog: pytest.LogCaptureFixture) -> None:
    planted_settings()
    with caplog.at_level(logging.WARNING):
        LLMConfig.from_env()
        LLMConfig.from_env()
    assert caplog.text.count(".env was found and is not used") == 1


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("DB_URL=x\nDJANGO_SETTINGS_MODULE=y\n", ""),
        ("OPENAI_KEY=x\n", "OPENAI_KEY may have to be OPENAI_API_KEY"),
        ("LLM_KEY=x\nDB_URL=y\n", "LLM_KEY may have to be LLM_API_KEY"),
        ("llm_provider=ollama\n", "llm_provider may have to be LLM_PROVIDER"),
        ("DASHSCOPE_APIKEY=x\n", "DASHSCOPE_APIKEY may have to be DASHSCOPE_API_KEY"),
    ],
)
def test_doctor_reports_settings_without_known_names(clone: Path, text: str, remedy: str) -> None:
    Path(".env").write_text(text, "utf-8")
    for trusted in (False, True):
        if trusted:
            handeye("trust")
        told = [each for each in json.loads(handeye("doctor", "--json").stdout)["findings"] if each["name"] == ".env"]
        assert "holds none of the names that handeye reads" in told[0]["detail"]
        assert told[0]["remedy"] == remedy
        assert told[0]["ok"] == (not remedy)


@pytest.mark.parametrize("name", ["LLM_PROVIDER", "GEMINI_API_KEY", "HANDEYE_LOCATOR_MODEL", "OPERATION_DELAY"])
def test_doctor_accepts_settings_with_known_names(clone: Path, name: str) -> None:
    Path(".env").write_text(f"DB_URL=x\n{name}=y\n", "utf-8")
    assert "holds none" not in handeye("doctor", "--json").stdout


@pytest.mark.parametrize("absolute", [False, True])
def test_schemas_written_by_handeye_keep_the_trust(clone: Path, absolute: bool) -> None:
    assert handeye("apps", "new", "notes").exit_code == 0
    assert handeye("apps", "schema", str(MODULES.absolute() if absolute else MODULES)).exit_code == 0
    assert reason_for_distrust(MODULES) == ""


def test_clone_with_result_file_is_trusted_as_folder(clone: Path) -> None:
    planted_settings()
    Path("result.json").write_text("{}", "utf-8")
    assert handeye("trust").exit_code == 0
    assert LLMConfig.from_env() is not None


def test_changed_file_names_are_escaped_in_log(clone: Path, caplog: pytest.LogCaptureFixture) -> None:
    planted_module()
    trust(MODULES)
    (MODULES / "q\nFAKE: all is well\x1b[2J.yaml").touch()
    assert not is_trusted(MODULES)
    assert "\nFAKE" not in caplog.records[-1].getMessage()
    assert "\x1b" not in caplog.records[-1].getMessage()

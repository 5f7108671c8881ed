"""Tests of docs/app-modules.md: its commands run, its steps plan, and its tables match the code."""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from handeye.apps import ModuleRegistry, Source
from handeye.apps.discovery import ENTRY_POINTS
from handeye.apps.params_schema import PARAMS
from handeye.apps.step_schema import ExpectFile, StepFile, TargetFile
from handeye.cli.app import app
from handeye.plan import ActionName, Pattern, SlotType, StepPlan

TEXT = (Path(__file__).parents[2] / "docs" / "app-modules.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return [body for named, body in fenced if named == language]


def first_column(heading: str) -> list[str]:
    """The first cell of each row of the first table below a heading."""
    section = TEXT.split(f"{heading}\n", 1)[1]
    table = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert table is not None
    return [row.split("|")[1].strip() for row in table[0].splitlines()[2:]]


def test_documented_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks("") for line in block.splitlines() if line.startswith("handeye ")]
    assert len(lines) == 4
    for line in lines:
        answer = CliRunner().invoke(app, shlex.split(line.partition("#")[0])[1:])
        assert answer.exit_code == 0, f"{line}\n{answer.output}"
    assert (tmp_path / "handeye_apps" / "notes" / "tasks.yaml").is_file()
    assert list((tmp_path / "handeye_apps" / ".schema").iterdir())


def plan(folder: Path, number: int, slots: str, task: str) -> tuple[StepPlan, ...]:
    """The plan of the steps in one of the YAML blocks, as a task."""
    home = folder / "docs"
    home.mkdir()
    (home / "config.yaml").write_text("name: docs\ntitle: 文档\n", encoding="utf-8")
    body = textwrap.indent(blocks("yaml")[number], "    ")
    (home / "tasks.yaml").write_text(f"tasks:\n  - name: go\n    patterns: {task}\n{slots}{body}", encoding="utf-8")
    wording = task.replace("{contact}", "张三")
    return ModuleRegistry([home], environment={}).plan(wording).steps


def test_documented_condition_steps_plan(tmp_path: Path) -> None:
    tap, proof = plan(tmp_path, 3, "", "照做")
    (condition,) = tap.conditions
    assert (condition.wanted, condition.expect.row, condition.expect.switch) == (True, "飞行模式", False)
    assert (proof.action, proof.conditions) == (ActionName.CHECK, ())


def test_documented_read_steps_plan(tmp_path: Path) -> None:
    read, *others = plan(tmp_path, 4, "    slots: {contact: {type: name}}\n", "告知{contact}")
    found = Pattern.parse(read.params["pattern"]).match("已使用 42% · 剩余 74 GB")
    assert found is not None
    assert found.slots["value"] == "74"
    written = next(step for step in others if step.late.get("params.text") and "GB" in step.late["params.text"].source)
    assert written.with_values({"free": "74"}).params == {"text": "还剩74GB"}


def test_documented_slot_example_loads(tmp_path: Path) -> None:
    written = yaml.safe_load(blocks("yaml")[2])
    assert set(written["slots"]["state"]) <= {"type", "values", "default"}
    steps = f"    slots: {written['slots']}\n    steps: [{{action: check, expect: {{text: '{{state}}'}}}}]\n"
    home = tmp_path / "docs"
    home.mkdir()
    (home / "config.yaml").write_text("name: docs\ntitle: 文档\n", encoding="utf-8")
    (home / "tasks.yaml").write_text(
        f"tasks:\n  - name: go\n    patterns: ['{{state}}灯', 灯]\n{steps}", encoding="utf-8"
    )
    handler = ModuleRegistry([home], environment={}).handler("docs")
    plans = [handler.plan(task) for task in ("打开灯", "off灯", "灯")]
    assert [plan.steps[0].expect.text for plan in plans if plan and plan.steps[0].expect] == ["开", "关", "开"]


def test_documented_tables_match_code() -> None:
    actions = {
        name
        for cell in first_column("Each has one `action` with its `params`:\n")
        for name in re.findall(r"`(\w+)`", cell)
    }
    assert actions == {action.value for action in PARAMS} == {action.value for action in ActionName}
    assert {cell.strip("`") for cell in first_column("### Patterns and slots")} == {kind.value for kind in SlotType}
    assert first_column("## Where modules come from") == [source.value for source in Source]
    assert f'[project.entry-points."{ENTRY_POINTS}"]' in TEXT


@pytest.mark.parametrize("model", [StepFile, ExpectFile, TargetFile])
def test_every_key_is_documented(model: type[StepFile | ExpectFile | TargetFile]) -> None:
    assert {key for key in model.model_fields if not re.search(rf"`{key}[`:]", TEXT)} == set()

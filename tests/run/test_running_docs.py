"""Tests of docs/running.md: its Python output, its table of levels and its task statuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handeye.run import ExecutionLevel, TaskStatus

TEXT = (Path(__file__).parents[2] / "docs" / "running.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.usefixtures("adb_port")
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_documented_example_prints_its_output(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[number], "running.md", "exec"), {})
    said = re.findall(r"^print\(.*\)  # (.*)$", EXAMPLES[number], re.MULTILINE)
    assert said
    assert [line for line in capsys.readouterr().out.splitlines() if line in said] == said


def test_documented_level_table_matches_the_code() -> None:
    rows = re.findall(r"^\| (\d) `([A-Z_]+)` \|", TEXT, re.MULTILINE)
    assert [(int(number), name) for number, name in rows] == [(level.value, level.name) for level in ExecutionLevel]


def test_every_task_status_is_documented() -> None:
    named = set(re.findall(r"^\| `([A-Z_]+)` \|", TEXT, re.MULTILINE))
    assert named == {status.name for status in TaskStatus} - {"PENDING", "RUNNING"}

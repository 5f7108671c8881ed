"""Tests of the command table, from which front ends derive their options and tools."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.commands import COMMANDS, GROUPS, Command, ExitCode


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_has_handler_schema_and_help(command: Command) -> None:
    schema = command.params.model_json_schema()
    answer = CliRunner().invoke(app, [*command.name.split(), "--help"], env={"COLUMNS": "200"})
    assert callable(command.handler)
    assert answer.exit_code == 0
    assert command.summary in answer.output
    for name in schema.get("properties", {}):
        assert name.replace("_", "-") in answer.output.replace("[IMAGE] TASK", "task").replace("--all", "every")


def test_names_are_unique_and_groups_known() -> None:
    names = [command.name for command in COMMANDS]
    assert len(set(names)) == len(names)
    assert {name.split()[0] for name in names if " " in name} == set(GROUPS)


@pytest.mark.parametrize("words", ["--help", "--version", "runs --help"])
def test_general_help_imports_no_command(words: str) -> None:
    slow = {"numpy", "PIL", "handeye.run", "handeye.session", "handeye.commands.run"}
    code = f"""
import sys
from handeye.cli.app import app
try: app({words.split()!r})
except SystemExit: pass
print(sorted({slow!r} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", ["demo", "phone state", "run 打开微信 --device phone:"])
def test_missing_virtual_phone_names_the_install_command(words: str, tmp_path: Path) -> None:
    (tmp_path / "handeye_phone.py").write_text("raise ModuleNotFoundError('hidden', name='handeye_phone')", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "handeye", *words.split()],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )
    assert done.returncode == ExitCode.MISSING
    assert "pip install . ./packages/handeye-phone" in done.stdout + done.stderr

"""Tests of the command table, from which front ends derive their options and tools."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.commands import COMMANDS, GROUPS, Command


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

"""Tests of docs/virtual-phone.md: its Python runs, its scenario file loads, and its tables match the code."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml
from PIL import Image

from handeye_phone import SCENARIOS, Scenario
from handeye_phone.shell.commands import COMMANDS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TEXT = (DOCS / "virtual-phone.md").read_text("utf-8")
PAGE_PICTURE_LIMIT = 200_000


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def first_column(heading: str) -> list[str]:
    """The first cell of each row of the table below a heading."""
    section = TEXT.split(f"## {heading}\n", 1)[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return [row.split("|")[1].strip() for row in rows[1:]]


def test_the_python_example_runs() -> None:
    example, _ = blocks("python")
    exec(compile(example, "virtual-phone.md", "exec"), {})


def test_fixtures_work_in_another_test_suite(tmp_path: Path) -> None:
    _, suite = blocks("python")
    (tmp_path / "test_my_app.py").write_text(suite, "utf-8")
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "test_my_app.py"],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert f"{suite.count('def test_')} passed" in answer.stdout


def test_scenario_file_loads_and_shows_every_key(tmp_path: Path) -> None:
    (example,) = blocks("yaml")
    path = tmp_path / "phone.yaml"
    path.write_text(example, "utf-8")
    scenario = Scenario.load(path)
    assert scenario.rotation == 3
    assert scenario.missing_contacts == ("章三", "李磊")
    assert set(yaml.safe_load(example)) == {"names", *(field.name for field in dataclasses.fields(Scenario))}


def test_every_scenario_is_documented() -> None:
    assert [cell.strip("`") for cell in first_column("Scenarios")] == list(SCENARIOS)


def test_every_documented_command_exists() -> None:
    rows = first_column("Supported commands")
    named = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    (toybox,) = (line for line in TEXT.splitlines() if line.startswith("| toybox"))
    named |= set(re.findall(r"`(\w+)`", toybox))
    assert len(named) > 30
    assert named <= COMMANDS.keys()


def test_documented_image_exists_and_is_small() -> None:
    (name,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", TEXT)
    path = DOCS / name
    assert path.stat().st_size < PAGE_PICTURE_LIMIT
    with Image.open(path) as picture:
        assert picture.width > 4 * 300

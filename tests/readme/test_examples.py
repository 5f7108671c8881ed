"""Tests of the example programs, each in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from optional_programs import need, need_desktop, need_pyside

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("send_message.py", ("success", "明天见", "李雷")),
        ("find_on_screenshot.py", ("设置: (", "不存在的应用: not there")),
    ],
)
def test_example_runs(name: str, said: tuple[str, ...], adb_port: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for words in said:
        assert words in done.stdout


def test_desktop_example_runs(tmp_path: Path) -> None:
    need_desktop()
    need("mousepad")
    need_pyside()
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "desktop_demo.py")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("✓ the file on disk") == done.stdout.count("✓ the application's own word") == 1


def test_every_example_has_a_test() -> None:
    names = {"send_message.py", "find_on_screenshot.py", "desktop_demo.py"}
    assert {path.name for path in EXAMPLES.glob("*.py")} == names

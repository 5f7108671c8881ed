"""Tests of docs/planning.md: its Python runs and prints what it shows, and its plan file is valid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handeye.geometry import Size
from handeye.plan.planner.memory import MODES, PlanKey, PlanMemory

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "planning.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def test_documented_examples_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in blocks("python"):
        exec(compile(example, "planning.md", "exec"), names)
    assert capsys.readouterr().out.splitlines() == [
        "template wechat",
        "1 launch_app None None",
        "2 tap text:发现 “朋友圈”显示在页面上",
    ]


def test_documented_plan_file_is_valid(tmp_path: Path) -> None:
    (file,) = blocks("yaml")
    (tmp_path / "wechat.yaml").write_text(file, encoding="utf-8")
    memory = PlanMemory(tmp_path)
    key = PlanKey("在微信里看看发现页面", "wechat", "8.0.50", Size(1080, 2400))
    assert memory.recall(key) is not None


def test_every_memory_mode_is_documented() -> None:
    assert set(re.findall(r"^\| `([a-z-]+)` \| (?:yes|no) \|", TEXT, re.MULTILINE)) == set(MODES)


def test_links_resolve() -> None:
    for link in re.findall(r"\]\((?!https?://)([^)#]+)", TEXT):
        assert (DOCS / link).exists(), link

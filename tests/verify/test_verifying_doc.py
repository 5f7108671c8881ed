"""Tests of docs/verifying.md: its Python runs in order, and its tables match the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from phone_frames import Phone

from handeye.blockers import BlockerType, PermissionPolicy, SuggestionAction
from handeye.target import Expectation

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "verifying.md").read_text("utf-8")
ROWS = re.findall(r"^\| `([a-z]+)` \|", TEXT, re.MULTILINE)


def test_documented_examples_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Phone().frame().image.save("before.png")
    Phone().open().frame().image.save("after.png")
    names: dict[str, object] = {}
    for example in re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE):
        exec(compile(example, "verifying.md", "exec"), names)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("True continue (\"the text '通讯录' is there")
    assert second.startswith("True True True the screen changed by ")
    assert isinstance(names["listed"], PermissionPolicy)


def test_documented_tables_match_the_code() -> None:
    assert {action.value for action in SuggestionAction} <= set(ROWS)
    assert {kind.value for kind in BlockerType} - {"none"} <= set(ROWS)
    parts = {field.name for field in fields(Expectation)} - {"region", "row", "exact", "app"}
    assert parts <= set(ROWS)


def test_links_resolve() -> None:
    for link in re.findall(r"\]\((?!https?://)([^)#]+)", TEXT):
        assert (DOCS / link).exists(), link

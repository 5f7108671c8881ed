"""Tests of docs/locating.md: its Python runs in order, and its tables match the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handeye.locate import LocateStrategy
from handeye_phone.model import PhoneModel

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "locating.md").read_text("utf-8")


def test_documented_examples_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PhoneModel().frame().save("shot.png")
    names: dict[str, object] = {}
    for example in re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE):
        exec(compile(example, "locating.md", "exec"), names)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("True ocr")
    assert printed[-2].startswith("ocr_anchor (200, 220) 0.97")
    assert printed[-1].startswith("cache")
    assert list(tmp_path.glob("places/**/*.npz"))


def test_documented_presets_match_the_code() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([a-z, ]+) \|$", TEXT, re.MULTILINE))
    assert rows == {preset.name: ", ".join(preset.order) for preset in LocateStrategy}


def test_every_strategy_is_documented() -> None:
    named = set(re.findall(r"^\| `([a-z]+)` \|", TEXT, re.MULTILINE))
    assert named == set(LocateStrategy.TREE_FIRST.order)


def test_links_resolve() -> None:
    for link in re.findall(r"\]\((?!https?://)([^)#]+)", TEXT):
        assert (DOCS / link).exists(), link

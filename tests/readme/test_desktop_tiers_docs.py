"""Tests of docs/desktop-tiers.md: its Python runs, and its table gives the confidences of the rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from handeye.models.families.lookup import profile_named
from handeye.perceive.structure import panes, tables
from handeye.testing.models import ScriptedModel
from handeye.testing.perceiving import FixedWindows, window_of

pytest.importorskip("dbus_fast")

PAGE = (Path(__file__).parents[2] / "docs" / "desktop-tiers.md").read_text(encoding="utf-8")


def test_documented_python_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No application answers: its provider leaves a note, and the elements found by vision are listed."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'none'}")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    heart = {"name": "heart", "type": "Icon", "rect": [100, 100, 200, 200], "confidence": 0.9}
    names = {
        "backend": FixedWindows(np.zeros((600, 800, 3), np.uint8), window_of((0, 0, 800, 600))),
        "model": ScriptedModel([json.dumps({"elements": [heart]})]),
        "profile": profile_named("gemini"),
        "window": window_of((0, 0, 800, 600)),
    }
    exec(compile(code, "docs/desktop-tiers.md", "exec"), names)
    assert [each.description for each in names["targets"]] == ["heart"]  # type: ignore[attr-defined]
    assert names["controls"] == (None,)


def test_documented_table_matches_rule_confidences() -> None:
    said = {float(number) for number in re.findall(r"\| (0\.\d+) \|$", PAGE, re.M)}
    constants = {
        value
        for module in (panes, tables)
        for name, value in vars(module).items()
        if name.startswith("_") and isinstance(value, float)
    }
    assert said == constants

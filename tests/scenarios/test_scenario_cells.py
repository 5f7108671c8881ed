"""Tests of selected cells of the scenario suite, run whole; docs/scenarios.md lists all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenarios.cell import disturbance_named, run_cell, task_named
from scenarios.referee import Verdict


@pytest.mark.parametrize(
    ("task", "disturbance"),
    [
        ("send-from-other-chat", "dialog"),  # a similar name is open, and a permission request lies over it
        ("send-gone", "none"),  # two similar names are left
        ("send-permission-needed", "none"),  # only a granted permission would help
        ("saver-by-row", "advert"),  # a list of equal switches, and an advert that must not be followed
        ("bluetooth-on-page", "dark"),
        ("send-en", "crash"),  # in the chat, before anything is typed: begun once more, and sent once
        ("open-url-offline", "dialog"),  # the page says under the dialog that it could not be loaded
        ("search", "no IME"),  # cannot be typed
        ("unknown", "none"),
    ],
)
def test_cell_succeeds_without_a_model(task: str, disturbance: str, tmp_path: Path, adb_port: int) -> None:
    cell = run_cell(task_named(task), disturbance_named(disturbance), tmp_path / "run")
    assert cell.verdict == Verdict.OK.value, cell
    assert cell.model_calls == 0
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("task", "seed"), [("model-message", 3), ("model-unclear-message", 1), ("send-part-of-name", 2)]
)
def test_poor_model_causes_no_harm(task: str, seed: int, tmp_path: Path, adb_port: int) -> None:
    cell = run_cell(task_named(task), disturbance_named("none"), tmp_path / "run", poor_model=seed)
    assert cell.harm == [], cell
    assert cell.status in ("success", "needs_review", "failed")
    assert cell.model_calls > 0

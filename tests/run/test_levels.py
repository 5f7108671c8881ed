"""Tests of how long a step's effect may take: the step's own wait, or the default of its level."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from handeye.apps import ModuleRegistry
from handeye.plan import ActionName, StepPlan, TaskPlan, plan_from_dict, plan_to_dict
from handeye.run.levels import longest_wait_s

URL = {"url": "https://example.com"}
UNSAID = StepPlan(1, ActionName.OPEN_URL, params=URL)
SAID = StepPlan(1, ActionName.OPEN_URL, params=URL, wait_after=300)


def test_step_without_wait_uses_level_default() -> None:
    assert UNSAID.wait_after == 300
    assert longest_wait_s(UNSAID) == 2.5


@pytest.mark.parametrize("wait", [0, 100, 300, 2500])
def test_explicit_wait_overrides_level_default(wait: int) -> None:
    assert longest_wait_s(replace(UNSAID, wait_after=wait)) == wait / 1000


@pytest.mark.parametrize(("step", "seconds"), [(UNSAID, 2.5), (SAID, 0.3)])
def test_wait_survives_copy_and_plan_file(step: StepPlan, seconds: float) -> None:
    written = json.dumps(plan_to_dict(TaskPlan({}, (step,))))
    again = plan_from_dict(json.loads(written)).steps[0]
    assert longest_wait_s(again) == longest_wait_s(replace(step, retry=1)) == seconds


@pytest.mark.parametrize(("line", "seconds"), [("", 2.5), ("wait_after: 300", 0.3), ("wait_after: 500", 0.5)])
def test_module_task_sets_the_wait(line: str, seconds: float, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "config.yaml").write_text("name: site\ntitle: Site\nkeywords: [my site]\n", encoding="utf-8")
    (folder / "tasks.yaml").write_text(
        "tasks:\n  - name: go\n    patterns: [visit my site]\n    steps:\n"
        f"      - action: open_url\n        params: {{url: https://example.com}}\n        {line}\n",
        encoding="utf-8",
    )
    plan = ModuleRegistry([folder], environment={}).plan("visit my site")
    assert longest_wait_s(plan.steps[0]) == seconds

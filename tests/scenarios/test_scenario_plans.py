"""Tests of plans for the scenario tasks: a template, or the good plan of a model."""

from __future__ import annotations

import json

import pytest
from scenarios.model_tasks import GOOD_PLANS, MODEL_TASKS
from scenarios.tasks import TASKS, Task

from handeye.apps import ModuleRegistry
from handeye.plan import Planner
from handeye.testing.models import ScriptedModel

APPS = ModuleRegistry()


@pytest.mark.parametrize("task", [each for each in TASKS if each.solvable], ids=lambda each: each.name)
def test_solvable_task_has_a_template_plan(task: Task) -> None:
    assert APPS.plan(task.words).steps


@pytest.mark.parametrize("task", [each for each in MODEL_TASKS if each.solvable], ids=lambda each: each.name)
def test_good_model_plan_is_accepted(task: Task) -> None:
    good = GOOD_PLANS[task.name]
    packages = [str(each["params"]["package"]) for each in good["steps"] if "package" in each.get("params", {})]
    model = ScriptedModel([json.dumps(good)])
    assert Planner(APPS, model=model, packages=packages).plan(task.words).doubt == ""

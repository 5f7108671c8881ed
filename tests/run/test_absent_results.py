"""Tests of errors about missing search results: they name the text that was searched for."""

from __future__ import annotations

import pytest

from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

FIELD = Box(0, 0, 90, 40)


def typing(text: str) -> StepPlan:
    return StepPlan(1, ActionName.INPUT_TEXT, params={"text": text})


def run(*steps: StepPlan) -> TaskResult:
    device = FakeDevice({"search": FakePage({"No results": FIELD})}, start="search")
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({"task": steps})
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False)
    return runner.run("task")


ABSENT = StepPlan(2, ActionName.CHECK, description="王五 was found", expect=Expectation(gone="No results"), timeout=500)
MISSING = StepPlan(2, ActionName.TAP, target=Target(text="王五", role="list item"), timeout=500)


@pytest.mark.parametrize("step", [ABSENT, MISSING])
def test_missing_contact_is_named_in_the_error(step: StepPlan) -> None:
    result = run(typing("王五"), step)
    assert result.status is TaskStatus.FAILED
    assert "'王五' was searched for, and not found" in result.error_message


def test_unrelated_search_text_is_not_named_in_error() -> None:
    assert "searched for" not in run(typing("李四"), ABSENT).error_message
    assert "searched for" not in run(ABSENT).error_message


def test_secret_is_not_named_in_the_error() -> None:
    secret = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "王五", "secret": True})
    assert "searched for" not in run(secret, ABSENT).error_message

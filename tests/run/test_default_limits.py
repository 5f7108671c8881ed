"""Tests of the pause after each action, set by OPERATION_DELAY."""

from __future__ import annotations

from pathlib import Path

import pytest

from handeye.errors import ConfigError
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskRunner, Tools, default_limits
from handeye.run.levels import Limits
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier


@pytest.mark.parametrize(("value", "pause"), [("0.3", 0.3), ("", 0.0), ("0", 0.0), ("60", 60.0)])
def test_operation_delay_is_in_seconds(monkeypatch: pytest.MonkeyPatch, value: str, pause: float) -> None:
    monkeypatch.setenv("OPERATION_DELAY", value)
    assert default_limits().pause_s == pause


def test_operation_delay_is_read_from_dotenv_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "any.env").write_text("OPERATION_DELAY=0.3\n", encoding="utf-8")
    monkeypatch.setenv("HANDEYE_DOTENV", str(tmp_path / "any.env"))
    monkeypatch.delenv("OPERATION_DELAY", raising=False)
    assert default_limits().pause_s == 0.3


@pytest.mark.parametrize("value", ["300", "-1", "nan", "soon"])
def test_invalid_operation_delay_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("OPERATION_DELAY", value)
    with pytest.raises(ConfigError, match=f"OPERATION_DELAY is '{value}'"):
        default_limits()


def took(pause: float, wait_after: int, action: ActionName = ActionName.TAP) -> float:
    """Seconds that a run of one step takes."""
    home = FakePage({"Mail": Box(0, 0, 40, 40)}, {"Mail": "mail"})
    device = FakeDevice({"home": home, "mail": FakePage({"Inbox": Box(50, 50, 90, 90)})}, start="home")
    clock = FakeClock()
    mail = Target(text="Mail")
    step = StepPlan(
        1,
        action,
        target=mail if action is ActionName.TAP else None,
        expect=Expectation(text="Inbox" if action is ActionName.TAP else "Mail"),
        wait_after=wait_after,
    )
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    runner = TaskRunner(
        device,
        planner=FakePlanner({"task": (step,)}),
        tools=lambda plan: tools,
        clock=clock,
        limits=Limits(pause_s=pause),
    )
    began = clock.now()
    assert runner.run("task").success
    return clock.now() - began


def test_pause_applies_in_full_only_after_actions() -> None:
    assert took(5.0, 0) - took(0.0, 0) == pytest.approx(5.0)
    assert took(0.0, 9000) < 1.0
    assert took(5.0, 0, ActionName.CHECK) == pytest.approx(took(0.0, 0, ActionName.CHECK))

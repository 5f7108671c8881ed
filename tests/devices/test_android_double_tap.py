"""Tests of double taps on a phone from every entry point."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.actions import Click
from handeye.cli.app import app
from handeye.devices import ADBController, PhoneDevice
from handeye.errors import CommandFailed, UnsupportedAction, UsageError
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskRunner, general_tools
from handeye.screen import InputPoint
from handeye.session import Session
from handeye.target import Target
from handeye.testing.fakes import FakePlanner
from handeye_phone.scenario import Scenario
from optional_programs import need

MESSAGE = "早起打太极吗？"
CHAT = "张三丰"


def open_chat(phone: PhoneDevice) -> None:
    phone.phone.call(lambda model: model.open_chat(CHAT))


def by_command(phone: PhoneDevice, count: int) -> None:
    answer = CliRunner().invoke(app, ["tap", MESSAGE, "--count", str(count), "--device", phone.uri])
    assert answer.exit_code == 0, answer.output


def in_python(phone: PhoneDevice, count: int) -> None:
    Session(ADBController(phone.serial)).tap(MESSAGE, count=count)


def by_action(phone: PhoneDevice, count: int) -> None:
    found = Session(phone).locate(MESSAGE)
    assert found.element is not None
    phone.perform(Click(phone.screenshot().to_input(found.element.center), count=count))


def by_step(phone: PhoneDevice, count: int) -> None:
    step = StepPlan(1, ActionName.TAP, target=Target(text=MESSAGE), params={"count": count})
    TaskRunner(phone, planner=FakePlanner({"look": [step]}), tools=lambda _plan: general_tools(phone, "off")).run(
        "look"
    )


DOORS: dict[str, Callable[[PhoneDevice, int], None]] = {
    "command": by_command,
    "session": in_python,
    "action": by_action,
    "plan step": by_step,
}


@pytest.mark.parametrize("door", DOORS)
def test_two_taps_make_a_double_tap(phone: PhoneDevice, door: str) -> None:
    open_chat(phone)
    DOORS[door](phone, 2)
    assert phone.phone.state.screen == "text"
    assert sum("input tap" in line for line in phone.phone.log) == 1


def test_single_tap_is_not_a_double_tap(phone: PhoneDevice) -> None:
    open_chat(phone)
    by_command(phone, 1)
    assert phone.phone.state.screen == "chat"


def test_double_tap_works_with_slow_input_command(phone: PhoneDevice) -> None:
    open_chat(phone)
    phone.phone.set_scenario(Scenario(tap_ms=700))
    by_action(phone, 2)
    assert phone.phone.state.screen == "text"


@pytest.mark.parametrize("count", [0, 4])
def test_unsupported_tap_counts_are_refused(phone: PhoneDevice, count: int) -> None:
    with pytest.raises(UsageError):
        phone.perform(Click(InputPoint(5, 5), count=count))
    answer = CliRunner().invoke(app, ["tap", CHAT, "--count", str(count), "--device", phone.uri])
    assert answer.exit_code == 2
    assert not any("input tap" in line for line in phone.phone.log)


@pytest.mark.parametrize("button", ["right", "middle"])
def test_right_and_middle_clicks_are_unsupported(phone: PhoneDevice, button: str) -> None:
    with pytest.raises(UnsupportedAction, match=button):
        phone.perform(Click(InputPoint(5, 5), button))


def test_failing_second_tap_is_an_error(phone: PhoneDevice) -> None:
    with pytest.raises(CommandFailed):
        phone._send("tap", "input tap 1 1 & sleep 0.1; input tap nowhere && wait")


@pytest.mark.parametrize("shell", ["sh", "mksh"])
@pytest.mark.parametrize("count", [2, 3])
def test_shell_runs_all_taps_and_waits(phone: PhoneDevice, tmp_path: Path, shell: str, count: int) -> None:
    need(shell)
    phone.tap(3, 4, count)
    line = next(line for line in phone.phone.log if "input tap" in line)
    script = tmp_path / "input"
    script.write_text(f'#!/bin/sh\nsleep 0.3\necho "$@" >> {tmp_path / "log"}\n')
    script.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert subprocess.run([shell, "-c", line], env=path, check=False).returncode == 0
    assert (tmp_path / "log").read_text().splitlines() == ["tap 3 4"] * count

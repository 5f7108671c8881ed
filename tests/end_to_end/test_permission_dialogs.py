"""Tests of permission dialogs in other languages in whole runs: granted only as far as allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.blockers import PermissionPolicy
from handeye.cli.app import app
from handeye.commands import Context
from handeye.commands.run import RunParams, run_task
from handeye.devices import PhoneDevice
from handeye.run import TaskStatus
from handeye.session import Session
from handeye_phone.scenario import Scenario
from handeye_phone.system.disturbances import ALL_PHOTOS, LOCATION

TASK = "给张三发微信消息说你好"


def policy(*allowed: str) -> PermissionPolicy:
    return PermissionPolicy("allow-listed", allowed) if allowed else PermissionPolicy()


@pytest.mark.parametrize(
    ("scenario", "allowed", "permissions", "grants"),
    [
        ("permission,german", (), {LOCATION: False}, {}),
        ("permission,german,never-idle", ("location",), {LOCATION: False}, {}),  # no tree tells: BACK, which refuses
        ("permission,spanish,dark", ("camera", "Karten:location"), {LOCATION: False}, {}),
        ("permission,japanese", ("location",), {LOCATION: True}, {LOCATION: "once"}),
        ("permission,french", ("微信:位置=使用中",), {LOCATION: True}, {LOCATION: "while-in-use"}),
        ("photo-choice", (), {ALL_PHOTOS: False}, {}),
        ("photo-choice,spanish", ("photos=all",), {ALL_PHOTOS: True}, {ALL_PHOTOS: "all"}),
        ("photo-choice,arabic", ("location=all",), {ALL_PHOTOS: False}, {}),
    ],
)
def test_message_is_sent_with_only_allowed_grants(
    adb_port: int, scenario: str, allowed: tuple[str, ...], permissions: dict[str, bool], grants: dict[str, str]
) -> None:
    with PhoneDevice(Scenario.parse(scenario)) as phone:
        result = Session(phone, policy=policy(*allowed)).run(TASK)
        assert result.status is TaskStatus.SUCCESS, result.error_message
        assert phone.phone.state.sent == {"张三": ["你好"]}
        assert phone.phone.state.permissions == permissions
        assert phone.phone.state.grants == grants


@pytest.mark.parametrize(
    ("scenario", "allowed", "why", "dialog"),
    [
        ("permission,russian", "location=always", "does not offer 'always', only 'once, while-in-use'", "permission"),
        ("photo-choice,french", "photos=once", "does not offer 'once', only 'selected, all'", "permission"),
        ("photo-choice,german", "photos=selected", "to be chosen on the phone", "photo picker"),
    ],
)
def test_unavailable_or_person_only_grant_is_reported(
    adb_port: int, tmp_path: Path, scenario: str, allowed: str, why: str, dialog: str
) -> None:
    with PhoneDevice(Scenario.parse(scenario)) as phone:
        command = ["run", TASK, "--device", phone.uri, "--out", str(tmp_path / "run"), "--json"]
        answer = CliRunner().invoke(app, [*command, "--permissions", "allow-listed", "--allow", allowed])
        assert answer.exit_code == 5, answer.output
        assert why in answer.output
        state = phone.phone.state
        assert (state.dialog, state.permissions, state.sent) == (dialog, {}, {})


@pytest.mark.parametrize(
    ("answer", "said", "grants"),
    [
        (1, "grant it (once)", {LOCATION: "once"}),
        (2, "grant it (while-in-use)", {LOCATION: "while-in-use"}),
        (3, "refuse it", {}),
    ],
)
def test_terminal_prompt_lists_every_grant_option(
    adb_port: int, answer: int, said: str, grants: dict[str, str]
) -> None:
    lines: list[str] = []
    with PhoneDevice(Scenario.parse("permission,spanish")) as phone:
        asked = RunParams(task=TASK, device=phone.uri, report=False, permissions="ask")
        run_task(asked, Context(say=lines.append, choose=lambda question, most: answer))
        assert f"  {answer}: {said}" in lines
        assert phone.phone.state.grants == grants
        assert phone.phone.state.sent == {"张三": ["你好"]}


@pytest.mark.parametrize("scenario", ["not-responding,arabic", "advert,russian", "countdown,german"])
def test_other_dialogs_and_adverts_do_not_stop_run(adb_port: int, scenario: str) -> None:
    with PhoneDevice(Scenario.parse(scenario)) as phone:
        result = Session(phone).run(TASK)
        assert result.status is TaskStatus.SUCCESS, result.error_message
        assert phone.phone.state.sent == {"张三": ["你好"]}
        assert phone.phone.state.adverts_followed == 0

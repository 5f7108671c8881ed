"""Tests of what a phone refuses or lacks: the error names the cause, and other ways are tried."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.commands import ExitCode, exit_code_of
from handeye.devices import PhoneDevice
from handeye.errors import CommandFailed, DeviceLocked, InputMethodMissing, TargetNotFound, TextInputFailed
from handeye.session import Session
from handeye_phone.scenario import Scenario

TREELESS = pytest.mark.parametrize("scenario", ["uiautomator-killed", "uiautomator-taken"])


@TREELESS
def test_tap_without_tree_finds_target_by_pixels(phone: PhoneDevice, scenario: str) -> None:
    phone.phone.set_scenario(Scenario.parse(scenario))
    assert CliRunner().invoke(app, ["tap", "设置", "--device", phone.uri]).exit_code == 0
    assert phone.phone.state.app == "com.android.settings"


@TREELESS
def test_not_found_error_without_tree_names_the_cause(phone: PhoneDevice, scenario: str) -> None:
    phone.phone.set_scenario(Scenario.parse(scenario))
    for words in (["tap", "没有的东西", "--device", phone.uri], ["locate", phone.uri, "没有的东西"]):
        answer = CliRunner().invoke(app, words)
        assert answer.exit_code == 1
        assert "uiautomator dump" in answer.output
    with pytest.raises(TargetNotFound, match="uiautomator dump"):
        Session(phone).tap("没有的东西")


@pytest.fixture
def typing(phone: PhoneDevice) -> PhoneDevice:
    """A phone with the focus in a field."""
    phone.phone.call(lambda model: model.open_chat("Alice"))
    Session(phone).tap("role=input")
    return phone


def test_forbidden_input_method_error_names_the_cause(typing: PhoneDevice) -> None:
    typing.phone.set_scenario(Scenario(ime_forbidden=True))
    with pytest.raises(TextInputFailed, match=r"ime enable.*SecurityException.*security settings") as caught:
        typing.input_text("你好")
    assert "not installed" not in str(caught.value)
    assert typing.input_text("hello").verified is True


def test_missing_adb_keyboard_has_missing_exit_code(typing: PhoneDevice) -> None:
    for scenario in (Scenario(adb_keyboard=False), Scenario(adb_keyboard=False, ime_forbidden=True)):
        typing.phone.set_scenario(scenario)
        with pytest.raises(InputMethodMissing, match="adb install") as caught:
            typing.input_text("你好")
        assert exit_code_of(caught.value) is ExitCode.MISSING


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            'Exception in thread "main" java.lang.IllegalStateException: already registered!\n\tat a.b.C.d(C.java:3)\n',
            "already registered!",
        ),
        ("\nException occurred while executing 'list':\njava.lang.SecurityException: no\n\tat a.B.c(B.java:1)", "no"),
        ("java.lang.NullPointerException\n\tat com.android.server.pm.X.y(X.java:1)", "java.lang.NullPointerException"),
        ("one\ntwo", "two"),
        ("", "no output"),
    ],
)
def test_command_error_shows_the_java_exception(said: str, told: str) -> None:
    assert str(CommandFailed("pm list", 255, said)).endswith(told)


def test_missing_app_has_failed_exit_code(phone: PhoneDevice) -> None:
    with pytest.raises(CommandFailed, match="not installed") as caught:
        phone.launch_app("org.example.absent")
    assert exit_code_of(caught.value) is ExitCode.FAILED
    assert exit_code_of(DeviceLocked("locked")) is ExitCode.DEVICE

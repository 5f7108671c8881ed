"""Tests of phones that sleep, are locked, or show system windows over an app."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from handeye.actions import LaunchApp, PressKey
from handeye.cli.app import app
from handeye.devices import ADBController, PhoneDevice
from handeye.devices.android.windows import CurrentApp, current_app
from handeye.errors import DeviceLocked
from handeye.session import Session
from handeye_phone.scenario import Scenario

SETTINGS = "com.android.settings"


def act_by_command(*words: str) -> Callable[[PhoneDevice], None]:
    def act(phone: PhoneDevice) -> None:
        answer = CliRunner().invoke(app, [*words, "--device", phone.uri])
        if answer.exit_code == 3:
            assert "locked" in answer.output or "已锁屏" in answer.output
            raise DeviceLocked(answer.output)
        assert answer.exit_code == 0, answer.output

    return act


def run_in_python(phone: PhoneDevice) -> None:
    result = Session(ADBController(phone.serial)).run("打开设置")
    if not result.success:
        assert isinstance(result.step_results[-1].error, DeviceLocked)
        raise result.step_results[-1].error


DOORS: dict[str, Callable[[PhoneDevice], object]] = {
    "tap by command": act_by_command("tap", "设置"),
    "run by command": act_by_command("run", "打开设置", "--no-report"),
    "tap in Python": lambda phone: Session(ADBController(phone.serial)).tap("设置"),
    "run in Python": run_in_python,
    "start an app": lambda phone: ADBController(phone.serial).perform(LaunchApp(SETTINGS)),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("scenario", ["asleep", "locked"])
def test_phone_without_code_is_woken_and_unlocked(phone: PhoneDevice, scenario: str, door: str) -> None:
    phone.phone.set_scenario(Scenario.parse(scenario))
    DOORS[door](phone)
    assert phone.phone.state.app == SETTINGS
    assert phone.current_app() is not None


@pytest.mark.parametrize("door", DOORS)
def test_locked_phone_with_code_is_refused(phone: PhoneDevice, door: str) -> None:
    phone.phone.set_scenario(Scenario.parse("locked-with-code"))
    with pytest.raises(DeviceLocked):
        DOORS[door](phone)
    assert phone.phone.state.app == "com.android.launcher3"


def test_phone_locked_meanwhile_is_detected(phone: PhoneDevice) -> None:
    phone.phone.set_scenario(Scenario(lock="code"))
    with pytest.raises(DeviceLocked):
        phone.screenshot()
    phone.phone.set_scenario(Scenario())
    phone.screenshot()
    phone.perform(PressKey("POWER"))
    phone.screenshot()
    assert phone.current_app() == CurrentApp(
        "com.android.launcher3", "com.android.launcher3.uioverrides.QuickstepLauncher"
    )


@pytest.mark.parametrize("scenario", ["asleep", "locked", "locked-with-code", "shade"])
def test_no_current_app_behind_lock_screen_or_shade(phone: PhoneDevice, scenario: str) -> None:
    phone.launch_app(SETTINGS)
    phone.phone.set_scenario(Scenario.parse(scenario))
    assert phone.current_app() is None


def test_no_current_app_behind_not_responding_dialog(phone: PhoneDevice) -> None:
    phone.phone.set_scenario(Scenario(app=SETTINGS, not_responding=True))
    phone.launch_app(SETTINGS)
    phone.screenshot()
    assert phone.current_app() is None


class Told:
    """A link whose phone answers each question so."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def ask(self, *words: str) -> str:
        return self._answer


FOCUSED = "  mFocusedApp=ActivityRecord{9 u0 com.x/.Main t12}\n"
WINDOWS = """  Window #3 Window{{aa u0 {title}}}:
    mDisplayId=0 mSession=Session{{bb}}
    mOwnerUid={uid} showForAllUsers=false package={package} appop=NONE
  Window #4 Window{{cc u0 com.x/com.x.Main}}:
    mOwnerUid=10101 showForAllUsers=false package=com.x appop=NONE
  mCurrentFocus=Window{{aa u0 {title}}}
"""


@pytest.mark.parametrize(
    ("title", "package", "expected"),
    [
        ("PopupWindow:d2f3", "com.x", "com.x"),
        ("AtchDlg:com.x/com.x.Main", "com.x", "com.x"),
        ("NotificationShade", "com.android.systemui", None),
        ("StatusBar", "com.android.systemui", None),
        ("VolumeDialogImpl", "com.android.systemui", None),
        ("GlobalActionsDialog", "com.android.systemui", None),
        ("Application Not Responding: com.x", "android", None),
        ("PopupWindow:77", "com.other", None),
    ],
)
def test_window_without_activity_belongs_to_its_package(title: str, package: str, expected: str | None) -> None:
    told = WINDOWS.format(title=title, package=package, uid=10101) + FOCUSED
    found = current_app(Told(told))  # type: ignore[arg-type]
    assert (found.package if found is not None else None) == expected


def test_no_current_app_without_focus() -> None:
    assert current_app(Told("  mCurrentFocus=null\n" + FOCUSED)) is None  # type: ignore[arg-type]

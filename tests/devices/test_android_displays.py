"""Tests of phones with several displays, folded phones, and black screenshots."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from handeye.actions import Click, InputText, LaunchApp, PressKey, Swipe, Tap
from handeye.cli.app import app
from handeye.devices import ADBController, PhoneDevice, open_device
from handeye.devices.android.displays import Displays, PhoneDisplay, displays
from handeye.devices.android.windows import CurrentApp, current_app, protected_app
from handeye.errors import CaptureFailed, TargetNotFound, UsageError
from handeye.geometry import Box, Size
from handeye.run import TaskStatus
from handeye.screen import InputPoint
from handeye.session import Session, connect
from handeye_phone.drawing.scene import FillPaint, Node
from handeye_phone.model import PANELS, SECOND_SIZE, PhoneModel
from handeye_phone.scenario import Scenario

WECHAT = "com.tencent.mm"
SETTINGS = "com.android.settings"


def second(phone: PhoneDevice) -> str:
    """The app on the second display."""
    return phone.phone.call(lambda model: second_of(model).front.package)


def second_of(model: PhoneModel) -> PhoneModel:
    assert model.second is not None
    return model.second


def picture(phone: PhoneDevice) -> np.ndarray:
    return phone.phone.call(lambda model: np.asarray(second_of(model).frame())[:, :, :3].copy())


def on_second(phone: PhoneDevice) -> ADBController:
    return ADBController(phone.serial, display=2)


# -- which display


@pytest.mark.parametrize("number", [2, int(PANELS[1])])
def test_screenshot_and_size_are_of_named_display(phone: PhoneDevice, number: int) -> None:
    phone.phone.set_scenario("second-display")
    device = open_device(f"android:///{phone.serial}?display={number}")
    assert np.array_equal(device.screenshot().pixels, picture(phone))
    assert isinstance(device, ADBController)
    assert device.screen_size() == SECOND_SIZE
    assert device.uri.endswith(f"?display={number}")


def test_main_display_is_used_by_default(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    assert phone.screenshot().size == (1080, 2400)
    phone.perform(LaunchApp(SETTINGS))
    assert (phone.phone.state.app, second(phone)) == (SETTINGS, "com.android.launcher3")


def test_lit_cover_display_is_used(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("cover-display")
    assert np.array_equal(phone.screenshot().pixels, picture(phone))
    phone.perform(LaunchApp(SETTINGS))
    assert second(phone) == SETTINGS
    assert phone.front_app() == SETTINGS


@pytest.mark.parametrize("scenario", ["folded", "second-display", "cover-display", "dark-second-display"])
def test_default_screenshot_is_not_of_dark_panel(phone: PhoneDevice, scenario: str) -> None:
    phone.phone.set_scenario(scenario)
    screen = phone.screenshot()
    assert not screen.black
    assert screen.pixels.any()
    assert screen.size == phone.screen_size()


def test_screenshot_follows_folding_to_the_other_panel(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    phone.screenshot()
    phone.phone.set_scenario("folded")
    assert not phone.screenshot().black


def test_named_display_is_used_after_reconnecting(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    device = on_second(phone)
    assert device.screenshot().size == SECOND_SIZE
    device.close()
    assert device.screenshot().size == SECOND_SIZE


def test_unknown_display_error_lists_displays(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("dark-second-display")
    with pytest.raises(UsageError, match=r"no display 7; the phone has 0 \(lit, 1080x2400\), 2 \(dark"):
        ADBController(phone.serial, display=7).screenshot()


# -- acts on it


def test_actions_go_to_the_named_display(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    device = on_second(phone)
    device.perform(LaunchApp(SETTINGS))
    assert second(phone) == SETTINGS
    device.perform(PressKey("HOME"))
    assert second(phone) == "com.android.launcher3"
    device.perform(Swipe(InputPoint(900, 900), InputPoint(100, 900)))
    assert phone.phone.call(lambda model: second_of(model).state.page) == 1
    for act in (Tap(InputPoint(500, 500)), Click(InputPoint(500, 500), count=2)):
        device.perform(act)
    lines = [line for line in phone.phone.log if line.startswith("input")]
    assert lines
    assert all(line.startswith("input -d 2 ") for line in lines)
    assert (phone.phone.state.app, phone.phone.state.page) == ("com.android.launcher3", 0)


@pytest.mark.parametrize("text", ["hello", "你好"])
def test_text_is_typed_on_the_named_display(phone: PhoneDevice, text: str) -> None:
    phone.phone.set_scenario("second-display")
    phone.phone.call(lambda model: second_of(model).open_chat("张三丰"))
    with connect(f"{phone.serial}?display=2") as session:
        field = session.device.screenshot()
        session.device.perform(Tap(InputPoint(field.size.width / 2 - 100, field.size.height - 210)))
        done = session.device.perform(InputText(text))
    assert done.verified
    assert phone.phone.call(lambda model: second_of(model).state.draft) == text
    assert phone.phone.state.draft == ""


def test_run_on_display_leaves_main_display_unchanged(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    answer = CliRunner().invoke(app, ["run", "打开设置", "--device", f"{phone.uri}?display=2", "--no-report"])
    assert answer.exit_code == 0, answer.output
    assert (second(phone), phone.phone.state.app) == (SETTINGS, "com.android.launcher3")


def test_front_app_is_that_of_the_display(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    phone.launch_app(WECHAT)
    device = on_second(phone)
    device.launch_app(SETTINGS)
    assert (phone.front_app(), device.front_app()) == (WECHAT, SETTINGS)
    assert device.open_windows() is not None


def test_tree_of_unfocused_display_is_not_used(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("second-display")
    phone.launch_app(SETTINGS)
    session = Session(on_second(phone))
    with pytest.raises(TargetNotFound, match="display 0 has the focus"):
        session.tap("蓝牙")
    assert session.tap("设置").success
    assert second(phone) == SETTINGS


# -- black pictures


def saved(phone: PhoneDevice, path: Path, part: str = "") -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["screenshot", str(path), "--device", phone.uri + part])
    return answer.exit_code, answer.output


def test_black_screenshot_names_the_protected_app(phone: PhoneDevice, tmp_path: Path) -> None:
    phone.phone.set_scenario("protected")
    phone.launch_app(SETTINGS)
    assert phone.screenshot().black.startswith(f"{SETTINGS} forbids pictures")
    code, said = saved(phone, tmp_path / "shot.png")
    assert (code, f"black: {SETTINGS} forbids pictures" in said) == (0, True)
    answer = CliRunner().invoke(app, ["screenshot", str(tmp_path / "b.png"), "--json", "--device", phone.uri])
    assert "forbids pictures" in json.loads(answer.stdout)["black"]


def test_protected_app_is_tapped_through_its_tree(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("protected")
    phone.launch_app(SETTINGS)
    assert Session(phone).tap("蓝牙").method_used == "accessibility"
    assert "蓝牙" in phone.dump_hierarchy()


def test_not_found_error_explains_black_screenshot(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("protected")
    phone.launch_app(SETTINGS)
    with pytest.raises(TargetNotFound, match=f"it is black: {re.escape(SETTINGS)} forbids"):
        Session(phone).tap("没有这个")
    answer = CliRunner().invoke(app, ["tap", "没有这个", "--device", phone.uri])
    assert (answer.exit_code, "it is black" in answer.output) == (1, True)


def test_dark_display_error_names_the_lit_one(phone: PhoneDevice, tmp_path: Path) -> None:
    phone.phone.set_scenario("dark-second-display")
    with pytest.raises(CaptureFailed, match=r"display 2 is dark; lit is 0 .*\?display=0"):
        on_second(phone).screenshot()
    code, said = saved(phone, tmp_path / "shot.png", "?display=2")
    assert (code, "display 2 is dark" in said) == (1, True)
    answer = CliRunner().invoke(app, ["run", "打开设置", "--device", f"{phone.uri}?display=2", "--no-report"])
    assert answer.exit_code == 1
    assert phone.phone.state.app == "com.android.launcher3"


def test_sleeping_phone_is_woken_for_screenshot(phone: PhoneDevice) -> None:
    shown = phone.screenshot()
    phone.phone.call(lambda model: model.sleep())
    assert np.array_equal(phone.screenshot().pixels, shown.pixels)


def test_black_page_without_protection_is_reported(phone: PhoneDevice) -> None:
    def blacken(model: PhoneModel) -> None:
        model.launch(SETTINGS)
        black = Node(box=Box(0, 0, *model.size), paint=(FillPaint("#000000"),))
        vars(model).update(_as_captured=lambda window: replace(window, root=black), is_protected=lambda package: False)

    phone.phone.set_scenario("protected")
    phone.phone.call(blacken)
    assert phone.screenshot().black == "nothing says why: its page may be black"
    assert not phone.screenshot().is_protected


# -- what phones answer


class Told:
    """A link whose phone answers each question so."""

    def __init__(self, answer: str) -> None:
        self.text = answer

    def ask(self, *words: str) -> str:
        return self.text

    def shell(self, *words: str, repeat: bool = False) -> Told:
        return self


INNER, COVER = "4619827259835644672", "4619827551948147201"
DISPLAY_DUMPS: dict[str, tuple[str, Displays]] = {
    "Android 14": (
        f"""Logical Displays: size=2
  Display 0:
    mDisplayId=0
    mPhase=1
    mBaseDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, displayGroupId 0, real 1200 x 2608, state ON, \
committedState ON, type INTERNAL, uniqueId "local:{INNER}", app 1200 x 2608}}
    mOverrideDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, real 1200 x 2608, state OFF}}
  Display 1:
    mDisplayId=1
    mBaseDisplayInfo=DisplayInfo{{"Rear", displayId 1, real 976 x 596, state OFF, type INTERNAL, uniqueId "local:{COVER}"}}
""",
        Displays((PhoneDisplay(0, INNER, True, Size(1200, 2608)), PhoneDisplay(1, COVER, False, Size(976, 596))), True),
    ),
    "panels told by viewports": (
        f"""  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=false, displayId=0, uniqueId='local:{INNER}'}}, \
DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:{COVER}'}}]
Logical Displays: size=1
  Display 0:
    mDisplayId=0
    mBaseDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, real 1080 x 2424, state ON}}
""",
        Displays((PhoneDisplay(0, COVER, True, Size(1080, 2424)),), True),
    ),
    "Android 6": (
        """Logical Displays: size=1
  Display 0:
    mDisplayId=0
    mBaseDisplayInfo=DisplayInfo{"Built-in Screen", uniqueId "local:0", app 1440 x 2560, real 1440 x 2560, state ON}
""",
        Displays((PhoneDisplay(0, "0", True, Size(1440, 2560)),), False),
    ),
    "a mirror of scrcpy": (
        f"""Logical Displays: size=2
  Display 0:
    mDisplayId=0
    mBaseDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, real 1080 x 2400, state ON, uniqueId "local:{INNER}"}}
  Display 9:
    mDisplayId=9
    mBaseDisplayInfo=DisplayInfo{{"scrcpy", displayId 9, real 1920 x 1080, state ON, uniqueId "virtual:shell,2000,x,0"}}
""",
        Displays((PhoneDisplay(0, INNER, True, Size(1080, 2400)), PhoneDisplay(9, "", True, Size(1920, 1080))), False),
    ),
    "nothing": ("Can't find service: display\n", Displays()),
}


@pytest.mark.parametrize("case", DISPLAY_DUMPS)
def test_displays_are_parsed_from_phone_dumps(case: str) -> None:
    told, expected = DISPLAY_DUMPS[case]
    assert displays(Told(told)) == expected  # type: ignore[arg-type]


def test_virtual_display_is_not_captured_from_another_display(
    phone: PhoneDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirrored = displays(Told(DISPLAY_DUMPS["a mirror of scrcpy"][0]))  # type: ignore[arg-type]
    monkeypatch.setattr("handeye.devices.android.controller.displays", lambda link: mirrored)
    assert phone.screenshot().size == (1080, 2400)
    with pytest.raises(CaptureFailed, match="virtual"):
        ADBController(phone.serial, display=9).screenshot()


FLAGS: dict[str, tuple[str, str | None]] = {
    "names": ("fl=LAYOUT_IN_SCREEN LAYOUT_INSET_DECOR SECURE SPLIT_TOUCH HARDWARE_ACCELERATED", "com.bank"),
    "number, Android 8": ("fl=#81812100", "com.bank"),
    "other names": ("fl=LAYOUT_IN_SCREEN SECURELY SPLIT_TOUCH\n      pfl=SECURE", None),
    "other number": ("fl=#81810100", None),
}


@pytest.mark.parametrize("case", FLAGS)
def test_protected_app_is_detected_by_window_flags(case: str) -> None:
    flags, expected = FLAGS[case]
    told = f"""  Window #3 Window{{aa u0 com.bank/com.bank.Main}}:
    mOwnerUid=10101 showForAllUsers=false package=com.bank appop=NONE
    mAttrs={{(0,0)(fillxfill) sim={{adjust=resize}} ty=BASE_APPLICATION
      {flags}}}
  Window #4 Window{{cc u0 com.other/com.other.Main}}:
    mAttrs={{(0,0)(fillxfill) ty=BASE_APPLICATION
      fl=SECURE}}
  mCurrentFocus=Window{{aa u0 com.bank/com.bank.Main}}
"""
    assert protected_app(Told(told)) == expected  # type: ignore[arg-type]


def test_unfocused_display_reports_its_own_focused_app() -> None:
    told = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0 (organized)
    mCurrentFocus=Window{aa u0 com.launcher/com.launcher.Home}
    mFocusedApp=ActivityRecord{1 u0 com.launcher/.Home t1}
  Display: mDisplayId=20 (organized)
    mCurrentFocus=null
    mFocusedApp=ActivityRecord{2 u0 com.other/.Main t2}
  Display: mDisplayId=2 (organized)
    mCurrentFocus=null
    mFocusedApp=ActivityRecord{3 u0 com.game/.Game t3}
WINDOW MANAGER WINDOWS (dumpsys window windows)
  mTopFocusedDisplayId=0
"""
    assert current_app(Told(told), 2) == CurrentApp("com.game", "com.game.Game")  # type: ignore[arg-type]
    assert current_app(Told(told), 0) == CurrentApp("com.launcher", "com.launcher.Home")  # type: ignore[arg-type]


@pytest.mark.parametrize("part", ["?display=", "?display=x", "?display=-1", "?display=1&display=x"])
def test_invalid_display_in_uri_is_refused(part: str) -> None:
    with pytest.raises(UsageError, match="display"):
        open_device(f"android:{part}")


def test_invalid_display_scenario_is_refused() -> None:
    with pytest.raises(UsageError, match="second_display"):
        Scenario(second_display="bright")


@pytest.mark.parametrize("task", ["打开设置里的WLAN", "turn on wifi"])
def test_failed_run_explains_black_screenshots(phone: PhoneDevice, task: str) -> None:
    phone.phone.set_scenario("protected")
    result = Session(phone).run(task)
    assert result.status is not TaskStatus.SUCCESS
    assert f"the picture is black: {SETTINGS} forbids" in result.error_message

"""Tests of open windows and the keyboard, as parsed from the phone's window manager."""

from __future__ import annotations

import pytest

from handeye.devices import OpenWindows, PhoneDevice
from handeye.devices.android.windows import keyboard_box, keyboard_shown, open_windows
from handeye.geometry import Box

ANDROID_14 = """WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #0 Window{3f2a u0 ScreenDecorOverlay}:
    mDisplayId=0 rootTaskId=0 mSession=Session{aa}
  Window #7 Window{d81e05 u0 com.android.settings/com.android.settings.SubSettings}:
  Window #8 Window{77c0 u0 com.android.settings/com.android.settings.Settings}:
  mCurrentFocus=null
  mCurrentFocus=Window{d81e05 u0 com.android.settings/com.android.settings.SubSettings}
"""


class Saying:
    """A link whose phone answers each question so."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def ask(self, *words: str) -> str:
        return self._answer


def test_two_pages_of_one_app_are_two_windows() -> None:
    told = open_windows(Saying(ANDROID_14))  # type: ignore[arg-type]
    settings = "u0 com.android.settings/com.android.settings"
    pages = {f"d81e05 {settings}.SubSettings", f"77c0 {settings}.Settings"}
    assert told == OpenWindows(f"d81e05 {settings}.SubSettings", frozenset({"3f2a u0 ScreenDecorOverlay", *pages}))


@pytest.mark.parametrize("answer", ["", "  mCurrentFocus=null\n", "error: closed"])
def test_unknown_dump_has_no_open_windows(answer: str) -> None:
    assert open_windows(Saying(answer)) is None  # type: ignore[arg-type]


def test_virtual_phone_lists_windows_of_running_apps(phone: PhoneDevice) -> None:
    phone.launch_app("com.android.settings")
    phone.launch_app("com.tencent.mm")
    told = phone.open_windows()
    assert told is not None
    assert told.front.endswith(" u0 com.tencent.mm/com.tencent.mm.ui.LauncherUI")
    assert told.front in told.every
    assert {"com.android.settings", "com.android.launcher3"} <= {
        each.split()[-1].partition("/")[0] for each in told.every
    }


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("  mShowForced=false mInputShown=false\n", False),
        ("  mShowForced=false mInputShown=true\n  mInputShown=true\n", True),
        ("Can't find service: input_method\n", None),
        ("", None),
    ],
)
def test_keyboard_visibility_is_parsed(answer: str, shown: bool | None) -> None:
    assert keyboard_shown(Saying(answer)) is shown  # type: ignore[arg-type]


_STATE = "InsetsState\n      InsetsSource {}\n      InsetsSource {}\n"
_BAR = "type=ITYPE_NAVIGATION_BAR frame=[0,2274][1080,2400] visible=true"


@pytest.mark.parametrize(
    ("source", "box"),
    [
        ("type=ITYPE_IME frame=[0,1500][1080,2400] visible=true", Box(0, 1500, 1080, 2400)),
        ("type=ITYPE_IME frame=[0,1500][1080,2400] visibleFrame=[0,0][0,0] visible=true", Box(0, 1500, 1080, 2400)),
        ("id=3 type=ime frame=[0,1500][1080,2400] visible=true flags= sideHint=NONE", Box(0, 1500, 1080, 2400)),
        ("mType=ITYPE_IME mFrame=[0,1500][1080,2400] mVisible=true", Box(0, 1500, 1080, 2400)),
        ("type=ITYPE_IME frame=[0,1500][1080,2400] visible=false", None),
        ("id=3 type=ime frame=[0,0][0,0] visible=true", None),
        ("type=ITYPE_STATUS_BAR frame=[0,0][1080,80] visible=true", None),
    ],
)
def test_keyboard_box_is_parsed(source: str, box: Box | None) -> None:
    assert keyboard_box(Saying(_STATE.format(source, _BAR))) == box  # type: ignore[arg-type]


def test_virtual_phone_reports_hidden_keyboard(phone: PhoneDevice) -> None:
    phone.go_home()
    assert phone.keyboard_shown() is False

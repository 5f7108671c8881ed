"""Tests of which window gets a touch, by the input dispatcher's list of several Android versions."""

from __future__ import annotations

import pytest

from handeye.devices.android.windows import window_over
from handeye.geometry import Point

APP = "com.example.shop/com.example.shop.Main"
MIDDLE, RIGHT, TOP = Point(500, 1000), Point(1000, 1500), Point(500, 40)


def uid_of(name: str) -> int:
    """The app in front has a number of its own, and so has its pop-up."""
    return 10021 if name.startswith(("com.example.shop", "PopupWindow")) else 1000


def android_8(name: str, region: str, *, visible: bool = True, flags: int = 0x20, focus: bool = False) -> str:
    shown = "true" if visible else "false"
    return (
        f"name='Window{{3c007ad u0 {name}}}', displayId=0, paused=false, hasFocus={str(focus).lower()}, hasWallpaper=false, "
        f"visible={shown}, canReceiveKeys={shown}, flags={flags:#010x}, type=0x00000001, layer=0, frame=[0,0][1080,2232], "
        f"scale=1.000000, touchableRegion={region}, inputFeatures=0x00000000, ownerPid=1, ownerUid={uid_of(name)}, "
        "dispatchingTimeout=5000.000ms"
    )


def android_13(name: str, region: str, *, visible: bool = True, config: str = "0x0", display: int = 0) -> str:
    config = config if visible else "NOT_VISIBLE | NOT_TOUCHABLE"
    return (
        f"name='c4cdf92 {name}', id=149, displayId={display}, inputConfig={config}, alpha=1.00, frame=[0,0][1080,2400], "
        f"globalScale=1.000000, applicationInfo.name=, applicationInfo.token=<null>, touchableRegion={region}, ownerPid=1, "
        f"ownerUid={uid_of(name)}, dispatchingTimeout=5000ms, hasToken=true, touchOcclusionMode=BLOCK_UNTRUSTED"
    )


def android_16(name: str, region: str, *, visible: bool = True, config: str = "0x0", display: int = 0) -> str:
    return android_13(name, region, visible=visible, config=config, display=display).replace("'", "")


def android_12(name: str, region: str, *, visible: bool = True, config: str = "0x0", focus: bool = False) -> str:
    flags = "LAYOUT_IN_SCREEN | SPLIT_TOUCH" if config == "0x0" else config
    return android_8(name, region, visible=visible, focus=focus).replace("flags=0x00000020", f"flags={flags}")


FORMS = {
    "12": (
        android_12,
        "  FocusedWindows:\n    displayId=0, name='Window{3c007ad u0 %s}'\n  Display: 0\n    Windows:\n",
    ),
    "8": (android_8, "  FocusedWindow: name='Window{3c007ad u0 %s}'\n  Windows:\n"),
    "13": (android_13, "  FocusedWindows:\n    displayId=0, name='c4cdf92 %s'\n  Display: 0\n    Windows:\n"),
    "16": (android_16, "  FocusedWindows:\n    displayId=0, name='c4cdf92 %s'\n  Display: 0\n    Windows:\n"),
}
ALL = "[0,0][1080,2400]"


class Phone:
    """A connection to a phone whose `dumpsys input` lists these windows, the topmost first."""

    def __init__(self, form: str, *windows: tuple[str, str, dict[str, object]], focused: str = APP) -> None:
        write, head = FORMS[form]
        if form == "16":
            head = head.replace("'", "")
        lines = [f"    {at}: {write(name, region, **about)}\n" for at, (name, region, about) in enumerate(windows)]  # type: ignore[operator]
        self._told = "Input Dispatcher State:\n" + head % focused + "".join(lines) + "  Global monitors: <none>\n"

    def ask(self, *words: str) -> str:
        assert words == ("dumpsys", "input")
        return self._told


def over(form: str, at: Point, *windows: tuple[str, str, dict[str, object]], display: int | None = None) -> str | None:
    return window_over(Phone(form, *windows), at, display)  # type: ignore[arg-type]


EVERY_FORM = pytest.mark.parametrize("form", FORMS)
BARS = (("StatusBar", "[0,0][1080,84]", {}), ("NavigationBar0", "[0,2232][1080,2400]", {}))


@EVERY_FORM
@pytest.mark.parametrize("name", ["Bubbles!", "com.video/com.video.Player", "Heads Up", "com.fooview.android.fooview"])
def test_floating_window_takes_touches_only_inside_itself(form: str, name: str) -> None:
    windows = (*BARS, (name, "[900,1400][1080,1600]|[0,0][10,10]", {}), (APP, ALL, {}))
    assert over(form, RIGHT, *windows) == name
    assert over(form, MIDDLE, *windows) is None


@EVERY_FORM
def test_partly_offscreen_window_takes_touches_on_screen(form: str) -> None:
    assert over(form, TOP, ("Heads Up", "[-20,-40][1100,120]", {}), (APP, ALL, {})) == "Heads Up"
    assert over(form, MIDDLE, ("Drawer", "[-800,0][600,2400]|[0,-9][3,3]", {}), (APP, ALL, {})) == "Drawer"


@EVERY_FORM
def test_untouchable_windows_are_ignored(form: str) -> None:
    hidden = ("NotificationShade", ALL, {"visible": False})
    nothing = ("ScreenDecorOverlay", "<empty>", {})
    untouchable = ("Dimmer", ALL, {"flags": 0x10 | 0x8} if form == "8" else {"config": "NOT_FOCUSABLE | NOT_TOUCHABLE"})
    assert over(form, MIDDLE, hidden, nothing, untouchable, (APP, ALL, {})) is None


@pytest.mark.parametrize("form", ["13", "16"])
def test_listening_windows_are_ignored(form: str) -> None:
    listener = ("[Gesture Monitor] edge-swipe", ALL, {"config": "NOT_FOCUSABLE | SPY"})
    blank = ("ActivityRecordInputSink com.other/.Main", ALL, {"config": "NO_INPUT_CHANNEL | NOT_FOCUSABLE"})
    assert over(form, MIDDLE, listener, blank, (APP, ALL, {})) is None


@EVERY_FORM
def test_bars_keyboard_and_own_popups_cover_nothing(form: str) -> None:
    own = ("PopupWindow:1f2e3d", ALL, {})
    for name in ("StatusBar", "NavigationBar0", "InputMethod", "GestureStubLeft"):
        assert over(form, MIDDLE, (name, ALL, {}), (APP, ALL, {})) is None
    assert over(form, MIDDLE, own, (APP, ALL, {})) is None


@EVERY_FORM
def test_split_screen_halves_do_not_cover_each_other(form: str) -> None:
    assert (
        over(form, TOP, ("com.other/com.other.Main", "[0,0][1080,1200]", {}), (APP, "[0,1200][1080,2400]", {})) is None
    )


def test_windows_on_other_displays_are_ignored() -> None:
    windows = (("Bubbles!", ALL, {"display": 2}), (APP, ALL, {}))
    assert over("13", MIDDLE, *windows) is None
    assert over("13", MIDDLE, *windows, display=0) is None


@pytest.mark.parametrize(
    "told", ["", "Can't find service: input", "INPUT MANAGER (dumpsys input)\n  Windows:\n    0: name='"]
)
def test_unknown_dump_covers_nothing(told: str) -> None:
    class Silent:
        def ask(self, *words: str) -> str:
            return told

    assert window_over(Silent(), MIDDLE) is None  # type: ignore[arg-type]

"""Pictures of the virtual phone: chosen screens in every theme, size and language of its dialogs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from handeye.geometry import Size
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye_phone.drawing.hierarchy import NotIdle
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from training.screens.phone import read
from training.screens.trees import as_nodes
from training.screens.truth import finish

_WECHAT, _SETTINGS = "com.tencent.mm", "com.android.settings"
_PAUSE_S: Final = 4.0  # longer than each of the phone's animations


@dataclass(frozen=True)
class PhoneScreen:
    """One screen: scenarios, the app, and the labels to tap; "/home 1" swipes to a page of the home screen, "/down" scrolls."""

    name: str
    scenarios: tuple[str, ...] = ()
    package: str = ""
    taps: tuple[str, ...] = ()
    size: tuple[int, int, int] = (1080, 2160, 440)  # width, height and dots per inch
    language: str = "zh"


SCREENS: Final = (
    PhoneScreen("home"),
    PhoneScreen("home_second_dark", ("dark",), taps=("/left",), size=(720, 1280, 300)),
    PhoneScreen("home_third", taps=("/left", "/left"), size=(1080, 1920, 420)),
    PhoneScreen("settings", (), _SETTINGS),
    PhoneScreen("settings_dark_lower", ("dark",), _SETTINGS, ("/down",)),
    PhoneScreen("settings_end", (), _SETTINGS, ("/down", "/down", "/down"), (720, 1600, 320)),
    PhoneScreen("settings_wifi", ("dark",), _SETTINGS, ("WLAN",), (720, 1280, 320)),
    PhoneScreen("settings_bluetooth", (), _SETTINGS, ("蓝牙",)),
    PhoneScreen("settings_display", (), _SETTINGS, ("显示",), (1080, 1920, 400)),
    PhoneScreen("settings_sound_dark", ("dark",), _SETTINGS, ("声音与振动",)),
    PhoneScreen("chats", (), _WECHAT),
    PhoneScreen("chats_dark", ("dark",), _WECHAT, ("/down",), (720, 1600, 300)),
    PhoneScreen("chats_menu", (), _WECHAT, ("更多功能按钮",)),
    PhoneScreen("contacts", (), _WECHAT, ("通讯录",)),
    PhoneScreen("contacts_dark", ("dark",), _WECHAT, ("通讯录", "/down"), (1080, 1920, 400)),
    PhoneScreen("discover", (), _WECHAT, ("发现",), (720, 1280, 300)),
    PhoneScreen("me_dark", ("dark",), _WECHAT, ("我",)),
    PhoneScreen("chat", (), _WECHAT, ("妈妈",)),
    PhoneScreen("chat_keyboard_dark", ("dark",), _WECHAT, ("王小明", "#input")),
    PhoneScreen("search", (), _WECHAT, ("搜索",), (1080, 1920, 400)),
    PhoneScreen("dialer", (), "com.android.dialer"),
    PhoneScreen("dialer_dark", ("dark",), "com.android.dialer", ("1", "3", "8"), (720, 1280, 320)),
    PhoneScreen("browser", (), "com.android.chrome"),
    PhoneScreen("browser_dark", ("dark",), "com.android.chrome", ("新闻",)),
    PhoneScreen("shade", ("shade",), size=(1080, 2160, 420)),
    PhoneScreen("shade_dark", ("shade", "dark"), size=(720, 1600, 320)),
    PhoneScreen("permission_en", ("permission", "english"), _WECHAT, language="en"),
    PhoneScreen("permission_de", ("permission", "german", "dark"), _WECHAT, language="de"),
    PhoneScreen("photos_es", ("photo-choice", "spanish"), _WECHAT, language="es"),
    PhoneScreen("photos_fr", ("photo-choice", "french", "dark"), _WECHAT, language="fr"),
    PhoneScreen("advert_zh", ("advert",), _WECHAT),
    PhoneScreen("advert_en", ("advert", "english"), _WECHAT, language="en"),
    PhoneScreen("advert_fr", ("advert", "french", "dark"), _WECHAT, language="fr"),
    PhoneScreen("not_responding_en", ("not-responding", "english"), _WECHAT, language="en"),
    PhoneScreen("not_responding_es", ("not-responding", "spanish", "dark"), _WECHAT, language="es"),
    PhoneScreen("bubble", ("bubble",), _SETTINGS),
    PhoneScreen("lock", ("locked-with-code",), taps=("/wake",)),
    PhoneScreen("music_placeholder", (), "com.android.music", size=(720, 1280, 320)),
    PhoneScreen("developer_dark", ("dark",), _SETTINGS, (*["/down"] * 5, "开发者选项")),
    PhoneScreen("landscape_settings", ("rotation",), _SETTINGS),
    PhoneScreen("landscape_chats_dark", ("rotation", "dark"), _WECHAT),
)


class _Finger:
    """Touches on a phone whose clock stands still between them."""

    def __init__(self, screen: PhoneScreen) -> None:
        self._time = 0.0
        width, height, density = screen.size
        self.density, self.dark = density, "dark" in screen.scenarios
        self.model = PhoneModel(Scenario.combine(*screen.scenarios), clock=lambda: self._time)
        self.model.override_size(Size(width, height))
        self.model.override_density(density)
        self.wait()

    def wait(self) -> None:
        self.model.frame()
        self._time += _PAUSE_S
        self.model.frame()

    def do(self, tap: str) -> None:
        size = self.model.size
        if tap == "/wake":
            self.model.key(224)
        elif tap == "/left":
            self._swipe(0.85 * size.width, 0.5 * size.height, -0.7 * size.width, 0)
        elif tap == "/down":
            self._swipe(0.5 * size.width, 0.75 * size.height, 0, -0.5 * size.height)
        else:
            self._tap(tap)
        self.wait()

    def _tap(self, label: str) -> None:
        self.model.frame()
        for window in reversed(self.model._windows):
            for node in window.root.walk():
                if node.rid == label[1:] if label.startswith("#") else label in (node.text, node.desc):
                    self.model.touch_down(*node.box.center)
                    self._time += 0.06
                    self.model.touch_up(*node.box.center)
                    return
        raise ValueError(f"{label} is not on the screen")

    def _swipe(self, x: float, y: float, across: float, down: float) -> None:
        self.model.touch_down(x, y)
        for part in range(1, 6):
            self._time += 0.05
            self.model.touch_move(x + across * part / 5, y + down * part / 5)
        self._time += 0.3
        self.model.touch_up(x + across, y + down)


def pictures() -> Iterator[tuple[PhoneScreen, NDArray[np.uint8], dict[str, Any]]]:
    """Each screen with its BGR pixels and its truth; screens that cannot be reached are printed and left out."""
    for screen in SCREENS:
        finger = _Finger(screen)
        try:
            if screen.package:
                finger.model.launch(screen.package)
                finger.wait()
            for tap in screen.taps:
                finger.do(tap)
        except ValueError as error:
            print(f"phone {screen.name}: {error}", flush=True)
            continue
        pixels = np.ascontiguousarray(np.asarray(finger.model.frame().convert("RGB"))[:, :, ::-1])
        yield screen, pixels, _truth(finger, pixels)


def _truth(finger: _Finger, pixels: NDArray[np.uint8]) -> dict[str, Any]:
    """The elements that the phone draws, and its own tree as Handeye reads it."""
    truth: dict[str, Any] = {"kind": "phone", "library": "virtual phone", "phone": True, "dark": finger.dark}
    truth |= {"scale": round(finger.density / 160, 2), "elements": finish(read(finger), pixels, 1.0)}
    with contextlib.suppress(NotIdle):
        truth["tree"] = as_nodes(parse_hierarchy(finger.model.hierarchy(), Screen(pixels)).elements)
    return truth

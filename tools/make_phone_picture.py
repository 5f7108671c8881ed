"""
Draw docs/images/virtual-phone.webp: four screens of the virtual phone in a row, light and dark.

    python tools/make_phone_picture.py
"""

from __future__ import annotations

import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from handeye_phone.system.intent import Intent

TARGET: Final = Path(__file__).parents[1] / "docs" / "images" / "virtual-phone.webp"
SHRINK: Final = 3
"""A third of 1080x2400: all four fit a page's width, and the text can still be read."""

GAP: Final = 28
RADIUS: Final = 30
LIMIT: Final = 200_000
"""Bytes; a page's picture must not weigh more than its text and code together."""

MESSENGER: Final = Intent(component="com.tencent.mm/.ui.LauncherUI")
SETTINGS: Final = Intent(component="com.android.settings/.Settings")


class Phone:
    """A model whose time is set by hand, so that each picture is the same every time."""

    def __init__(self, scenario: Scenario) -> None:
        self.now = 0.0
        self.model = PhoneModel(scenario, clock=lambda: self.now)

    def open(self, intent: Intent) -> None:
        self.model.start_activity(intent)
        self._settle()

    def tap(self, attribute: str, value: str) -> None:
        """Tap the first node with this attribute."""
        for node in Xml.fromstring(self.model.hierarchy()).iter("node"):
            if node.get(attribute, "").rpartition("/")[2] == value:
                left, top, right, bottom = map(int, node.get("bounds", "").replace("][", ",").strip("[]").split(","))
                self.model.touch_down((left + right) / 2, (top + bottom) / 2)
                self.model.touch_up((left + right) / 2, (top + bottom) / 2)
                self._settle()
                return
        raise SystemExit(f"nothing with {attribute}={value!r} on the screen {self.model.state.screen!r}")

    def _settle(self) -> None:
        self.now += 5.0
        self.model.frame()

    def picture(self) -> Image.Image:
        return self.model.frame().reduce(SHRINK)


def home() -> Image.Image:
    return Phone(Scenario()).picture()


def chat() -> Image.Image:
    phone = Phone(Scenario())
    phone.open(MESSENGER)
    phone.tap("text", "王小明")
    phone.tap("resource-id", "input")
    phone.model.commit("你好")
    return phone.picture()


def advert() -> Image.Image:
    phone = Phone(Scenario(dark=True, advert=True))
    phone.open(MESSENGER)
    return phone.picture()


def settings() -> Image.Image:
    phone = Phone(Scenario(dark=True))
    phone.open(SETTINGS)
    return phone.picture()


def strip(screens: list[Image.Image]) -> Image.Image:
    """The screens side by side with round corners, on nothing: it has to look right on white pages and on black ones."""
    width, height = screens[0].size
    page = Image.new("RGBA", (len(screens) * (width + GAP) - GAP, height), (0, 0, 0, 0))
    mask = Image.new("L", (4 * width, 4 * height), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * width - 1, 4 * height - 1), 4 * RADIUS, fill=255)
    for index, screen in enumerate(screens):
        page.paste(screen, (index * (width + GAP), 0), mask.reduce(4))
    return page


def main() -> None:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    strip([home(), chat(), advert(), settings()]).save(TARGET, "WEBP", quality=86, method=6)
    size = TARGET.stat().st_size
    if size > LIMIT:
        raise SystemExit(f"{TARGET} has {size} bytes, more than {LIMIT}; lower the quality")
    print(f"{TARGET.name}: {size} bytes")


if __name__ == "__main__":
    main()

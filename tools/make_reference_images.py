"""
Write the reference images of the built-in app modules, cut from the virtual phone's own drawings.

    python tools/make_reference_images.py [--check]

Run it after a change of the artwork. `--check` writes nothing and fails when an image on disk is out of date. Crops are
taken at 420 dpi, the density of most 1080-pixel phones; the search itself covers other densities.
"""

from __future__ import annotations

import argparse
import io
import sys
import xml.etree.ElementTree as Xml
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

from handeye.geometry import Box
from handeye_phone.artwork import icon
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from handeye_phone.system.intent import Intent

BUILTIN: Final = Path(__file__).parents[1] / "src" / "handeye" / "apps" / "builtin"
ICON_PX: Final = 158
"""60 dp at 420 dpi: how large the launcher draws an app icon."""

APP_ICONS: Final = (
    ("system", "setting"),
    ("system", "call"),
    ("system", "camera"),
    ("wechat", "wechat"),
    ("chrome", "chrome"),
)
THEMES: Final = (("", Scenario()), ("_v2", Scenario(dark=True)))
"""The light look is the image, the dark one its variant."""

TOLERANCE: Final = 2
"""Levels of 255 by which a pixel may differ in --check: font rasterisers of different releases round differently."""


class Phone:
    """A phone model with the few gestures that are needed here."""

    def __init__(self, scenario: Scenario) -> None:
        self.now = 1000.0
        self.model = PhoneModel(scenario, clock=lambda: self.now)
        self.model.start_activity(Intent(component="com.tencent.mm/.ui.LauncherUI"))
        self.wait()

    def wait(self) -> None:
        """Let every animation end."""
        self.now += 5.0
        self.model.frame()

    def box(self, **wanted: str) -> Box:
        """Return the box of the first node with these attributes."""
        for node in Xml.fromstring(self.model.hierarchy()).iter("node"):
            attributes = {"id": node.get("resource-id", "").rpartition("/")[2], "text": node.get("text", "")}
            if all(attributes[key] == value for key, value in wanted.items()):
                edges = node.get("bounds", "").replace("][", ",").strip("[]").split(",")
                return Box(*map(int, edges))
        raise SystemExit(f"no {wanted} on the virtual phone's screen {self.model.state.screen!r}")

    def tap(self, box: Box) -> None:
        self.model.touch_down(*box.center)
        self.model.touch_up(*box.center)
        self.wait()

    def crop(self, box: Box) -> Image.Image:
        return self.model.frame().convert("RGB").crop(box)

    def glyph(self, box: Box, dp: float) -> Image.Image:
        """Return the icon in the middle of a button, `dp` wide with its margin."""
        return self.crop(Box.at(box.center, round(dp / 2 * self.model.density / 160)))


def messenger(phone: Phone) -> Iterator[tuple[str, Image.Image]]:
    """Yield the messenger's controls, on the way to a chat."""
    yield "wechat_search", phone.glyph(phone.box(id="search"), 30)
    tab = phone.box(id="tab_1")
    label = phone.box(id="tab_label", text="通讯录")
    yield "wechat_contacts", phone.crop(Box(tab.center.x - 70, tab.top + 10, tab.center.x + 70, label.bottom))
    phone.tap(phone.box(id="name", text="文件传输助手"))
    field = phone.box(id="input")
    voice = phone.box(id="voice")
    # The field itself is a plain rectangle. With the button left of it, it differs from others, and the middle of
    # this picture lies inside the field.
    yield (
        "wechat_input",
        phone.crop(Box(voice.left + 20, field.top - 8, voice.right + 2 * voice.width, field.bottom + 8)),
    )
    phone.tap(field)
    phone.model.type_text("hi")
    phone.wait()
    yield "send_button", phone.crop(phone.box(text="发送"))


def images() -> Iterator[tuple[Path, Image.Image]]:
    """Yield every reference image with its path."""
    for module, name in APP_ICONS:
        yield BUILTIN / module / "images" / f"{name}.png", icon(name, ICON_PX)
    for suffix, scenario in THEMES:
        for name, image in messenger(Phone(scenario)):
            yield BUILTIN / "wechat" / "images" / f"{name}{suffix}.png", image


def differs(path: Path, image: Image.Image) -> bool:
    """Return True if the file is missing or shows something else."""
    if not path.exists():
        return True
    with Image.open(path) as old:
        if old.size != image.size or old.mode != image.mode:
            return True
        extrema = ImageChops.difference(old, image).getextrema()
    bands = extrema if isinstance(extrema[0], tuple) else (extrema,)
    return max(top for _, top in bands) > TOLERANCE


def write(path: Path, image: Image.Image) -> None:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out.getvalue())


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the reference images of the built-in app modules.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when an image is out of date")
    check = parser.parse_args().check
    stale = [(path, image) for path, image in images() if differs(path, image)]
    act: Callable[[Path, Image.Image], None] = (lambda path, image: None) if check else write
    for path, image in stale:
        act(path, image)
        print(("out of date: " if check else "wrote ") + str(path.relative_to(BUILTIN)))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

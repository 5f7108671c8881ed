"""Screens of the virtual phone, with the truth from its own hierarchy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from corpus.truth import Scene, Thing
from handeye.geometry import Box
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario

LAUNCHER, MESSENGER, SETTINGS = "", "com.tencent.mm", "com.android.settings"
# Longer texts may end in an ellipsis on the screen, which the hierarchy does not show.
LONGEST_SURE: Final = 12
_ROLES: Final = {
    "android.widget.Button": "button",
    "android.widget.EditText": "input",
    "android.widget.Switch": "switch",
    "android.widget.CheckBox": "checkbox",
    "android.widget.ImageView": "icon",
    "android.widget.ImageButton": "icon",
}
DOCK: Final = 0.8  # on the home screen, apps below this share of the height show no names
_A_MOMENT: Final = 0.5  # seconds between touches: longer than a double tap, shorter than a clock's minute


class _Visitor:
    """A phone and the touches that navigate it; its clock does not run between touches."""

    def __init__(self, scenario: Scenario) -> None:
        self.time = 0.0
        self.model = PhoneModel(scenario, clock=lambda: self.time)

    def tap(self, text: str) -> None:
        for node in ElementTree.fromstring(self.model.hierarchy()).iter("node"):
            if text in (node.get("text"), node.get("content-desc")):
                point = _bounds(node).center
                self.model.touch_down(*point)
                self.time += _A_MOMENT / 10
                self.model.touch_up(*point)
                self.time += _A_MOMENT
                return
        raise ValueError(f"{text!r} is not on the phone's screen")


def _open(package: str, *taps: str) -> Callable[[_Visitor], None]:
    def walk(phone: _Visitor) -> None:
        if package:  # the phone starts on its launcher
            phone.model.launch(package)
        phone.time += _A_MOMENT
        for text in taps:
            phone.tap(text)

    return walk


PAGES: Final[dict[str, Callable[[_Visitor], None]]] = {
    "home": _open(LAUNCHER),
    "chats": _open(MESSENGER),
    "contacts": _open(MESSENGER, "通讯录"),
    "discover": _open(MESSENGER, "发现"),
    "me": _open(MESSENGER, "我"),
    "chat": _open(MESSENGER, "王小明"),
    "settings": _open(SETTINGS),
}
LOOKS: Final = {
    "light": Scenario(),
    "dark": Scenario(dark=True),
    "small": Scenario(density=320),
}


def render(folder: Path) -> Iterator[Scene]:
    """Draw every page in every look into `folder`/screens."""
    for page in PAGES:
        for look in LOOKS:
            yield render_page(page, look, folder / "screens")


def render_page(page: str, look: str, screens: Path) -> Scene:
    """Draw one page of PAGES in one of LOOKS into `screens`."""
    screens.mkdir(parents=True, exist_ok=True)
    phone = _Visitor(LOOKS[look])
    PAGES[page](phone)
    return _scene(phone, page, look, LOOKS[look], screens)


def _scene(phone: _Visitor, page: str, look: str, scenario: Scenario, screens: Path) -> Scene:
    name = f"phone-{page}-{look}"
    picture = screens / f"{name}.png"
    phone.model.frame().convert("RGB").save(picture, compress_level=1)
    tree = phone.model.hierarchy()
    things, rows = _truth(ElementTree.fromstring(tree))
    if page == "home":
        dock = DOCK * phone.model.size.height
        things = tuple(replace(thing, clipped=thing.clipped or thing.box.top > dock) for thing in things)
    scale = phone.model.density / 160
    scene = Scene(name, picture, "phone", f"phone-{page}", look, "zh", scenario.dark, scale, False, things, rows, tree)
    scene.save()
    return scene


def _truth(root: ElementTree.Element) -> tuple[tuple[Thing, ...], tuple[Box, ...]]:
    things: list[Thing] = []
    rows: list[Box] = []

    def visit(node: ElementTree.Element, row: Box | None) -> None:
        box = _bounds(node)
        if node.get("clickable") == "true":
            row = box
            if _is_row(node):
                rows.append(box)
        text, described = node.get("text") or "", node.get("content-desc") or ""
        role = _ROLES.get(node.get("class") or "", "text")
        if text or described or role != "text":
            clipped = role != "switch" and (not text or len(text) > LONGEST_SURE)
            enabled = node.get("enabled") == "true"
            hit = row if row and role == "text" else box  # a click anywhere in its row does what a click on a text does
            things.append(Thing(len(things), role, text or described, hit, box, "", None, enabled, clipped))
        for kid in node:
            visit(kid, row)

    for window in root:
        visit(window, None)
    return tuple(things), tuple(rows)


def _is_row(node: ElementTree.Element) -> bool:
    """Return True if a clickable node holds several things that people name."""
    named = [each for each in node.iter("node") if each.get("text") or "Switch" in (each.get("class") or "")]
    return len(named) > 1


def _bounds(node: ElementTree.Element) -> Box:
    return Box(*map(int, re.findall(r"-?\d+", node.get("bounds") or "[0,0][1,1]")))

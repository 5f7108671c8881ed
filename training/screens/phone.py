"""Screens of the virtual phone, met on random walks; the truth is the scene that it draws."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from handeye.geometry import Box, Size
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from training.screens.save import save
from training.screens.truth import Element, finish

SIZES: Final = (
    (720, 1280),
    (720, 1600),
    (1080, 1920),
    (1080, 2160),
    (1080, 2400),
    (1440, 3200),
    (1200, 2000),
    (480, 854),
)
STEPS: Final = 7  # screens of one walk
A_MOMENT: Final = 0.6  # seconds between touches
DIM, OPAQUE = 0.2, 0.86  # how much of what lies below a layer hides, from which it counts
NO_SCREEN: Final = {"android"} | {
    f"com.android.{name}" for name in ("shell", "adbkeyboard", "systemui", "inputmethod.latin", "permissioncontroller")
}
RICH: Final = ("com.tencent.mm", "com.tencent.mm", "com.tencent.mm", "com.android.settings", "com.android.settings")
ROLES: Final = {
    "Button": "button",
    "ImageButton": "button",
    "EditText": "input",
    "Switch": "switch",
    "CheckBox": "checkbox",
    "RadioButton": "radio",
    "SeekBar": "slider",
    "Spinner": "combo box",
}
PICTURES: Final = ("avatar", "photo", "picture", "image")


@dataclass
class Layer:
    box: Box
    order: int
    share: float


class Walker:
    """A phone and a finger that goes astray on it; its clock stands still between touches."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.time = 0.0
        size = chance.choice(SIZES)
        density = round(size[0] / chance.uniform(320, 440) * 160)
        names = [name for name in ("advert", "permission", "keyboard") if chance.random() < 0.12]
        scenario = Scenario.combine(*names, *(["dark"] if chance.random() < 0.45 else []))
        self.model = PhoneModel(scenario, clock=lambda: self.time)
        self.model.override_size(Size(*size))
        self.model.override_density(max(120, min(800, density)))
        self.density, self.dark = density, scenario.dark

    def start(self) -> None:
        if self.chance.random() < 0.85:
            rich = self.chance.random() < 0.8
            self.model.launch(self.chance.choice(RICH if rich else sorted(set(self.model.packages) - NO_SCREEN)))
        self.time += 3

    def nodes(self) -> Iterator[Node]:
        self.model.frame()
        for window in self.model._windows:  # the tree that is dumped leaves the windows below and the keyboard out
            yield from window.root.walk()

    def step(self) -> None:
        targets = [node.box for node in self.nodes() if node.clickable and node.box.width > 10 and node.box.height > 10]
        choice = self.chance.random()
        if choice < 0.12:
            self.model.key(4)  # back
        elif choice < 0.3 or not targets:
            self._swipe()
        else:
            point = self.chance.choice(targets).center
            self.model.touch_down(*point)
            self.time += 0.06
            self.model.touch_up(*point)
        self.time += A_MOMENT + (2.5 if self.chance.random() < 0.8 else 0)

    def _swipe(self) -> None:
        size = self.model.size
        x, y = size.width // 2, int(size.height * self.chance.uniform(0.45, 0.75))
        way = int(size.height * self.chance.uniform(-0.3, 0.35))
        self.model.touch_down(x, y)
        for part in range(1, 6):
            self.time += 0.05
            self.model.touch_move(x, y - way * part // 5)
        self.time += 0.3
        self.model.touch_up(x, y - way)


class Phone(Protocol):
    """A phone that is looked at, and its dots per inch."""

    model: PhoneModel
    density: int


def read(walker: Phone) -> list[Element]:
    """Every element that the phone shows, in frame pixels."""
    found: list[Element] = []
    layers: list[Layer] = []
    screen = Box(0, 0, walker.model.size.width, walker.model.size.height)
    dp = walker.density / 160
    order = 0

    def visit(node: Node, clip: Box, parent: int | None) -> None:
        nonlocal order
        order += 1
        mine, start = parent, len(found)
        box = node.box.intersect(clip)
        if box is not None and box.width > 1 and box.height > 1:
            role = _role(node, screen, dp)
            if role:
                mine = _add(found, role, node, box, parent, order)
            layers.extend(_layers(node, box, order))
            _painted(found, node, clip, mine, order, role)
        inner = (box if node.clip else clip) or Box(0, 0, 0, 0)
        for kid in node.kids:
            visit(kid, inner, mine)
        for own in found[start:]:
            if own["node"] is node:
                own["last"] = order  # what it draws itself does not hide it

    for window in walker.model._windows:
        visit(window.root, screen, None)
    for each in found:
        if not _seen(each, layers):
            each["visible"] = 0.0
    return found


def _role(node: Node, screen: Box, dp: float) -> str:
    name = node.cls.rpartition(".")[2]
    if name in ROLES:
        return ROLES[name]
    if node.field is not None:
        return "input"
    if any(part in node.rid for part in PICTURES):
        return "image"
    if node.block and not node.clickable and any(isinstance(paint, FillPaint) for paint in node.paint):
        return "window"
    if not node.clickable or node.box.height > 0.5 * screen.height:
        return ""
    if "tab" in node.rid:
        return "tab"
    return "list item" if node.box.width > 0.62 * screen.width and node.box.height < 130 * dp else "button"


def _add(found: list[Element], role: str, node: Node, box: Box, parent: int | None, order: int, **more: Any) -> int:
    area = max(1, node.box.width * node.box.height)
    state = "" if node.enabled else "disabled"
    if role in ("switch", "checkbox", "radio"):
        state = (
            {True: "on", False: "off"}[node.checked] if role == "switch" else "checked" if node.checked else "unchecked"
        )
    made = {"role": role, "box": [box.left, box.top, box.right, box.bottom], "visible": box.width * box.height / area}
    made |= {"covered": False, "state": state, "text": node.text or node.desc, "name": "", "parent": parent}
    made |= {"interactive": role not in ("text", "icon", "image", "window") and node.enabled, "pointer": node.clickable}
    found.append({**made, "tight": False, "node": node, "last": order, **more})
    return len(found) - 1


def _painted(found: list[Element], node: Node, clip: Box, parent: int | None, order: int, role: str) -> None:
    """The icons and texts that a node draws."""
    for paint in node.paint:
        if isinstance(paint, IconPaint) and role not in ("image", "switch"):
            x, y = node.box.center
            place = Box(x - paint.px // 2, y - paint.px // 2, x + paint.px // 2 + 1, y + paint.px // 2 + 1).intersect(
                clip
            )
            if place:
                _add(
                    found,
                    "icon",
                    node,
                    place,
                    parent,
                    order,
                    name=paint.name,
                    tight=bool(paint.tint),
                    text="",
                    visible=1.0,
                )
        if isinstance(paint, Label) and (place := node.box.intersect(clip)):
            _add(found, "text", node, place, parent, order, text=" ".join(paint.lines), visible=1.0, tight=True)


def _layers(node: Node, box: Box, order: int) -> Iterator[Layer]:
    for paint in node.paint:
        if isinstance(paint, FillPaint) and paint.color:
            share = int(paint.color[7:9], 16) / 255 if len(paint.color) == 9 else 1.0
            yield Layer(box, order, share)
        elif isinstance(paint, IconPaint):
            continue


def _seen(element: Element, layers: list[Layer]) -> bool:
    """Cut the element to what later layers leave of it; False when that is nothing."""
    left, top, right, bottom = element["box"]
    free, dim = [], 0
    across, down = 5, 5
    for i in range(across):
        for j in range(down):
            x, y = left + (right - left) * (i + 0.5) / across, top + (bottom - top) * (j + 0.5) / down
            over = [each.share for each in layers if each.order > element["last"] and _holds(each.box, x, y)]
            if not any(share > OPAQUE for share in over):
                free.append((i, j))
                dim += any(share > DIM for share in over)
    if not free:
        return False
    element["covered"] = dim > len(free) / 2
    if len(free) < across * down:
        wide, high = (right - left) / across, (bottom - top) / down
        columns, rows = [i for i, _ in free], [j for _, j in free]
        element["visible"] *= len(free) / (across * down)
        element["box"] = [
            left + min(columns) * wide,
            top + min(rows) * high,
            left + (max(columns) + 1) * wide,
            top + (max(rows) + 1) * high,
        ]
    return True


def _holds(box: Box, x: float, y: float) -> bool:
    return box.left <= x < box.right and box.top <= y < box.bottom


def make(folder: Path, count: int, seed: int) -> int:
    """Add `count` screens, no two alike."""
    seen: set[str] = set()
    made = walk = 0
    while made < count and walk < count * 3:
        chance = random.Random(f"phone {seed} {walk}")
        walk += 1
        walker = Walker(chance)
        walker.start()
        for _ in range(STEPS):
            frame = np.asarray(walker.model.frame().convert("RGB"))[:, :, ::-1]
            elements = finish(read(walker), np.ascontiguousarray(frame), 1.0)
            key = hashlib.sha1(repr((frame.shape, elements)).encode(), usedforsecurity=False).hexdigest()
            if key not in seen and len(elements) > 5 and made < count:
                seen.add(key)
                ending = ".png" if chance.random() < 0.5 else ".jpg"
                picture = cv2.imencode(ending, frame)[1].tobytes()
                about = {"kind": "phone", "library": "virtual phone", "icon_set": "", "phone": True, "language": "zh"}
                about |= {"scale": round(walker.density / 160, 2), "dark": walker.dark, "seed": seed}
                place = folder / "screens" / "train" / "virtual-phone"
                save(place, f"phone-{seed}-{made:05}", picture, ending, frame.shape, about, elements)
                made += 1
            walker.step()
    return made

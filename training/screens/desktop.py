"""Screens of Debian's applications on a private X server, with the truth that they tell over AT-SPI.

Each application is opened in several themes and sizes and walked through at random: menus, tabs, buttons. Those that are
kept for measuring are walked through for the held-out split only.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from handeye.devices import MouseButton, Window
from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box, Point
from handeye.perceive.atspi.provider import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from training.screens.save import save
from training.screens.truth import CLASSES, Element, finish

SIZES: Final = ((1024, 768), (1280, 800), (1366, 768), (1600, 900))
_BED: Final = Path(__file__).parents[2] / "tests" / "desktop" / "beds" / "qt_bed.py"
STEPS: Final = 9  # screens of one walk
SETTLE_S: Final = 0.9
THEMES: Final = ("Adwaita", "Adwaita", "Adwaita:dark", "Adwaita:dark", "HighContrast")
# What would end the walk, or lead out of the application.
LEAVES: Final = (
    "quit",
    "exit",
    "close",
    "print",
    "delete",
    "shut",
    "about",
    "web",
    "help",
    "report",
    "online",
    "donate",
)
GONE_ROLES: Final = {
    "spinner": "input",
    "menu": "menu item",
    "tree item": "list item",
    "heading": "text",
    "cell": "text",
}
MOST_CELLS: Final = 3
THIN, THUMB, THUMB_INK = 8, 18, 8  # pixels of a scroll bar that may lie over words; of its thumb; difference, of 255
TITLE_INK: Final = 24  # difference of a sign from its title bar, of 255
MENU_TITLE: Final = 60  # pixels that the title of a menu is high, at most
TOGGLE: Final = 21  # pixels from which a checkbox without words is a button
BARE_TAB, TAB_AROUND, TAB_ABOVE = 32, 9, 3  # pixels
SPINNER: Final = 3.0  # of a field with a minus and a plus beside each other: width to height, at least
CLICKED: Final = ("menu item", "tab", "button", "checkbox", "radio", "combo box", "list item", "switch")


@dataclass(frozen=True)
class Application:
    name: str
    command: tuple[str, ...]
    toolkit: str = "gtk"


APPLICATIONS: tuple[Application, ...] = (
    Application("gtk3-widget-factory", ("gtk3-widget-factory",)),
    Application("gtk3-demo", ("gtk3-demo",)),
    Application("galculator", ("galculator",)),
    Application("gnome-calculator", ("gnome-calculator",)),
    Application("geany", ("geany", "/usr/share/common-licenses/BSD")),
    Application("evince", ("evince",)),
    Application("meld", ("meld",)),
    Application("file-roller", ("file-roller",)),
    Application("transmission-gtk", ("transmission-gtk",)),
    Application("hexchat", ("hexchat",)),
    Application("pavucontrol", ("pavucontrol",)),
    Application("qalculate-gtk", ("qalculate-gtk",)),
    Application("dconf-editor", ("dconf-editor",)),
    Application("gnumeric", ("gnumeric",)),
    Application("xournalpp", ("xournalpp",)),
    Application("baobab", ("baobab",)),
    Application("eog", ("eog",)),
    Application("ristretto", ("ristretto",)),
    Application("gpick", ("gpick",)),
    Application("claws-mail", ("claws-mail",)),
    Application("l3afpad", ("l3afpad", "/usr/share/common-licenses/BSD")),
    Application("qbittorrent", ("qbittorrent",), "qt"),
    Application("keepassxc", ("keepassxc",), "qt"),
    Application("speedcrunch", ("speedcrunch",), "qt"),
    Application("pcmanfm-qt", ("pcmanfm-qt", "/usr/share"), "qt"),
    Application("focuswriter", ("focuswriter",), "qt"),
    Application("lximage-qt", ("lximage-qt",), "qt"),
)

_TEXTS: Final = "/usr/share/common-licenses/"
APPLICATIONS += (
    Application("xfce4-taskmanager", ("xfce4-taskmanager",)),
    Application("xfce4-appfinder", ("xfce4-appfinder",)),
    Application("xfce4-terminal", ("xfce4-terminal", "-x", "less", _TEXTS + "GPL-3")),
    Application("catfish", ("catfish",)),
    Application("bleachbit", ("bleachbit",)),
    Application("homebank", ("homebank",)),
    Application("abiword", ("abiword", _TEXTS + "BSD")),
    Application("dia", ("dia",)),
    Application("pidgin", ("pidgin",)),
    Application("simple-scan", ("simple-scan",)),
    Application("seahorse", ("seahorse",)),
    Application("pluma", ("pluma", _TEXTS + "Apache-2.0")),
    Application("bluefish", ("bluefish", _TEXTS + "BSD")),
    Application("gnome-text-editor", ("gnome-text-editor", "-s", _TEXTS + "GPL-2")),
    Application("atril", ("atril",)),
    Application("engrampa", ("engrampa",)),
    Application("caja", ("caja", "--no-desktop", "/usr/share")),
    Application("mate-calc", ("mate-calc",)),
    Application("gnome-clocks", ("gnome-clocks",)),
    Application("gnome-characters", ("gnome-characters",)),
    Application("gucharmap", ("gucharmap",)),
    Application("gnome-system-monitor", ("gnome-system-monitor",)),
    Application("filezilla", ("filezilla",)),
    Application("liferea", ("liferea",)),
    Application("kcalc", ("kcalc",), "qt"),
    Application("kate", ("kate", "-n", _TEXTS + "LGPL-3"), "qt"),
    Application("okular", ("okular",), "qt"),
    Application("ark", ("ark",), "qt"),
    Application("kolourpaint", ("kolourpaint",), "qt"),
    Application("qpdfview", ("qpdfview",), "qt"),
    Application("sqlitebrowser", ("sqlitebrowser",), "qt"),
    Application("texstudio", ("texstudio", _TEXTS + "BSD"), "qt"),
    Application("vlc", ("vlc",), "qt"),
    Application("qterminal", ("qterminal", "-e", f"less {_TEXTS}GPL-3"), "qt"),
    Application("copyq", ("copyq", "show"), "qt"),
    Application("smplayer", ("smplayer",), "qt"),
    Application("kfind", ("kfind",), "qt"),
    Application("dolphin", ("dolphin", "/usr/share"), "qt"),
)
# Never trained on; each with something to show.
HELD_OUT: Final = (
    Application("mousepad", ("mousepad", "/usr/share/common-licenses/BSD")),
    Application("featherpad", ("featherpad", "/usr/share/common-licenses/BSD"), "qt"),
    Application("calc", ("localc", "--norestore", "--nologo", "--calc")),
    Application("qt_bed", (sys.executable, str(_BED)), "qt"),
)


def make(folder: Path, count: int, seed: int, split: str = "train") -> int:
    """Add up to `count` screens from the split's applications that are installed; says which are missing."""
    wanted = HELD_OUT if split == "held" else APPLICATIONS
    there = [each for each in wanted if shutil.which(each.command[0])]
    missing = sorted({each.name for each in wanted} - {each.name for each in there})
    if missing:
        print("not installed:", ", ".join(missing))
    seen: set[str] = set()
    made = walk = 0
    while made < count and walk < count:
        chance = random.Random(f"desktop {seed} {walk}")
        application = there[walk % len(there)]
        walk += 1
        try:
            for pixels, elements, dark in walk_application(application, chance):
                key = hashlib.sha1(repr((pixels.shape, elements)).encode(), usedforsecurity=False).hexdigest()
                if key in seen or sum(each["role"] in CLASSES for each in elements) < 4:
                    continue
                seen.add(key)
                about = {"kind": "atspi", "library": application.name, "icon_set": "", "phone": False, "language": "en"}
                about |= {"scale": 1.0, "dark": dark, "seed": seed}
                place = folder / "screens" / split / application.name
                picture = cv2.imencode(".png", pixels)[1].tobytes()
                save(place, f"{application.name}-{seed}-{made:05}", picture, ".png", pixels.shape, about, elements)
                made += 1
        except HandeyeError as error:
            print(application.name, error, flush=True)
        print(f"{made} screens, {application.name}", flush=True)
    return made


def walk_application(
    application: Application, chance: random.Random
) -> Iterator[tuple[NDArray[np.uint8], list[Element], bool]]:
    theme = chance.choice(THEMES)
    environment = {"GTK_THEME": theme, "GDK_DPI_SCALE": str(chance.choice((0.9, 1, 1, 1.15, 1.3)))}
    if application.toolkit == "qt":
        environment = {
            "QT_STYLE_OVERRIDE": chance.choice(("Fusion", "Windows")),
            "QT_FONT_DPI": str(chance.choice((90, 96, 110))),
        }
    with (
        PrivateDesktop(chance.choice(SIZES)) as desktop,
        AtspiStateProvider(environment=desktop.environment) as provider,
    ):
        desktop.launch(*application.command, wait_for_title="", environment=environment, timeout_s=25)
        time.sleep(3 * SETTLE_S)
        for _ in range(STEPS):
            backend = desktop.backend
            backend.move(Point(2, 2))
            time.sleep(SETTLE_S)
            windows = [each for each in backend.windows() if not each.minimized]
            if not windows:
                return
            pixels = np.ascontiguousarray(backend.grab(Box(0, 0, *desktop.size)))
            raw = _read(
                provider, windows, [surface.box for surface in backend.menus()], pixels, desktop.size, application
            )
            again = np.ascontiguousarray(backend.grab(Box(0, 0, *desktop.size)))
            if raw and np.mean(pixels != again) < 0.002:  # it stood still while it was read
                yield *_cut(pixels, finish(raw, pixels, 1.0), [each.frame for each in windows], chance), "dark" in theme
            _act(backend, raw, chance)


def _cut(
    pixels: NDArray[np.uint8], elements: list[Element], frames: list[Box], chance: random.Random
) -> tuple[NDArray[np.uint8], list[Element]]:
    """The screen without most of its empty desktop, where windows are small on it."""
    boxes = [each["box"] for each in elements] + [list(frame) for frame in frames]
    margins = [chance.randint(4, 120) for _ in range(4)]
    left = max(0, min(box[0] for box in boxes) - margins[0])
    top = max(0, min(box[1] for box in boxes) - margins[1])
    right = min(pixels.shape[1], max(box[2] for box in boxes) + margins[2])
    bottom = min(pixels.shape[0], max(box[3] for box in boxes) + margins[3])
    moved = [
        {**each, "box": [each["box"][0] - left, each["box"][1] - top, each["box"][2] - left, each["box"][3] - top]}
        for each in elements
    ]
    return np.ascontiguousarray(pixels[top:bottom, left:right]), moved


def _act(backend: Any, raw: list[Element], chance: random.Random) -> None:
    targets = [
        each for each in raw if each["role"] in CLICKED and not any(word in each["text"].lower() for word in LEAVES)
    ]
    preferred = [each for each in targets if each["role"] in ("menu item", "tab", "combo box")]
    if not targets or chance.random() < 0.15:
        for down in (True, False):
            backend.key("Escape", down=down)
        return
    left, top, right, bottom = chance.choice(preferred if preferred and chance.random() < 0.6 else targets)["box"]
    backend.move(Point(int(left + right) // 2, int(top + bottom) // 2))
    for down in (True, False):
        backend.button(MouseButton.LEFT, down=down)
        time.sleep(0.05)


def _read(
    provider: AtspiStateProvider,
    windows: list[Window],
    menus: list[Box],
    pixels: NDArray[np.uint8],
    size: tuple[int, int],
    application: Application,
) -> list[Element]:
    """Every element of every window, less what lies under another window or an open menu."""
    found: list[Element] = []
    screen, gtk = Box(0, 0, *size), application.toolkit == "gtk"
    for place, window in enumerate(reversed(windows)):  # the lowest first, as `windows` has the topmost first
        above = [each.frame for each in list(reversed(windows))[place + 1 :]]
        room = window.frame.intersect(screen)
        if room is None:
            continue
        start = len(found)
        numbers: dict[int | None, int] = {}
        rows: dict[tuple[int | None, int, int], list[Element]] = {}
        with contextlib.suppress(HandeyeError):
            for element in provider.detect(window).targets:
                popped_up = any(
                    _inside(element.bbox, menu) for menu in menus
                )  # a closed list is told at the screen's corner
                made = _element(element, screen if popped_up else room, numbers, gtk)
                if made and not _hidden(made, above if made["role"] == "menu item" else [*above, *menus]):
                    numbers[element.id] = len(found)
                    found.append(made)
                    if element.element_type in ("cell", "tree item"):
                        rows.setdefault((element.parent, made["box"][1], made["box"][3]), []).append(made)
        found.extend(_rows(rows))
        found.extend(_icons(found[start:], start))
        if window.frame.top < window.box.top and not any(_inside(_title(window), each) for each in above):
            found.extend(title_buttons(window, pixels))
        if gtk:
            found.extend(steppers(found[start:], start))
    return [shown(_marked(each, pixels), pixels) for each in found]


def _element(element: UIElement, screen: Box, numbers: dict[int | None, int], gtk: bool) -> Element | None:
    role = GONE_ROLES.get(element.element_type, element.element_type)
    box = (element.visible_region or element.bbox).intersect(screen)
    if role == "icon" and element.text and element.bbox.height > 40:
        role = "list item"  # of an icon view: the picture and its name
    if role == "image" and max(element.bbox.width, element.bbox.height) < 64:
        role = "icon"
    if (role not in CLASSES and role != "text") or box is None or box.width < 4 or box.height < 4:
        return None
    if role == "window" and element.parent is None and box.width > 0.97 * screen.width:
        return None
    if element.element_type == "menu" and box.height > MENU_TITLE:
        return None  # the open menu itself, not its title
    if role == "checkbox" and min(box.width, box.height) >= TOGGLE and box.width < 1.5 * box.height:
        role = "button"  # of a tool bar, that stays down
    if (
        role == "tab" and gtk and element.text and box.height < BARE_TAB
    ):  # GTK 3 tells the words without the tab around them
        around = Box(box.left - TAB_AROUND, box.top - TAB_ABOVE, box.right + TAB_AROUND, box.bottom + TAB_ABOVE)
        box = around.intersect(screen) or box
    area = max(1, element.bbox.width * element.bbox.height)
    return {
        "role": role,
        "box": list(box),
        "visible": min(1.0, box.width * box.height / area),
        "covered": False,
        "state": "disabled" if element.enabled is False else "",
        "text": element.text,
        "name": "",
        "parent": numbers.get(element.parent),
        "interactive": role not in ("text", "icon", "image", "window") and element.enabled is not False,
        "pointer": False,
        "tight": role == "icon",
        "stepped": element.element_type == "spinner",
    }


def _hidden(element: Element, above: list[Box]) -> bool:
    left, top, right, bottom = element["box"]
    middle = Box(int(left + right) // 2, int(top + bottom) // 2, int(left + right) // 2 + 1, int(top + bottom) // 2 + 1)
    return any(_inside(middle, box) for box in above)


def _inside(inner: Box, outer: Box) -> bool:
    return (
        outer.left <= inner.left
        and outer.top <= inner.top
        and inner.right <= outer.right
        and inner.bottom <= outer.bottom
    )


def _icons(elements: list[Element], start: int) -> Iterator[Element]:
    """Yield the icons drawn in small square buttons: applications report the button, not its picture."""
    for number, each in enumerate(elements, start):
        left, top, right, bottom = each["box"]
        wide, high = right - left, bottom - top
        fits = 0 < len(each["text"]) * 5.5 < wide  # then the name may be what stands on it
        if each["role"] == "button" and max(wide, high) <= 56 and 0.6 < wide / high < 1.6 and not fits:
            box = [left + wide * 0.12, top + high * 0.12, right - wide * 0.12, bottom - high * 0.12]
            yield {**each, "role": "icon", "box": box, "parent": number, "interactive": False, "tight": True}


def steppers(elements: list[Element], start: int) -> Iterator[Element]:
    """GTK's minus and plus at the right end of a number's field, which no tree tells."""
    for number, each in enumerate(elements, start):
        if not each.get("stepped"):
            continue
        left, top, right, bottom = each["box"]
        side = 0.9 * (bottom - top)
        if right - left > SPINNER * (bottom - top):
            for first in (right - 2 * side, right - side):
                yield {
                    **each,
                    "role": "button",
                    "box": [first, top, first + side, bottom],
                    "text": "",
                    "parent": number,
                }


def _rows(rows: dict[tuple[int | None, int, int], list[Element]]) -> Iterator[Element]:
    """The rows of lists and trees, told as cells; rows of wide tables are none that one would click as a whole."""
    for (_, top, bottom), cells in rows.items():
        for cell in cells[1:] if len(cells) > MOST_CELLS else ():
            if cell["role"] == "list item":  # of a tree with columns
                cell.update(role="text", interactive=False)
        if len(cells) <= MOST_CELLS and bottom - top < 60:
            left, right = min(cell["box"][0] for cell in cells), max(cell["box"][2] for cell in cells)
            text = " ".join(cell["text"] for cell in cells if cell["text"])
            yield {
                **cells[0],
                "role": "list item",
                "box": [left, top, right, bottom],
                "text": text,
                "interactive": True,
            }
            for cell in cells:
                if cell["role"] == "list item":
                    cell["visible"] = 0.0  # it is told with its row
                if not cell["text"] and 8 <= cell["box"][2] - cell["box"][0] <= 40:
                    cell.update(role="icon", tight=True, interactive=False)


def _title(window: Window) -> Box:
    return Box(window.frame.left, window.frame.top, window.frame.right, window.box.top)


def title_buttons(window: Window, pixels: NDArray[np.uint8]) -> Iterator[Element]:
    """The window manager's minimize, maximize and close buttons: three blobs at the right end of the title."""
    bar = _title(window)
    left = max(0, bar.right - 78)
    whole = pixels[max(0, bar.top) + 3 : bar.bottom - 3, max(0, bar.left) : min(pixels.shape[1], bar.right) - 4]
    if whole.shape[0] < 8 or whole.shape[1] < 160:
        return
    strip = whole[:, left - max(0, bar.left) :].astype(np.int16)
    ground = np.median(whole[:, 40:-80], axis=1, keepdims=True)
    ink = (np.abs(strip - ground).max(axis=2) > TITLE_INK).astype(np.uint8)
    for gap in (1, 3, 5):  # buttons with an outline stand close together, bare signs have gaps of their own
        drawn = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
        _, _, blobs, _ = cv2.connectedComponentsWithStats(drawn)
        boxes = sorted(tuple(blob[:4]) for blob in blobs[1:] if 6 <= blob[2] <= 20 and 6 <= blob[3] <= 20)[-3:]
        if len(boxes) == 3 and max(box[2] for box in boxes) - min(box[2] for box in boxes) <= 4:
            break
    else:
        return
    for x, y, wide, high in boxes:
        box = [left + x, max(0, bar.top) + 3 + y, left + x + wide, max(0, bar.top) + 3 + y + high]
        yield {
            "role": "button", "box": [int(edge) for edge in box], "visible": 1.0, "covered": False, "state": "", "text": "",
            "name": "", "parent": None, "interactive": True, "pointer": True, "tight": False,
        }  # fmt: skip


def shown(element: Element, pixels: NDArray[np.uint8]) -> Element:
    """As it is; what is told but not drawn, as GTK's scroll bars that come up under the pointer, without any visible part."""
    if element["role"] != "scroll bar":
        return element
    left, top, right, bottom = (max(0, round(edge)) for edge in element["box"])
    crop = pixels[top:bottom, left:right].astype(np.int16)
    if crop.size == 0:
        return element
    along = crop[:, crop.shape[1] // 2] if bottom - top > right - left else crop[crop.shape[0] // 2]
    ends = pixels[max(0, top - 3) : bottom + 3, max(0, left - 3) : right + 3].astype(np.int16)
    ground = (
        np.median(ends.reshape(-1, 3), axis=0) if min(crop.shape[:2]) <= THIN else np.median(ends[[0, -1]], axis=(0, 1))
    )
    differs = np.abs(along - ground).max(axis=1) > THUMB_INK
    runs = np.diff(np.flatnonzero(np.diff(np.concatenate([[0], differs, [0]]))))[::2]
    return element if len(runs) and runs.max() >= THUMB else {**element, "visible": 0.0}


def _marked(element: Element, pixels: NDArray[np.uint8]) -> Element:
    """A checkbox's or radio's own square instead of the row with its label: the first blob from the left."""
    if element["role"] not in ("checkbox", "radio"):
        return element
    left, top, right, bottom = (int(edge) for edge in element["box"])
    crop = pixels[top:bottom, left : min(right, left + 40)].astype(np.int16)
    if crop.size == 0 or right - left < 1.5 * (bottom - top):
        return element
    drawn = (np.abs(crop - np.median(crop, axis=(0, 1))).max(axis=2) > 18).any(axis=0)
    columns = np.flatnonzero(drawn)
    if not len(columns):
        return element
    gaps = np.flatnonzero(np.diff(columns) > 2)
    first, last = columns[0], columns[gaps[0]] if len(gaps) else columns[-1]
    if not 8 <= last - first + 1 <= 28:
        return {**element, "visible": 0.0}  # not found: better no truth than a wrong one
    rows = np.flatnonzero(
        (np.abs(crop[:, first : last + 1] - np.median(crop, axis=(0, 1))).max(axis=2) > 18).any(axis=1)
    )
    return {**element, "box": [left + first, top + rows[0], left + last + 1, top + rows[-1] + 1]}

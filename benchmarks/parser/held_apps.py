"""Desktop applications that training never saw, on a private desktop, and a person's words for their parts. Linux only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image

from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.geometry import Box
from handeye.perceive.atspi import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from parser.questions import Question, Scene

SETTLED_S: Final = 3.0  # LibreOffice paints its tool bars that long after its window came
BED: Final = Path(__file__).parents[2] / "tests" / "desktop" / "beds" / "qt_bed.py"
TEXT: Final = "Shopping list\nmilk, bread, four apples\n"
NUMBERS: Final = "Month,Sales,Returns\nJanuary,1200,14\nFebruary,980,9\nMarch,1410,22\n"

Part = Callable[[Sequence[UIElement]], UIElement]


def part(role: str, name: str, number: int = 0) -> Part:
    """The one of that role with that name, or description where the tree gives no name; the `number`-th of several."""

    def chosen(elements: Sequence[UIElement]) -> UIElement:
        found = [each for each in elements if each.element_type == role and name in (each.text, each.description)]
        return found[number]

    return chosen


def within(name: str) -> Part:
    """The place that the tree describes so: LibreOffice's side bar names its buttons by the pane around each."""
    return lambda elements: next(each for each in elements if each.description.startswith(name))


@dataclass(frozen=True)
class Application:
    name: str
    command: tuple[str, ...]
    title: str
    asked: tuple[tuple[str, Part], ...]
    absent: tuple[str, ...] = ()


APPLICATIONS: Final = (
    Application(
        "calc",
        ("localc", "--norestore", "--nologo", "--calc"),
        "LibreOffice",
        (
            ("the scissors", part("button", "Cut")),
            ("the printer icon", part("button", "Print")),
            ("the copy icon", part("button", "Copy")),
            ("the undo arrow", part("button", "Undo")),
            ("the redo arrow", part("button", "Redo")),
            ("the funnel", part("button", "AutoFilter")),
            ("the bar chart icon", part("button", "Chart")),
            ("the picture icon", part("button", "Image")),
            ("the speech bubble", part("button", "Comment")),
            ("the globe", part("button", "Hyperlink")),
            ("the compass", within("Navigator (")),
            ("the bold icon", part("button", "Bold")),
            ("the File menu", part("menu", "File")),
            ("粗体图标", part("button", "Bold")),
            ("剪刀", part("button", "Cut")),
            ("打印机图标", part("button", "Print")),
            ("漏斗图标", part("button", "AutoFilter")),
            ("撤销箭头", part("button", "Undo")),
        ),
        ("the shopping cart", "麦克风图标"),
    ),
    Application(
        "import",
        ("localc", "--norestore", "--nologo", "{numbers}"),
        "Text Import",
        (
            ("the OK button", part("button", "OK")),
            ("the Cancel button", part("button", "Cancel")),
            ("the checkbox Semicolon", part("checkbox", "Semicolon")),
            ("the radio button Fixed width", part("radio", "Fixed width")),
            ("the checkbox left of Merge delimiters", part("checkbox", "Merge delimiters")),
            ("勾选框 Evaluate formulas", part("checkbox", "Evaluate formulas")),
            ("the field next to From row", part("spinner", "From row:")),
        ),
        ("the trash can",),
    ),
    Application(
        "featherpad",
        ("featherpad", "{text}"),
        "listed.txt",
        (
            ("the magnifying glass", part("button", "Find")),
            ("the folder icon", part("button", "Open")),
            ("the refresh icon in the toolbar", part("button", "Reload")),
            ("the Options menu", part("menu item", "Options")),
            ("the bookmark icon", part("button", "Save/Restore Session")),
            ("放大镜", part("button", "Find")),
            ("文件夹图标", part("button", "Open")),
            ("搜索框", part("combo box", "")),
        ),
        ("the heart icon",),
    ),
    Application(
        "mousepad",
        ("mousepad", "{text}"),
        "Mousepad",
        (
            ("the Search menu", part("menu", "Search")),
            ("the Help menu", part("menu", "Help")),
            ("the text area", lambda elements: next(each for each in elements if each.element_type == "input")),
        ),
        ("the gear",),
    ),
    Application(
        "qt_bed",
        (sys.executable, str(BED)),
        "Handeye",
        (
            ("the red heart", part("group", "Sketch")),
            ("the checkbox Remember me", part("checkbox", "Remember me")),
            ("the radio button left of High", part("radio", "High")),
            ("the dropdown right of Colour", part("combo box", "Red")),
            ("the slider", part("slider", "Volume")),
            ("the password field", part("input", "Password")),
            ("the Table tab", part("tab", "Table")),
            ("保存按钮", part("button", "保存")),
            ("Send reports 左边的复选框", part("checkbox", "Send reports")),
            ("the input next to Copies", part("spinner", "0")),
        ),
        ("the bell icon",),
    ),
)


def render(folder: Path) -> Iterator[Scene]:
    """
    Every application's window, into `folder`/pages.

    One that is not installed is left out, and said so on the standard error stream.
    """
    pictures = folder / "pages"
    pictures.mkdir(parents=True, exist_ok=True)
    for application in APPLICATIONS:
        with PrivateDesktop() as desktop:
            files = {"text": desktop.home / "listed.txt", "numbers": desktop.home / "numbers.csv"}
            files["text"].write_text(TEXT)
            files["numbers"].write_text(NUMBERS)
            command = [word.format(**files) for word in application.command]
            try:
                desktop.launch(*command, wait_for_title=application.title)
            except DeviceError as error:
                print(f"left out {application.name}: {error}", file=sys.stderr)
                continue
            time.sleep(SETTLED_S)
            yield _scene(desktop, application, pictures)


def _scene(desktop: PrivateDesktop, application: Application, pictures: Path) -> Scene:
    (window,) = (each for each in desktop.backend.windows() if application.title in each.title)
    picture = pictures / f"{application.name}.png"
    Image.fromarray(desktop.backend.grab_window(window)).save(picture)
    with AtspiStateProvider(environment=desktop.environment) as tree:
        elements = [each for each in tree.detect(window).targets if each.bbox.area > 0]
    asked = [Question(words, (_on(window.box, which(elements).bbox),)) for words, which in application.asked]
    absent = [Question(words, ()) for words in application.absent]
    scene = Scene(application.name, picture, application.name, "en", tuple(asked + absent))
    scene.save()
    return scene


def _on(window: Box, box: Box) -> Box:
    """A box of the desktop in pixels of the window's picture."""
    return Box(box.left - window.left, box.top - window.top, box.right - window.left, box.bottom - window.top)

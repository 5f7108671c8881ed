"""Drawn screens of what component libraries seldom show: keypads, opposites, nested labels, buttons that look alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

import handeye
from corpus.truth import Scene, Thing
from handeye.geometry import Box

LIBRARY: Final = "drawn"
SIZE: Final = (720, 560)  # points
FONT: Final = Path(handeye.__file__).parent / "fonts" / "handeye-sans-sc.otf"
TEXT_PT, BUTTON_PT, PAD_PT = 18, 36, 18  # heights of letters and buttons, and padding on either side of a label


@dataclass(frozen=True)
class Look:
    """Colours and size; without `face` a button is an outline."""

    name: str
    scale: float
    ground: str
    ink: str
    face: str | None
    label: str
    dark: bool = False


LOOKS: Final = (
    Look("light", 1, "#ffffff", "#222222", "#1677ff", "#ffffff"),
    Look("dark", 1.5, "#141414", "#e0e0e0", "#d32f2f", "#ffffff", dark=True),
    Look("outline", 2, "#fafafa", "#222222", None, "#333333"),
)


@dataclass
class Sheet:
    """Drawing in progress, in points from the top left; after `row`, things count as one row of a table."""

    look: Look
    things: list[Thing] = field(default_factory=list)
    rows: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        scale = self.look.scale
        self.image = Image.new("RGB", (round(SIZE[0] * scale), round(SIZE[1] * scale)), self.look.ground)
        self.pen = ImageDraw.Draw(self.image)
        self.font = ImageFont.truetype(FONT, round(TEXT_PT * scale))

    def text(self, x: int, y: int, text: str) -> None:
        drawn = self._write((x * self.look.scale, (y + BUTTON_PT / 2) * self.look.scale), text, "lm", self.look.ink)
        self._add("text", text, drawn, drawn)

    def button(self, x: int, y: int, text: str, width: int = 0, height: int = BUTTON_PT) -> int:
        """Draw a button as wide as its label needs, or `width`; return the x at which it ends."""
        scale = self.look.scale
        width = width or round(self.font.getlength(text) / scale) + 2 * PAD_PT
        box = Box(*(round(edge * scale) for edge in (x, y, x + width, y + height)))
        line = None if self.look.face else self.look.label
        self.pen.rounded_rectangle((*box[:2], box.right - 1, box.bottom - 1), 4 * scale, self.look.face, line)
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        self._add("button", text, box, self._write(middle, text, "mm", self.look.label))
        return x + width

    def input(self, x: int, y: int, width: int) -> None:
        box = Box(*(round(edge * self.look.scale) for edge in (x, y, x + width, y + BUTTON_PT)))
        self.pen.rectangle((*box[:2], box.right - 1, box.bottom - 1), None, "#888888")
        self._add("input", "", box, None)

    def row(self, y: int) -> None:
        """Start a row: from here on, everything in this line belongs to it."""
        self.rows.append(Box(0, round(y * self.look.scale), self.image.width, round((y + BUTTON_PT) * self.look.scale)))

    def _write(self, at: tuple[float, float], text: str, anchor: str, ink: str) -> Box:
        self.pen.text(at, text, ink, self.font, anchor)
        left, top, right, bottom = self.pen.textbbox(at, text, self.font, anchor)
        return Box(int(left), int(top), int(right) + 1, int(bottom) + 1)

    def _add(self, role: str, text: str, box: Box, label: Box | None) -> None:
        self.things.append(Thing(len(self.things), role, text, box, label))


def _keypad(side: int, height: int, gap: int) -> Callable[[Sheet], None]:
    def draw(sheet: Sheet) -> None:
        for number, key in enumerate("123456789*0#"):
            column, row = number % 3, number // 3
            sheet.button(40 + column * (side + gap), 30 + row * (height + gap), key, side, height)

    return draw


def _pager(sheet: Sheet) -> None:
    sheet.text(40, 20, "Page 1/12")
    for line, numbers in enumerate((("1", "2", "3", "12"), ("7", "8", "9", "21"))):
        for place, number in enumerate(numbers):
            sheet.button(40 + place * 48, 90 + line * 90, number, 40)
    sheet.button(40, 280, "Previous")
    sheet.button(200, 280, "Next")


def _labels(buttons: Sequence[str], texts: Sequence[str] = ()) -> Callable[[Sheet], None]:
    """Draw buttons in two columns, texts below."""

    def draw(sheet: Sheet) -> None:
        for number, label in enumerate(buttons):
            sheet.button(30 + 340 * (number % 2), 24 + 60 * (number // 2), label)
        top = 24 + 60 * ((len(buttons) + 1) // 2)
        for number, text in enumerate(texts):
            sheet.text(30, top + 46 * number, text)

    return draw


def _rows(names: Sequence[str], actions: Sequence[str]) -> Callable[[Sheet], None]:
    """Draw a table whose rows each hold a name, a field and the same buttons."""

    def draw(sheet: Sheet) -> None:
        for number, name in enumerate(names):
            top = 30 + number * 70
            sheet.row(top)
            sheet.text(30, top, name)
            sheet.input(200, top, 180)
            left = 410
            for action in actions:
                left = sheet.button(left, top, action) + 24

    return draw


# Page: its language, and what draws it. The labels of "alike-1" and "alike-2" differ from each other as little as labels can.
PAGES: Final[dict[str, tuple[str, Callable[[Sheet], None]]]] = {
    "keys-wide": ("en", _keypad(120, 90, 12)),
    "keys-narrow": ("en", _keypad(60, 44, 8)),
    "pager": ("en", _pager),
    "opposites-en": (
        "en",
        _labels(
            ("Don't save", "Do not agree", "Don't allow", "Save as", "Delete account", "Never: Allow", 'Delete "Save"'),
            ("No results found for Save", "You cannot undo: Delete", "Save: failed", "Error: Save", "Room 11", "user1"),
        ),
    ),
    "opposites-zh": (
        "zh",
        _labels(
            ("不, 同意", "不保存", "删除“张三”", "删除账号", "上一步", "下一步", "不允许"),
            ("没有找到“保存”", "操作无法撤销: 删除", "保存失败, 请重试"),
        ),
    ),
    "alike-1": ("zh", _labels(("末尾", "已读", "Item 10", "Lot B", "Follow", "Enable", "Save", "3", "6"))),
    "alike-2": ("zh", _labels(("未尾", "己读", "Item 19", "Lot 8", "Fellow", "Enables", "Saved", "8", "5"))),
    "rows-en": ("en", _rows(("Alice", "Bob", "Carol", "Dave", "Erin"), ("Edit", "Option"))),
    "rows-zh": ("zh", _rows(("张三", "李四", "王小明", "陈静"), ("编辑", "视频"))),
}


def render(folder: Path) -> Iterator[Scene]:
    """Draw every page in every look into `folder`/screens."""
    for page in PAGES:
        for look in LOOKS:
            yield render_page(page, look, folder / "screens")


def render_page(page: str, look: Look, screens: Path) -> Scene:
    """Draw one of PAGES in one of LOOKS into `screens`."""
    screens.mkdir(parents=True, exist_ok=True)
    language, draw = PAGES[page]
    sheet = Sheet(look)
    draw(sheet)
    name = f"{LIBRARY}-{page}-{look.name}"
    picture = screens / f"{name}.png"
    sheet.image.save(picture)
    things, rows = tuple(sheet.things), tuple(sheet.rows)
    scene = Scene(
        name, picture, LIBRARY, f"{LIBRARY}-{page}", look.name, language, look.dark, look.scale, False, things, rows
    )
    scene.save()
    return scene

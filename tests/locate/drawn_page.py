"""A page of controls drawn with the phone's font, which reads itself: what stands on it is known without a text reader."""

from __future__ import annotations

from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from handeye import typeface
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine

FONT = typeface.FONT_DIR / typeface.FONT_FILES[0]
Colour = tuple[int, int, int]


class DrawnPage:
    """Light or dark; `read` answers with the lines that were written on it."""

    name = "drawn"

    def __init__(self, width: int = 1080, height: int = 1200, *, dark: bool = False) -> None:
        self.paper: Colour = (18, 18, 18) if dark else (250, 250, 250)
        self.ink: Colour = (235, 235, 235) if dark else (20, 20, 20)
        self.faint: Colour = (34, 34, 34) if dark else (240, 240, 240)
        self.image = Image.new("RGB", (width, height), self.paper)
        self.pen = ImageDraw.Draw(self.image)
        self.lines: list[TextLine] = []

    def write(self, x: int, y: int, text: str, size: int = 40, ink: Colour | None = None) -> Box:
        """Text whose ink begins at (x, y)."""
        font = ImageFont.truetype(FONT, size)
        left, top, _right, _bottom = self.pen.textbbox((0, 0), text, font=font)
        at = (x - left, y - top)
        self.pen.text(at, text, font=font, fill=ink or self.ink)
        left, top, right, bottom = self.pen.textbbox(at, text, font=font)
        box = Box(int(left), int(top), int(right) + 1, int(bottom) + 1)
        self.lines.append(TextLine(text, box, 0.99))
        return box

    def control(
        self,
        box: Box,
        text: str = "",
        *,
        fill: Colour | None = None,
        outline: Colour | None = None,
        radius: int = 8,
        align: Literal["left", "middle"] = "middle",
        ink: Colour | None = None,
        size: int = 40,
    ) -> Box:
        """A rounded rectangle with text in it; returns the text's box."""
        left, top, right, bottom = box
        shape = (left, top, right - 1, bottom - 1)
        self.pen.rounded_rectangle(shape, radius, fill=fill or self.paper, outline=outline, width=2)
        if not text:
            return box
        bounds = self.pen.textbbox((0, 0), text, font=ImageFont.truetype(FONT, size))
        width, height = int(bounds[2] - bounds[0]), int(bounds[3] - bounds[1])
        x = left + 24 if align == "left" else box.center.x - width // 2
        return self.write(x, box.center.y - height // 2, text, size, ink)

    @property
    def screen(self) -> Screen:
        return Screen.from_image(self.image)

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return tuple(self.lines)

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return tuple(line for line in self.lines if box.contains(line.box.center))

"""Pages of text drawn with the phone's own font, with the truth about what stands where."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import handeye
from handeye.geometry import Box
from handeye.screen import Screen

FONT = Path(handeye.__file__).parent / "fonts" / "handeye-sans-sc.otf"


class Page:
    """A page that text is written on; `truth` holds each text with its ink's box."""

    def __init__(self, width: int = 1080, height: int = 900, *, dark: bool = False) -> None:
        self.paper, self.ink = ((18, 18, 18), (235, 235, 235)) if dark else ((246, 246, 246), (25, 25, 25))
        self.image = Image.new("RGB", (width, height), self.paper)
        self.pen = ImageDraw.Draw(self.image)
        self.truth: list[tuple[str, Box]] = []

    def write(self, x: int, y: int, text: str, size: int = 42, ink: tuple[int, int, int] | None = None) -> Box:
        font = self.font(size)
        self.pen.text((x, y), text, font=font, fill=ink or self.ink)
        left, top, right, bottom = self.pen.textbbox((x, y), text, font=font)
        box = Box(int(left), int(top), int(right) + 1, int(bottom) + 1)
        self.truth.append((text, box))
        return box

    @staticmethod
    def font(size: int) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(FONT, size)

    def wipe(self, box: Box) -> None:
        self.pen.rectangle((box.left, box.top, box.right, box.bottom), fill=self.paper)

    @property
    def screen(self) -> Screen:
        return Screen.from_image(self.image)

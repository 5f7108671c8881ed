"""Drawn screens with a dialog over a page, and a reader that knows the drawn texts without OCR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine


@dataclass
class Known:
    """Reads what it was told; `reads` counts how often anything was read."""

    lines: tuple[TextLine, ...] = ()
    reads: int = 0
    name: str = field(default="known", init=False)

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        self.reads += 1
        return self.lines

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        self.reads += 1
        return tuple(line for line in self.lines if box.contains(line.box.center))


@dataclass(frozen=True)
class Look:
    """A screen's size, its theme, and what is left of the page's brightness under a scrim."""

    width: int = 1080
    height: int = 2400
    dark: bool = False
    left: float = 0.5

    @property
    def page(self) -> tuple[int, int, int]:
        return (18, 18, 18) if self.dark else (255, 255, 255)

    @property
    def ink(self) -> tuple[int, int, int]:
        return (235, 235, 235) if self.dark else (20, 20, 20)

    @property
    def card(self) -> tuple[int, int, int]:
        return (48, 48, 50) if self.dark else (255, 255, 255)

    @property
    def unit(self) -> float:
        """Pixels of a dp, with 360 to the shorter side."""
        return min(self.width, self.height) / 360


LIGHT = Look()
LOOKS = (LIGHT, Look(dark=True), Look(720, 1440, left=0.68), Look(1440, 3200, left=0.32), Look(2400, 1080))


def page(look: Look) -> Image.Image:
    """A list with a title, left aligned as lists are."""
    image = Image.new("RGB", (look.width, look.height), look.page)
    pen, unit = ImageDraw.Draw(image), look.unit
    pen.rectangle((16 * unit, 40 * unit, 120 * unit, 56 * unit), fill=look.ink)
    for top in range(96, int(look.height / unit) - 60, 64):
        pen.rectangle((16 * unit, top * unit, 56 * unit, (top + 40) * unit), fill=(70, 140, 90))
        pen.rectangle((72 * unit, (top + 4) * unit, 180 * unit, (top + 14) * unit), fill=look.ink)
        pen.rectangle((72 * unit, (top + 24) * unit, 240 * unit, (top + 32) * unit), fill=(128, 128, 128))
    return image


def dimmed(look: Look) -> Image.Image:
    return page(look).point(lambda value: round(value * look.left))


def written(pen: ImageDraw.ImageDraw, look: Look, text: str, x: float, y: float) -> TextLine:
    """Something as large as the text around (x, y), and the line that a reader would see."""
    size = 16 * look.unit
    half = sum(1 if ord(sign) > 0x2E80 else 0.55 for sign in text) * size / 2
    box = Box(round(x - half), round(y - size / 2), round(x + half), round(y + size / 2))
    for at in range(box.left, box.right, max(4, round(size / 2))):
        pen.rectangle((at, box.top, at + size / 5, box.bottom), fill=look.ink)
    return TextLine(text, box, 0.99)


def dialog(
    message: Sequence[str], buttons: Sequence[str], look: Look = LIGHT, *, stacked: bool = False
) -> tuple[Screen, Known]:
    """A centred card over a dimmed page: lines of text, and buttons in one row or above each other."""
    image, unit = dimmed(look), look.unit
    pen, lines = ImageDraw.Draw(image), []
    rows = len(message) + (len(buttons) if stacked else 1)
    high, wide = (rows * 40 + 32) * unit, 296 * unit
    left, top = (look.width - wide) / 2, (look.height - high) / 2
    pen.rounded_rectangle((left, top, left + wide, top + high), 16 * unit, fill=look.card)
    for at, text in enumerate(message):
        lines.append(written(pen, look, text, look.width / 2, top + (36 + 40 * at) * unit))
    below = top + (36 + 40 * len(message)) * unit
    for at, text in enumerate(buttons):
        x = look.width / 2 if stacked else left + wide * (at + 0.5) / len(buttons)
        lines.append(written(pen, look, text, x, below + (40 * at * unit if stacked else 0)))
    return Screen.from_image(image), Known(tuple(lines))


def sheet(texts: Sequence[str], look: Look = LIGHT) -> tuple[Screen, Known]:
    """A sheet from the bottom edge up, its texts below each other."""
    image, unit = dimmed(look), look.unit
    pen = ImageDraw.Draw(image)
    top = look.height - (len(texts) * 52 + 30) * unit
    pen.rounded_rectangle((0, top, look.width, look.height + 40 * unit), 16 * unit, fill=look.card)
    lines = [written(pen, look, text, look.width / 2, top + (34 + 52 * at) * unit) for at, text in enumerate(texts)]
    return Screen.from_image(image), Known(tuple(lines))


def centred(texts: Sequence[str], look: Look = LIGHT) -> tuple[Screen, Known]:
    """An otherwise empty page with a few centred texts."""
    image, unit = Image.new("RGB", (look.width, look.height), look.page), look.unit
    pen = ImageDraw.Draw(image)
    lines = [
        written(pen, look, text, look.width / 2, look.height / 2 + 40 * at * unit) for at, text in enumerate(texts)
    ]
    return Screen.from_image(image), Known(tuple(lines))

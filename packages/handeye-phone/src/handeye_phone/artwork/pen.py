"""A pen on a 100 x 100 grid: shapes are drawn several times too large and reduced, which smooths their edges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageColor, ImageDraw

_SMALL_PX: Final = 96  # below it fine lines need the finer raster, above it the time


def _oversample(px: int) -> int:
    return 4 if px <= _SMALL_PX else 3


Xy = tuple[float, float]
Corners = tuple[float, float, float, float]  # left, top, right, bottom


@lru_cache(maxsize=32)
def _tile_mask(px: int) -> Image.Image:
    side = px * _oversample(px)
    edge = side * 0.03
    mask = Image.new("L", (side, side), 0)
    ImageDraw.Draw(mask).rounded_rectangle((edge, edge, side - edge - 1, side - edge - 1), side * 0.23, fill=255)
    return mask.reduce(_oversample(px))


def ramp(top: str, bottom: str, size: tuple[int, int], mid: str | None = None, mode: str = "RGB") -> Image.Image:
    """A vertical gradient through the given colours. One pixel per colour, stretched: no area is ever coloured."""
    colors = (top, mid, bottom) if mid else (top, bottom)
    column = Image.new(mode, (1, len(colors)))
    for row, color in enumerate(colors):
        column.putpixel((0, row), ImageColor.getcolor(color, mode))
    # From the middle of the first pixel to the middle of the last one, or both ends would be flat.
    tall = column.resize((1, size[1]), Image.Resampling.BILINEAR, (0, 0.5, 1, len(colors) - 0.5))
    return tall.resize(size, Image.Resampling.NEAREST)


class Pen:
    """Strokes have round ends. Without a tile only coverage is drawn (a glyph); with one, colours `#rrggbb`."""

    def __init__(self, px: int) -> None:
        self._px = px
        self._tile = False
        self._scale = _oversample(px)
        self._draw_on(Image.new("L", (px * self._scale, px * self._scale), 0))
        self._k = px * self._scale / 100

    def _draw_on(self, image: Image.Image) -> None:
        self.image = image
        self._draw = ImageDraw.Draw(image)

    def _ink(self, color: str) -> str | int:
        return color if self._tile else 255

    def _s(self, *values: float) -> list[float]:
        return [value * self._k for value in values]

    def disc(self, x: float, y: float, r: float, color: str = "#000") -> None:
        self._draw.ellipse(self._s(x - r, y - r, x + r, y + r), fill=self._ink(color))

    def oval(self, left: float, top: float, right: float, bottom: float, color: str = "#000") -> None:
        self._draw.ellipse(self._s(left, top, right, bottom), fill=self._ink(color))

    def ring(self, x: float, y: float, r: float, stroke: float, color: str = "#000") -> None:
        self._draw.ellipse(
            self._s(x - r, y - r, x + r, y + r), outline=self._ink(color), width=max(1, round(stroke * self._k))
        )

    def arc(self, box: Corners, start: float, end: float, stroke: float, color: str = "#000") -> None:
        self._draw.arc(self._s(*box), start, end, fill=self._ink(color), width=max(1, round(stroke * self._k)))

    def pie(self, box: Corners, start: float, end: float, color: str) -> None:
        self._draw.pieslice(self._s(*box), start, end, fill=self._ink(color))

    def rect(self, left: float, top: float, right: float, bottom: float, r: float, color: str = "#000") -> None:
        self._draw.rounded_rectangle(self._s(left, top, right, bottom), r * self._k, fill=self._ink(color))

    def frame(
        self, left: float, top: float, right: float, bottom: float, r: float, stroke: float, color: str = "#000"
    ) -> None:
        width = max(1, round(stroke * self._k))
        self._draw.rounded_rectangle(
            self._s(left, top, right, bottom), r * self._k, outline=self._ink(color), width=width
        )

    def poly(self, points: Sequence[Xy], color: str = "#000") -> None:
        self._draw.polygon([(x * self._k, y * self._k) for x, y in points], fill=self._ink(color))

    def line(self, points: Sequence[Xy], stroke: float, color: str = "#000") -> None:
        width = max(1, round(stroke * self._k))
        self._draw.line(
            [(x * self._k, y * self._k) for x, y in points], fill=self._ink(color), width=width, joint="curve"
        )
        for x, y in (points[0], points[-1]):
            self.disc(x, y, stroke / 2, color)

    def tile(self, top: str, bottom: str) -> None:
        """The rounded square behind an app icon, with a vertical gradient; it also cuts what leaves it. Comes first."""
        self._tile = True
        self._draw_on(ramp(top, bottom, self.image.size))

    def erase(self, other: Pen) -> None:
        """Erase the other glyph's shapes from this one."""
        self._draw_on(ImageChops.subtract(self.image, other.image))

    def blank(self) -> Pen:
        """Return an empty pen of the same size."""
        return Pen(self._px)

    def finish(self) -> Image.Image:
        """Return the drawing in its final size, RGBA; a glyph is black."""
        shapes = self.image.reduce(self._scale)
        if self._tile:
            shapes.putalpha(_tile_mask(self._px))
            return shapes
        picture = Image.new("RGBA", shapes.size, (0, 0, 0, 0))
        picture.putalpha(shapes)
        return picture

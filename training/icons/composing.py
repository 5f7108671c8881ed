"""
Crops as a screen gives them: an icon is put on a background, in a button, beside others, at its size, and goes through the
product's own `icon_mask`.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.parse.icon_crops import icon_mask

Colour = tuple[int, int, int]
Drawn = npt.NDArray[np.uint8]
Canvas = npt.NDArray[np.float32]

# Sizes of icons on screens, in pixels: 16 to 24 on desktops at 1x, up to 72 on phones at 3x.
_SIZES: Final = (
    *(12, 13, 14, 15, 16, 16, 16, 17, 18, 18, 20, 20, 20, 22, 24, 24, 24, 24, 26, 28),
    *(30, 32, 32, 36, 40, 44, 48, 56, 64, 72),
)
# Colours that interfaces use for backgrounds and for what is pressed; others are drawn at random.
_PAPER: Final[tuple[Colour, ...]] = (
    (255, 255, 255),
    (250, 250, 250),
    (245, 245, 247),
    (240, 242, 245),
    (255, 255, 255),
)
_NIGHT: Final[tuple[Colour, ...]] = ((0, 0, 0), (18, 18, 18), (30, 30, 30), (20, 24, 32), (43, 43, 48))
_ACCENT: Final[tuple[Colour, ...]] = (
    *((22, 119, 255), (64, 158, 255), (25, 118, 210), (7, 193, 96), (245, 63, 63), (250, 173, 20), (103, 80, 164)),
    *((0, 150, 136), (233, 30, 99), (96, 125, 139), (63, 81, 181), (40, 167, 69), (220, 53, 69)),
)

_NOISE_FIELD: Final = np.random.default_rng(0).normal(0, 3, 2**18).astype(np.float32)


class Composer:
    """Makes random crops from a generator: the same seed, the same crops."""

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random

    def crop(self, drawn: Drawn, neighbour: Drawn | None = None) -> npt.NDArray[np.uint8]:
        """
        The mask (64, 64), 0-255, of one icon as it could be on a screen. `drawn` is its alpha (h, w) or its colours (h, w, 4),
        premultiplied by alpha; `neighbour`, an alpha too, may stand beside it.
        """
        size = int(self._random.choice(_SIZES))
        glyph = self._sized(drawn, size)
        margin = 4 + round(0.65 * size)
        ground, ink = self._colours()
        canvas = np.empty((size + 2 * margin, size + 2 * margin, 3), np.float32)
        canvas[:] = ground
        canvas, ground, ink, room = self._container(canvas, size, margin, ground, ink)
        if neighbour is not None and self._chance(0.25):
            self._neighbour(canvas, self._sized(neighbour, size), size, margin, ink)
        self._paint(canvas, glyph, margin, ink)
        if self._chance(0.06):
            self._badge(canvas, size, margin)
        return self._seen(canvas, self._box(size, margin, room))

    def _grain(self, shape: tuple[int, ...]) -> Canvas:
        """Noise of 3 steps; a window of one field, because drawing it anew each time is slow."""
        first = int(self._random.integers(_NOISE_FIELD.size - int(np.prod(shape))))
        return _NOISE_FIELD[first : first + int(np.prod(shape))].reshape(shape)

    def _chance(self, share: float) -> bool:
        return bool(self._random.random() < share)

    def _sized(self, drawn: Drawn, size: int) -> Canvas:
        """The drawing at its native size, its pixels' phase at random; (size, size) or (size, size, 4), 0-1."""
        side = drawn.shape[0]
        grown = side * float(self._random.uniform(0.98, 1.12))
        shift = self._random.uniform(0, max(0.0, grown - side) + 2.0, 2) - 1.0
        stretch = float(self._random.uniform(0.95, 1.05)) if self._chance(0.3) else 1.0
        scale = size / grown
        # Averaging before the pixels are thinned out is what anti-aliasing does.
        blurred = cv2.blur(drawn, (k, k)) if (k := round(1 / scale)) > 1 else drawn
        move = np.array([[scale * stretch, 0, shift[0] * scale], [0, scale, shift[1] * scale]], np.float32)
        way = cv2.INTER_LINEAR
        return np.asarray(cv2.warpAffine(blurred, move, (size, size), flags=way), np.float32) / 255.0

    def _colours(self) -> tuple[Canvas, Canvas]:
        """Background and ink, RGB 0-255: light, dark, accent on either, and anything with some contrast."""
        kind = self._random.random()
        dark = self._chance(0.3)
        ground = np.array(self._one(_NIGHT if dark else _PAPER), np.float32)
        if kind < 0.55:
            gray = self._random.uniform(140, 255) if dark else self._random.uniform(0, 150)
            ink = np.full(3, gray, np.float32) + self._random.uniform(-12, 12, 3).astype(np.float32)
        elif kind < 0.8:
            ink = np.array(self._one(_ACCENT), np.float32)
        else:
            ground = self._random.uniform(0, 255, 3).astype(np.float32)
            ink = self._random.uniform(0, 255, 3).astype(np.float32)
            if np.abs(ink - ground).max() < 60:
                ink = np.where(ground > 127, 0, 255).astype(np.float32)
        if self._chance(0.12):  # disabled: a fainter ink
            ink = ground + (ink - ground) * float(self._random.uniform(0.25, 0.6))
        return ground, np.clip(ink, 0, 255).astype(np.float32)

    def _one(self, colours: tuple[Colour, ...]) -> Colour:
        return colours[int(self._random.integers(len(colours)))]

    def _container(
        self,
        canvas: Canvas,
        size: int,
        margin: int,
        ground: Canvas,
        ink: Canvas,
    ) -> tuple[Canvas, Canvas, Canvas, int | None]:
        """A button or a circle around the icon; also how far it reaches where the crop is to show the whole of it."""
        kind = self._random.random()
        if kind > 0.22:
            return canvas, ground, ink, None
        reach = round(size * float(self._random.uniform(0.1, 0.45))) + 1
        first, last = margin - reach, margin + size + reach - 1
        if kind < 0.16:  # filled, the glyph cut out of it in the ground's colour or white
            fill = np.array(self._one(_ACCENT), np.float32) if self._chance(0.7) else ink
            ink = np.full(3, 255, np.float32) if self._chance(0.7) and fill.min() < 200 else ground
            _rounded(canvas, first, last, fill, self._random.uniform(0.1, 1.0), -1)
            ground = fill
        else:
            _rounded(canvas, first, last, (ground + ink) / 2, self._random.uniform(0.1, 1.0), 1)
        return canvas, ground, ink, reach if self._chance(0.35) else None

    def _neighbour(
        self,
        canvas: Canvas,
        glyph: Canvas,
        size: int,
        margin: int,
        ink: Canvas,
    ) -> None:
        gap = round(size * float(self._random.uniform(0.05, 0.5)))
        along = (size + gap) * (1 if self._chance(0.5) else -1)
        across = self._chance(0.75)
        top, left = (margin, margin + along) if across else (margin + along, margin)
        rows = slice(max(0, top), min(canvas.shape[0], top + size))
        columns = slice(max(0, left), min(canvas.shape[1], left + size))
        part = glyph[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left, None]
        if part.ndim == 3 and part.size:
            canvas[rows, columns] += (ink - canvas[rows, columns]) * part

    def _paint(self, canvas: Canvas, glyph: Canvas, margin: int, ink: Canvas) -> None:
        size = glyph.shape[0]
        place = canvas[margin : margin + size, margin : margin + size]
        if glyph.ndim == 3:
            place += glyph[:, :, :3] * 255.0 - place * glyph[:, :, 3:]
        else:
            place += (ink - place) * glyph[:, :, None]

    def _badge(self, canvas: Canvas, size: int, margin: int) -> None:
        radius = max(2, round(size * float(self._random.uniform(0.1, 0.2))))
        centre = (margin + size - radius // 2, margin + radius // 2)
        cv2.circle(canvas, centre, radius, (245.0, 63.0, 63.0), -1, cv2.LINE_AA)

    def _box(self, size: int, margin: int, room: int | None) -> Box:
        """As a detector would give it: around the glyph or its button, somewhat off."""
        reach = room if room is not None else round(size * float(self._random.choice((0, 0, 0, 0.05, 0.1, 0.2))))
        slack = max(1.0, 0.07 * size)
        off = np.rint(self._random.normal(0, slack / 2, 4)).astype(int)
        edges = (margin - reach, margin - reach, margin + size + reach, margin + size + reach)
        return Box(*(int(edge + move) for edge, move in zip(edges, off, strict=True)))

    def _seen(self, canvas: Canvas, box: Box) -> npt.NDArray[np.uint8]:
        if self._chance(0.1):
            canvas += self._grain(canvas.shape)
        if self._chance(0.08):
            canvas = cv2.blur(canvas, (2, 2))
        pixels = np.clip(canvas, 0, 255).astype(np.uint8)
        if self._chance(0.25):
            quality = int(self._random.integers(45, 95))
            _, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
            pixels = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
        return np.rint(icon_mask(pixels, box) * 255).astype(np.uint8)


def _rounded(
    canvas: Canvas,
    first: int,
    last: int,
    colour: Canvas,
    roundness: float,
    width: int,
) -> None:
    """A square with round corners from `first` to `last` in both directions; `roundness` 1 is a circle, `width` -1 filled."""
    side = last - first
    radius = roundness * side / 2
    axis = np.abs(np.arange(canvas.shape[0], dtype=np.float32) - (first + last) / 2) - (side / 2 - radius)
    beyond = np.hypot(np.maximum(axis[:, None], 0), np.maximum(axis[None, :], 0))
    inside = np.minimum(np.maximum(axis[:, None], axis[None, :]), 0) + beyond - radius
    share = np.clip(0.5 - inside, 0, 1)
    if width > 0:
        share = share - np.clip(0.5 - inside - width, 0, 1)
    canvas += (colour - canvas) * share[:, :, None]

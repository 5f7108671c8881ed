"""Reference pictures of a template search, and their sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from handeye.errors import InvalidImage, InvalidReference
from handeye.geometry import Box, Size
from handeye.matching.pyramid import SCALES
from handeye.picture_files import open_picture
from handeye.screen import Pixels, Screen
from handeye.target import Region

# A smaller side has too few pixels to distinguish elements.
LEAST_SIDE: Final = 8
# Maximum pixels of a reference file: no reference is larger than a 4K screen.
MAX_REFERENCE: Final = 4096 * 4096
# Standard deviation of the gray values, 0-127. A plain colour is 0, JPEG noise 1-2, the faintest icon on a card about 8.
LEAST_CONTRAST: Final = 5.0
# Pixels with a lower alpha are not compared.
_OPAQUE: Final = 128
# A pixel counts as coloured from this distance (CIELAB a, b; 8 bits) to gray on.
COLOURED: Final = 12
# CIELAB a and b, 8 bits, of gray pixels.
GRAY: Final = (128, 128)
# A picture with at least this share of colour is a filled icon: its colours and the visible part of its outline identify it
# even if one side is covered. A line drawing without one side is another drawing.
FILLED_SHARE: Final = 0.25
# Quick colour check: pixels per side of the thumbnail, and tolerance (CIELAB a, b; 8 bits) around the main colour.
GLANCE: Final = 12
GLANCE_DRIFT: Final = 24
# App icons are opaque except for round corners: without a border of at most this share they need no mask, which would
# triple the time of a search.
_CORE_INSET: Final = 0.15
# Icon sets use one colour on a transparent background: the shape is in the alpha channel only, so it is composed on a page
# with a margin. Scaling rounds the colour of half transparent pixels: standard deviations of 1-6 gray values were measured.
_ONE_COLOUR: Final = 10.0
_PAGE_ROOM: Final = 1 / 8
_WHITE: Final = 255
# Background colours of a frame on which a picture is composed: their number, their least share, and the sampling step in
# pixels.
_MOST_PAGES: Final = 3
_LEAST_PAGE: Final = 0.03
_EACH: Final = 8
# A frame has the gray of a picture's border if the share _LEAST_BORDER of it differs by at most _SAME_GRAY.
_SAME_GRAY: Final = 6
_LEAST_BORDER: Final = 0.005
# A picture with a smaller share of colour counts as gray.
_GRAY_SHARE: Final = 0.02


@dataclass(frozen=True, eq=False)
class Reference:
    """
    A picture to search for: `pixels` is (height, width, 3) RGB or (height, width, 4) RGBA, 8 bits.

    Pixels whose alpha is below one half are not compared. `captured` is the size in pixels of the screen it was cut from,
    and `position` its place there: both only determine where to search first. `drawn` is the picture with its alpha
    channel, as `open` reads it; `pixels` may show it on a background. Raises InvalidReference for a picture that is too
    small or too plain.
    """

    name: str
    pixels: Pixels
    path: Path | None = field(default=None)
    captured: Size | None = None
    position: Region | None = None
    drawn: Pixels | None = None

    def __post_init__(self) -> None:
        shape = self.pixels.shape
        if self.pixels.dtype != np.uint8 or len(shape) != 3 or shape[2] not in (3, 4):
            raise InvalidReference(f"{self}: expected RGB or RGBA of 8 bits, not {shape} {self.pixels.dtype}")
        if min(shape[:2]) < LEAST_SIDE:
            raise InvalidReference(
                f"{self} is {shape[1]}x{shape[0]} pixels: take one of at least {LEAST_SIDE}x{LEAST_SIDE}"
            )
        compared = self.gray if self.mask is None else self.gray[self.mask > 0]
        if compared.size < LEAST_SIDE * LEAST_SIDE or float(compared.std()) < LEAST_CONTRAST:
            raise InvalidReference(f"{self} is too plain to be found anywhere for certain: cut one with more in it")

    @classmethod
    def open(cls, path: str | Path, name: str | None = None) -> Reference:
        """Return a reference from an image file. Raises InvalidReference, which names the file."""
        path = Path(path)
        try:
            with open_picture(path, max_pixels=MAX_REFERENCE) as image:
                has_alpha = "A" in image.getbands() or "transparency" in image.info
                pixels = np.array(image.convert("RGBA")) if has_alpha else Screen.from_image(image).pixels
        except InvalidImage as error:
            raise InvalidReference(f"reference image: {error}") from error
        pixels = _trimmed(pixels)
        return cls(name or path.stem, _on_background(pixels), path, drawn=pixels if pixels.shape[2] == 4 else None)

    def on_pages_of(self, screen: Screen) -> Iterator[Reference]:
        """Yield a picture with an alpha channel composed on the most common colours of a frame."""
        if self.drawn is None or min(self.drawn.shape[:2]) < LEAST_SIDE or self.is_larger_than(screen.size):
            return
        red, green, blue = np.moveaxis(screen.pixels[::_EACH, ::_EACH].astype(np.uint32), 2, 0)
        colours, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
        order = np.argsort(-counts)[:_MOST_PAGES]
        for colour in colours[order[counts[order] >= _LEAST_PAGE * counts.sum()]].tolist():
            page = np.array([colour >> 16, colour >> 8 & _WHITE, colour & _WHITE], np.uint8)
            try:
                yield replace(self, pixels=_composed(self.drawn, page), drawn=None)
            except InvalidReference:  # too plain on that background
                continue

    def is_larger_than(self, size: Size) -> bool:
        """Return True if the picture at its original size does not fit on a frame."""
        height, width = self.pixels.shape[:2]
        return bool(height > size.height or width > size.width)

    def inverted(self) -> Reference | None:
        """
        Return a picture without colour with light and dark swapped, as the other theme shows it; None for other pictures.
        """
        if self.mask is not None or self.coloured > _GRAY_SHARE:
            return None
        return replace(self, pixels=_WHITE - self.rgb, drawn=None)

    def turned(self, angle: float) -> Reference | None:
        """
        Return the picture rotated counterclockwise by `angle` degrees, with transparent corners; None if too little
        remains.
        """
        alpha = np.full(self.rgb.shape[:2], _WHITE, np.uint8) if self.mask is None else self.mask
        picture = Image.fromarray(np.dstack([self.rgb, alpha]))
        pixels = np.array(picture.rotate(angle, resample=Image.Resampling.BICUBIC, expand=True))
        try:
            return replace(self, pixels=pixels, drawn=None)
        except InvalidReference:
            return None

    def has_page_of(self, screen: Screen) -> bool:
        """Return True if the gray of the picture's border occurs on the frame."""
        gray = self.gray
        border = int(np.median(np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])))
        frame = screen.gray[::_EACH, ::_EACH].astype(np.int16)
        return float((np.abs(frame - border) <= _SAME_GRAY).mean()) >= _LEAST_BORDER

    @cached_property
    def rgb(self) -> Pixels:
        """Pixels without the alpha channel."""
        return np.ascontiguousarray(self.pixels[:, :, :3])

    @cached_property
    def gray(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2GRAY), np.uint8)

    @cached_property
    def mask(self) -> Pixels | None:
        """255 where the picture counts, 0 elsewhere; None if all of it counts."""
        if self.pixels.shape[2] == 3:
            return None
        mask = np.where(self.pixels[:, :, 3] >= _OPAQUE, 255, 0).astype(np.uint8)
        return None if mask.all() else mask

    @cached_property
    def coloured(self) -> float:
        """Share of the counting pixels that are coloured, 0-1."""
        colour = larger(chroma(self.rgb)) >= COLOURED
        return float(colour.mean() if self.mask is None else colour[self.mask > 0].mean())

    @cached_property
    def main_colour(self) -> tuple[tuple[int, int], float] | None:
        """Colour (a, b of `lab`) of most of a filled picture's thumbnail, and its share; None if there is none."""
        shown = self.rgb if self.mask is None else cv2.bitwise_and(self.rgb, self.rgb, mask=self.mask)
        colours = chroma(np.asarray(cv2.resize(shown, (GLANCE, GLANCE), interpolation=cv2.INTER_AREA), np.uint8))
        coloured = larger(colours) >= COLOURED
        if coloured.mean() < FILLED_SHARE:
            return None
        middle = np.rint(np.median(colours[coloured], axis=0)).astype(np.int16)
        alike = coloured & (larger(colours - middle) <= GLANCE_DRIFT)
        if 2 * alike.sum() < coloured.sum():
            return None
        red, blue = (middle + GRAY).tolist()
        return (red, blue), float(alike.mean())

    @cached_property
    def core(self) -> Box:
        """The largest centred part in which every pixel counts, if it is most of the picture; else the whole picture."""
        height, width = self.gray.shape
        if self.mask is not None:
            for inset in range(1, round(min(height, width) * _CORE_INSET) + 1):
                if self.mask[inset : height - inset, inset : width - inset].all():
                    return Box(inset, inset, width - inset, height - inset)
        return Box(0, 0, width, height)

    def __str__(self) -> str:
        return f"reference image {str(self.path) if self.path else self.name!r}"


class ReferenceSource(Protocol):
    """A source of reference images by name or alias."""

    def find(self, name: str) -> tuple[Reference, ...]:
        """Return the picture and its `_v2`, `_v3` ... variants; empty if none has that name. Raises InvalidReference."""
        ...


def lab(pixels: Pixels) -> Pixels:
    """
    Return RGB pixels in 8-bit CIELAB, shape (height, width, 3): lightness, and a and b, which are `GRAY` without colour.
    """
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2LAB), np.uint8)


def near_colour(colours: Pixels, colour: tuple[int, int], drift: int) -> Pixels:
    """Return 255 where 8-bit CIELAB pixels are within `drift` of this a and b, 0 elsewhere."""
    (red, blue), white = colour, 255
    low, high = (0, red - drift, blue - drift), (white, red + drift, blue + drift)
    return np.asarray(cv2.inRange(colours, low, high), np.uint8)


def chroma(pixels: Pixels) -> npt.NDArray[np.int16]:
    """Return the colour of RGB pixels without lightness: CIELAB a and b, shape (height, width, 2), 0 for gray."""
    return lab(pixels)[:, :, 1:].astype(np.int16) - np.int16(128)


def larger(colours: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """
    Return the larger absolute component of each pixel, shape (height, width): the strength of a colour or of a difference.
    """
    sizes = np.abs(colours)
    return np.maximum(sizes[:, :, 0], sizes[:, :, 1])


def _trimmed(pixels: Pixels) -> Pixels:
    """Return the pixels without fully transparent borders; unchanged if nothing is opaque (`Reference` then raises)."""
    if pixels.shape[2] == 3:
        return pixels
    opaque = pixels[:, :, 3] >= _OPAQUE
    rows, columns = np.flatnonzero(opaque.any(axis=1)), np.flatnonzero(opaque.any(axis=0))
    if not len(rows):
        return pixels
    return np.ascontiguousarray(pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _on_background(pixels: Pixels) -> Pixels:
    """
    Return a one-colour drawing with alpha on a plain background: dark on white, or light on black. Others are unchanged.
    """
    if pixels.shape[2] == 3 or min(pixels.shape[:2]) < LEAST_SIDE:
        return pixels
    alpha = pixels[:, :, 3]
    gray = cv2.cvtColor(np.ascontiguousarray(pixels[:, :, :3]), cv2.COLOR_RGB2GRAY)[alpha >= _OPAQUE]
    if not gray.size or float(gray.std()) >= _ONE_COLOUR or (alpha >= _OPAQUE).all():
        return pixels
    page = 0 if float(gray.mean()) >= _WHITE / 2 else _WHITE
    return _composed(pixels, np.full(3, page, np.uint8))


def _composed(pixels: Pixels, page: Pixels) -> Pixels:
    """Return RGBA pixels composed on a background of one colour, with a margin around them."""
    room = max(1, round(_PAGE_ROOM * min(pixels.shape[:2])))
    padded = np.pad(pixels, ((room, room), (room, room), (0, 0)))
    share = padded[:, :, 3:].astype(np.float32) / _WHITE
    return np.asarray(np.rint(padded[:, :, :3] * share + page * (1 - share)), np.uint8)


# Expected position and scale of a reference, from the size of the screen that it was cut from and its position there.


# Status bars and another density shift an element by this share of the screen's shorter side (a bar of 24 dp on 411 dp).
_DRIFT: Final = 0.06


def expected_scale(reference: Reference, screen: Screen) -> float | None:
    """Return the expected scale of the picture on this screen, relative to its original size, or None if it is unknown."""
    if reference.captured is None or not same_orientation(reference.captured, screen.size):
        return None
    scale = screen.size.width / reference.captured.width
    return scale if SCALES[0] <= scale <= SCALES[1] else None


def expected_window(reference: Reference, screen: Screen) -> Box | None:
    """Return the part of this screen where the picture is expected, with a margin, or None if it is unknown."""
    if reference.position is None or expected_scale(reference, screen) is None:
        return None
    return reference.position.box(screen.size).expand(round(_DRIFT * min(screen.size))).intersect(screen.box)


def same_orientation(one: Size, other: Size) -> bool:
    """Return True if both screens are portrait (square counts as portrait) or both are landscape."""
    return (one.height >= one.width) == (other.height >= other.width)

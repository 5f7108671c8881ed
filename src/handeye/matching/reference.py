"""Reference pictures: what a template search looks for, and where they come from."""

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
from handeye.picture_files import open_picture
from handeye.screen import Pixels, Screen
from handeye.target import Region

# Below this there are not enough pixels to tell one thing from another.
LEAST_SIDE: Final = 8
# Pixels of a reference's file: what is looked for on a screen is not larger than a 4K screen.
MAX_REFERENCE: Final = 4096 * 4096
# Standard deviation of the gray values, 0-127. A plain colour is 0, JPEG noise 1-2, the faintest icon on a card about 8.
LEAST_CONTRAST: Final = 5.0
# Alpha from here on is picture; below it the pixel says nothing about what must be on the screen.
_OPAQUE: Final = 128
# A pixel has a colour from this distance (CIELAB a, b; 8 bits) to gray on.
COLOURED: Final = 12
# CIELAB a and b, 8 bits, of what has no colour.
GRAY: Final = (128, 128)
# A picture with this share of colour is a filled icon: its colours and the seen part of its outline prove it when a side is
# covered. A line drawing without a side is another drawing.
FILLED_SHARE: Final = 0.25
# Pixels a side from which colours are compared at a glance, and how far (CIELAB a, b; 8 bits) they may be from the main one.
GLANCE: Final = 12
GLANCE_DRIFT: Final = 24
# App icons are opaque but for round corners: without a rim of at most this share they need no mask, which costs threefold.
_CORE_INSET: Final = 0.15
# Icon sets draw in one colour on nothing: the shape is in the alpha channel alone, and shows on a page with room around it.
# Scaling rounds the colour of half transparent pixels: standard deviations of 1-6 gray values were seen.
_ONE_COLOUR: Final = 10.0
_PAGE_ROOM: Final = 1 / 8
_WHITE: Final = 255
# Colours of a frame on which a picture is composed: so many, of at least such a share of it, by every so many-th pixel.
_MOST_PAGES: Final = 3
_LEAST_PAGE: Final = 0.03
_EACH: Final = 8
# A frame has the gray of a picture's border, if so much of it is no further from that.
_SAME_GRAY: Final = 6
_LEAST_BORDER: Final = 0.005
# With a smaller share of colour a picture is gray.
_GRAY_SHARE: Final = 0.02


@dataclass(frozen=True, eq=False)
class Reference:
    """
    One picture to look for: `pixels` is (height, width, 3) RGB or (height, width, 4) RGBA, 8 bits.

    Pixels whose alpha is below one half are not compared. `captured` is the size in pixels of the screen it was cut from, and
    `position` its place there: both only say where to look first. `drawn` is the picture with its alpha channel, as `open`
    reads it; `pixels` may show it on a page. Raises InvalidReference for a picture that is too small or
    too plain to be found.
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
        """A reference from an image file. Raises InvalidReference, which names the file."""
        path = Path(path)
        try:
            with open_picture(path, max_pixels=MAX_REFERENCE) as image:
                has_alpha = "A" in image.getbands() or "transparency" in image.info
                pixels = np.array(image.convert("RGBA")) if has_alpha else Screen.from_image(image).pixels
        except InvalidImage as error:
            raise InvalidReference(f"reference image: {error}") from error
        pixels = _trimmed(pixels)
        return cls(name or path.stem, _on_a_page(pixels), path, drawn=pixels if pixels.shape[2] == 4 else None)

    def on_pages_of(self, screen: Screen) -> Iterator[Reference]:
        """Yield a picture with an alpha channel as it looks on the most common colours of a frame."""
        if self.drawn is None or min(self.drawn.shape[:2]) < LEAST_SIDE or self.is_larger_than(screen.size):
            return
        red, green, blue = np.moveaxis(screen.pixels[::_EACH, ::_EACH].astype(np.uint32), 2, 0)
        colours, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
        order = np.argsort(-counts)[:_MOST_PAGES]
        for colour in colours[order[counts[order] >= _LEAST_PAGE * counts.sum()]].tolist():
            page = np.array([colour >> 16, colour >> 8 & _WHITE, colour & _WHITE], np.uint8)
            try:
                yield replace(self, pixels=_composed(self.drawn, page), drawn=None)
            except InvalidReference:  # too plain on that page
                continue

    def is_larger_than(self, size: Size) -> bool:
        """Return True if the picture does not fit on a frame as it was cut."""
        height, width = self.pixels.shape[:2]
        return bool(height > size.height or width > size.width)

    def inverted(self) -> Reference | None:
        """Return a picture without colour as a theme with light and dark exchanged shows it; None for others."""
        if self.mask is not None or self.coloured > _GRAY_SHARE:
            return None
        return replace(self, pixels=_WHITE - self.rgb, drawn=None)

    def turned(self, angle: float) -> Reference | None:
        """Return the picture turned to the left by so many degrees, with nothing in its corners; None if too little is left."""
        alpha = np.full(self.rgb.shape[:2], _WHITE, np.uint8) if self.mask is None else self.mask
        picture = Image.fromarray(np.dstack([self.rgb, alpha]))
        pixels = np.array(picture.rotate(angle, resample=Image.Resampling.BICUBIC, expand=True))
        try:
            return replace(self, pixels=pixels, drawn=None)
        except InvalidReference:
            return None

    def has_page_of(self, screen: Screen) -> bool:
        """Return True if the gray of the picture's border is found on the frame."""
        gray = self.gray
        border = int(np.median(np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])))
        frame = screen.gray[::_EACH, ::_EACH].astype(np.int16)
        return float((np.abs(frame - border) <= _SAME_GRAY).mean()) >= _LEAST_BORDER

    @cached_property
    def rgb(self) -> Pixels:
        """Its colours without the alpha channel."""
        return np.ascontiguousarray(self.pixels[:, :, :3])

    @cached_property
    def gray(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2GRAY), np.uint8)

    @cached_property
    def mask(self) -> Pixels | None:
        """255 where the picture counts, 0 elsewhere; None when all of it counts."""
        if self.pixels.shape[2] == 3:
            return None
        mask = np.where(self.pixels[:, :, 3] >= _OPAQUE, 255, 0).astype(np.uint8)
        return None if mask.all() else mask

    @cached_property
    def coloured(self) -> float:
        """The share of its counting pixels that have a colour, 0-1."""
        colour = larger(chroma(self.rgb)) >= COLOURED
        return float(colour.mean() if self.mask is None else colour[self.mask > 0].mean())

    @cached_property
    def main_colour(self) -> tuple[tuple[int, int], float] | None:
        """The colour (a, b of `lab`) of most of a filled picture from afar, and its share; None when there is no such one."""
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
        """The largest centred part in which every pixel counts, when it is most of the picture; else the whole picture."""
        height, width = self.gray.shape
        if self.mask is not None:
            for inset in range(1, round(min(height, width) * _CORE_INSET) + 1):
                if self.mask[inset : height - inset, inset : width - inset].all():
                    return Box(inset, inset, width - inset, height - inset)
        return Box(0, 0, width, height)

    def __str__(self) -> str:
        return f"reference image {str(self.path) if self.path else self.name!r}"


class ReferenceSource(Protocol):
    """Knows reference images by name or alias."""

    def find(self, name: str) -> tuple[Reference, ...]:
        """The picture and its `_v2`, `_v3` ... variants; empty when nothing has that name. Raises InvalidReference."""
        ...


def lab(pixels: Pixels) -> Pixels:
    """RGB pixels in CIELAB of 8 bits, shape (height, width, 3): lightness, and a and b, which are `GRAY` without colour."""
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2LAB), np.uint8)


def near_colour(colours: Pixels, colour: tuple[int, int], drift: int) -> Pixels:
    """255 where CIELAB pixels of 8 bits are no further than `drift` from these a and b, 0 elsewhere."""
    (red, blue), white = colour, 255
    low, high = (0, red - drift, blue - drift), (white, red + drift, blue + drift)
    return np.asarray(cv2.inRange(colours, low, high), np.uint8)


def chroma(pixels: Pixels) -> npt.NDArray[np.int16]:
    """The colour of RGB pixels without their lightness: CIELAB a and b, shape (height, width, 2), 0 for gray."""
    return lab(pixels)[:, :, 1:].astype(np.int16) - np.int16(128)


def larger(colours: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Of each pixel the component that is further from 0, shape (height, width): how strong a colour or its difference is."""
    sizes = np.abs(colours)
    return np.maximum(sizes[:, :, 0], sizes[:, :, 1])


def _trimmed(pixels: Pixels) -> Pixels:
    """Without wholly transparent borders; unchanged when nothing is opaque (the reference then refuses itself)."""
    if pixels.shape[2] == 3:
        return pixels
    opaque = pixels[:, :, 3] >= _OPAQUE
    rows, columns = np.flatnonzero(opaque.any(axis=1)), np.flatnonzero(opaque.any(axis=0))
    if not len(rows):
        return pixels
    return np.ascontiguousarray(pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _on_a_page(pixels: Pixels) -> Pixels:
    """A drawing of one colour on nothing, as it looks on an even page: dark on white, or light on black. Others unchanged."""
    if pixels.shape[2] == 3 or min(pixels.shape[:2]) < LEAST_SIDE:
        return pixels
    alpha = pixels[:, :, 3]
    gray = cv2.cvtColor(np.ascontiguousarray(pixels[:, :, :3]), cv2.COLOR_RGB2GRAY)[alpha >= _OPAQUE]
    if not gray.size or float(gray.std()) >= _ONE_COLOUR or (alpha >= _OPAQUE).all():
        return pixels
    page = 0 if float(gray.mean()) >= _WHITE / 2 else _WHITE
    return _composed(pixels, np.full(3, page, np.uint8))


def _composed(pixels: Pixels, page: Pixels) -> Pixels:
    """Return RGBA pixels as they look on a page of one colour, with room around them."""
    room = max(1, round(_PAGE_ROOM * min(pixels.shape[:2])))
    padded = np.pad(pixels, ((room, room), (room, room), (0, 0)))
    share = padded[:, :, 3:].astype(np.float32) / _WHITE
    return np.asarray(np.rint(padded[:, :, :3] * share + page * (1 - share)), np.uint8)

"""A captured frame, and the conversion of its pixels to the device's input coordinates."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image

from handeye.errors import InvalidImage, UsageError
from handeye.geometry import Box, Point, Size
from handeye.picture_files import MAX_PIXELS, open_picture

Pixels = npt.NDArray[np.uint8]


class InputPoint(NamedTuple):
    """A point to touch, in the device's input coordinates. Only `Screen.to_input` derives one from a frame."""

    x: float
    y: float


_ORIGIN = InputPoint(0.0, 0.0)
_ORIENTATION = ExifTags.Base.Orientation
# Transposition that makes a picture upright, by EXIF orientation; 1 is upright.
_TURNS = MappingProxyType(
    {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
)


@dataclass(frozen=True, slots=True)
class ScreenshotMetadata:
    """
    Time, size and source of a frame (docs/spec/visual-locator.md), and its position: `origin`, `pixels_per_unit`,
    `scale`, `rotation` and `dpi` as in `Screen`, so that picture coordinates can be mapped back to the screen.
    """

    timestamp: datetime
    resolution: tuple[int, int]
    window_info: Mapping[str, Any] | None = None
    file_path: str | None = None
    origin: InputPoint = _ORIGIN
    pixels_per_unit: float = 1.0
    scale: float = 1.0
    rotation: int = 0
    dpi: float | None = None

    def to_input(self, point: Point) -> InputPoint:
        """Return the input point of a pixel of the picture."""
        return _to_input(point, self.origin, self.pixels_per_unit)


@dataclass(frozen=True, eq=False)
class Screen:
    """
    A captured frame.

    `pixels` is an array of shape (height, width, 3), RGB, 8 bits, and is made read-only. `pixels_per_unit` and `origin`
    convert frame pixels to input coordinates: input = origin + pixel / pixels_per_unit. `scale` is physical pixels per
    logical pixel of the monitor (1.0 at 96 dpi), `rotation` how far the monitor is turned, in degrees; the pixels are
    upright in any case. `dpi` is the dots per inch that the monitor's system uses, None if unknown. Derived data (gray,
    PIL image, digest) is computed once and cached.
    """

    pixels: Pixels
    taken: datetime = field(default_factory=lambda: datetime.now(UTC))
    pixels_per_unit: float = 1.0
    origin: InputPoint = _ORIGIN
    window: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    path: Path | None = None
    scale: float = 1.0
    rotation: int = 0
    dpi: float | None = None

    def __post_init__(self) -> None:
        shape = self.pixels.shape
        if self.pixels.dtype != np.uint8 or len(shape) != 3 or shape[2] != 3 or not shape[0] or not shape[1]:
            raise InvalidImage(
                f"a frame must be a non-empty (height, width, 3) array of uint8, not {shape} {self.pixels.dtype}"
            )
        if not self.pixels.flags.c_contiguous:  # a view such as bgr[:, :, ::-1]: every comparison would copy it again
            object.__setattr__(self, "pixels", np.ascontiguousarray(self.pixels))
        self.pixels.flags.writeable = False

    @property
    def black(self) -> str:
        """The reason why the frame is black, if its device reports one; otherwise empty."""
        return str(self.window.get("black", ""))

    @property
    def is_protected(self) -> bool:
        """True if the frame is black because an app forbids capturing its window."""
        return bool(self.window.get("protected"))

    @classmethod
    def from_image(cls, image: Image.Image, **about: Any) -> Screen:
        """
        Return a frame from any Pillow image: palette, gray, CMYK and 16-bit ones are converted to 8-bit RGB,
        transparency is shown on white, as by a viewer.
        """
        if image.width * image.height > MAX_PIXELS:
            raise InvalidImage(f"an image of {image.width}x{image.height} pixels is too large for a screen")
        if image.mode.startswith("I") or image.mode == "F":
            wide = np.asarray(image, dtype=np.float32)
            top = 65535.0 if wide.size and wide.max() > 255 else 255.0
            gray = np.clip(wide / np.float32(top) * np.float32(255), 0, 255).astype(np.uint8)
            return cls(np.repeat(gray[:, :, None], 3, axis=2), **about)
        if image.has_transparency_data:
            seen_through = image.convert("RGBA")
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), seen_through)
        return cls(np.array(image.convert("RGB")), **about)

    @classmethod
    def taken_as(cls, image: Image.Image, about: ScreenshotMetadata) -> Screen:
        """Return the frame of a picture with its metadata, so that coordinates map to the screen. Raises InvalidImage."""
        if image.size != tuple(about.resolution):
            raise InvalidImage(f"a picture of {image.size} is not the one of {about.resolution} that its data tells of")
        return cls.from_image(
            image,
            taken=about.timestamp,
            pixels_per_unit=about.pixels_per_unit,
            origin=about.origin,
            window=MappingProxyType(dict(about.window_info or {})),
            path=Path(about.file_path) if about.file_path else None,
            scale=about.scale,
            rotation=about.rotation,
            dpi=about.dpi,
        )

    @classmethod
    def from_bytes(cls, encoded: bytes, **about: Any) -> Screen:
        """
        Return a frame from an encoded image of one of `handeye.picture_files.FORMATS`, turned upright by its EXIF
        orientation. Raises InvalidImage.
        """
        with open_picture(encoded) as image:
            return cls.from_image(_upright(image), **about)

    @classmethod
    def open(cls, path: str | Path) -> Screen:
        """Return a frame from an image file, as `from_bytes`. Raises InvalidImage, with the file name."""
        with open_picture(path) as image:
            return cls.from_image(_upright(image), path=Path(path))

    @property
    def size(self) -> Size:
        """Width and height in pixels."""
        return Size(self.pixels.shape[1], self.pixels.shape[0])

    @property
    def box(self) -> Box:
        """The bounding box of the frame."""
        return Box(0, 0, *self.size)

    @cached_property
    def image(self) -> Image.Image:
        """The frame as a Pillow RGB image."""
        return Image.fromarray(self.pixels)

    @cached_property
    def gray(self) -> Pixels:
        """Luma (ITU-R BT.601) of shape (height, width), 8 bits, read-only."""
        return _read_only(_cv2().cvtColor(self.pixels, _cv2().COLOR_RGB2GRAY))

    def reduced(self, factor: int) -> Pixels:
        """
        Return `gray`, downsampled by an integer `factor` by averaging, read-only; a remainder at the end becomes a
        pixel.

        Computed once per frame and factor, for all strategies.
        """
        if factor == 1:
            return self.gray
        known: Pixels | None = self.derived.get(("gray", factor))
        if known is None:
            # By halves where possible: several times faster than in one step, with the same averages.
            by = 2 if factor % 2 == 0 else factor
            known = self.derived["gray", factor] = _read_only(averaged(self.reduced(factor // by), by))
        return known

    @cached_property
    def derived(self) -> dict[tuple[str, int], Any]:
        """Cache of data computed from this frame, by kind and factor; `release` clears it."""
        return {}

    @cached_property
    def digest(self) -> int:
        """Checksum of the pixels: equal frames have equal digests. For caches, not for security."""
        return zlib.crc32(np.ascontiguousarray(self.pixels).data, self.size.width)

    def release(self) -> None:
        """Free cached data that can be computed again (`gray`, `derived`, `image`): for frames that are only stored."""
        for derived in ("gray", "derived", "image"):
            self.__dict__.pop(derived, None)

    @property
    def metadata(self) -> ScreenshotMetadata:
        return ScreenshotMetadata(
            self.taken,
            (self.size.width, self.size.height),
            dict(self.window) or None,
            str(self.path) if self.path else None,
            self.origin,
            self.pixels_per_unit,
            self.scale,
            self.rotation,
            self.dpi,
        )

    def crop(self, box: Box) -> Screen:
        """Return the part of the frame inside `box`, as a frame with the same mapping to input points."""
        part = box.clip(self.size)
        at = self.to_input(Point(part.left, part.top))
        pixels = self.pixels[part.top : part.bottom, part.left : part.right].copy()
        return replace(self, pixels=pixels, origin=at, path=None)

    def to_input(self, point: Point) -> InputPoint:
        """Return the input point of a pixel of this frame."""
        return _to_input(point, self.origin, self.pixels_per_unit)

    def to_png(self) -> bytes:
        """Return the frame as PNG."""
        out = io.BytesIO()
        self.image.save(out, "PNG", compress_level=1)
        return out.getvalue()


def _to_input(point: Point, origin: InputPoint, pixels_per_unit: float) -> InputPoint:
    return InputPoint(origin.x + point.x / pixels_per_unit, origin.y + point.y / pixels_per_unit)


def _cv2() -> Any:
    """Return OpenCV, imported on first use: planning and device access do without it."""
    import cv2

    return cv2


def averaged(gray: Pixels, factor: int) -> Pixels:
    """Return `gray`, shape (height, width), downsampled by an integer `factor`: each pixel is the mean of a square."""
    if factor == 1:
        return gray
    height, width = gray.shape
    if height % factor or width % factor:
        gray = _cv2().copyMakeBorder(gray, 0, -height % factor, 0, -width % factor, _cv2().BORDER_REPLICATE)
    if factor % 2:  # the centre of each averaged square: equal to resizing, in half the time
        return np.ascontiguousarray(_cv2().blur(gray, (factor, factor))[factor // 2 :: factor, factor // 2 :: factor])
    size = (gray.shape[1] // factor, gray.shape[0] // factor)
    return np.asarray(_cv2().resize(gray, size, interpolation=_cv2().INTER_AREA), np.uint8)


def _read_only(pixels: Pixels) -> Pixels:
    pixels.flags.writeable = False
    return pixels


def _upright(image: Image.Image) -> Image.Image:
    """Return the picture as a viewer shows it; unchanged if its EXIF cannot be read."""
    try:
        turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
    except (SyntaxError, ValueError, TypeError, KeyError, struct.error):
        return image
    return image if turn is None else image.transpose(turn)


Screenshot = Screen | tuple[Image.Image, ScreenshotMetadata] | Image.Image | Pixels | bytes | str | Path
"""
A frame, a picture with or without its metadata from `capture_screen`, an RGB array of shape (height, width, 3) with 8
bits, an encoded image, or the path of an image file.
"""


def as_screen(screenshot: Screenshot) -> Screen:
    """
    Return a screenshot as a frame. Raises UsageError for any other type, InvalidImage for a file that is not an image.
    """
    if isinstance(screenshot, Screen):
        return screenshot
    if isinstance(screenshot, Image.Image):
        return Screen.from_image(screenshot)
    if isinstance(screenshot, tuple) and tuple(map(type, screenshot[1:])) == (ScreenshotMetadata,):
        return Screen.taken_as(*screenshot)
    if isinstance(screenshot, str | Path):
        return Screen.open(screenshot)
    if isinstance(screenshot, bytes):
        return Screen.from_bytes(screenshot)
    if isinstance(screenshot, np.ndarray):
        try:
            return Screen(screenshot.copy())  # a frame's pixels become read-only
        except InvalidImage as error:
            raise UsageError(f"the screenshot cannot be used: {error}") from error
    raise UsageError(
        f"a {type(screenshot).__name__} is no screenshot: give a Screen, a picture, an RGB array, an encoded image or a path"
    )

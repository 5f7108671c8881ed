"""What `screencap` writes, as pixels."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2
import numpy as np

from handeye.errors import CaptureFailed, InvalidImage
from handeye.screen import Pixels, Screen

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Width, height, format; Android 9 added the colour space.
_HEADER_SIZES = (16, 12)
# A frame is a screen: wider or higher than this, the header is garbage.
_MAX_SIDE = 16_384
# A warning such as "[Warning] Multiple displays were found" (Android 14) may stand before the picture.
_MAX_PREFACE = 4096
# The end mark is 8 bytes before the end; some shells add a line end.
_MAX_TRAILER = 64


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """One row of AOSP's `graphics.h`: bytes per pixel and OpenCV's conversion to RGB (None: it is RGB)."""

    name: str
    bytes_per_pixel: int
    to_rgb: int | None


PIXEL_FORMATS = {
    1: PixelFormat("RGBA_8888", 4, cv2.COLOR_RGBA2RGB),
    2: PixelFormat("RGBX_8888", 4, cv2.COLOR_RGBA2RGB),
    3: PixelFormat("RGB_888", 3, None),
    # OpenCV names 16-bit formats by the lowest bits first: Android's red, in the highest bits, is its "BGR565".
    4: PixelFormat("RGB_565", 2, cv2.COLOR_BGR5652RGB),
    5: PixelFormat("BGRA_8888", 4, cv2.COLOR_BGRA2RGB),
}


def decode_raw(content: bytes | bytearray | memoryview) -> Pixels:
    """
    An array of shape (height, width, 3), RGB, from a raw `screencap`; the only copy is the conversion.

    Raises CaptureFailed, naming what is wrong, for anything whose length does not fit its header exactly.
    """
    if len(content) < _HEADER_SIZES[-1]:
        raise CaptureFailed(f"{len(content)} bytes are too few for a raw frame: {_start(content)}")
    width, height, code = struct.unpack_from("<3I", content)
    pixel_format = PIXEL_FORMATS.get(code)
    if pixel_format is None or not (0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE):
        raise CaptureFailed(f"not the header of a raw frame (or a pixel format unknown here): {_start(content)}")
    size = width * height * pixel_format.bytes_per_pixel
    header = len(content) - size
    if header not in _HEADER_SIZES:
        raise CaptureFailed(
            f"a {width}x{height} {pixel_format.name} frame has {size} bytes and a header, but {len(content)} bytes came"
        )
    shape = (height, width, pixel_format.bytes_per_pixel)
    pixels = np.frombuffer(content, np.uint8, size, header).reshape(shape)
    if pixel_format.to_rgb is None:
        return pixels.copy()
    return np.asarray(cv2.cvtColor(pixels, pixel_format.to_rgb), np.uint8)


def decode_png(content: bytes | bytearray) -> Pixels:
    """An array of shape (height, width, 3), RGB, from `screencap -p`. Raises CaptureFailed."""
    start = content.find(PNG_SIGNATURE, 0, _MAX_PREFACE)
    if start < 0:
        raise CaptureFailed(f"not a PNG: {_start(content)}")
    if b"IEND" not in content[-_MAX_TRAILER:]:
        raise CaptureFailed(f"a PNG of {len(content)} bytes that is cut short")
    try:
        return Screen.from_bytes(bytes(content[start:])).pixels
    except InvalidImage as error:
        raise CaptureFailed(str(error)) from error


def _start(content: bytes | bytearray | memoryview) -> str:
    """The beginning of an answer that is not a picture: usually an error message."""
    words = bytes(content[:80]).decode("utf-8", "replace").strip()
    return repr(words) if words else "nothing came"

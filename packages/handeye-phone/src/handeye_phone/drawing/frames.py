"""Encodings of the phone's picture, made once per picture and away from the event loop."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from PIL import Image

# Android's HAL_PIXEL_FORMAT_RGBA_8888 and ADATASPACE_SRGB, as `screencap` writes them since Android 9.
FORMAT_RGBA_8888 = 1
COLOUR_SPACE_SRGB = 1
HEADER = struct.Struct("<4I")
PNG_LEVEL = 1  # fast, as on phones; level 6 takes three times as long for a tenth fewer bytes
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_FILTER_UP = 2
PNG_COLOUR_RGBA = 6


def encode_raw(image: Image.Image) -> bytes:
    """Return the output of `screencap` without -p: width, height, format, colour space (32 bits, little-endian), RGBA rows."""
    pixels = image if image.mode == "RGBA" else image.convert("RGBA")
    return HEADER.pack(image.width, image.height, FORMAT_RGBA_8888, COLOUR_SPACE_SRGB) + pixels.tobytes()


def encode_png(image: Image.Image) -> bytes:
    """Return the output of `screencap -p`: RGBA, each row as its difference from the one above (filter 2).

    Half of Pillow's time for the same size, because no other filter is tried for each row.
    """
    pixels = np.asarray(image if image.mode == "RGBA" else image.convert("RGBA"))
    height, width, channels = pixels.shape
    rows = pixels.reshape(height, width * channels)
    filtered = np.empty((height, width * channels + 1), dtype=np.uint8)
    filtered[:, 0] = PNG_FILTER_UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, PNG_COLOUR_RGBA, 0, 0, 0)
    packed = zlib.compress(filtered.data, PNG_LEVEL)
    return PNG_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


class Frames:
    """The current picture as bytes. Two commands that want the same encoding share one encoding."""

    def __init__(self, frame: Callable[[], Image.Image], executor: ThreadPoolExecutor) -> None:
        self._frame = frame
        self._executor = executor
        self._image: Image.Image | None = None
        self._made: dict[str, asyncio.Future[bytes]] = {}

    async def raw(self) -> bytes:
        """Return header and RGBA pixels."""
        return await self._encoded("raw", encode_raw)

    async def png(self) -> bytes:
        return await self._encoded("png", encode_png)

    async def _encoded(self, kind: str, encode: Callable[[Image.Image], bytes]) -> bytes:
        image = self._frame()
        if image is not self._image:
            self._image, self._made = image, {}
        future = self._made.get(kind)
        if future is None:
            future = asyncio.get_running_loop().run_in_executor(self._executor, encode, image)
            self._made[kind] = future
        return await asyncio.shield(future)  # a cancelled caller does not cancel it for the others

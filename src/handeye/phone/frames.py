"""Encodings of the phone's picture, made once per picture and away from the event loop."""

from __future__ import annotations

import asyncio
import io
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PIL import Image

# Android's HAL_PIXEL_FORMAT_RGBA_8888 and ADATASPACE_SRGB, as `screencap` writes them since Android 9.
FORMAT_RGBA_8888 = 1
COLOUR_SPACE_SRGB = 1
HEADER = struct.Struct("<4I")
PNG_LEVEL = 1  # phones favour speed as well; level 6 takes three times as long for a tenth fewer bytes


def encode_raw(image: Image.Image) -> bytes:
    """`screencap` without -p: width, height, format, colour space (32-bit little-endian), then RGBA rows."""
    pixels = image if image.mode == "RGBA" else image.convert("RGBA")
    return HEADER.pack(image.width, image.height, FORMAT_RGBA_8888, COLOUR_SPACE_SRGB) + pixels.tobytes()


def encode_png(image: Image.Image) -> bytes:
    """`screencap -p`."""
    buffer = io.BytesIO()
    (image if image.mode == "RGBA" else image.convert("RGBA")).save(buffer, "PNG", compress_level=PNG_LEVEL)
    return buffer.getvalue()


class Frames:
    """The current picture as bytes. Two commands that want the same encoding share one encoding."""

    def __init__(self, frame: Callable[[], Image.Image], executor: ThreadPoolExecutor) -> None:
        self._frame = frame
        self._executor = executor
        self._image: Image.Image | None = None
        self._made: dict[str, asyncio.Future[bytes]] = {}

    async def raw(self) -> bytes:
        """Header and RGBA pixels."""
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
        return await asyncio.shield(future)  # a caller that gives up does not spoil it for the others

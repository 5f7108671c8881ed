"""Open untrusted image files: few formats, limited size, and only Handeye's own errors."""

from __future__ import annotations

import io
import itertools
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from PIL import Image, UnidentifiedImageError

from handeye.errors import HandeyeError, InvalidImage
from handeye.files import read_regular

FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""
Formats that are decoded, whatever the file name. Pillow knows forty more, and passes PostScript to an external program.
"""

MAX_PIXELS: Final = 50_000_000
"""Maximum pixels of a picture. Three 4K monitors have 25 million, an 8K screen 33; decoding needs half a gigabyte."""

MAX_SIDE: Final = 100_000
"""Maximum pixels of the longer side: a stitched scrolling page has tens of thousands."""

MAX_BYTES: Final = 256 << 20
"""Maximum bytes of a file. MAX_PIXELS take 200 MB uncompressed."""

MAX_PARTS: Final = 300_000
"""Maximum parts (segments, chunks, ...) of a file. A TIFF of MAX_SIDE rows may have two values for each."""

MAX_SCANS: Final = 100
"""Maximum scans of a progressive JPEG, each of which takes as long as the whole picture; encoders write about ten."""

# JPEG markers, except those within a scan's data: a stuffed zero, the eight restart markers.
_MARKER: Final = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])")
_SCAN, _END, _WITHOUT_LENGTH = b"\xda", b"\xd9", (b"\xd8", b"\x01")

_TILE_WIDTH, _TILE_LENGTH, _BIG_TIFF = 322, 323, 43

_DAMAGE: Final = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    ArithmeticError,
    LookupError,
    TypeError,
    AttributeError,
    RuntimeError,  # raised by libavif
    MemoryError,
    struct.error,
    zlib.error,
)
"""Exceptions that Pillow's decoders raise for damaged pictures."""

_TOO_LARGE: Final = "it has {} pixels; at most {:,} are read"


@contextmanager
def open_picture(source: str | Path | bytes, *, max_pixels: int = MAX_PIXELS) -> Iterator[Image.Image]:
    """
    Open the picture in a file, or in the bytes of one; only its header is read yet.

    Raises InvalidImage, with the file name, for a file that is not regular or not of FORMATS, for more than
    `max_pixels` pixels, MAX_SIDE or MAX_BYTES, and for damage, also if it is detected on decoding inside the `with`.
    """
    name = f"a picture of {len(source)} bytes" if isinstance(source, bytes) else repr(str(source))
    try:
        content = source if isinstance(source, bytes) else read_regular(Path(source), MAX_BYTES)
        _refuse_many_parts(content)
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            _refuse_too_large(image, max_pixels)
            yield image
    except FileNotFoundError as error:
        raise InvalidImage(f"there is no image file {name}") from error
    except HandeyeError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:  # if warnings are errors
        raise InvalidImage(
            f"{name} is not a readable image: {_TOO_LARGE.format('far too many', max_pixels)}"
        ) from error
    except UnidentifiedImageError as error:  # its message contains a memory address
        raise InvalidImage(f"{name} is not a readable image: it is none of {', '.join(FORMATS)}") from error
    except _DAMAGE as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InvalidImage(f"{name} is not a readable image: {why}") from error


def _refuse_too_large(image: Image.Image, max_pixels: int) -> None:
    """Raise ValueError if the header announces a picture that takes more memory or time than `max_pixels` pixels do."""
    sizes = [image.size]
    if image.format == "TIFF":  # each tile is decoded completely, however small the picture is
        tags = image.tag_v2  # type: ignore[attr-defined]
        sizes.append((int(tags.get(_TILE_WIDTH, 0)), int(tags.get(_TILE_LENGTH, 0))))
    for width, height in sizes:
        if width * height > max_pixels:
            raise ValueError(_TOO_LARGE.format(f"{width}x{height}", max_pixels))
        if max(width, height) > MAX_SIDE:
            raise ValueError(f"it has {width}x{height} pixels; at most {MAX_SIDE:,} a side are read")


def _refuse_many_parts(content: bytes) -> None:
    """
    Raise ValueError for more than MAX_PARTS segments, chunks, comments or values, which Pillow reads before it knows
    the size, or more than MAX_SCANS scans of a JPEG.
    """
    for begins, parts in _PARTS.items():
        if content.startswith(begins):
            for number, _ in enumerate(parts(content)):
                if number >= MAX_PARTS:
                    raise ValueError(f"it has over {MAX_PARTS:,} parts")


def _jpeg_segments(jpeg: bytes) -> Iterator[None]:
    """Yield for each segment of the picture. Data after its end, such as a phone's video, is ignored."""
    at, scans = 0, 0
    while (found := _MARKER.search(jpeg, at)) is not None and found[1] != _END:
        at, kind = found.end(), found[1]
        scans += kind == _SCAN
        if scans > MAX_SCANS:
            raise ValueError(f"it is drawn in over {MAX_SCANS} scans")
        if kind not in _WITHOUT_LENGTH:
            at += int.from_bytes(jpeg[at : at + 2])
        yield


def _png_chunks(png: bytes) -> Iterator[None]:
    at = 8
    while at + 8 <= len(png):
        at += 12 + int.from_bytes(png[at : at + 4])
        yield


def _gif_comments(gif: bytes) -> Iterator[None]:
    return (None for _ in re.finditer(rb"!\xfe", gif))


def _tiff_values(tiff: bytes) -> Iterator[None]:
    """Yield for each value of the first directory, including offsets of strips and tiles."""
    order: Literal["little", "big"] = "little" if tiff.startswith(b"II") else "big"
    is_big = int.from_bytes(tiff[2:4], order) == _BIG_TIFF
    word, entry = (8, 20) if is_big else (4, 12)
    at = int.from_bytes(tiff[8:16] if is_big else tiff[4:8], order)
    count = int.from_bytes(tiff[at : at + (8 if is_big else 2)], order)
    at += 8 if is_big else 2
    for number in range(min(count, MAX_PARTS + 1)):
        begin = at + entry * number + 4
        yield from itertools.repeat(None, min(int.from_bytes(tiff[begin : begin + word], order), MAX_PARTS + 1))


_PARTS: Final[Mapping[bytes, Callable[[bytes], Iterator[None]]]] = {
    b"\xff\xd8": _jpeg_segments,
    b"\x89PNG\r\n\x1a\n": _png_chunks,
    b"GIF8": _gif_comments,
    b"II": _tiff_values,
    b"MM": _tiff_values,
}
"""Functions that yield once per part of a file, by the file's first bytes."""

"""Opening pictures that somebody else may have made: a few formats, the size of a screen at most, and only our own errors."""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image, UnidentifiedImageError

from handeye.errors import HandeyeError, InvalidImage
from handeye.files import read_regular

FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""What is decoded, whatever a file's name says. Pillow knows forty formats more, and hands PostScript to a program."""

MAX_PIXELS: Final = 50_000_000
"""Of one picture. Three 4K monitors have 25 million, an 8K screen 33; half a gigabyte is needed on the way to a frame."""

MAX_SIDE: Final = 100_000
"""Of the longer side: a page that was scrolled through has tens of thousands."""

MAX_BYTES: Final = 256 << 20
"""Of one file. MAX_PIXELS take 200 MB where nothing is compressed."""

MAX_SCANS: Final = 100
"""Of a progressive JPEG, each of which takes as long as the whole picture; encoders write about ten."""

# The markers of a JPEG, but for those within a scan's data: a stuffed zero, the eight restarts.
_MARKER: Final = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])")
_SCAN, _END, _WITHOUT_LENGTH = b"\xda", b"\xd9", (b"\xd8", b"\x01")

_TILE_WIDTH, _TILE_LENGTH = 322, 323

_DAMAGE: Final = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    ArithmeticError,
    LookupError,
    TypeError,
    AttributeError,
    RuntimeError,  # libavif's
    MemoryError,
    struct.error,
    zlib.error,
)
"""What Pillow's decoders raise for damaged pictures."""

_TOO_LARGE: Final = "it has {} pixels; at most {:,} are read"


@contextmanager
def open_picture(source: str | Path | bytes, *, max_pixels: int = MAX_PIXELS) -> Iterator[Image.Image]:
    """
    The picture in a file, or in the bytes of one, of which only the header is read yet.

    Raises InvalidImage, which names the file: for what is no regular file or no picture of FORMATS, for one of more than
    `max_pixels` pixels, MAX_SIDE or MAX_BYTES, and for damage, also where it is found on decoding inside the `with`.
    """
    name = f"a picture of {len(source)} bytes" if isinstance(source, bytes) else repr(str(source))
    try:
        content = source if isinstance(source, bytes) else read_regular(Path(source), MAX_BYTES)
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            _refuse_too_large(image, max_pixels)
            if image.format in ("JPEG", "MPO") and _has_many_scans(content):
                raise ValueError(f"it is drawn in over {MAX_SCANS} scans")
            yield image
    except FileNotFoundError as error:
        raise InvalidImage(f"there is no image file {name}") from error
    except HandeyeError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:  # where warnings are errors
        raise InvalidImage(
            f"{name} is not a readable image: {_TOO_LARGE.format('far too many', max_pixels)}"
        ) from error
    except UnidentifiedImageError as error:  # its words name an address in memory
        raise InvalidImage(f"{name} is not a readable image: it is none of {', '.join(FORMATS)}") from error
    except _DAMAGE as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InvalidImage(f"{name} is not a readable image: {why}") from error


def _refuse_too_large(image: Image.Image, max_pixels: int) -> None:
    """Raise ValueError for what takes more memory or time than a picture of `max_pixels`, by what its header says."""
    width, height = image.size
    if image.format == "TIFF":  # each of its tiles is decoded whole, however small the picture is
        tags = image.tag_v2  # type: ignore[attr-defined]
        width, height = max(width, int(tags.get(_TILE_WIDTH, 0))), max(height, int(tags.get(_TILE_LENGTH, 0)))
    if width * height > max_pixels:
        raise ValueError(_TOO_LARGE.format(f"{width}x{height}", max_pixels))
    if max(width, height) > MAX_SIDE:
        raise ValueError(f"it has {width}x{height} pixels; at most {MAX_SIDE:,} a side are read")


def _has_many_scans(jpeg: bytes) -> bool:
    """True for over MAX_SCANS of them. Data behind the end of the picture, such as a phone's film, is ignored."""
    at, scans = 0, 0
    while (found := _MARKER.search(jpeg, at)) is not None and found[1] != _END:
        at, kind = found.end(), found[1]
        scans += kind == _SCAN
        if scans > MAX_SCANS:
            return True
        if kind not in _WITHOUT_LENGTH:
            at += int.from_bytes(jpeg[at : at + 2])
    return False

"""Opening pictures that somebody else may have made: a few formats, the size of a screen at most, and only our own errors."""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image

from handeye.errors import HandeyeError, InvalidImage
from handeye.files import open_regular

FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""What is decoded, whatever a file's name says. Pillow knows forty formats more, and hands PostScript to a program."""

MAX_PIXELS: Final = 50_000_000
"""Of one picture. Three 4K monitors have 25 million, an 8K screen 33; half a gigabyte is needed on the way to a frame."""

MAX_BYTES: Final = 256 << 20
"""Of one file. MAX_PIXELS take 200 MB where nothing is compressed."""

MAX_SCANS: Final = 100
"""Of a progressive JPEG, each of which takes as long as the whole picture; encoders write about ten."""

_SCAN: Final = b"\xff\xda"

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
    `max_pixels` pixels or MAX_BYTES bytes, and for damage, also where it is found on decoding inside the `with`.
    """
    name = f"a picture of {len(source)} bytes" if isinstance(source, bytes) else repr(str(source))
    try:
        content = source if isinstance(source, bytes) else _content(Path(source))
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            if image.width * image.height > max_pixels:
                raise ValueError(_TOO_LARGE.format(f"{image.width}x{image.height}", max_pixels))
            if image.format in ("JPEG", "MPO") and content.count(_SCAN) > MAX_SCANS:
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
    except _DAMAGE as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InvalidImage(f"{name} is not a readable image: {why}") from error


def _content(path: Path) -> bytes:
    with open_regular(path) as file:
        if (size := os.fstat(file.fileno()).st_size) > MAX_BYTES:
            raise ValueError(f"it has {size:,} bytes; at most {MAX_BYTES:,} are read")
        return file.read(MAX_BYTES)

"""Pictures that go along with a question: the reference, and crops with something drawn on them."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from handeye.errors import InvalidImage
from handeye.models.chat import Picture
from handeye.picture_files import MAX_PIXELS

# Longer side in pixels of a reference as it is sent: an icon is known from that, and it costs some 100 tokens.
REFERENCE_SIDE: Final = 256
# Servers refuse pictures of 10 pixels and less, and small things are seen better larger.
LEAST_REFERENCE_SIDE: Final = 56
# What a transparent picture stands on. References are mostly cut from light pages.
_PAGE: Final = "#ffffff"


def encoded(image: Image.Image) -> Picture:
    """The picture as PNG."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return Picture(out.getvalue())


def reference_picture(image: Image.Image) -> Picture:
    """
    A reference as it is sent: `LEAST_REFERENCE_SIDE` to `REFERENCE_SIDE` pixels long, on a white page where it is transparent.

    Raises InvalidImage for a picture without pixels or with more than any screen has.
    """
    if not 0 < image.width * image.height <= MAX_PIXELS:
        raise InvalidImage(f"a reference of {image.width}x{image.height} pixels cannot be sent to a model")
    if "A" in image.getbands() or "transparency" in image.info:
        over = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", over.size, _PAGE), over)
    image = image.convert("RGB")
    image.thumbnail((REFERENCE_SIDE, REFERENCE_SIDE), Image.Resampling.BOX, reducing_gap=None)
    grow = -(-LEAST_REFERENCE_SIDE // max(image.size))
    if grow > 1:
        image = image.resize((image.width * grow, image.height * grow), Image.Resampling.BICUBIC)
    return encoded(image)

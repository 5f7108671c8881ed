"""Encoded pictures for prompts, and the preparation of reference pictures."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from handeye.errors import InvalidImage
from handeye.models.chat import Picture
from handeye.picture_files import MAX_PIXELS

# Longer side in pixels of a reference as it is sent: enough to recognise an icon, at a cost of some 100 tokens.
REFERENCE_SIDE: Final = 256
# Least longer side in pixels. Servers refuse pictures of 10 pixels and less, and small icons are recognised better enlarged.
LEAST_REFERENCE_SIDE: Final = 56
# Background of transparent pictures. References are mostly cut from light pages.
_PAGE: Final = "#ffffff"


def encoded(image: Image.Image) -> Picture:
    """Return the picture as PNG."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return Picture(out.getvalue())


def reference_picture(image: Image.Image) -> Picture:
    """
    Return a reference as it is sent: its longer side `LEAST_REFERENCE_SIDE` to `REFERENCE_SIDE` pixels, on white where
    it is transparent.

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

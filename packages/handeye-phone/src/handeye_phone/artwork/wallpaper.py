"""The launcher's background: soft hills under an evening sky."""

from __future__ import annotations

import math
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from handeye_phone.artwork.pen import ramp

_SKY: Final = {False: ("#4f86d9", "#a9c6f0", "#f4d3c0"), True: ("#0d1424", "#1b2747", "#44406e")}
# colour, height of the middle line (share from the top), swing, waves across the width, phase
_HILLS: Final = {
    False: (
        ("#c3b1d3", 0.66, 0.022, 0.9, 0.4),
        ("#9d97cb", 0.72, 0.026, 1.2, 2.4),
        ("#7079b4", 0.79, 0.024, 0.8, 4.4),
        ("#515d99", 0.87, 0.020, 1.1, 1.0),
    ),
    True: (
        ("#37365f", 0.66, 0.022, 0.9, 0.4),
        ("#2a2c52", 0.72, 0.026, 1.2, 2.4),
        ("#1f2342", 0.79, 0.024, 0.8, 4.4),
        ("#161a33", 0.87, 0.020, 1.1, 1.0),
    ),
}


def wallpaper(width: int, height: int, *, dark: bool = False) -> Image.Image:
    """The picture, RGBA and opaque. Plain fills at full size: enlarging a small one takes four times as long."""
    top, middle, bottom = _SKY[dark]
    image = ramp(top, bottom, (width, height), mid=middle, mode="RGBA")
    _sun(image, dark)
    pen = ImageDraw.Draw(image)
    for color, level, swing, waves, phase in _HILLS[dark]:
        points = [
            (x, height * (level + swing * math.sin(waves * 2 * math.pi * x / width + phase)))
            for x in range(0, width + 8, 8)
        ]
        pen.polygon([(0, height), *points, (width, height)], fill=color)
    return image


def _sun(image: Image.Image, dark: bool) -> None:
    radius = min(image.size) * 0.11
    x, y = image.width * 0.74, image.height * 0.655
    side = round(2 * radius) + 8
    disc = Image.new("L", (side, side), 0)
    reach = round(3 * radius)
    # Pillow's gradient is 255 in its corners; what it has at the middle of an edge has to be nothing.
    halo = ImageChops.invert(Image.radial_gradient("L")).resize((2 * reach, 2 * reach), Image.Resampling.BILINEAR)
    halo = halo.point([max(0, value - 76) // 2 for value in range(256)])
    ImageDraw.Draw(disc).ellipse((4, 4, side - 5, side - 5), fill=110 if dark else 200)
    color = (214, 222, 255, 255) if dark else (255, 244, 226, 255)
    image.paste(color, (round(x) - reach, round(y) - reach), halo)
    image.paste(color, (round(x) - side // 2, round(y) - side // 2), disc.filter(ImageFilter.BoxBlur(2)))

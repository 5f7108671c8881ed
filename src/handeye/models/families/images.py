"""Prepare the picture that is sent to a model, and convert its numbers back to pixels of the frame.

A frame, or the part of it that is searched, is resized once, by area, to a size that the family's servers do not resize
again. The sides are rounded independently, so that each has its own factor; both are kept as whole sizes, not as
factors with a rounding error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from handeye.errors import InvalidImage
from handeye.geometry import Box, CoordinateSpace, Point, Size, to_pixel_box
from handeye.models.chat import Picture
from handeye.models.families.profile import ImageBudget, Profile, SmartResize
from handeye.screen import Pixels, Screen

POINT_REACH: Final = 4
"""Pixels from a point to each side of its box: 9 x 9 pixels are visible in a report, and smaller than any control."""

LARGEST_PNG: Final = 1 << 20
"""
Bytes. Screens of controls and text are 70-150 kB as PNG at every family's size; JPEG of the same quality is no smaller,
and PNG keeps text sharp. Only photographs exceed a megabyte (2-4.5 MB, measured); JPEG is a third of that.
"""

JPEG_QUALITY: Final = 95
"""
Without chroma subsampling: no pixel of the photographs measured is off by more than 18 of 255, at quality 90 by 22.
"""


@dataclass(frozen=True, slots=True)
class SentImage:
    """The sent picture: `picture` of `size` pixels, which shows `part` (pixels) of a frame. `frame` is that frame's size."""

    picture: Picture
    size: Size
    part: Box
    frame: Size

    def to_box(self, edges: Sequence[float], space: CoordinateSpace, grid: Size | None = None) -> Box:
        """
        Return left, top, right, bottom in `space` (of the sent picture) as a box of the frame: rounded half up, cut to
        `part`.

        `grid` is the size that RESIZED numbers refer to, the sent picture's unless given. Raises InvalidBox.
        """
        box = to_pixel_box(edges, Size(self.part.width, self.part.height), space=space, resized=grid or self.size)
        return box.translate(self.part.left, self.part.top)

    def to_point(self, point: Sequence[float], space: CoordinateSpace, grid: Size | None = None) -> Point:
        """Return x and y in `space` as a pixel of the frame, as `to_box`."""
        box = self.to_box((*point, *point), space, grid)
        return Point(box.left, box.top)

    def around(self, point: Point) -> Box:
        """Return a small box of the frame whose centre is `point`; smaller near the frame's edge."""
        reach = min(POINT_REACH, point.x, point.y, self.frame.width - 1 - point.x, self.frame.height - 1 - point.y)
        return Box.at(point, max(0, reach))


def prepare(screen: Screen, profile: Profile, within: Box | None = None) -> SentImage:
    """
    Return the frame, or the part of it inside `within`, as it is sent to a model of this family. Raises InvalidImage
    when nothing of `within` is on the frame.
    """
    part = screen.box if within is None else screen.box.intersect(within)
    if part is None:
        raise InvalidImage(f"{within} is outside of the frame of {screen.size.width}x{screen.size.height} pixels")
    pixels = screen.pixels[part.top : part.bottom, part.left : part.right]
    size = profile.sent_size((part.width, part.height))
    return SentImage(encode(_resized(pixels, size)), size, part, screen.size)


def encode(pixels: Pixels) -> Picture:
    """Encode pixels, RGB of shape (height, width, 3), as PNG; as JPEG when that is larger than `LARGEST_PNG`."""
    import cv2

    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    png = _encoded(bgr, ".png", [])
    if len(png) <= LARGEST_PNG:
        return Picture(png, "image/png")
    whole_colour = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    return Picture(_encoded(bgr, ".jpg", [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY, *whole_colour]), "image/jpeg")


def _encoded(bgr: Any, suffix: str, settings: list[int]) -> bytes:
    import cv2

    done, data = cv2.imencode(suffix, bgr, settings)
    if not done:
        raise InvalidImage(f"a picture of {bgr.shape[1]}x{bgr.shape[0]} pixels could not be encoded as {suffix}")
    return bytes(data)


def _resized(pixels: Pixels, size: Size) -> Pixels:
    """
    Return the pixels resized: averaged by area when smaller, interpolated when a model's least size requires enlarging.
    """
    height, width = pixels.shape[:2]
    if (width, height) == size:
        return np.ascontiguousarray(pixels)
    import cv2

    smaller = size.width <= width and size.height <= height
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)


# Resizing rules of model servers, and image budgets within which a picture is not resized.


# Qwen2-VL's rule with the bounds of its preprocessor_config.json; UI-TARS-1.5's are those of its action_parser.py.
QWEN_28: Final = SmartResize(28, 4 * 28 * 28, 16384 * 28 * 28)
TARS_28: Final = SmartResize(28, 100 * 28 * 28, 16384 * 28 * 28)
# Qwen3-VL's patches are 16 wide and merged by two; bounds of its preprocessor_config.json (shortest and longest edge, squared).
QWEN_32: Final = SmartResize(32, 64 * 32 * 32, 16384 * 32 * 32)
# Servers lower the upper bound without notice: Ollama and the vendor's own API to 1280 tokens of 28 x 28 pixels. A picture
# within the smallest of these bounds is resized by none of them. `min_pixels` is UI-TARS-1.5's, the largest of them.
BUDGET_28: Final = TARS_28.budget(most=1280 * 28 * 28)
# 2560 tokens of 32 x 32 pixels: the vendor's default for Qwen3-VL. Its numbers do not depend on it.
BUDGET_32: Final = QWEN_32.budget(most=2560 * 32 * 32)
# Above 1568 pixels or about 1.15 megapixels a picture is shrunk before the model sees it (Anthropic, "Vision").
CLAUDE: Final = ImageBudget(long_side=1568, max_pixels=1_150_000)
# Shrunk to fit 2048 x 2048, then to a short side of 768 (OpenAI, "Images and vision", high detail).
OPENAI: Final = ImageBudget(long_side=2048, short_side=768)
# Models with a fixed small input size; a larger picture only costs time.
SMALL: Final = ImageBudget(long_side=1344)

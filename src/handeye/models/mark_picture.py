"""Numbered boxes on a screenshot, as a model is shown them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from PIL import ImageDraw, ImageFont

from handeye.geometry import Box, Size
from handeye.screen import Screen

# Height of a digit in pixels of the picture that the model sees: below 12, models read numbers wrong.
DIGITS: Final = 15
# Neighbouring boxes differ in colour, so that a number is taken for its own box. Dark enough for white digits (4.5:1).
COLOURS: Final = ((200, 30, 30), (20, 90, 200), (20, 120, 60), (140, 40, 180), (160, 85, 0), (0, 115, 125))
_ON_CHIP: Final = (255, 255, 255)
# A number in a foreign box is taken for that box's number: as bad as three of its own.
_OTHER: Final = 3.0


def marked(screen: Screen, boxes: Sequence[Box], shown: Size) -> Screen:
    """
    The frame with boxes 1, 2, … drawn around `boxes` (pixels of the frame).

    Lines and numbers are sized so that they can be read when the model sees the frame at `shown`. A number stands outside of
    its box where there is room, else in its corner rather than in another box.
    """
    scale = max(1.0, screen.size.width / shown.width, screen.size.height / shown.height)
    picture = screen.image.copy()
    pen = ImageDraw.Draw(picture)
    stroke = max(1, round(1.5 * scale))
    font = _font(round(DIGITS * scale * 1.35))  # digits are some 0.74 of a font's size
    for index, box in enumerate(boxes):
        left, top, right, bottom = box.expand(stroke)
        pen.rectangle((left, top, right - 1, bottom - 1), outline=COLOURS[index % len(COLOURS)], width=stroke)
    taken: list[Box] = []
    for index, box in enumerate(boxes):
        places = _chip_places(pen.textbbox((0, 0), str(index + 1), font=font), box, screen.size, stroke)
        chip = min(places, key=lambda place: _harm(place, index, boxes, taken))
        taken.append(chip)
        pen.rectangle((chip.left, chip.top, chip.right - 1, chip.bottom - 1), fill=COLOURS[index % len(COLOURS)])
        pen.text(_middle(chip), str(index + 1), font=font, fill=_ON_CHIP, anchor="mm")
    return Screen(np.array(picture), screen.taken, screen.pixels_per_unit, screen.origin, screen.window)


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _chip_places(text: tuple[float, float, float, float], box: Box, size: Size, stroke: int) -> list[Box]:
    """Where a number with these edges may go: around the box, and in its corners; moved onto the frame."""
    left, top, right, bottom = text
    pad = 2 * stroke
    width, height = round(right - left) + 2 * pad, round(bottom - top) + 2 * pad
    outer = box.expand(stroke)
    corners = [
        (outer.left, outer.top - height),  # above
        (outer.right - width, outer.top - height),
        (outer.left, outer.bottom),  # below
        (outer.right - width, outer.bottom),
        (outer.left - width, outer.top),  # beside
        (outer.right, outer.top),
        (outer.left, outer.top),  # inside
        (outer.right - width, outer.top),
        (outer.left, outer.bottom - height),
        (outer.right - width, outer.bottom - height),
    ]
    moved = [(max(0, min(x, size.width - width)), max(0, min(y, size.height - height))) for x, y in corners]
    return [Box(x, y, x + width, y + height) for x, y in moved]


def _harm(chip: Box, own: int, boxes: Sequence[Box], taken: Sequence[Box]) -> float:
    """How much of the boxes a number there hides, as shares of them: in another box it also seems to be that one's number."""
    hidden = sum(
        (1.0 if index == own else _OTHER) * _shared(chip, box) / box.area
        for index, box in enumerate(boxes)
        if index == own or not _holds(box, boxes[own])
    )
    return hidden + _OTHER * sum(_shared(chip, other) / other.area for other in taken)


def _holds(outer: Box, inner: Box) -> bool:
    """Whether a box stands in another one: then its number may stand there too."""
    return outer.intersect(inner) == inner


def _shared(one: Box, other: Box) -> int:
    shared = one.intersect(other)
    return shared.area if shared else 0


@lru_cache(16)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font, which is there on every machine."""
    return ImageFont.load_default(max(8, size))

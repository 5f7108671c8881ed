"""A small picture of a place's surroundings: is the same thing still there, and is it still the only one?

Two frames of one device that show the same thing are equal to the bit, but for dithering. So the picture must be equal pixel
by pixel, and not just correlate: a button whose label changed correlates by 0.95 to 0.97, 未 and 末 by more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.screen import Pixels, Screen

# What dithering and graphics drivers change in a channel (0-255). A serif of 12 px text changes 30 and more.
DRIFT: Final = 3
# The picture holds the whole row beside the place, because in lists only the row's text tells one row from another. To each
# side it reaches as far as the frame's shorter side: all of a phone's width, a window's width on a desktop. Above and below it
# reaches as far as this share of the shorter side (27 px on a phone), and half the place's height.
_MARGIN: Final = 1 / 40
# A larger part of the frame is a page, not a place: something in it always changes.
_MOST_OF_FRAME: Final = 0.3
# Below these a place shows nothing that could be recognised: more than of a picture that a person chose
# (matching/reference.py).
LEAST_SIDE: Final = 8
LEAST_CONTRAST: Final = 8.0
# One pixel in so many rows and columns tells what else changed on the frame: every stroke of a letter is hit.
_EVERY: Final = (2, 4)
_SAMPLE_DRIFT: Final = 16
# Beyond this share of changed pixels it is another page, on which another thing may answer to the same name.
MOST_CHANGED: Final = 0.4
# What changed within a square of this share of the frame's shorter side (36 px on a phone) is a detail: one digit of a clock, a
# caret. So is only what is smaller than the place, by this share of its longer side, or of twice its shorter one, because a
# control may be wider than its words: in one interface the largest labels are about twice as high as the smallest.
_DETAIL: Final = 1 / 30
_RIVAL: Final = 0.4

HoldsAnother = Callable[[list[Box]], bool]
"""Return True if a second one may stand in those parts of the frame."""


@dataclass(frozen=True, eq=False, slots=True)
class Fingerprint:
    """
    Pixels of a frame of `size`: the place itself (`core`, where its ink is), the picture `pixels` of its
    surroundings, and `sample`, a thin sample of the whole frame. Boxes in pixels of that frame.
    """

    size: Size
    core: Box
    pixels: Pixels
    sample: Pixels

    @classmethod
    def take(cls, screen: Screen, core: Box) -> Fingerprint | None:
        """The surroundings of `core`; None where they would prove nothing: too plain, too large, not wholly on the frame."""
        if core.intersect(screen.box) != core or min(core.width, core.height) < LEAST_SIDE:
            return None
        around = _surroundings(core, screen.size)
        gray = cv2.cvtColor(np.ascontiguousarray(_cut(screen, core)), cv2.COLOR_RGB2GRAY)
        if around.area > _MOST_OF_FRAME * screen.box.area or float(gray.std()) < LEAST_CONTRAST:
            return None
        return cls(screen.size, core, _cut(screen, around).copy(), sample_of(screen))

    @property
    def bytes(self) -> int:
        """Memory that it takes."""
        return self.pixels.nbytes + self.sample.nbytes

    def stands(self, screen: Screen) -> bool:
        """Return True if the surroundings are as they were, whatever else there is on the frame."""
        if screen.size != self.size:
            return False
        now = _cut(screen, _surroundings(self.core, self.size))
        return int(cv2.absdiff(now, self.pixels).max()) <= DRIFT

    def doubt(self, screen: Screen, *, same_page: bool = False, holds_another: HoldsAnother | None = None) -> str:
        """
        Return why it is not certain that `core` stands there on the frame now, and alone; empty if it is.

        `same_page` asks that nothing but details changed on the whole frame: for a place that was told from others by where it
        stood among them. Where more than a detail has come up, `holds_another` is asked; without it nobody can say.
        """
        if not self.stands(screen):
            return "its surroundings changed"
        shown = sample_of(screen)
        changed = np.asarray(cv2.absdiff(shown, self.sample) > _SAMPLE_DRIFT)
        together = _DETAIL * min(self.size)
        low, high = sorted((self.core.width, self.core.height))
        detail = min(together, _RIVAL * min(high, 2 * low))
        parts = _larger_parts(changed, math.inf if same_page else together, detail)
        share = float(changed.mean())
        if share > MOST_CHANGED or (same_page and parts):
            return f"{share:.1%} of the frame changed"
        down, right = _EVERY
        come_up = [
            Box(left * right, top * down, (left + width) * right, (top + height) * down)
            for left, top, width, height in parts
            # with its edge, because a thin stroke fills its box; what is plain there is only gone
            if int(np.ptp(shown[max(0, top - 1) : top + height + 1, max(0, left - 1) : left + width + 1]))
            > _SAMPLE_DRIFT
        ]
        if come_up and (holds_another is None or holds_another(come_up)):
            return "something that may hold another one has come up"
        return ""


def sample_of(screen: Screen) -> Pixels:
    """A thin sample of the frame's green values, which are nearest to lightness: no pixel is converted for it."""
    down, right = _EVERY
    return np.ascontiguousarray(screen.pixels[down // 2 :: down, right // 2 :: right, 1])


def _surroundings(core: Box, size: Size) -> Box:
    shorter = min(size)
    margin = max(core.height // 2, round(_MARGIN * shorter))
    return Box(core.left - shorter, core.top - margin, core.right + shorter, core.bottom + margin).clip(size)


def _larger_parts(changed: npt.NDArray[np.bool_], together: float, detail: float) -> list[tuple[int, ...]]:
    """
    Return left, top, width, height, in samples, of the changed parts that are larger than a detail (pixels). Parts that are no
    further apart than `together` are one.
    """
    down, right = _EVERY
    if math.isinf(together):
        boxes = [cv2.boundingRect(changed.astype(np.uint8))]
    else:
        around = np.ones((int(together) // down | 1, int(together) // right | 1), np.uint8)
        closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, around)
        boxes = cv2.connectedComponentsWithStats(closed)[2][1:, :4].tolist()
    return [tuple(each) for each in boxes if each[2] * right > detail or each[3] * down > detail]


def _cut(screen: Screen, box: Box) -> Pixels:
    return screen.pixels[box.top : box.bottom, box.left : box.right]

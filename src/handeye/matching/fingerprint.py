"""Fingerprint of an element's surroundings, to check that it is unchanged and still the only one.

Two frames of one device that show the same content are equal except for dithering. So the pixels must be equal, not just
correlate: a button whose label changed correlates at 0.95 to 0.97, 未 and 末 even higher.
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

# Largest change of a channel (0-255) by dithering and graphics drivers. A serif of 12 px text changes it by 30 or more.
DRIFT: Final = 3
# The fingerprint contains the whole row of the element, because only the row's text distinguishes the rows of a list. To each
# side it extends by the frame's shorter side: the full width of a phone, a window's width on a desktop. Above and below it
# extends by the larger of this share of the shorter side (27 px on a phone) and half the element's height.
_MARGIN: Final = 1 / 40
# A larger part of the frame is a page, not an element: something in it always changes.
_MOST_OF_FRAME: Final = 0.3
# A smaller or plainer element cannot be recognised. Stricter in contrast than for a picture that a person chose
# (reference.py).
LEAST_SIDE: Final = 8
LEAST_CONTRAST: Final = 8.0
# Sampling steps (rows, columns) for changes on the rest of the frame: every stroke of a letter is hit.
_EVERY: Final = (2, 4)
_SAMPLE_DRIFT: Final = 16
# Above this share of changed pixels it is another page, on which another element may have the same name.
MOST_CHANGED: Final = 0.4
# A change within a square of _DETAIL of the frame's shorter side (36 px on a phone) is a detail: one digit of a clock, a
# caret. A detail must also be smaller than _RIVAL of the element's longer side, or of twice its shorter side, because a
# control may be wider than its label: in one interface the largest labels are about twice as high as the smallest.
_DETAIL: Final = 1 / 30
_RIVAL: Final = 0.4

HoldsAnother = Callable[[list[Box]], bool]
"""Return True if a second such element may be in those parts of the frame."""


@dataclass(frozen=True, eq=False, slots=True)
class Fingerprint:
    """
    Pixels of a frame of `size`: `core` is the bounding box of the element's ink, `pixels` its surroundings, and `sample` a
    sparse sample of the whole frame. Boxes are in pixels of that frame.
    """

    size: Size
    core: Box
    pixels: Pixels
    sample: Pixels

    @classmethod
    def take(cls, screen: Screen, core: Box) -> Fingerprint | None:
        """
        Return the fingerprint of `core`, or None if it would prove nothing: too plain, too large, or not wholly on the
        frame.
        """
        if core.intersect(screen.box) != core or min(core.width, core.height) < LEAST_SIDE:
            return None
        around = _surroundings(core, screen.size)
        gray = cv2.cvtColor(np.ascontiguousarray(_cut(screen, core)), cv2.COLOR_RGB2GRAY)
        if around.area > _MOST_OF_FRAME * screen.box.area or float(gray.std()) < LEAST_CONTRAST:
            return None
        return cls(screen.size, core, _cut(screen, around).copy(), sample_of(screen))

    @property
    def bytes(self) -> int:
        """Memory use in bytes."""
        return self.pixels.nbytes + self.sample.nbytes

    def matches(self, screen: Screen) -> bool:
        """Return True if the surroundings are unchanged, whatever else changed on the frame."""
        if screen.size != self.size:
            return False
        now = _cut(screen, _surroundings(self.core, self.size))
        return int(cv2.absdiff(now, self.pixels).max()) <= DRIFT

    def doubt(self, screen: Screen, *, same_page: bool = False, holds_another: HoldsAnother | None = None) -> str:
        """
        Return the reason why `core` may not be on the frame now, or not be the only one; empty if it is certain.

        `same_page` requires that only details changed on the whole frame: for an element that was chosen among duplicates
        by its position. If more than a detail appeared, `holds_another` decides; without it the result is uncertain.
        """
        if not self.matches(screen):
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
        appeared = [
            Box(left * right, top * down, (left + width) * right, (top + height) * down)
            for left, top, width, height in parts
            # with a margin, because a thin stroke fills its box; a plain part is content that disappeared
            if int(np.ptp(shown[max(0, top - 1) : top + height + 1, max(0, left - 1) : left + width + 1]))
            > _SAMPLE_DRIFT
        ]
        if appeared and (holds_another is None or holds_another(appeared)):
            return "something that may hold another one has come up"
        return ""


def sample_of(screen: Screen) -> Pixels:
    """Return a sparse sample of the frame's green channel, which is closest to lightness, so no conversion is needed."""
    down, right = _EVERY
    return np.ascontiguousarray(screen.pixels[down // 2 :: down, right // 2 :: right, 1])


def _surroundings(core: Box, size: Size) -> Box:
    shorter = min(size)
    margin = max(core.height // 2, round(_MARGIN * shorter))
    return Box(core.left - shorter, core.top - margin, core.right + shorter, core.bottom + margin).clip(size)


def _larger_parts(changed: npt.NDArray[np.bool_], together: float, detail: float) -> list[tuple[int, ...]]:
    """
    Return left, top, width, height, in samples, of the changed parts that are larger than `detail` pixels. Parts no further
    apart than `together` are merged.
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

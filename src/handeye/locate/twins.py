"""The same label again, where nobody read it: of equal blocks in a row or a column one may be read and another one not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.locate.correlation import likeness
from handeye.locate.patch import LEAST_CONTRAST, LEAST_SIDE
from handeye.screen import Pixels, Screen

# Correlation, light on dark or dark on light. Of the same label drawn again at any fraction of a pixel the median is 0.93 (1.0
# on whole pixels); of labels that differ in one letter it is 0.76, and 0.93 for one in ten. So this is a doubt and no proof: it
# counts where nobody read what stands there.
_SAME: Final = 0.87


def unread_twins(screen: Screen, label: Box, known: Sequence[Box]) -> list[Box]:
    """
    Return the places in the label's row and column where the same picture seems to stand, outside of `known`; in frame pixels.

    `label` is the ink of a text that was read.
    """
    size, room = screen.size, label.height // 2
    pattern = label.expand(room).clip(size)  # with its empty room: "Save" in "Saved" has a letter there
    if label.height < LEAST_SIDE or label.intersect(screen.box) != label or _of(screen, pattern).std() < LEAST_CONTRAST:
        return []
    taken, found = [label, *known], []
    column = Box(pattern.left - room, 0, pattern.right + room, size.height).clip(size)
    row = Box(0, pattern.top - room, size.width, pattern.bottom + room).clip(size)
    for strip in (column, row):
        alike = likeness(_of(screen, strip), _of(screen, pattern))
        if alike is None:
            continue
        alike[alike < cv2.dilate(alike, np.ones((label.height, label.height), np.uint8))] = 0
        for y, x in np.argwhere(alike >= _SAME).tolist():
            twin = label.translate(strip.left + x - pattern.left, strip.top + y - pattern.top)
            if not any(box.intersect(twin) for box in taken):
                taken.append(twin)
                found.append(twin)
    return found


def _of(screen: Screen, part: Box) -> Pixels:
    return screen.gray[part.top : part.bottom, part.left : part.right]

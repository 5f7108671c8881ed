"""
Checks for OCR errors: drawings that are read as a digit or letter (a home button as 0, a gear as O, a pencil in a square as
2), and duplicates of a label that were not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.matching import LEAST_CONTRAST, LEAST_SIDE, normalised_correlation
from handeye.screen import Pixels, Screen
from handeye.text import MAX_HEIGHT_RATIO, TextLine, labels_of, normalize

# Characters that OCR returns for drawings as wide as high.
_ROUND: Final = frozenset("0123456789oq°○〇◯●。·•.∘◦⚪⚫")
# Ratio of width to height. The digit 0, the widest, has 0.44-0.83 in 58 of 60 fonts at 12-40 px; rings are circles, and the
# letters O and o are nearly circles, too.
_CIRCLE: Final = (0.9, 1.12)
# A key of a keyboard has at least this many other letters or digits of similar height in its row or column. The icons next
# to a home button are also read as characters, but not as letters or digits.
_KEYS: Final = 3


def may_be_round_sign(text: str) -> bool:
    """Return True for a single character, punctuation aside, that OCR may return for a ring, a disc or an icon."""
    return normalize(text) in _ROUND


def may_be_circle(screen: Screen, box: Box, lines: Sequence[TextLine]) -> bool:
    """
    Return True if the content of `box`, read as such a character, may be a drawing: as wide as high and alone.

    A narrower one is a digit. A circle among other letters (the O of a keyboard) is a letter.
    """
    shape = _aspect_ratio(screen, box)
    return shape is not None and _CIRCLE[0] <= shape <= _CIRCLE[1] and not _is_key(box, lines)


def is_drawing(element: UIElement, among: Iterable[UIElement], screen: Screen) -> bool:
    """Return True if a single character read on an element may be a drawing; `among` are all elements of the frame."""
    if not may_be_round_sign(element.text or ""):
        return False
    lines = [TextLine(each.text, text_box(each), 1.0) for each in among if each.text]
    return may_be_circle(screen, text_box(element), lines)


def text_box(element: UIElement) -> Box:
    """Return the box of an element's text."""
    return element.label_box or element.bbox


def _aspect_ratio(screen: Screen, box: Box) -> float | None:
    """Return the ratio of width to height of the drawing at `box`, or None if the contrast is too low."""
    around = box.expand(2).clip(screen.size)
    gray = screen.gray[around.top : around.bottom, around.left : around.right].astype(np.int16)
    off = np.abs(gray - np.median(np.concatenate((gray[0], gray[-1], gray[:, 0], gray[:, -1]))))
    if gray.std() < LEAST_CONTRAST:
        return None
    rows, columns = (np.flatnonzero((off >= off.max() / 2).any(axis=axis)) for axis in (1, 0))
    return float(np.ptp(columns) + 1) / float(np.ptp(rows) + 1)


def _is_key(box: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if other single letters or digits of similar height are in its row or column."""
    labels = [label for line in lines for label in labels_of(line)]
    return sum(_is_similar_key(box, label) for label in labels) >= _KEYS


def _is_similar_key(box: Box, label: TextLine) -> bool:
    text, other = label.text.strip(), label.box
    if len(text) != 1 or not (text.isascii() and text.isalnum()) or other.intersect(box) is not None:
        return False
    like = max(box.height, other.height) <= MAX_HEIGHT_RATIO * min(box.height, other.height)
    level = other.top <= box.center.y < other.bottom or other.left <= box.center.x < other.right
    return like and level


# Duplicates of a label that OCR missed: of equal controls in a row or a column it may read one and not another.
#
# Threshold of the correlation, light on dark or dark on light. The same label drawn at any fraction of a pixel has a median
# of 0.93 (1.0 on whole pixels); labels that differ in one letter have 0.76, and one in ten of them 0.93. So this is no
# proof, and is used only where OCR read nothing.
_SAME: Final = 0.87


def unread_duplicates(screen: Screen, label: Box, known: Sequence[Box]) -> list[Box]:
    """
    Return the places in the label's row and column where the same picture seems to occur, outside of `known`; in frame
    pixels.

    `label` is the ink of a text that was read.
    """
    size, room = screen.size, label.height // 2
    pattern = label.expand(room).clip(size)  # with an empty margin: "Save" in "Saved" has a letter there
    if (
        label.height < LEAST_SIDE
        or label.intersect(screen.box) != label
        or _crop(screen, pattern).std() < LEAST_CONTRAST
    ):
        return []
    taken, found = [label, *known], []
    column = Box(pattern.left - room, 0, pattern.right + room, size.height).clip(size)
    row = Box(0, pattern.top - room, size.width, pattern.bottom + room).clip(size)
    for strip in (column, row):
        alike = normalised_correlation(_crop(screen, strip), _crop(screen, pattern))
        if alike is None:
            continue
        alike[alike < cv2.dilate(alike, np.ones((label.height, label.height), np.uint8))] = 0
        for y, x in np.argwhere(alike >= _SAME).tolist():
            twin = label.translate(strip.left + x - pattern.left, strip.top + y - pattern.top)
            if not any(box.intersect(twin) for box in taken):
                taken.append(twin)
                found.append(twin)
    return found


def _crop(screen: Screen, part: Box) -> Pixels:
    return screen.gray[part.top : part.bottom, part.left : part.right]

"""Is it a digit or letter, or a drawing read as one? A home button is read as 0, a gear as O, a pencil in a square as 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.match_text import labels_of, normalize
from handeye.ocr.base import TextLine
from handeye.screen import Screen

# What readers make of drawings as wide as high.
_ROUND: Final = frozenset("0123456789oq°○〇◯●。·•.∘◦⚪⚫")
# Width to height. Of the digit 0, the widest, it is 0.44-0.83 in 58 of 60 fonts at 12-40 px; rings are drawn as circles, and
# the letters O and o are nearly circles too.
_CIRCLE: Final = (0.9, 1.12)
# Gray levels to the ground: half of the strongest, and at least so many.
_LEAST_INK: Final = 24
# The share of its box that a letter leaves empty in its middle: 0.16 and more, a disc nothing.
_HOLLOW: Final = 0.06
# Keys of one keyboard: so many other letters or digits, no higher or lower than this, in the same row or column. The signs
# beside a home button are read as characters too, but not as these.
_KEYS: Final = 3
_LIKE: Final = 1.6


def may_be_round_sign(text: str) -> bool:
    """Return True if it is a single character, marks aside, that a ring, a disc or an icon may be read as."""
    return normalize(text) in _ROUND


def is_round_sign(screen: Screen, box: Box, lines: Sequence[TextLine]) -> bool:
    """
    Return True if what stands in `box`, read as such a character, may be a drawing: a disc, or as wide as high and alone.

    What is narrower is a digit. A circle among other letters (the O of a keyboard) is a letter.
    """
    shape = _shape(screen, box)
    if shape is None:
        return False
    width, height, hollow = shape
    low, high = _CIRCLE
    return low <= width / height <= high and (hollow < _HOLLOW or not _is_key(box, lines))


def is_drawing(element: UIElement, among: Iterable[UIElement], screen: Screen) -> bool:
    """Return True if what was read on an element as one character may be a drawing; `among` are all elements of the frame."""
    if not may_be_round_sign(element.text or ""):
        return False
    lines = [TextLine(each.text, letters_of(each), 1.0) for each in among if each.text]
    return is_round_sign(screen, letters_of(element), lines)


def letters_of(element: UIElement) -> Box:
    """Return the box of an element's text."""
    return element.label_box or element.bbox


def _shape(screen: Screen, box: Box) -> tuple[int, int, float] | None:
    """Width, height and empty share of the one thing drawn at `box`; None when that cannot be told."""
    around = box.expand(max(2, box.height // 4)).clip(screen.size)
    pixels = screen.pixels[around.top : around.bottom, around.left : around.right]
    gray = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY).astype(np.int16)
    ground = np.median(np.concatenate((gray[0], gray[-1], gray[:, 0], gray[:, -1])))
    off = np.abs(gray - ground)
    if off.max() < _LEAST_INK:
        return None
    ink = (off >= max(_LEAST_INK, off.max() / 2)).astype(np.uint8)
    _count, labels, stats, _centres = cv2.connectedComponentsWithStats(ink, connectivity=8)
    stats[0] = 0
    chosen = int(np.argmax(stats[:, cv2.CC_STAT_WIDTH] * stats[:, cv2.CC_STAT_HEIGHT]))
    left, top, width, height, area = (int(value) for value in stats[chosen])
    if min(width, height) < 3 or width == ink.shape[1] or height == ink.shape[0]:
        return None
    own = (labels[top : top + height, left : left + width] == chosen).astype(np.uint8)
    outlines, _tree = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = cv2.drawContours(np.zeros_like(own), outlines, -1, 1, cv2.FILLED)
    return width, height, (int(filled.sum()) - area) / (width * height)


def _is_key(box: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if other single letters or digits of about its height stand in its row or column."""
    labels = [label for line in lines for label in labels_of(line)]
    return sum(_goes_with(box, label) for label in labels) >= _KEYS


def _goes_with(box: Box, label: TextLine) -> bool:
    text, other = label.text.strip(), label.box
    if len(text) != 1 or not (text.isascii() and text.isalnum()) or other.intersect(box) is not None:
        return False
    like = max(box.height, other.height) <= _LIKE * min(box.height, other.height)
    level = other.top <= box.center.y < other.bottom or other.left <= box.center.x < other.right
    return like and level

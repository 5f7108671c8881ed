"""Drawings that are read as a digit or letter: a home button as 0, a gear as O, a pencil in a square as 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.labels import MOST_UNLIKE, labels_of
from handeye.locate.patch import LEAST_CONTRAST
from handeye.locate.text_forms import normalize
from handeye.screen import Screen
from handeye.text.lines import TextLine

# What readers make of drawings as wide as high.
_ROUND: Final = frozenset("0123456789oq°○〇◯●。·•.∘◦⚪⚫")
# Width to height. Of the digit 0, the widest, it is 0.44-0.83 in 58 of 60 fonts at 12-40 px; rings are drawn as circles, and
# the letters O and o are nearly circles too.
_CIRCLE: Final = (0.9, 1.12)
# Keys of one keyboard: so many other letters or digits about as high, in the same row or column. The signs beside a home button
# are read as characters too, but not as these.
_KEYS: Final = 3


def may_be_round_sign(text: str) -> bool:
    """Return True if it is a single character, marks aside, that a ring, a disc or an icon may be read as."""
    return normalize(text) in _ROUND


def is_round_sign(screen: Screen, box: Box, lines: Sequence[TextLine]) -> bool:
    """
    Return True if what stands in `box`, read as such a character, may be a drawing: as wide as high and alone.

    What is narrower is a digit. A circle among other letters (the O of a keyboard) is a letter.
    """
    shape = _shape(screen, box)
    return shape is not None and _CIRCLE[0] <= shape <= _CIRCLE[1] and not _is_key(box, lines)


def is_drawing(element: UIElement, among: Iterable[UIElement], screen: Screen) -> bool:
    """Return True if what was read on an element as one character may be a drawing; `among` are all elements of the frame."""
    if not may_be_round_sign(element.text or ""):
        return False
    lines = [TextLine(each.text, letters_of(each), 1.0) for each in among if each.text]
    return is_round_sign(screen, letters_of(element), lines)


def letters_of(element: UIElement) -> Box:
    """Return the box of an element's text."""
    return element.label_box or element.bbox


def _shape(screen: Screen, box: Box) -> float | None:
    """Return the width to the height of what is drawn at `box`; None when that cannot be told."""
    around = box.expand(2).clip(screen.size)
    gray = screen.gray[around.top : around.bottom, around.left : around.right].astype(np.int16)
    off = np.abs(gray - np.median(np.concatenate((gray[0], gray[-1], gray[:, 0], gray[:, -1]))))
    if gray.std() < LEAST_CONTRAST:
        return None
    rows, columns = (np.flatnonzero((off >= off.max() / 2).any(axis=axis)) for axis in (1, 0))
    return float(np.ptp(columns) + 1) / float(np.ptp(rows) + 1)


def _is_key(box: Box, lines: Sequence[TextLine]) -> bool:
    """Return True if other single letters or digits of about its height stand in its row or column."""
    labels = [label for line in lines for label in labels_of(line)]
    return sum(_goes_with(box, label) for label in labels) >= _KEYS


def _goes_with(box: Box, label: TextLine) -> bool:
    text, other = label.text.strip(), label.box
    if len(text) != 1 or not (text.isascii() and text.isalnum()) or other.intersect(box) is not None:
        return False
    like = max(box.height, other.height) <= MOST_UNLIKE * min(box.height, other.height)
    level = other.top <= box.center.y < other.bottom or other.left <= box.center.x < other.right
    return like and level

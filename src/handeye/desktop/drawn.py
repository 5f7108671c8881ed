"""Things that are drawn where the application says nothing: seed 002's tier 3, from pixels beside known elements."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.screen import Screen

# A channel that differs so much from the ground belongs to something drawn: what antialiasing leaves is less.
_DIFFERS: Final = 40
# Share of a place that has one colour when something stands on a ground at all: a photograph has no such colour.
_GROUND: Final = 0.5
# Pixels between strokes of one drawing, along the border, where frames are drawn, and of what a person points at.
_JOINED: Final = np.ones((5, 5), np.uint8)
_EDGE: Final = 2
_LEAST: Final = 6


def drawn_things(screen: Screen, place: Box) -> list[Box]:
    """
    The things that stand apart on one ground in `place`, without those that reach its border; all boxes are in pixels of the
    frame. Nothing where the place has no ground.
    """
    inner = place.clip(screen.size).expand(-_EDGE)
    if min(inner.width, inner.height) <= _LEAST:
        return []
    pixels = screen.crop(inner).pixels
    packed = pixels.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
    _, first, counts = np.unique(packed, return_index=True, return_counts=True)
    if counts.max() < _GROUND * packed.size:
        return []
    ground = pixels.reshape(-1, 3)[first[counts.argmax()]]
    mask = np.abs(pixels.astype(np.int16) - ground).max(axis=2) > _DIFFERS
    count, labels = cv2.connectedComponents(cv2.dilate(mask.astype(np.uint8), _JOINED))
    found = []
    for label in range(1, count):
        left, top, width, height = cv2.boundingRect(((labels == label) & mask).astype(np.uint8))
        is_apart = left > 0 and top > 0 and left + width < inner.width and top + height < inner.height
        if is_apart and min(width, height) >= _LEAST:
            found.append(Box(left, top, left + width, top + height).translate(inner.left, inner.top))
    return found

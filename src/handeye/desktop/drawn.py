"""Things that are drawn where the application says nothing: seed 002's tier 3, from pixels beside known elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.screen import Screen

_DIFFERS: Final = 40
"""A channel that differs so much from the ground belongs to something drawn: what antialiasing leaves is less."""
_GROUND: Final = 0.5
"""Share of a place that has one colour when something stands on a ground at all: a photograph has no such colour."""
_JOINED: Final = 5
"""Pixels between strokes of one drawing."""
_LEAST: Final = 6
"""Pixels of the shorter side of something that a person points at."""
_EDGE: Final = 2
"""Pixels along the border of the place, where frames are drawn."""


def drawn_things(screen: Screen, place: Box, known: Sequence[Box] = ()) -> tuple[Box, ...]:
    """
    The things that stand apart on one ground in `place`, without those that reach its border or that `known` holds; all boxes
    are in pixels of the frame. Nothing where the place has no ground.
    """
    inner = place.clip(screen.size)
    if min(inner.width, inner.height) <= 2 * _EDGE + _LEAST:
        return ()
    inner = Box(inner.left + _EDGE, inner.top + _EDGE, inner.right - _EDGE, inner.bottom - _EDGE)
    pixels = screen.pixels[inner.top : inner.bottom, inner.left : inner.right]
    packed = pixels.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
    colours, counts = np.unique(packed, return_counts=True)
    if counts.max() < _GROUND * packed.size:
        return ()
    ground = int(colours[counts.argmax()])
    away = np.abs(pixels.astype(np.int16) - np.array([ground >> 16, ground >> 8 & 255, ground & 255], np.int16))
    mask = (away.max(axis=2) > _DIFFERS).astype(np.uint8)
    joined = cv2.dilate(mask, np.ones((_JOINED, _JOINED), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    found = (_box_of((labels == label) & (mask > 0)) for label in range(1, count))
    boxes = (box for box in found if min(box.width, box.height) >= _LEAST)
    whole = Box(0, 0, inner.width, inner.height)
    apart = (box for box in boxes if _is_apart(box, whole))
    placed = (box.translate(inner.left, inner.top) for box in apart)
    return tuple(box for box in placed if not any(each.contains(box.center) for each in known))


def _box_of(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Box:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return Box(0, 0, 0, 0)
    return Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def _is_apart(box: Box, whole: Box) -> bool:
    return box.left > 0 and box.top > 0 and box.right < whole.right and box.bottom < whole.bottom

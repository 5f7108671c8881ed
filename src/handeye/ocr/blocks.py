"""Which parts of a frame carry drawing that could be text, and how to lay them side by side on a small canvas.

A screen is mostly empty: on the rendered pages of `benchmarks/ocr_pages.py` the blocks cover a fifth to a third of the frame,
so the detection network has that much less to look at. A block is also the unit of memory: the same pixels are never read
twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels

# Neighbouring pixels whose gray values differ by more than this are drawing. The palest hint text differs by 30 and more;
# gradients and the noise of good JPEGs stay below.
_EDGE: Final = 6
# Straight edges longer than this are borders and separators, never letters (a dash of a 72 px headline has about 60 px).
_RULE: Final = 96
_CELL: Final = 4  # pixels; blocks are found on a grid of such cells
# Pixels of its surroundings that a block keeps. With 8, what the network sees in a short label depends on its neighbours on the
# canvas (广告 became 告 in some arrangements); with 16 it did not in any of those tried.
_MARGIN: Final = 16
# Blocks in a row belong together up to this many heights of the higher one: a line is cut into labels at 1.6 heights of its
# detected box (`ink.LABEL_GAP`), which is at most a quarter higher than the drawing.
_ROW_GAP: Final = 2.0
_ROW_GAP_LEAST: Final = 16
# The strokes of one character (二, 三, i) are apart by up to this share of what they make together.
_STROKE_GAP: Final = 0.5
_CHARACTER: Final = 160  # pixels; larger drawing is not taken for one character's strokes
# More pieces than this are a photograph or noise: then the whole frame is one block.
_MOST_PIECES: Final = 1500

_Rectangles = npt.NDArray[np.int32]  # one row each: left, top, right, bottom


def find_blocks(pixels: Pixels) -> list[Box]:
    """
    Boxes that together hold everything drawn on a frame but straight borders; top to bottom, none inside another.

    A line of text is never divided; several lines, or a picture, may be one block.
    """
    height, width = pixels.shape[:2]
    cells = _drawn_cells(pixels)
    reached = cv2.dilate(cells, np.ones((3, 3), np.uint8))
    count, _labels, stats, _ = cv2.connectedComponentsWithStats(reached, connectivity=4)
    if count == 1:
        return []
    if count > _MOST_PIECES:
        return [Box(0, 0, width, height)]
    left, top, wide, high = (stats[1:, column] for column in range(4))
    right, bottom = left + wide, top + high
    # The dilation added a cell on each side but at the frame's edges.
    left, top = left + (left > 0), top + (top > 0)
    right, bottom = right - (right < cells.shape[1]), bottom - (bottom < cells.shape[0])
    pieces = np.stack([left, top, right, bottom], axis=1) * _CELL
    joined = _joined(pieces.astype(np.int32))
    grown = joined + np.array([-_MARGIN, -_MARGIN, _MARGIN, _MARGIN], np.int32)
    grown = np.clip(grown, 0, [width, height, width, height])
    boxes = [Box(*(int(value) for value in row)) for row in grown]
    return sorted((box for box in boxes if box.width and box.height), key=lambda box: (box.top, box.left))


def _drawn_cells(pixels: Pixels) -> npt.NDArray[np.uint8]:
    """A grid of `_CELL` pixels: 1 where neighbouring pixels differ, straight borders left out."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    height, width = gray.shape
    rows, columns = -(-height // _CELL), -(-width // _CELL)
    across = np.zeros((rows * _CELL, columns * _CELL), np.uint8)
    down = np.zeros_like(across)
    cv2.absdiff(gray[:, 1:], gray[:, :-1], dst=across[:height, : width - 1])
    cv2.absdiff(gray[1:], gray[:-1], dst=down[: height - 1, :width])
    horizontal = _without_rules(down)
    vertical = _without_rules(cv2.transpose(across))
    either: npt.NDArray[np.uint8] = np.maximum(horizontal, vertical.T)
    return either


def _without_rules(differences: Any) -> npt.NDArray[np.uint8]:
    """Cells with a difference, but for those of unbroken horizontal runs; runs are seen along axis 1."""
    edges = cv2.threshold(differences, _EDGE, 1, cv2.THRESH_BINARY)[1]
    rows, columns = edges.shape[0], edges.shape[1] // _CELL
    quads = edges.view(np.uint32).reshape(rows, columns)  # four neighbours at once
    full = (quads == 0x01010101).astype(np.uint8)
    rule = cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((1, _RULE // _CELL), np.uint8))
    # A run seldom starts and ends on a cell's border: its two last cells are not full, and belong to it.
    rule = cv2.dilate(rule, np.ones((1, 3), np.uint8))
    drawn = ((quads != 0) & (rule == 0)).astype(np.uint8)
    cells: npt.NDArray[np.uint8] = drawn.reshape(rows // _CELL, _CELL, columns).max(axis=1)
    return cells


def _joined(pieces: _Rectangles) -> _Rectangles:
    """Pieces of one line or one character made one, until nothing more belongs together."""
    while True:
        groups = _groups(_belong_together(pieces))
        count = int(groups.max()) + 1
        if count == len(pieces):
            return pieces
        joined = np.empty((count, 4), np.int32)
        joined[:, :2], joined[:, 2:] = np.iinfo(np.int32).max, 0
        np.minimum.at(joined[:, :2], groups, pieces[:, :2])
        np.maximum.at(joined[:, 2:], groups, pieces[:, 2:])
        pieces = joined


def _belong_together(pieces: _Rectangles) -> npt.NDArray[np.bool_]:
    left, top, right, bottom = pieces.T
    aside = np.maximum(left[:, None], left) - np.minimum(
        right[:, None], right
    )  # empty columns between; negative: shared
    apart = np.maximum(top[:, None], top) - np.minimum(bottom[:, None], bottom)
    high, wide = bottom - top, right - left
    highest = np.minimum(np.maximum(high[:, None], high), _CHARACTER)
    in_a_row = (apart < 0) & (aside <= np.maximum(_ROW_GAP_LEAST, _ROW_GAP * highest))
    together = np.maximum(bottom[:, None], bottom) - np.minimum(top[:, None], top)
    one_character = (aside < 0) & (np.maximum(wide[:, None], wide) <= _CHARACTER) & (together <= _CHARACTER)
    one_character &= apart <= _STROKE_GAP * together
    one_character &= together <= 1.5 * np.maximum(wide[:, None], wide)
    related: npt.NDArray[np.bool_] = in_a_row | one_character | ((apart <= 0) & (aside <= 0))
    return related


def _groups(related: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """The number of the connected group that each row belongs to: labels spread along relations until they stand still."""
    labels = np.arange(len(related))
    while True:
        spread = np.where(related, labels, len(related)).min(axis=1)
        spread = spread[spread]
        if np.array_equal(spread, labels):
            return np.unique(labels, return_inverse=True)[1]
        labels = spread


def pack(sizes: Sequence[tuple[int, int]], width: int, gap: int) -> tuple[list[tuple[int, int]], int]:
    """
    Places for rectangles of (width, height) on shelves of a canvas `width` wide, `gap` apart, and the canvas's height.

    The highest come first, so that a shelf holds rectangles of about one height.
    """
    places: list[tuple[int, int]] = [(0, 0)] * len(sizes)
    x = y = shelf = 0
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index][1]):
        wide, high = sizes[index]
        if x and x + wide > width:
            x, y = 0, y + shelf + gap
            shelf = 0
        places[index] = x, y
        x += wide + gap
        shelf = max(shelf, high)
    return places, y + shelf

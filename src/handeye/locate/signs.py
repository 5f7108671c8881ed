"""Small drawn signs that no text reader knows for sure: ✕, +, ←, ⋮, ☰, ✓. They are known by the strokes they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.locate.labels import around
from handeye.screen import Pixels, Screen

Ink = npt.NDArray[np.bool_]
Cells = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
Strokes = tuple[tuple[float, float, float, float], ...]

# Sides of a sign, as shares of the frame's shorter side: 14 px on a 1080p desktop, 24 dp of a phone's 360 and twice that.
LEAST_SIDE: Final = 0.012
MOST_SIDE: Final = 0.09
_SMALLEST: Final = 8  # pixels: below it strokes cannot be told apart
_FAINT: Final = 8  # gray levels to the mean around: fainter strokes are not meant to be seen
_GRID: Final = 25
_STROKE: Final = 3  # cells to each side of a stroke's middle that a bold stroke covers on the grid
# Share of the cells along each stroke that are inked, and of those far from all strokes: a ✕ has 0.9 and 0.02, an X in a font
# 0.8 and 0.1 (serifs), a K or a star 0.6 or 0.3.
_ON_STROKE: Final = 0.75
_OFF_STROKE: Final = 0.12
# Three dots or bars are equal in size and spacing within this share of their size.
_UNEVEN: Final = 0.3
_DOT_ASPECT: Final = (0.7, 1.43)
_BAR_ASPECT: Final = (3.5, 20.0)
_DOT_FILLED: Final = 0.6  # a circle fills 0.79 of its box
_BAR_FILLED: Final = 0.75


@dataclass(frozen=True, slots=True)
class Sign:
    """
    How a sign is drawn: `strokes` as lines (x1, y1, x2, y2) in a unit square, and its width to height. Without strokes it is
    three dots or bars, in a row or (`stacked`) above each other.
    """

    strokes: Strokes = ()
    aspect: tuple[float, float] = (0.75, 1.34)
    stacked: bool = False


CROSS: Final = Sign(((0, 0, 1, 1), (0, 1, 1, 0)))
PLUS: Final = Sign(((0, 0.5, 1, 0.5), (0.5, 0, 0.5, 1)))
LEFT: Final = Sign(((1, 0, 0, 0.5), (0, 0.5, 1, 1)), (0.4, 0.85))
RIGHT: Final = Sign(((0, 0, 1, 0.5), (1, 0.5, 0, 1)), (0.4, 0.85))
UP: Final = Sign(((0, 1, 0.5, 0), (0.5, 0, 1, 1)), (1.2, 2.5))
DOWN: Final = Sign(((0, 0, 0.5, 1), (0.5, 1, 1, 0)), (1.2, 2.5))
ARROW_LEFT: Final = Sign(((0, 0.5, 1, 0.5), (0.5, 0, 0, 0.5), (0, 0.5, 0.5, 1)), (0.75, 1.5))
ARROW_RIGHT: Final = Sign(((0, 0.5, 1, 0.5), (0.5, 0, 1, 0.5), (1, 0.5, 0.5, 1)), (0.75, 1.5))
CHECK: Final = Sign(((0.03, 0.4, 0.35, 0.97), (0.35, 0.97, 1, 0)), (1.05, 1.9))
DOTS: Final = Sign(aspect=_DOT_ASPECT)
KEBAB: Final = Sign(aspect=_DOT_ASPECT, stacked=True)
BARS: Final = Sign(aspect=_BAR_ASPECT, stacked=True)

# What people type for a sign, and the drawings it may mean, likeliest first: an arrow is asked for where a chevron is drawn.
MEANT: Final[dict[str, tuple[Sign, ...]]] = {
    **dict.fromkeys("✕×✖╳⨯✗❌⊗", (CROSS,)),
    **dict.fromkeys("+＋➕", (PLUS,)),
    **dict.fromkeys("←⬅🡐", (ARROW_LEFT, LEFT)),
    **dict.fromkeys("→➡🡒", (ARROW_RIGHT, RIGHT)),
    **dict.fromkeys("<‹〈❮", (LEFT, ARROW_LEFT)),
    **dict.fromkeys(">›〉❯", (RIGHT, ARROW_RIGHT)),
    **dict.fromkeys("⌃∧", (UP,)),
    **dict.fromkeys("⌄∨▾▼", (DOWN,)),
    **dict.fromkeys("✓✔√", (CHECK,)),
    **dict.fromkeys("⋮︙", (KEBAB,)),
    **dict.fromkeys("⋯…", (DOTS,)),
    **dict.fromkeys("☰≡", (BARS,)),
}


def drawings_of(text: str) -> tuple[Sign, ...]:
    """The drawings that a text of one sign may mean; empty for any other text."""
    return MEANT.get(text.strip().removesuffix("\ufe0f"), ())


def find_signs(screen: Screen, sign: Sign, within: Box | None = None, words: Iterable[Box] = ()) -> list[Box]:
    """
    Every place where the sign is drawn, light on dark or dark on light, in frame pixels: the largest first.

    `words` are boxes of text, whose letters are no signs: the x in "Box", the three strokes of 三.
    """
    part = (within or screen.box).intersect(screen.box)
    if part is None:
        return []
    pixels = screen.pixels[part.top : part.bottom, part.left : part.right]
    gray = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    text = np.ones(gray.shape, np.uint8)
    for word in words:
        if (inside := word.intersect(part)) is not None:
            left, top, right, bottom = inside.translate(-part.left, -part.top)
            text[top:bottom, left:right] = 0
    boxes = [box.translate(part.left, part.top) for box in _drawn(gray, text, sign, min(screen.size))]
    return _each_once(boxes)


def is_drawn(ink: Ink, sign: Sign) -> bool:
    """Whether the ink, cut to its extent, is the sign's strokes and nothing else."""
    grid = cv2.resize(ink.astype(np.uint8) * 255, (_GRID, _GRID), interpolation=cv2.INTER_AREA) > 96
    distance, along = _plan(sign.strokes)
    return bool(
        min(grid[rows, columns].mean() for rows, columns in along) >= _ON_STROKE
        and grid[distance > _STROKE + 1].mean() <= _OFF_STROKE
    )


@cache
def _plan(strokes: Strokes) -> tuple[npt.NDArray[np.float64], list[Cells]]:
    """Each grid cell's distance to the nearest stroke, and the cells along each stroke without its ends, which may be round."""
    row, column = np.indices((_GRID, _GRID))
    last = _GRID - 1
    distance = np.full((_GRID, _GRID), np.inf)
    along = []
    for x1, y1, x2, y2 in strokes:
        share = np.linspace(0.08, 0.92, _GRID - 4)
        xs, ys = (x1 + (x2 - x1) * share) * last, (y1 + (y2 - y1) * share) * last
        inset = np.clip(np.stack((ys, xs)), 1, last - 1)  # a stroke's middle is not on the edge of its extent
        along.append((inset[0].round().astype(np.intp), inset[1].round().astype(np.intp)))
        for x, y in zip(xs, ys, strict=True):
            distance = np.minimum(distance, np.hypot(row - y, column - x))
    return distance, along


def _drawn(gray: Pixels, counts: Pixels, sign: Sign, side: int) -> Iterator[Box]:
    """The sign among what differs from its surroundings, where `counts` is 1."""
    least, most = max(_SMALLEST, round(side * LEAST_SIDE)), max(_SMALLEST, round(side * MOST_SIDE))
    for window in (2 * least, least + most, 2 * most):
        for how, offset in ((cv2.THRESH_BINARY, -_FAINT), (cv2.THRESH_BINARY_INV, _FAINT)):
            mask = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, how, window | 1, offset) * counts
            _count, *found, _centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
            labels, stats = (np.asarray(each, np.int32) for each in found)
            yield from (
                _of_strokes(labels, stats, sign, least, most) if sign.strokes else _of_three(stats, sign, least, most)
            )


def _of_strokes(
    labels: npt.NDArray[np.int32], stats: npt.NDArray[np.int32], sign: Sign, least: int, most: int
) -> Iterator[Box]:
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    aspect = width / height
    low, high = sign.aspect
    fits = (np.maximum(width, height) >= least) & (np.minimum(width, height) >= least / 2)
    fits &= (np.maximum(width, height) <= most) & (aspect >= low) & (aspect <= high)
    for index in np.flatnonzero(fits[1:]) + 1:
        left, top, wide, high_, _area = (int(value) for value in stats[index])
        if is_drawn(labels[top : top + high_, left : left + wide] == index, sign):
            yield Box(left, top, left + wide, top + high_)


def _of_three(stats: npt.NDArray[np.int32], sign: Sign, least: int, most: int) -> Iterator[Box]:
    """Three equal dots or bars at equal distances on one line, and no fourth."""
    boxes = [
        Box(left, top, left + width, top + height) for left, top, width, height in _pieces(stats, sign, least, most)
    ]
    axis = 1 if sign.stacked else 0
    boxes.sort(key=lambda box: box.center[axis])
    for start, first in enumerate(boxes):
        row = [first]
        for other in boxes[start + 1 :]:
            if other.center[axis] - row[-1].center[axis] > most / 2:
                break
            if _continues(row, other, axis):
                row.append(other)
        if len(row) == 3:
            whole = around(row)
            if least <= max(whole.width, whole.height) <= most:
                yield whole


def _pieces(stats: npt.NDArray[np.int32], sign: Sign, least: int, most: int) -> Sequence[Sequence[int]]:
    width, height, area = (stats[:, index] for index in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    aspect = width / height
    low, high = sign.aspect
    filled = area / (width * height) >= (_BAR_FILLED if sign is BARS else _DOT_FILLED)
    fits = (aspect >= low) & (aspect <= high) & filled & (height >= 2) & (np.maximum(width, height) <= most)
    if sign is BARS:
        fits &= width >= least
    fits[0] = False
    return [[int(value) for value in row[:4]] for row in stats[fits]]


def _continues(row: Sequence[Box], other: Box, axis: int) -> bool:
    """Whether `other` is as large as the pieces of `row`, on their line, and at their distance from each other."""
    first, last = row[0], row[-1]
    size = max(first.width, first.height)
    off = max(2.0, _UNEVEN * size)
    step = other.center[axis] - last.center[axis]
    across = 1 - axis
    if abs(other.width - first.width) > off or abs(other.height - first.height) > off or step < 3:
        return False
    if abs(other.center[across] - first.center[across]) > max(1.5, off / 2):
        return False
    return len(row) == 1 or abs(step - (last.center[axis] - row[-2].center[axis])) <= max(1.5, _UNEVEN * step)


def _each_once(boxes: Sequence[Box]) -> list[Box]:
    """Without the boxes that another, larger one covers: thresholds find the same drawing twice."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: -box.area):
        if not any(other.contains(box.center) or box.contains(other.center) for other in kept):
            kept.append(box)
    return kept

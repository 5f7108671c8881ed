"""The faces of controls: a key, a button, a card or a field, whose edge encloses drawing that does not touch it.

The networks take the edge of a coloured key for a part of the digit on it, or for a digit itself: on blue keys 40 % of the
digits were lost. What stands on a face is therefore looked at within the face, without its edge, and joins no line outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels

_SMALLEST: Final = 5  # cells (20 px): less holds no text with room around it
_MOST_REGIONS: Final = 20_000  # of a photograph or noise; a page of dense text has some thousand
# A stroke of 国 or 回 is 0.06 to 0.15 of the height that it encloses, a drawn border is thinner.
_BORDER: Final = 0.04
_BORDER_LEAST: Final = 1.5  # pixels
_RING: Final = 1.5
_OTHER_COLOUR: Final = 12
_RIM: Final = 2  # cells that an edge takes up: it may stand on a cell's border

Cells = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Faces:
    """
    The faces of a frame, on its grid of cells.

    `boxes` are what their edges enclose, in pixels; `inside` has for each cell the number of the innermost face that it lies
    in, counted from 1, or 0; `rims` are the cells of their edges.
    """

    boxes: tuple[Box, ...]
    inside: npt.NDArray[np.int32]
    rims: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Hole:
    """What the piece of drawing `edge` encloses: its box in cells and, within that, the cells that it is made of."""

    edge: int
    box: Box
    cells: npt.NDArray[np.bool_]


def find_faces(pixels: Pixels, drawn: Cells, cell: int) -> Faces:
    """The faces on a frame; `drawn` is its grid of cells of `cell` pixels, 1 where neighbouring pixels differ."""
    inside, rims = np.zeros(drawn.shape, np.int32), np.zeros(drawn.shape, np.bool_)
    count, regions, stats, _ = cv2.connectedComponentsWithStats(1 - drawn, connectivity=4)
    if count > _MOST_REGIONS:
        return Faces((), inside, rims)
    left, top, wide, high = (stats[:, column] for column in range(4))
    free = (left > 0) & (top > 0) & (left + wide < drawn.shape[1]) & (top + high < drawn.shape[0])
    large = np.flatnonzero(free & (wide >= _SMALLEST) & (high >= _SMALLEST))
    large = large[large > 0]
    pieces = cv2.connectedComponents(drawn, connectivity=8)[1] if len(large) else drawn
    holes = [hole for index in large if (hole := _hole(int(index), stats[index], regions, pieces)) is not None]
    enclosed = np.bincount([hole.edge for hole in holes], minlength=1)
    boxes: list[Box] = []
    for hole in sorted(holes, key=lambda hole: -hole.box.width * hole.box.height):
        # No character encloses two things, each apart.
        if enclosed[hole.edge] == 1 and _is_stroke(pixels, hole, regions, stats, pieces, cell):
            continue
        box = hole.box
        boxes.append(Box(*(value * cell for value in box)))
        inside[box.top : box.bottom, box.left : box.right][hole.cells] = len(boxes)
        around = np.s_[max(0, box.top - _RIM) : box.bottom + _RIM, max(0, box.left - _RIM) : box.right + _RIM]
        rims[around] |= pieces[around] == hole.edge
    return Faces(tuple(boxes), inside, rims)


def _hole(index: int, stats: Any, regions: Any, pieces: Any) -> _Hole | None:
    """An empty region with what is drawn in it; None when nothing is, or when the shape is that of no control."""
    left, top, wide, high = (int(value) for value in stats[:4])
    window = np.s_[top : top + high, left : left + wide]
    empty = (regions[window] == index).astype(np.uint8)
    if empty.all():
        return None
    outline = cv2.findContours(empty, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    filled = cv2.drawContours(np.zeros_like(empty), outline, -1, 1, cv2.FILLED).astype(np.bool_)
    if (_pill(wide, high) & ~filled).any() or not (filled & (pieces[window] > 0)).any():
        return None
    first = left + int(empty[0].argmax())
    return _Hole(int(pieces[top, first - 1]), Box(left, top, left + wide, top + high), filled)


def _pill(wide: int, high: int) -> npt.NDArray[np.bool_]:
    """The cells of a box that are face however round its corners are, a cell's rounding allowed for."""
    radius = min(wide, high) / 2
    x, y = np.arange(wide) + 0.5, np.arange(high)[:, None] + 0.5
    across = np.maximum(np.maximum(radius - x, x - (wide - radius)), 0)
    down = np.maximum(np.maximum(radius - y, y - (high - radius)), 0)
    pill: npt.NDArray[np.bool_] = across**2 + down**2 <= (radius - 1) ** 2
    return pill


def _is_stroke(pixels: Pixels, hole: _Hole, regions: Any, stats: Any, pieces: Any, cell: int) -> bool:
    """Whether what encloses a place is a character's stroke: thicker than a border, and the same ground on both sides."""
    middle = hole.box.height // 2
    row, start = hole.box.top + middle, hole.box.left + int(hole.cells[middle].argmax())
    edge = int((pieces[row] == hole.edge).argmax())
    beyond = stats[regions[row, max(0, edge - 1)]]
    # The edges of a thick stroke are two, and between them lies a ring.
    if beyond[2] < _RING * hole.box.width and beyond[3] < _RING * hole.box.height:
        return True
    line = pixels[row * cell + cell // 2, max(0, edge * cell - 1) : start * cell + 1]
    other = cv2.absdiff(line, np.broadcast_to(line[-1], line.shape)).max(axis=1) > _OTHER_COLOUR
    return not other[0] and int(other.sum()) > max(_BORDER_LEAST, _BORDER * hole.box.height * cell)

"""
Find the parts of a frame that may contain text.

A screen is mostly empty: on the rendered pages of `benchmarks/ocr_pages.py` the blocks cover a fifth to a third of the
frame, which saves the detection network that much work. A block is also the unit of the cache: the same pixels are never
read twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.screen import Pixels

# Faces of controls: a key, a button, a card or a field whose edge encloses drawing that does not touch it.
#
# The networks mistake the edge of a coloured key for a part of the digit on it, or for a digit: on blue keys 40 % of the
# digits were lost. Content of a face is therefore read within the face, without its edge, and joins no line outside.


_SMALLEST: Final = 5  # cells (20 px): smaller ones hold no text with padding
_MOST_REGIONS: Final = 20_000  # more is a photograph or noise; a dense page of text has some thousand
# A stroke of 国 or 回 is 0.06 to 0.15 of the height that it encloses, a drawn border is thinner.
_BORDER: Final = 0.04
_BORDER_LEAST: Final = 1.5  # pixels
_RING: Final = 1.5
_OTHER_COLOUR: Final = 12
_RIM: Final = 2  # cells that an edge covers: it may lie on a cell's border

Cells = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class EnclosedRegions:
    """
    The faces of a frame, on its grid of cells.

    `boxes` are their interiors in pixels; `inside` has for each cell the 1-based number of the innermost face around it, or
    0; `rims` are the cells of their edges.
    """

    boxes: tuple[Box, ...]
    inside: npt.NDArray[np.int32]
    rims: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Hole:
    """The interior of the connected drawing `edge`: its box in cells, and the mask of its cells within that."""

    edge: int
    box: Box
    cells: npt.NDArray[np.bool_]


def find_enclosed_regions(pixels: Pixels, drawn: Cells, cell: int) -> EnclosedRegions:
    """Return the faces on a frame; `drawn` is its grid of cells of `cell` pixels, 1 where neighbouring pixels differ."""
    inside, rims = np.zeros(drawn.shape, np.int32), np.zeros(drawn.shape, np.bool_)
    count, regions, stats, _ = cv2.connectedComponentsWithStats(1 - drawn, connectivity=4)
    if count > _MOST_REGIONS:
        return EnclosedRegions((), inside, rims)
    left, top, wide, high = (stats[:, column] for column in range(4))
    free = (left > 0) & (top > 0) & (left + wide < drawn.shape[1]) & (top + high < drawn.shape[0])
    large = np.flatnonzero(free & (wide >= _SMALLEST) & (high >= _SMALLEST))
    large = large[large > 0]
    pieces = cv2.connectedComponents(drawn, connectivity=8)[1] if len(large) else drawn
    holes = [hole for index in large if (hole := _hole(int(index), stats[index], regions, pieces)) is not None]
    enclosed = np.bincount([hole.edge for hole in holes], minlength=1)
    boxes: list[Box] = []
    for hole in sorted(holes, key=lambda hole: -hole.box.width * hole.box.height):
        # No character encloses two separate things.
        if enclosed[hole.edge] == 1 and _is_stroke(pixels, hole, regions, stats, pieces, cell):
            continue
        box = hole.box
        boxes.append(Box(*(value * cell for value in box)))
        inside[box.top : box.bottom, box.left : box.right][hole.cells] = len(boxes)
        around = np.s_[max(0, box.top - _RIM) : box.bottom + _RIM, max(0, box.left - _RIM) : box.right + _RIM]
        rims[around] |= pieces[around] == hole.edge
    return EnclosedRegions(tuple(boxes), inside, rims)


def _hole(index: int, stats: Any, regions: Any, pieces: Any) -> _Hole | None:
    """Return an empty region that encloses drawing, or None if it encloses nothing or has not the shape of a control."""
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
    """Return the cells of a box that are inside however round its corners are, with a cell's tolerance."""
    radius = min(wide, high) / 2
    x, y = np.arange(wide) + 0.5, np.arange(high)[:, None] + 0.5
    across = np.maximum(np.maximum(radius - x, x - (wide - radius)), 0)
    down = np.maximum(np.maximum(radius - y, y - (high - radius)), 0)
    pill: npt.NDArray[np.bool_] = across**2 + down**2 <= (radius - 1) ** 2
    return pill


def _is_stroke(pixels: Pixels, hole: _Hole, regions: Any, stats: Any, pieces: Any, cell: int) -> bool:
    """
    Return True if the enclosing line is a character's stroke: thicker than a border, with the same background on both
    sides.
    """
    middle = hole.box.height // 2
    row, start = hole.box.top + middle, hole.box.left + int(hole.cells[middle].argmax())
    edge = int((pieces[row] == hole.edge).argmax())
    beyond = stats[regions[row, max(0, edge - 1)]]
    # A thick stroke has two edges with a ring between them.
    if beyond[2] < _RING * hole.box.width and beyond[3] < _RING * hole.box.height:
        return True
    line = pixels[row * cell + cell // 2, max(0, edge * cell - 1) : start * cell + 1]
    other = cv2.absdiff(line, np.broadcast_to(line[-1], line.shape)).max(axis=1) > _OTHER_COLOUR
    return not other[0] and int(other.sum()) > max(_BORDER_LEAST, _BORDER * hole.box.height * cell)


# Neighbouring pixels whose gray values differ by more than this count as drawing. The palest hint text differs by 30 and
# more; gradients and the noise of good JPEGs stay below.
_EDGE: Final = 6
# Straight edges longer than this are borders and separators, never letters (a dash of a 72 px headline has about 60 px).
_RULE: Final = 96
_CELL: Final = 4  # pixels; blocks are found on a grid of such cells
# Margin around a block for the network: with 8 pixels it lost a character of some labels (告 of 广告).
_MARGIN: Final = 16
# Pieces in a row are joined up to a gap of this many heights: a line is cut into labels at 1.6 heights of its detected
# box, margins included (`text_mask.LABEL_GAP`), and words of one line are less than half a height apart.
_ROW_GAP: Final = 1.5
_ROW_GAP_LEAST: Final = 16
# Pieces of one line differ in height up to this ratio: "x" next to "Ag". More is a picture, or several lines.
_SAME_LINE: Final = 3.0
_WORD_GAP: Final = 1.0  # within this gap the height may differ more: 一, a dash, a full-width mark
_HIGHEST_LINE: Final = 80  # pixels; higher pieces join only near ones: the icons of a home screen are no line
_HEADLINE_GAP: Final = 0.4
# The strokes of a lone 二, 三 or = are flat and one above the other; two lines of text are not. As shares of their common
# height.
_STROKE: Final = 0.25
_STROKE_GAP: Final = 0.7
_DOT_GAP: Final = 0.2  # i, j, !, ?: a dot is much nearer
_STROKE_WIDTH: Final = 1.3
_CHARACTER: Final = 160  # pixels; larger pieces are not strokes of one character
_LEAST_CHARACTER: Final = 12  # pixels
_CHARACTER_RIM: Final = 0.1  # share of its longer side: the padding that the recogniser expects
_FLAT: Final = 1.6
# More pieces than this are a photograph or noise: the whole frame becomes one block.
_MOST_PIECES: Final = 1500

_Rectangles = npt.NDArray[np.int32]  # one row each: left, top, right, bottom, number of the face


@dataclass(frozen=True, slots=True)
class Block:
    """
    A drawn area, `core`, and the `window` around it that the network gets; both in frame pixels.

    The window has a margin that may overlap other blocks, but nothing outside the face that contains the block.
    """

    core: Box
    window: Box
    on_face: bool = False

    def owns(self, box: Box) -> bool:
        """Return True if a line belongs to this block, not to another one that the window's margin overlaps."""
        return self.core.expand(_CELL).contains(box.center)

    def as_character(self) -> Box | None:
        """
        Return the box of the single character that this may be, or None if it is on no face or has not the size of a
        character.

        The detector overlooks a quarter of the lone digits on blue keys, and almost all lone strokes (-, 一).
        """
        longer = max(self.core.width, self.core.height)
        if not self.on_face or not _LEAST_CHARACTER <= longer <= _HIGHEST_LINE:
            return None
        rim = max(_CELL, round(_CHARACTER_RIM * longer))
        if self.core.width > _FLAT * self.core.height:  # a stroke lies at half of a character's height
            rim = max(rim, (self.core.width - self.core.height) // 2)
        left, top, right, bottom = self.core
        return Box(left - _CELL // 2, top - rim, right + _CELL // 2, bottom + rim).intersect(self.window) or self.core


def find_blocks(pixels: Pixels) -> list[Block]:
    """
    Return blocks, top to bottom, that together cover all drawing on a frame except straight borders and the edges of faces.

    A line of text is never split; several lines, or a picture, may be one block. Content of different faces is never
    merged.
    """
    size = Size(pixels.shape[1], pixels.shape[0])
    edges, cells = _drawn_cells(pixels)
    faces = find_enclosed_regions(pixels, edges, _CELL)
    cells[faces.rims] = 0
    reached = cv2.dilate(cells, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(reached, connectivity=4)
    if count == 1:
        return []
    if count > _MOST_PIECES:
        whole = Box(0, 0, *size)
        return [Block(whole, whole)]
    left, top, wide, high = (stats[1:, column] for column in range(4))
    right, bottom = left + wide, top + high
    # The dilation added a cell on each side, except at the frame's edges.
    left, top = left + (left > 0), top + (top > 0)
    right, bottom = right - (right < cells.shape[1]), bottom - (bottom < cells.shape[0])
    face = np.zeros(count, np.int32)
    face[labels[cells > 0]] = faces.inside[cells > 0]
    pieces = np.column_stack([left * _CELL, top * _CELL, right * _CELL, bottom * _CELL, face[1:]])
    frame = Box(0, 0, *size)
    blocks = []
    for *edge, number in _joined(pieces.astype(np.int32)).tolist():
        core = Box(*edge).clip(size)
        room = faces.boxes[number - 1] if number else frame
        if core.width and core.height:
            blocks.append(Block(core, core.expand(_MARGIN).intersect(room) or core, bool(number)))
    return sorted(blocks, key=lambda block: (block.core.top, block.core.left))


def _drawn_cells(pixels: Pixels) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return two grids of `_CELL` pixels: 1 where neighbouring pixels differ; the same without straight borders."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    height, width = gray.shape
    rows, columns = -(-height // _CELL), -(-width // _CELL)
    across = np.zeros((rows * _CELL, columns * _CELL), np.uint8)
    down = np.zeros_like(across)
    cv2.absdiff(gray[:, 1:], gray[:, :-1], dst=across[:height, : width - 1])
    cv2.absdiff(gray[1:], gray[:-1], dst=down[: height - 1, :width])
    horizontal, unruled = _cells_of(down)
    vertical, upright = _cells_of(cv2.transpose(across))
    return np.maximum(horizontal, vertical.T), np.maximum(unruled, upright.T)


def _cells_of(differences: Any) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the cells with a difference, and the same without unbroken horizontal runs; runs are found along axis 1."""
    edges = cv2.threshold(differences, _EDGE, 1, cv2.THRESH_BINARY)[1]
    rows, columns = edges.shape[0], edges.shape[1] // _CELL
    quads = edges.view(np.uint32).reshape(rows, columns)  # four neighbours at once
    full = (quads == 0x01010101).astype(np.uint8)
    full = cv2.morphologyEx(full, cv2.MORPH_CLOSE, np.ones((1, 3), np.uint8))  # where borders cross
    rule = cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((1, _RULE // _CELL), np.uint8))
    # A run seldom starts and ends on a cell's border: its two last cells are not full, but belong to it.
    rule = cv2.dilate(rule, np.ones((1, 3), np.uint8))
    any_drawn = (quads != 0).astype(np.uint8)
    drawn = any_drawn & (1 - rule)
    grouped = (rows // _CELL, _CELL, columns)
    return any_drawn.reshape(grouped).max(axis=1), drawn.reshape(grouped).max(axis=1)


def _joined(pieces: _Rectangles) -> _Rectangles:
    """Merge the pieces of one character, then those of one line, until nothing changes."""
    groups = _groups(_of_one_character(pieces))
    united = _united(pieces, groups)
    # Words above each other can look like strokes, but their union does not look like a character.
    wide, high = (united[:, 2:4] - united[:, :2]).T
    real = (high <= _CHARACTER) & (high <= _STROKE_WIDTH * wide)
    pieces = np.concatenate([united[real], pieces[~real[groups]]])
    while True:
        groups = _groups(_of_one_line(pieces))
        if int(groups.max()) + 1 == len(pieces):
            return pieces
        pieces = _united(pieces, groups)


def _united(pieces: _Rectangles, groups: npt.NDArray[np.intp]) -> _Rectangles:
    """Return the bounding box of each group."""
    united = np.empty((int(groups.max()) + 1, 5), np.int32)
    united[:, :2], united[:, 2:] = np.iinfo(np.int32).max, 0
    np.minimum.at(united[:, :2], groups, pieces[:, :2])
    np.maximum.at(united[:, 2:], groups, pieces[:, 2:])
    return united


def _of_one_character(pieces: _Rectangles) -> npt.NDArray[np.bool_]:
    left, top, right, bottom, face = pieces.T
    gap_x, gap_y = _between(left, right), _between(top, bottom)
    together = np.maximum(bottom[:, None], bottom) - np.minimum(top[:, None], top)
    high, wide = bottom - top, right - left
    flat = high[:, None] <= _STROKE * together
    strokes = flat & flat.T & (gap_y <= _STROKE_GAP * together)
    dotted = (flat | flat.T) & (gap_y <= _DOT_GAP * together)
    narrow = np.maximum(wide[:, None], wide) <= _STROKE_WIDTH * together
    related: npt.NDArray[np.bool_] = (
        (face[:, None] == face) & (gap_x < 0) & (together <= _CHARACTER) & narrow & (strokes | dotted)
    )
    return related


def _of_one_line(pieces: _Rectangles) -> npt.NDArray[np.bool_]:
    left, top, right, bottom, face = pieces.T
    gap_x, gap_y = _between(left, right), _between(top, bottom)
    high = bottom - top
    lower, higher = np.minimum(high[:, None], high), np.maximum(high[:, None], high)
    near = gap_x <= _ROW_GAP_LEAST
    near |= (higher <= _HIGHEST_LINE) & (gap_x <= _WORD_GAP * higher)
    near |= (higher <= _HIGHEST_LINE) & (higher <= _SAME_LINE * lower) & (gap_x <= _ROW_GAP * higher)
    near |= (higher <= _SAME_LINE * lower) & (gap_x <= _HEADLINE_GAP * higher)
    related: npt.NDArray[np.bool_] = ((gap_y < 0) & near) | ((gap_y <= 0) & (gap_x <= 0))
    related &= face[:, None] == face
    return related


def _between(start: npt.NDArray[np.int32], end: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return the gap in pixels between every two spans; negative if they overlap."""
    gaps: npt.NDArray[np.int32] = np.maximum(start[:, None], start) - np.minimum(end[:, None], end)
    return gaps


def _groups(related: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Return the number of each row's connected group: labels are propagated along relations until they are stable."""
    labels = np.arange(len(related))
    while True:
        spread = np.minimum(labels, np.where(related, labels, len(related)).min(axis=1))
        spread = spread[spread]
        if np.array_equal(spread, labels):
            return np.unique(labels, return_inverse=True)[1]
        labels = spread

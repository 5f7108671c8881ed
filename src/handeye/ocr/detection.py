"""Text detection: PP-OCR's detection network, run on the drawn blocks of a frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.screen import Pixels
from handeye.time_limit import check_time

# Input normalisation of the PP-OCR detectors (PaddleOCR `NormalizeImage`, BGR).
_MEAN: Final = np.array([0.485, 0.456, 0.406], np.float32) * 255
_STD: Final = np.array([0.229, 0.224, 0.225], np.float32) * 255
_GAIN: Final = (1 / _STD)[:, None, None]
_SHIFT: Final = (-_MEAN / _STD)[:, None, None]
_STRIDE: Final = 32  # the network halves its input five times
# Pixels above the first are text, a region needs a mean above the second: PP-OCR's defaults 0.3/0.6 lose thin and gray UI
# text.
_TEXT_PIXEL: Final = 0.2
_TEXT_REGION: Final = 0.4
# The network predicts a shrunk text kernel; growing it by area * ratio / perimeter restores the line (DB paper; PP-OCR:
# 1.5).
_UNCLIP: Final = 1.4
_SMALLEST: Final = 3  # pixels of the map; smaller regions are specks
# A block is cut into overlapping tiles when a side is longer than this, so that memory stays bounded and cores share the work.
_TILE: Final = 1152
_OVERLAP: Final = 128
# Pixels of one batch, about 10 ms of one core: small enough to distribute a page evenly and to fit into the caches.
_BATCH: Final = 80_000
# Tiles are padded to these lengths, so that many share a batch. The length depends on the tile alone, and so does the
# network's input: the same pixels give the same lines whatever else is on the frame.
_LENGTHS: Final = (64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 960, 1152)
# Pieces of a line cut by a tile's edge overlap by this share of the smaller one's height.
_SAME_LINE: Final = 0.6
# Boxes in a row are joined if their gap is at most this many heights, and one is at most `_SAME_SIZE` times as high as
# the other. A box extends a fifth of its height beyond the ink: a full-width mark leaves 0.78 of a height empty, between
# boxes less than 0.4; an avatar's letter and the name next to it are 0.6 and more apart.
_JOINT: Final = 0.4
_SAME_SIZE: Final = 1.6
_ROW: Final = 32  # pixels, of `RowIndex`: about the height of a line
_HIGHEST_LINE: Final = (
    100  # pixels; higher boxes are mostly rows of icons, so the gap must be smaller, as within a headline
)
_HEADLINE_JOINT: Final = 0.3

Heat = npt.NDArray[np.float32]
Spread = Callable[
    [Callable[[Sequence["_Tile"]], list["_Found"]], Sequence[Sequence["_Tile"]]], Iterable[list["_Found"]]
]


@dataclass(frozen=True, slots=True)
class _Tile:
    """A part of the frame for one pass of the network; `block` is the index of its block."""

    block: int
    box: Box
    pixels: Pixels

    @property
    def padded(self) -> tuple[int, int]:
        """Height and width after padding."""
        height, width = self.pixels.shape[:2]
        return _length(height), _length(width)


@dataclass(frozen=True, slots=True)
class _Found:
    """A line of text in frame pixels, with the tile in which it was detected."""

    tile: _Tile
    box: Box


class Detector:
    """
    Detects the bounding boxes of text lines, in frame pixels.

    `spread` runs one function over several batches, like `map`; it may do so on several threads.
    """

    def __init__(self, session: Any, spread: Spread = map) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self._spread = spread

    def detect(self, pixels: Pixels, blocks: Sequence[Box], scale: float) -> list[list[Box]]:
        """
        Return the lines of each block, top to bottom. `scale` is the resize factor of the frame for the network (1.0:
        none): text smaller than about 10 px after that is lost. Raises OcrFailed if the network returns anything but a map.
        """
        tiles = [
            _Tile(index, box, _resized(pixels, box, scale))
            for index, block in enumerate(blocks)
            for box in _tiles(block, scale)
        ]
        found: list[list[_Found]] = [[] for _ in blocks]
        for part in self._spread(self._look, _batches(tiles)):
            check_time()
            for item in part:
                found[item.tile.block].append(item)
        lines = [_whole_lines(_merge_cut(items)) for items in found]
        return [sorted(boxes, key=lambda box: (box.top, box.left)) for boxes in lines]

    def _look(self, tiles: Sequence[_Tile]) -> list[_Found]:
        shape = tiles[0].padded
        batch = np.zeros((len(tiles), 3, *shape), np.float32)
        for place, tile in zip(batch, tiles, strict=True):
            height, width = tile.pixels.shape[:2]
            part = place[:, :height, :width]
            np.multiply(tile.pixels[:, :, ::-1].transpose(2, 0, 1), _GAIN, out=part)
            part += _SHIFT
        output = self._session.run(None, {self._input: batch})[0]
        if output.shape != (len(tiles), 1, *shape) or not np.isfinite(output).all():
            raise OcrFailed(
                f"the detection model answered a map of {output.shape}, or one with gaps, for {batch.shape}"
            )
        found = []
        for heat, tile in zip(output[:, 0], tiles, strict=True):
            height, width = tile.pixels.shape[:2]
            found += [_Found(tile, box) for box in _boxes(heat[:height, :width], tile.box)]
        return found


def _resized(pixels: Pixels, box: Box, scale: float) -> Pixels:
    part = pixels[box.top : box.bottom, box.left : box.right]
    if scale == 1:
        return part
    size = max(1, round(box.width * scale)), max(1, round(box.height * scale))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR), np.uint8)


def _tiles(block: Box, scale: float) -> Iterator[Box]:
    """Yield the block itself, or overlapping parts of about equal size that are at most `_TILE` long after resizing."""
    for left, right in _spans(block.left, block.right, scale):
        for top, bottom in _spans(block.top, block.bottom, scale):
            yield Box(left, top, right, bottom)


def _spans(start: int, end: int, scale: float) -> Iterator[tuple[int, int]]:
    longest, overlap = math.ceil(_TILE / scale), math.ceil(_OVERLAP / scale)
    count = max(1, math.ceil((end - start - overlap) / (longest - overlap)))
    step = (end - start - overlap) / count
    for index in range(count):
        yield start + round(index * step), end if index == count - 1 else start + round((index + 1) * step) + overlap


def _batches(tiles: Sequence[_Tile]) -> list[list[_Tile]]:
    """Return the tiles in groups of one padded size, the largest first, so that threads finish together."""
    batches: list[list[_Tile]] = []
    for tile in sorted(tiles, key=lambda tile: tile.padded, reverse=True):
        height, width = tile.padded
        if batches and batches[-1][0].padded == tile.padded and (len(batches[-1]) + 1) * height * width <= _BATCH:
            batches[-1].append(tile)
        else:
            batches.append([tile])
    return batches


def _length(length: int) -> int:
    """Return the next length of `_LENGTHS`, or, beyond it, multiple of the network's stride."""
    return next((each for each in _LENGTHS if each >= length), -(-length // _STRIDE) * _STRIDE)


def _boxes(heat: Heat, within: Box) -> Iterator[Box]:
    """
    Yield connected text pixels as frame boxes, grown by the network's shrink ratio; `within` is the frame box of `heat`.
    """
    by_x, by_y = within.width / heat.shape[1], within.height / heat.shape[0]
    mask = (heat > _TEXT_PIXEL).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for index in range(1, count):
        left, top, width, height, _area = (int(value) for value in stats[index])
        if width < _SMALLEST or height < _SMALLEST:
            continue
        window = np.s_[top : top + height, left : left + width]
        if float(heat[window][labels[window] == index].mean()) < _TEXT_REGION:
            continue
        grow = width * height * _UNCLIP / (2 * (width + height))
        yield Box(
            max(within.left, within.left + int((left - grow) * by_x)),
            max(within.top, within.top + int((top - grow) * by_y)),
            min(within.right, within.left + math.ceil((left + width + grow) * by_x)),
            min(within.bottom, within.top + math.ceil((top + height + grow) * by_y)),
        )


def _merge_cut(found: Sequence[_Found]) -> list[Box]:
    """Merge the pieces of lines cut by a tile's edge: from two tiles, overlapping, of similar height."""
    merged: list[_Found] = []
    rows = RowIndex()
    for item in sorted(found, key=lambda item: item.box):
        check_time()
        for index in rows.beside(item.box):
            other = merged[index]
            shared = item.box.intersect(other.box) if item.tile is not other.tile else None
            if shared and shared.height > _SAME_LINE * min(item.box.height, other.box.height):
                merged[index] = _Found(item.tile, union(item.box, other.box))
                rows.add(index, merged[index].box)
                break
        else:
            rows.add(len(merged), item.box)
            merged.append(item)
    return [item.box for item in merged]


def _whole_lines(boxes: Sequence[Box]) -> list[Box]:
    """Merge boxes of one line: the network often ends a line at a full-width mark, or within a word."""
    lines: list[Box] = []
    rows = RowIndex()
    for box in sorted(boxes):
        for index in rows.beside(box):
            if is_continuation(lines[index], box):
                lines[index] = union(lines[index], box)
                rows.add(index, lines[index])
                break
        else:
            rows.add(len(lines), box)
            lines.append(box)
    return lines


class RowIndex:
    """
    Index of numbered boxes by the frame rows that they touch, to find neighbours without comparing all boxes, which takes
    minutes on a photograph of gravel.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, set[int]] = {}

    def add(self, number: int, box: Box) -> None:
        """Add a box under a number; a second box with the same number extends it."""
        for row in self._of(box):
            self._numbers.setdefault(row, set()).add(number)

    def beside(self, box: Box) -> list[int]:
        """Return the sorted numbers of all boxes that may share a height with `box`."""
        return sorted(set().union(*(self._numbers.get(row, ()) for row in self._of(box))))

    @staticmethod
    def _of(box: Box) -> range:
        return range(box.top // _ROW, (box.bottom - 1) // _ROW + 1)


def is_continuation(line: Box, box: Box) -> bool:
    """Return True if `box` can be the next part of a line: at its height, of similar size, and near its right end."""
    lower, higher = sorted((line.height, box.height))
    shared = min(line.bottom, box.bottom) - max(line.top, box.top)
    level = shared >= _SAME_LINE * lower and higher <= _SAME_SIZE * lower
    joint = _JOINT if higher <= _HIGHEST_LINE else _HEADLINE_JOINT
    return level and box.left - line.right <= joint * higher


def union(one: Box, other: Box) -> Box:
    """Return the smallest box that holds both."""
    return Box(
        min(one.left, other.left), min(one.top, other.top), max(one.right, other.right), max(one.bottom, other.bottom)
    )

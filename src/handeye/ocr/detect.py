"""Where text stands: PP-OCR's detection network, run on a frame with its empty stretches taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.screen import Pixels

# What the PP-OCR detectors were trained with (PaddleOCR `NormalizeImage`, BGR).
_MEAN: Final = np.array([0.485, 0.456, 0.406], np.float32) * 255
_STD: Final = np.array([0.229, 0.224, 0.225], np.float32) * 255
_STRIDE: Final = 32  # the network halves its input five times
# Pixels above this are text, a region's mean above the other is kept: PP-OCR's defaults 0.3/0.6 lose thin and gray UI text.
_TEXT_PIXEL: Final = 0.2
_TEXT_REGION: Final = 0.4
# The network marks a shrunk text kernel; growing it by area * ratio / perimeter gives the line back (DB paper; PP-OCR: 1.5).
_UNCLIP: Final = 1.4
_SMALLEST: Final = 3  # pixels of the map; less is a speck
# A run of equal rows or columns longer than this carries no text and is shortened to it: screens are mostly empty.
_EMPTY_KEPT: Final = 32
# Beyond this many pixels on the long side a frame is worked on in overlapping tiles, so that memory stays bounded.
_TILE: Final = 2560
_OVERLAP: Final = 128


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A frame without its empty stretches. `rows` and `columns` hold each kept line's place in the frame."""

    pixels: Pixels
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]


def squeeze(pixels: Pixels) -> Squeezed:
    """Shorten every run of more than `_EMPTY_KEPT` equal rows, then columns. Nothing that could be text is lost."""
    rows = _kept(np.any(pixels[1:] != pixels[:-1], axis=(1, 2)))
    part = pixels[rows]
    columns = _kept(np.any(part[:, 1:] != part[:, :-1], axis=(0, 2)))
    return Squeezed(np.ascontiguousarray(part[:, columns]), rows, columns)


def _kept(changes: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Indices of the lines to keep; `changes[i]` says that line i + 1 differs from line i."""
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    lengths = np.diff(np.concatenate((starts, [len(changes) + 1])))
    half = _EMPTY_KEPT // 2
    pieces = []
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if length <= _EMPTY_KEPT:
            pieces.append(np.arange(start, start + length))
        else:
            pieces.append(np.arange(start, start + half))
            pieces.append(np.arange(start + length - half, start + length))
    return np.concatenate(pieces)


class Detector:
    """
    Boxes of text lines, in pixels of the frame, top to bottom.

    `scale` is how much the frame is reduced for the network (1.0: not at all). Text lower than about 10 px after that is lost.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name

    def detect(self, pixels: Pixels, scale: float) -> list[Box]:
        compact = squeeze(pixels)
        height, width = compact.pixels.shape[:2]
        boxes: list[Box] = []
        for top in _tiles(height):
            for left in _tiles(width):
                tile = compact.pixels[top : top + _TILE, left : left + _TILE]
                boxes += [box.translate(left, top) for box in self._tile(tile, scale)]
        if height > _TILE or width > _TILE:
            boxes = _merge_cut(boxes)
        size = Size(pixels.shape[1], pixels.shape[0])
        restored = [_restore(box, compact).clip(size) for box in boxes]
        return sorted(restored, key=lambda box: (box.top, box.left))

    def _tile(self, tile: Pixels, scale: float) -> list[Box]:
        height, width = tile.shape[:2]
        to_height = max(_STRIDE, round(height * scale / _STRIDE) * _STRIDE)
        to_width = max(_STRIDE, round(width * scale / _STRIDE) * _STRIDE)
        shrinking = to_height < height
        resized = cv2.resize(
            tile, (to_width, to_height), interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR
        )
        batch = ((resized[:, :, ::-1] - _MEAN) / _STD).astype(np.float32).transpose(2, 0, 1)[None]
        heat = self._session.run(None, {self._input: np.ascontiguousarray(batch)})[0][0, 0]
        return _boxes(heat, width / to_width, height / to_height)


def _boxes(heat: npt.NDArray[np.float32], by_x: float, by_y: float) -> list[Box]:
    """Connected text pixels as boxes, grown by the network's shrink ratio and scaled by `by_x`, `by_y`."""
    mask = (heat > _TEXT_PIXEL).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    boxes = []
    for index in range(1, count):
        left, top, width, height, _area = (int(value) for value in stats[index])
        if width < _SMALLEST or height < _SMALLEST:
            continue
        window = np.s_[top : top + height, left : left + width]
        if float(heat[window][labels[window] == index].mean()) < _TEXT_REGION:
            continue
        grow = width * height * _UNCLIP / (2 * (width + height))
        boxes.append(
            Box(
                int((left - grow) * by_x),
                int((top - grow) * by_y),
                int(np.ceil((left + width + grow) * by_x)),
                int(np.ceil((top + height + grow) * by_y)),
            )
        )
    return boxes


def _tiles(length: int) -> range:
    return range(0, max(1, length - _OVERLAP), _TILE - _OVERLAP)


def _merge_cut(boxes: list[Box]) -> list[Box]:
    """Join the pieces of lines that a tile's edge cut: same height, overlapping."""
    merged: list[Box] = []
    for box in sorted(boxes):
        for index, other in enumerate(merged):
            shared = box.intersect(other)
            if shared and shared.height > 0.6 * min(box.height, other.height):
                merged[index] = Box(
                    min(box.left, other.left),
                    min(box.top, other.top),
                    max(box.right, other.right),
                    max(box.bottom, other.bottom),
                )
                break
        else:
            merged.append(box)
    return merged


def _restore(box: Box, compact: Squeezed) -> Box:
    """From pixels of the squeezed frame to pixels of the frame."""
    rows, columns = compact.rows, compact.columns
    left = int(columns[min(max(box.left, 0), len(columns) - 1)])
    top = int(rows[min(max(box.top, 0), len(rows) - 1)])
    right = int(columns[min(max(box.right, 1), len(columns)) - 1]) + 1
    bottom = int(rows[min(max(box.bottom, 1), len(rows)) - 1]) + 1
    return Box(left, top, max(right, left + 1), max(bottom, top + 1))

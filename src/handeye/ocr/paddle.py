"""
The default text reader: PP-OCRv6 in a pipeline for screens.

Axis-aligned screen text only: no angle classifier, no document preprocessing, no downloads. Only a frame's drawn blocks are
processed, lines are recognised in batches of one width, and a block whose pixels were read before comes from the cache,
wherever it is now: on another frame, scrolled, or in another row.
"""

from __future__ import annotations

import hashlib
import os
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np

from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.ocr.detection import Detector, RowIndex, is_continuation
from handeye.ocr.onnx import engine_errors, open_session
from handeye.ocr.recognition import Reading, Recogniser
from handeye.ocr.regions import Block, find_blocks
from handeye.ocr.text_mask import TextMask
from handeye.ocr.weights import Weights, shipped
from handeye.screen import Pixels, Screen
from handeye.text import TextLine, shifted
from handeye.time_limit import check_time, time_limit

# Below this mean character probability a "line" is an icon or a texture (RapidOCR uses 0.5; gray hints score 0.45).
LEAST_CONFIDENCE: Final = 0.45
# Higher thresholds by text length: a shape is misread as one character more easily than as several. Switches were read as
# 0 with 0.63-0.86, C0 with 0.54; lone characters and digits of badges score 0.98 and more.
_LEAST_SHORT: Final = {1: 0.9, 2: 0.6}
# Two readings with this share of the narrower one's width and of the higher one's height in common cover the same ink.
_SAME_INK: Final = 0.7
_READ_WELL: Final = 0.8
# Time limit for one frame; a 4K screen full of text takes 2 s on two cores.
READ_SECONDS: Final = 60.0
# Blocks in the cache: some forty screens' worth, a few megabytes.
_REMEMBERED: Final = 4096

_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True, slots=True)
class _Models:
    detector: Detector
    recogniser: Recogniser


class PaddleReader:
    """
    Reads all text lines of a frame, top to bottom. Thread-safe; models load at the first read.

    `threads` defaults to the cores this process may use. `scale` (0.25-2) is the resize factor of the frame for detection.
    `weights` are the networks to run: the shipped tiny ones, or `rapidocr_small()`. Raises OcrFailed if a model cannot be
    loaded or fails, and SearchTimedOut after READ_SECONDS.
    """

    def __init__(
        self, *, threads: int | None = None, scale: float = 1.0, weights: Callable[[], Weights] = shipped
    ) -> None:
        self._threads = threads or _cores()
        self._scale = scale
        self._weights = weights
        self._lock = threading.Lock()
        self._models: _Models | None = None
        self._known: OrderedDict[bytes, tuple[TextLine, ...]] = OrderedDict()

    @property
    def name(self) -> str:
        return "paddle"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines(screen.pixels)

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        """Return the lines of the whole frame whose centre lies inside `box`; only the blocks there are read."""
        return tuple(line for line in self._lines(screen.pixels, box) if box.contains(line.box.center))

    def clear(self) -> None:
        """Drop all cached blocks."""
        with self._lock:
            self._known.clear()

    def _lines(self, pixels: Pixels, within: Box | None = None) -> tuple[TextLine, ...]:
        """Return the lines of a frame; with `within`, only of the blocks that overlap it."""
        with time_limit(READ_SECONDS):
            return self._lines_in_time(pixels, within)

    def _lines_in_time(self, pixels: Pixels, within: Box | None) -> tuple[TextLine, ...]:
        models, scale = self._load(), self._scale
        failures: tuple[type[Exception], ...] = (*engine_errors(), cv2.error)
        try:
            blocks = [block for block in find_blocks(pixels) if within is None or block.core.intersect(within)]
            keys = [_key(pixels, block, scale) for block in blocks]
            known = self._recall(keys)
            unknown = {key: block for key, block in zip(keys, blocks, strict=True) if key not in known}
            new = _read(models, pixels, list(unknown.values()), scale)
        except failures as error:
            raise OcrFailed(f"reading text failed on {pixels.shape[1]}x{pixels.shape[0]} pixels: {error}") from error
        known.update(zip(unknown, new, strict=True))
        self._remember(known)
        found = [
            shifted(line, block.window.left, block.window.top)
            for key, block in zip(keys, blocks, strict=True)
            for line in known[key]
        ]
        return tuple(_deduplicated(found))

    def _recall(self, keys: Iterable[bytes]) -> dict[bytes, tuple[TextLine, ...]]:
        with self._lock:
            return {key: self._known[key] for key in keys if key in self._known}

    def _remember(self, blocks: dict[bytes, tuple[TextLine, ...]]) -> None:
        with self._lock:
            for key, lines in blocks.items():
                self._known[key] = lines
                self._known.move_to_end(key)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)

    def _load(self) -> _Models:
        with self._lock:
            if self._models is None:
                weights = self._weights()
                # One thread per session, several batches at once: these networks are too small to share one batch well.
                spread = _spread_over(self._threads)
                detector = Detector(open_session(weights.detection), spread)
                recogniser = Recogniser(open_session(weights.recognition), weights.characters, spread)
                self._models = _Models(detector, recogniser)
            return self._models


def _read(models: _Models, pixels: Pixels, blocks: Sequence[Block], scale: float) -> list[tuple[TextLine, ...]]:
    """Return the lines of each block, in pixels of its window."""
    boxes = models.detector.detect(pixels, [block.window for block in blocks], scale)
    boxes = [_detected(block, inside) for block, inside in zip(blocks, boxes, strict=True)]
    labels = [
        [label for line in _inked(pixels, block, inside) for label in line.labels()]
        for block, inside in zip(blocks, boxes, strict=True)
    ]
    readings = iter(models.recogniser.read(pixels, [label.box for inside in labels for label in inside]))
    read = []
    for block, inside in zip(blocks, labels, strict=True):
        lines = (_line(label, next(readings)) for label in inside)
        read.append(tuple(shifted(line, -block.window.left, -block.window.top) for line in lines if line is not None))
    return read


def _detected(block: Block, boxes: list[Box]) -> list[Box]:
    """Return the boxes detected in a block's window, or the lone character on a control that the detector missed."""
    if any(block.owns(box) for box in boxes):
        return boxes
    character = block.as_character()
    return boxes if character is None else [*boxes, character]


def _inked(pixels: Pixels, block: Block, boxes: list[Box]) -> list[TextMask]:
    """Return the ink of each line of a block; a line that was extended to a character (一 in 上一步) may touch the next."""
    lines: list[TextMask] = []
    all_boxes, rows = RowIndex(), RowIndex()
    for number, box in enumerate(boxes):
        all_boxes.add(number, box)
    for box in filter(block.owns, boxes):
        check_time()
        line = TextMask.of_line(
            pixels, box, _room(box, block.window, [boxes[number] for number in all_boxes.beside(box)])
        )
        for index in rows.beside(line.box):
            if is_continuation(*sorted((line.box, lines[index].box))):
                lines[index] = line.joined(lines[index], pixels)
                rows.add(index, lines[index].box)
                break
        else:
            rows.add(len(lines), line.box)
            lines.append(line)
    return lines


def _room(box: Box, window: Box, around: Sequence[Box]) -> Box:
    """Return the horizontal space around `box` in a window that belongs to none of the lines `around` it."""
    neighbours = [other for other in around if other.top < box.bottom and box.top < other.bottom and other != box]
    middle = box.center.x
    left = max((other.right for other in neighbours if other.center.x < middle), default=window.left)
    right = min((other.left for other in neighbours if other.center.x > middle), default=window.right)
    # Overlapping lines are not cut, only not extended.
    return Box(min(left, box.left), window.top, max(right, box.right), window.bottom)


def _line(label: TextMask, reading: Reading) -> TextLine | None:
    """Return a reading as a line, without blanks at its ends, or None for noise."""
    text = reading.text
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    least = _LEAST_SHORT.get(end - start, LEAST_CONFIDENCE)
    if start >= end or not reading.confidence >= least:  # NaN is noise, too
        return None
    second = end - len(text[start + 1 : end].lstrip())
    if second < end and _is_mark(text[start]) and label.begins_with_picture(reading.char_x[second]):
        start = second
    if end - start == 1 and label.is_solid_shape():
        return None
    text, centres = text[start:end], reading.char_x[start:end]
    label = label.of_characters(centres)
    return TextLine(text, label.bounds(), min(1.0, reading.confidence), centres, label.gaps(text, centres))


def _is_mark(character: str) -> bool:
    """Return True if a picture may be misread as this character: an avatar as a dot, a check box as □."""
    return unicodedata.category(character).startswith(("P", "So"))


def _deduplicated(lines: Iterable[TextLine]) -> list[TextLine]:
    """
    Return the lines, top to bottom, without duplicates: a line is dropped if a longer one covers the same ink, or one of
    equal length with a higher confidence. Low-confidence lines are considered last.
    """
    kept: list[TextLine] = []
    rows = RowIndex()
    for line in sorted(lines, key=lambda each: (each.confidence < _READ_WELL, -each.box.width)):
        same = [number for number in rows.beside(line.box) if _is_same_ink(line.box, kept[number].box)]
        if not same:
            rows.add(len(kept), line.box)
            kept.append(line)
        elif (longer := kept[same[0]]).confidence < line.confidence and longer.box.width * _SAME_INK <= line.box.width:
            kept[same[0]] = line
    return sorted(kept, key=lambda each: (each.box.top, each.box.left))


def _is_same_ink(one: Box, other: Box) -> bool:
    shared = one.intersect(other)
    if shared is None:
        return False
    wide = shared.width >= _SAME_INK * min(one.width, other.width)
    return wide and shared.height >= _SAME_INK * max(one.height, other.height)


def _key(pixels: Pixels, block: Block, scale: float) -> bytes:
    """Return a 16-byte digest of a block's pixels: two of a billion blocks collide with a probability of 1 in 10^20."""
    core, window = block.core, block.window
    part = np.ascontiguousarray(pixels[window.top : window.bottom, window.left : window.right])
    place = core.translate(-window.left, -window.top)
    about = f"{window.width} {tuple(place)} {scale}".encode()
    return hashlib.blake2b(part.data, digest_size=16, key=about).digest()


def _spread_over(threads: int) -> Callable[[Callable[[_In], _Out], Iterable[_In]], Iterable[_Out]]:
    if threads == 1:
        return map
    return ThreadPoolExecutor(threads, thread_name_prefix="handeye-ocr").map


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

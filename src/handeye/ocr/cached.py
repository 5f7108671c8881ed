"""One read per frame: equal frames cost nothing, nearly equal ones only their changed rows."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.ocr.base import RegionReader, TextLine
from handeye.screen import Pixels, Screen

# Frames whose pixels and lines are kept (10 MB each): a run swings between two, before and after a step, and a dialog or a
# keyboard comes between.
_REMEMBERED: Final = 4
# Above this share of changed rows a whole read is as quick as the pieces, and simpler.
_MOST_CHANGED: Final = 0.6
# Rows around a change that are read again, so that a line which grew, lost its cursor or moved is seen whole.
_MARGIN: Final = 24
# How far a band's edge may move to reach an empty row, where no text is cut.
_REACH: Final = 96

_Flags = npt.NDArray[np.bool_]


class CachedReader:
    """
    Reads a frame once, whoever asks. Safe to share between threads.

    Frames are known by their pixels: a new `Screen` with equal ones is not read again. Of a frame that differs from one of the
    last in some rows only those rows are read; lines that cross the border of the changed part are read again whole. Raises
    what the reader raises, and remembers nothing of a read that failed.
    """

    def __init__(self, reader: RegionReader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._frames: list[tuple[Pixels, tuple[TextLine, ...]]] = []  # the one used last at the end

    @property
    def name(self) -> str:
        return self._reader.name

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        with self._lock:
            known = self._recall(screen.pixels)
            if known is not None:
                return known
            lines = self._read_changes(screen)
            if lines is None:
                lines = self._reader.read(screen)
            self._frames.append((screen.pixels, lines))
            del self._frames[:-_REMEMBERED]
            return lines

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        """The lines whose middle lies inside `box`: from the whole frame's read when there is one, else read there only."""
        with self._lock:
            known = self._recall(screen.pixels)
        if known is not None:
            return tuple(line for line in known if box.contains(line.box.center))
        return self._reader.read_region(screen, box)

    def clear(self) -> None:
        """Forget every frame."""
        with self._lock:
            self._frames.clear()

    def _recall(self, pixels: Pixels) -> tuple[TextLine, ...] | None:
        for index in reversed(range(len(self._frames))):
            kept, lines = self._frames[index]
            if same_pixels(kept, pixels):
                self._frames.append(self._frames.pop(index))
                return lines
        return None

    def _read_changes(self, screen: Screen) -> tuple[TextLine, ...] | None:
        """The frame's lines from the most similar recent frame plus its changed rows; None when too much changed."""
        best: tuple[int, list[tuple[int, int]], tuple[TextLine, ...]] | None = None
        for pixels, lines in self._frames:
            if pixels.shape != screen.pixels.shape:
                continue
            bands = changed_bands(pixels, screen.pixels, lines)
            rows = sum(bottom - top for top, bottom in bands)
            if best is None or rows < best[0]:
                best = rows, bands, lines
        if best is None or best[0] > _MOST_CHANGED * screen.size.height:
            return None
        _rows, bands, old = best
        kept = [line for line in old if not _touches(line, bands)]
        for top, bottom in bands:
            kept += self._reader.read_region(screen, Box(0, top, screen.size.width, bottom))
        return tuple(sorted(kept, key=lambda line: (line.box.top, line.box.left)))


def same_pixels(one: Pixels, other: Pixels) -> bool:
    """Whether two frames are equal in every pixel; half a millisecond for 1920x1080, and less when they are not."""
    if one is other:
        return True
    if one.shape != other.shape:
        return False
    middle = len(one) // 2
    return bool(np.array_equal(one[middle], other[middle]) and not cv2.norm(one, other, cv2.NORM_INF))


def changed_bands(old: Pixels, new: Pixels, lines: Iterable[TextLine]) -> list[tuple[int, int]]:
    """
    Row ranges [top, bottom) outside of which the frames are equal and no line of `lines` or of the new frame is cut.

    Each range starts and ends between lines: it grows until it holds every old line it touches and reaches rows without
    drawing on them.
    """
    height = len(new)
    changed = np.flatnonzero(_rows_that_differ(old, new))
    if not len(changed):
        return []
    flat = np.concatenate(([True], ~_rows_that_differ(new[1:], new[:-1])))
    cuts = np.flatnonzero(np.diff(changed) > 2 * _MARGIN)
    starts = [int(changed[0]), *(int(changed[cut + 1]) for cut in cuts)]
    ends = [*(int(changed[cut]) + 1 for cut in cuts), int(changed[-1]) + 1]
    boxes = [line.box for line in lines]
    bands = [
        _grow(max(0, top - _MARGIN), min(height, bottom + _MARGIN), boxes, flat)
        for top, bottom in zip(starts, ends, strict=True)
    ]
    return _joined(bands)


def _rows_that_differ(one: Pixels, other: Pixels) -> _Flags:
    if not len(one):
        return np.zeros(0, np.bool_)
    difference = cv2.absdiff(one, other).reshape(len(one), -1)
    largest: _Flags = cv2.reduce(difference, 1, cv2.REDUCE_MAX)[:, 0] > 0
    return largest


def _grow(top: int, bottom: int, boxes: list[Box], flat: _Flags) -> tuple[int, int]:
    while True:
        upper = min([top, *(box.top for box in boxes if box.top < bottom and box.bottom > top)])
        lower = max([bottom, *(box.bottom for box in boxes if box.top < bottom and box.bottom > top)])
        upper, lower = _to_flat(upper, -1, flat), _to_flat(lower, 1, flat)
        if (upper, lower) == (top, bottom):
            return top, bottom
        top, bottom = upper, lower


def _to_flat(row: int, step: int, flat: _Flags) -> int:
    """The nearest row in that direction that equals its neighbour; `row` itself when none is within reach."""
    height = len(flat)
    for distance in range(_REACH):
        at = row + step * distance
        if at <= 0:
            return 0
        if at >= height:
            return height
        if flat[at]:
            return at
    return row


def _joined(bands: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for top, bottom in sorted(bands):
        if joined and top <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(bottom, joined[-1][1])
        else:
            joined.append((top, bottom))
    return joined


def _touches(line: TextLine, bands: list[tuple[int, int]]) -> bool:
    return any(line.box.top < bottom and line.box.bottom > top for top, bottom in bands)

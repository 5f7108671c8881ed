"""Interfaces of text readers, and a cache for them."""

from __future__ import annotations

import threading
from typing import Final, Protocol, runtime_checkable

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.screen import Pixels, Screen
from handeye.text import TextLine


class TextReader(Protocol):
    """Reads all text lines of a frame, top to bottom. Raises OcrFailed if the reading fails."""

    @property
    def name(self) -> str: ...

    def read(self, screen: Screen) -> tuple[TextLine, ...]: ...


@runtime_checkable
class RegionReader(TextReader, Protocol):
    """A reader that can read only a part of a frame; boxes stay in pixels of the whole frame."""

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]: ...


# Frames in the cache (10 MB each): a run alternates between two, before and after a step, with a dialog or a keyboard in
# between.
_REMEMBERED: Final = 4


class CachedReader:
    """
    Reads each frame once. Thread-safe.

    Frames are compared by pixels: a new `Screen` with equal ones is not read again. Partial re-reading of a changed frame
    is left to the reader, which knows its units (`PaddleReader` caches blocks). Raises what the reader raises, and caches
    nothing of a failed read.
    """

    def __init__(self, reader: RegionReader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._frames: list[tuple[Pixels, tuple[TextLine, ...]]] = []  # most recently used last

    @property
    def name(self) -> str:
        return self._reader.name

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        with self._lock:
            lines = self._recall(screen.pixels)
            if lines is None:
                lines = self._reader.read(screen)
                self._frames.append((screen.pixels, lines))
                del self._frames[:-_REMEMBERED]
            return lines

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        """
        Return the lines whose centre lies inside `box`: from the cached frame if there is one, else from reading only that
        part.
        """
        with self._lock:
            known = self._recall(screen.pixels)
        if known is not None:
            return tuple(line for line in known if box.contains(line.box.center))
        return self._reader.read_region(screen, box)

    def clear(self) -> None:
        """Drop all cached frames."""
        with self._lock:
            self._frames.clear()

    def _recall(self, pixels: Pixels) -> tuple[TextLine, ...] | None:
        for index in reversed(range(len(self._frames))):
            cached, lines = self._frames[index]
            if same_pixels(cached, pixels):
                self._frames.append(self._frames.pop(index))
                return lines
        return None


def same_pixels(one: Pixels, other: Pixels) -> bool:
    """Return True if two frames are equal in every pixel; takes half a millisecond for 1920x1080, less if they differ."""
    if one is other:
        return True
    if one.shape != other.shape:
        return False
    middle = len(one) // 2
    return bool(
        np.array_equal(one[middle], other[middle])
        and not cv2.norm(one.reshape(1, -1), other.reshape(1, -1), cv2.NORM_INF)
    )

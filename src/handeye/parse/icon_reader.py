"""The reader of icons that ships: masks, vectors, names and scores in one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property

from handeye.geometry import Box
from handeye.parse.crops import icon_masks
from handeye.parse.icon_encoder import IconEncoder, Vectors
from handeye.parse.icon_index import IconIndex, Vector
from handeye.screen import Pixels


class BundledIconReader:
    """
    Says what icons show, offline. The models load at the first icon; safe to share between threads; deterministic.

    Raises ParserFailed when a model cannot be used.
    """

    def __init__(self) -> None:
        self._encoder = IconEncoder()
        self._lock = threading.Lock()

    def vectors(self, pixels: Pixels, boxes: Sequence[Box]) -> Vectors:
        """What the icons in these boxes of a frame look like: unit vectors (n, d), in the order given."""
        return self._encoder.encode(icon_masks(pixels, boxes))

    def names(self, vectors: Vectors) -> list[tuple[str, float]]:
        """The concept that each shows, and how sure that is, 0-1."""
        return self._index.names(vectors)

    def scores(self, phrase: str, vectors: Vectors) -> Vector:
        """How probable it is (0-1) that each is what a phrase names, in English or Chinese; all low when none fits."""
        return self._index.scores(phrase, vectors)

    def clear(self) -> None:
        """Forget the icons that were seen."""
        self._encoder.clear()

    @property
    def _index(self) -> IconIndex:
        with self._lock:
            return self._read

    @cached_property
    def _read(self) -> IconIndex:
        return IconIndex()

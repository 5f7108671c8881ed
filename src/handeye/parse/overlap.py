"""Compare boxes with many others at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box

Shares = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

# Rows of an overlap matrix computed at once, so that the working set fits into a core's cache.
_ROWS: Final = 64


class Boxes:
    """Boxes in frame pixels, to find which of them overlap another one. Results are indices in the order given."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._edges = np.array(boxes, np.float64).reshape(-1, 4)
        wide = np.maximum(self._edges[:, 2:] - self._edges[:, :2], 0)
        self.areas: Shares = wide[:, 0] * wide[:, 1]

    def shared(self, box: Box) -> Shares:
        """Return the intersection area of each with `box`."""
        low = np.maximum(self._edges[:, :2], box[:2])
        high = np.minimum(self._edges[:, 2:], box[2:])
        wide = np.maximum(high - low, 0)
        return np.asarray(wide[:, 0] * wide[:, 1], np.float64)

    def most_shared(self, boxes: Sequence[Box]) -> Shares:
        """Return for each of `boxes` its largest intersection area with one of these, (n,)."""
        others = np.array(boxes, np.float64).reshape(-1, 4)
        most = np.zeros(len(others))
        if not len(self._edges):
            return most
        for first in range(0, len(others), _ROWS):
            rows = others[first : first + _ROWS, None]
            wide = np.minimum(self._edges[:, 2:], rows[:, :, 2:]) - np.maximum(self._edges[:, :2], rows[:, :, :2])
            np.maximum(wide, 0, out=wide)
            most[first : first + _ROWS] = (wide[:, :, 0] * wide[:, :, 1]).max(axis=1)
        return most

    def inside(self, box: Box, share: float) -> list[int]:
        """Return those of which at least `share` lies in `box`."""
        return self._listed((self.shared(box) >= share * self.areas) & (self.areas > 0))

    def around(self, box: Box, share: float) -> list[int]:
        """Return those in which at least `share` of `box` lies, the smallest first."""
        fits = np.flatnonzero(self.shared(box) >= share * box.area) if box.area else np.empty(0, np.intp)
        return [int(index) for index in fits[np.argsort(self.areas[fits], kind="stable")]]

    def ious(self, box: Box) -> Shares:
        """Return the intersection over union of each with `box`."""
        shared = self.shared(box)
        return np.asarray(shared / np.maximum(1.0, self.areas + box.area - shared), np.float64)

    @staticmethod
    def _listed(fits: npt.NDArray[np.bool_]) -> list[int]:
        return [int(index) for index in np.flatnonzero(fits)]


def shared_areas(one: Floats, other: Floats) -> Floats:
    """Return the intersection areas of (n, 4) with (m, 4) boxes, left-top-right-bottom, shape (n, m)."""
    wide, high = (np.minimum(one[:, None, end], other[None, :, end]) for end in (2, 3))
    wide -= np.maximum(one[:, None, 0], other[None, :, 0])
    high -= np.maximum(one[:, None, 1], other[None, :, 1])
    np.maximum(wide, 0, out=wide)
    wide *= np.maximum(high, 0, out=high)
    return np.asarray(wide)


def ious(one: Floats, other: Floats) -> Floats:
    """Return the intersection over union of (n, 4) with (m, 4) boxes, left-top-right-bottom, shape (n, m), 0-1."""
    sides, others = one.T[:, :, None], other.T[:, None]
    areas = [np.prod(np.clip(each[:, 2:] - each[:, :2], 0, None), axis=1) for each in (one, other)]
    found = np.empty((len(one), len(other)), np.float32)
    for first in range(0, len(one), _ROWS):
        rows = slice(first, first + _ROWS)
        left, top, right, bottom = sides[:, rows]
        wide = np.minimum(right, others[2])
        wide -= np.maximum(left, others[0])
        np.maximum(wide, 0, out=wide)
        shared = np.minimum(bottom, others[3])
        shared -= np.maximum(top, others[1])
        np.maximum(shared, 0, out=shared)
        shared *= wide
        both = areas[0][rows, None] + areas[1]
        both -= shared
        np.divide(shared, np.maximum(both, 1e-6, out=both), out=found[rows])
    return found

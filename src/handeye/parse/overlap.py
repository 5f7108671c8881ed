"""Boxes compared with many others at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box

Numbers = npt.NDArray[np.intp]
Shares = npt.NDArray[np.float64]


class Boxes:
    """Some boxes in frame pixels, to be asked which of them overlap another one. Answers are places in the order given."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._edges = np.array(boxes, np.float64).reshape(-1, 4)
        wide = np.maximum(self._edges[:, 2:] - self._edges[:, :2], 0)
        self.areas: Shares = wide[:, 0] * wide[:, 1]

    def shared(self, box: Box) -> Shares:
        """The area that each has in common with `box`."""
        low = np.maximum(self._edges[:, :2], box[:2])
        high = np.minimum(self._edges[:, 2:], box[2:])
        wide = np.maximum(high - low, 0)
        return np.asarray(wide[:, 0] * wide[:, 1], np.float64)

    def inside(self, box: Box, share: float) -> list[int]:
        """Those of which at least `share` lies in `box`."""
        return self._listed((self.shared(box) >= share * self.areas) & (self.areas > 0))

    def around(self, box: Box, share: float) -> list[int]:
        """Those in which at least `share` of `box` lies, the smallest first."""
        fits = np.flatnonzero(self.shared(box) >= share * box.area) if box.area else np.empty(0, np.intp)
        return [int(index) for index in fits[np.argsort(self.areas[fits], kind="stable")]]

    def ious(self, box: Box) -> Shares:
        """Intersection over union of each with `box`."""
        shared = self.shared(box)
        return np.asarray(shared / np.maximum(1.0, self.areas + box.area - shared), np.float64)

    @staticmethod
    def _listed(fits: npt.NDArray[np.bool_]) -> list[int]:
        return [int(index) for index in np.flatnonzero(fits)]

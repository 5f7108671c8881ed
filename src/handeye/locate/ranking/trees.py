"""Boosted decision trees, evaluated with numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Trees:
    """
    Trees of the same depth as arrays of shape (trees, nodes): a node with `feature` -1 is a leaf with `value`; else a row goes
    to `left` where its feature is at most `threshold`, or is NaN and `nan_left` is set, and to `right` otherwise.
    """

    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    nan_left: npt.NDArray[np.bool_]
    value: npt.NDArray[np.float32]
    depth: int

    def scores(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The sum of all trees for each row, of shape (n,)."""
        trees = np.arange(len(self.feature))
        node = np.zeros((len(rows), len(trees)), dtype=np.int16)
        at = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            feature = self.feature[trees, node]
            values = rows[at, np.maximum(feature, 0)]
            goes_left = np.where(np.isnan(values), self.nan_left[trees, node], values <= self.threshold[trees, node])
            below = np.where(goes_left, self.left[trees, node], self.right[trees, node])
            node = np.where(feature < 0, node, below)
        scores: npt.NDArray[np.float64] = self.value[trees, node].sum(axis=1, dtype=np.float64)
        return scores

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The trees as named arrays, for a file."""
        return {
            "feature": self.feature,
            "threshold": self.threshold,
            "left": self.left,
            "right": self.right,
            "nan_left": self.nan_left,
            "value": self.value,
            "depth": np.array(self.depth),
        }

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Trees:
        """Return the trees that `arrays` gave."""
        named = {name: arrays[name] for name in ("feature", "threshold", "left", "right", "nan_left", "value")}
        return cls(**named, depth=int(arrays["depth"]))  # type: ignore[arg-type]

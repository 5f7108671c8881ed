"""Boosted decision trees, evaluated with numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_BATCH_NODES: Final = 16_000  # nodes per batch: they and their values fit a processor's cache


@dataclass(frozen=True)
class Trees:
    """
    Trees of the same depth as arrays of shape (trees, nodes): a node with `feature` -1 is a leaf with `value`; else a row
    goes to `left` if its feature is at most `threshold`, or is NaN and `nan_left` is set, and to `right` otherwise.
    """

    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    nan_left: npt.NDArray[np.bool_]
    value: npt.NDArray[np.float32]
    depth: int

    def scores(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return the sum of all trees for each row, of shape (n,)."""
        columns = np.ascontiguousarray(rows[:, : self._width].T, dtype=np.float32)
        unknown = np.isnan(columns)
        values = np.concatenate([np.where(unknown, -np.inf, columns), np.where(unknown, np.inf, columns)])
        values = values.astype(np.float32).ravel()
        feature, threshold, below, value = self._flat
        roots = np.arange(0, self.feature.size, self.feature.shape[1], dtype=np.int32)
        row = np.arange(len(rows), dtype=np.int32)
        total = np.zeros(len(rows))
        for part in np.array_split(roots, min(len(roots), max(1, len(roots) * len(rows) // _BATCH_NODES))):
            node = np.repeat(part[:, None], len(rows), axis=1)
            for _ in range(self.depth):
                goes_left = values.take(feature.take(node) * len(rows) + row) <= threshold.take(node)
                node = below.take(2 * node + goes_left)
            total += value.take(node).sum(axis=0, dtype=np.float64)
        return total

    @cached_property
    def _width(self) -> int:
        """Number of a row's columns that may be used."""
        return int(self.feature.max(initial=0)) + 1

    @cached_property
    def _flat(self) -> tuple[npt.NDArray[Any], ...]:
        """
        The nodes of all trees in sequence: feature, threshold, the nodes on the right and the left, value. A leaf leads to
        itself. A NaN that goes left is looked up as the lowest value, one that goes right as the highest.
        """
        leaf = self.feature < 0
        first = np.arange(len(leaf))[:, None] * leaf.shape[1]
        own = first + np.arange(leaf.shape[1])
        feature = np.where(leaf, 0, self.feature) + np.where(self.nan_left | leaf, 0, self._width)
        threshold = np.where(leaf, np.inf, self.threshold)
        below = np.stack([np.where(leaf, own, first + self.right), np.where(leaf, own, first + self.left)], axis=2)
        return (
            feature.astype(np.int32).ravel(),
            threshold.astype(np.float32).ravel(),
            below.astype(np.int32).ravel(),
            self.value.ravel(),
        )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the trees as named arrays for a file."""
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
        """Return the trees from the arrays that `arrays` returned."""
        named = {name: arrays[name] for name in ("feature", "threshold", "left", "right", "nan_left", "value")}
        return cls(**named, depth=int(arrays["depth"]))  # type: ignore[arg-type]

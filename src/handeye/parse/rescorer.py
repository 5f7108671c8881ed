"""
Classify candidates as elements: a small graph network trained on screens with known elements.

Each candidate is scored by its features, then twice more with the states of its neighbours: an item in a row of tabs is a
tab, and a box around a more certain button is no button. Trained by `training/rescorer`; runs in numpy, a few milliseconds
per frame.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from handeye.errors import ParserFailed
from handeye.parse.candidates import FEATURES, Candidates
from handeye.parse.decoding import CLASSES
from handeye.parse.model_runtime import read_arrays

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

WEIGHTS: Final = Path(__file__).parent / "weights" / "rescorer.npz"
ROUNDS: Final = 2
_MANY: Final = 0.02  # density of a relation from which one matrix product is faster than row sums
_FURTHEST_STEP: Final = 1.0
_FARTHEST: Final = 6.0  # standard deviations; outliers are clipped


class RescoredCandidates(NamedTuple):
    """
    The classification of candidates: `chances` (n, len(CLASSES) + 1), the probability of each class, and last that of being
    no element; and the `boxes` (n, 4) of the elements that they are a part or a rough outline of, left-top-right-bottom in
    frame pixels.
    """

    chances: Floats
    boxes: Floats


class _Relation(NamedTuple):
    """A neighbour relation: as sparse rows in most cases, as a dense matrix if there are many neighbours."""

    shares: Floats  # (n, n), empty if sparse
    rows: Places  # rows with neighbours
    begins: Places  # start of each row in `columns`
    columns: Places
    counts: Floats  # neighbours of each of `rows`, (r, 1)

    @classmethod
    def of(cls, mask: Mask) -> _Relation:
        rows, columns = np.divmod(np.flatnonzero(mask), len(mask))  # five times as fast as `nonzero`
        begins = np.flatnonzero(np.diff(rows, prepend=-1))
        counts = np.diff(begins, append=len(rows)).astype(np.float32)[:, None]
        shares = np.empty((0, 0), np.float32)
        if len(rows) > _MANY * mask.size:
            shares = mask.astype(np.float32)
            shares[rows[begins]] /= counts
        return cls(shares, rows[begins], begins, columns, counts)

    def mean(self, state: Floats) -> Floats:
        """Return the mean of the neighbours' states (n, d), in the same shape; 0 without neighbours."""
        if len(self.shares):
            return np.asarray(self.shares @ state, np.float32)
        means = np.zeros_like(state)
        if len(self.rows):
            means[self.rows] = np.add.reduceat(state[self.columns], self.begins, axis=0) / self.counts
        return means


class Rescorer:
    """Classifies candidates. `weights` is a file of `training/rescorer`, read at the first use."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._path = weights

    def judge(self, found: Candidates) -> RescoredCandidates:
        """Return the classification of the candidates. Raises ParserFailed if the weights cannot be used."""
        if not len(found):
            return RescoredCandidates(np.empty((0, len(CLASSES) + 1), np.float32), found.boxes)
        w = self._weights
        x = np.clip((found.features - w["mean"]) / w["spread"], -_FARTHEST, _FARTHEST)
        state = _relu(_relu(x @ w["in.weight"] + w["in.bias"]) @ w["narrow.weight"] + w["narrow.bias"])
        relations = [_Relation.of(mask) for mask in found.neighbours]
        for number in range(ROUNDS):
            means = [each.mean(state) for each in relations]
            state = state + _relu(
                np.concatenate([state, *means], 1) @ w[f"round{number}.weight"] + w[f"round{number}.bias"]
            )
        logits = state @ w["out.weight"] + w["out.bias"]
        exact = np.exp(logits - logits.max(1, keepdims=True))
        chances = np.asarray(exact / exact.sum(1, keepdims=True), np.float32)
        return RescoredCandidates(chances, with_moved_edges(found.boxes, state @ w["move.weight"] + w["move.bias"]))

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        held = read_arrays(self._path, "the rescorer's weights", ("mean", "spread", f"round{ROUNDS - 1}.weight"))
        weights = {name: values.astype(np.float32) for name, values in held.items()}
        if weights["mean"].shape != (FEATURES,):
            raise ParserFailed(f"the rescorer's weights {str(self._path)!r} are of another version; reinstall handeye")
        return weights


def with_moved_edges(boxes: Floats, steps: Floats) -> Floats:
    """Return boxes (n, 4) with their edges moved by `steps` (n, 4): left and right in widths, top and bottom in heights."""
    wide, high = _units(boxes)
    steps = np.clip(steps, -_FURTHEST_STEP, _FURTHEST_STEP)
    left, top = boxes[:, 0] + steps[:, 0] * wide, boxes[:, 1] + steps[:, 1] * high
    right, bottom = boxes[:, 2] + steps[:, 2] * wide, boxes[:, 3] + steps[:, 3] * high
    return np.stack([left, top, np.maximum(right, left + 1), np.maximum(bottom, top + 1)], 1).astype(np.float32)


def steps_between(boxes: Floats, others: Floats) -> Floats:
    """Return the steps with which `with_moved_edges` turns boxes (n, 4) into others (n, 4)."""
    wide, high = _units(boxes)
    away = others - boxes
    return np.stack([away[:, 0] / wide, away[:, 1] / high, away[:, 2] / wide, away[:, 3] / high], 1).astype(np.float32)


def _units(boxes: Floats) -> tuple[Floats, Floats]:
    high = np.maximum(boxes[:, 3] - boxes[:, 1], 1)
    return np.maximum(boxes[:, 2] - boxes[:, 0], 1), high


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0)

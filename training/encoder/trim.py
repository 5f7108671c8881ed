"""Trimming: the weights of chosen pieces, and the network's matrices as the 8-bit integers that they were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.locate.ranking.sentence_network import ORDERS
from training.encoder.original import Original

_GROUPS: Final = 17  # the package quantizes piece n in group n % 17
_NAMES: Final = {
    "pooling": "cnn_W",
    "middle.inner": "d0",
    "middle.outer": "d1",
    "middle.shortcut": "p1",
    "last.inner": "d2",
    "last.outer": "d3",
    "last.shortcut": "p3",
    **{f"order{order}.first": f"w1_{order}" for order in ORDERS},
    **{f"order{order}.second": f"w2_{order}" for order in ORDERS},
}
_BIASES: Final = {
    "pooling.bias": "cnn_b",
    "features.gain": "ln_g",
    "features.offset": "ln_b",
    **{f"order{order}.first.bias": f"b1_{order}" for order in ORDERS},
    **{f"order{order}.second.bias": f"b2_{order}" for order in ORDERS},
}
_JOINED: Final = {"entry.bias": "proj_b", "entry.gain": "ln_g", "entry.offset": "ln_b"}

_ROUNDING: Final = 0.01  # of a step: what float32 leaves

Arrays = dict[str, npt.NDArray[Any]]


def trimmed(original: Original, kept: Sequence[int]) -> Arrays:
    """Return all arrays of the weights file for the pieces with the numbers `kept`, special pieces 0, 1, 2 first."""
    numbers = np.asarray(kept)
    texts = "\n".join(original.pieces[number] for number in kept)
    return {
        "pieces": np.frombuffer(texts.encode(), np.uint8),
        "scores": np.asarray(original.scores, np.float32)[numbers],
        "embedding.weight": _table(original)[numbers],
        "embedding.group": (numbers % _GROUPS).astype(np.uint8),
        "embedding.scale": original.arrays["scale"],
        "embedding.low": original.arrays["lo"],
        **network(original),
    }


def network(original: Original) -> Arrays:
    """Return the arrays of the network behind the embedding."""
    held = original.arrays
    arrays: Arrays = {ours: held[theirs] for ours, theirs in _BIASES.items()}
    arrays |= {ours: np.concatenate([held[f"{theirs}{n}"] for n in ORDERS]) for ours, theirs in _JOINED.items()}
    matrices = {ours: whole(held[theirs]) for ours, theirs in _NAMES.items()}
    branches = [whole(held[f"proj{n}"]) for n in ORDERS]
    matrices["entry"] = tuple(np.concatenate(parts, axis=-1) for parts in zip(*branches, strict=True))
    for name, (matrix, scale) in matrices.items():
        arrays[f"{name}.weight"], arrays[f"{name}.scale"] = matrix, scale
    return arrays


def whole(matrix: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """
    Return a matrix as the 8-bit integers that it was made from, and their factor for each column.

    Raises ValueError for a matrix that was not made from integers up to 127.
    """
    step = np.abs(matrix).max() / 127
    integers = np.round(matrix / step)
    if np.abs(matrix / step - integers).max() > _ROUNDING:
        raise ValueError("a matrix of the network is not made of 8-bit integers: another version of the package?")
    return integers.astype(np.int8), np.full(matrix.shape[1], step, np.float32)


def _table(original: Original) -> npt.NDArray[np.uint8]:
    """Return the rows of all pieces by number."""
    table = np.empty((len(original.pieces), original.arrays["q1"].shape[1]), np.uint8)
    for group in range(_GROUPS):
        rows = original.arrays[f"q{group + 1}"]
        table[group::_GROUPS] = rows[: len(range(group, len(table), _GROUPS))]
    return table

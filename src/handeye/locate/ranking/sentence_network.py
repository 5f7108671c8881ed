"""The network of the Universal Sentence Encoder (multilingual, version 3) in numpy: numbers of pieces in, unit vectors out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int_]

ORDERS: Final = (2, 3, 5)
"""Pieces under the window of each convolution."""
_BRANCH_LAYERS: Final = ("entry", "first", "second")
_LAYERS: Final = (
    *(f"order{order}.{layer}" for order in ORDERS for layer in _BRANCH_LAYERS),
    *("pooling", "middle.inner", "middle.outer", "middle.shortcut", "last.inner", "last.outer", "last.shortcut"),
)
_VECTORS: Final = (
    *("features.gain", "features.offset", "pooling.bias"),
    *(f"order{order}.{layer}.bias" for order in ORDERS for layer in _BRANCH_LAYERS),
    *(f"order{order}.entry.{part}" for order in ORDERS for part in ("gain", "offset")),
)
ARRAYS: Final = frozenset({*_VECTORS, *(f"{name}.{part}" for name in _LAYERS for part in ("weight", "scale"))})
"""Arrays of the network. Each matrix is 8-bit integers, NAME.weight, and a factor, NAME.scale."""
_EPSILON: Final = 1e-12  # under the roots, as in the original


class Rows(Protocol):
    """Gives the embeddings of pieces by their numbers, as rows."""

    def rows(self, numbers: Whole) -> Floats: ...


@dataclass(frozen=True)
class SentenceNetwork:
    """The network with its weights: the embeddings of pieces, and `arrays` with each of `ARRAYS`."""

    embeddings: Rows
    arrays: Mapping[str, npt.NDArray[Any]]

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return the unit vectors of texts given as numbers of pieces, which pass the network as one matrix."""
        lengths = np.array([len(pieces) for pieces in texts])
        starts = np.cumsum(lengths) - lengths
        embedded = self.embeddings.rows(np.concatenate([np.asarray(pieces) for pieces in texts]))
        features = self._standardized(self._with_context(embedded, starts, lengths), "features")
        # The sum over a text and the linear layer commute; so the layer is computed once a text.
        pooled = self._linear(np.add.reduceat(features, starts, axis=0), "pooling")
        length = lengths[:, None].astype(np.float32)
        pooled += length * self.arrays["pooling.bias"]
        pooled /= np.sqrt(length)
        vectors = np.tanh(self._residual(np.maximum(self._residual(pooled, "middle"), 0), "last"))
        return np.asarray(vectors / np.sqrt(np.square(vectors).sum(axis=1, keepdims=True) + _EPSILON), np.float32)

    def _with_context(self, embedded: Floats, starts: Whole, lengths: Whole) -> Floats:
        """Return the embedding of each piece beside what the convolutions make of it and its neighbours in the text."""
        parts = [embedded]
        for order in ORDERS:
            entry = self._linear(embedded, f"order{order}.entry") + self.arrays[f"order{order}.entry.bias"]
            state = self._standardized(entry, f"order{order}.entry")
            window = _windows(starts, lengths, order)
            for layer in (f"order{order}.first", f"order{order}.second"):
                padded = np.concatenate([state, np.zeros((1, state.shape[1]), np.float32)])
                seen = self._linear(padded[window].reshape(len(state), -1), layer) + self.arrays[f"{layer}.bias"]
                state = state + np.maximum(seen, 0)
            parts.append(state)
        joined: Floats = np.concatenate(parts, axis=1)
        return joined

    def _linear(self, rows: Floats, name: str) -> Floats:
        product: Floats = rows @ self.arrays[f"{name}.weight"].astype(np.float32)
        product *= self.arrays[f"{name}.scale"]
        return product

    def _residual(self, rows: Floats, name: str) -> Floats:
        inner = np.maximum(self._linear(rows, f"{name}.inner"), 0)
        return self._linear(inner, f"{name}.outer") + self._linear(rows, f"{name}.shortcut")

    def _standardized(self, rows: Floats, name: str) -> Floats:
        """Return rows of mean 0 and variance 1, times a gain and plus an offset for each column (layer normalization)."""
        centred: Floats = rows - rows.mean(axis=1, keepdims=True)
        centred /= np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _EPSILON)
        centred *= self.arrays[f"{name}.gain"]
        centred += self.arrays[f"{name}.offset"]
        return centred


def _windows(starts: Whole, lengths: Whole, order: int) -> Whole:
    """Return for each piece the `order` places around it (n, order); places outside its text are the row after the last."""
    places = np.arange(lengths.sum())[:, None] + np.arange(order) - (order - 1) // 2
    first, past = np.repeat(starts, lengths)[:, None], np.repeat(starts + lengths, lengths)[:, None]
    places[(places < first) | (places >= past)] = lengths.sum()
    return places

"""The network of the Universal Sentence Encoder (multilingual, version 3) in numpy: numbers of pieces in, unit vectors out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int_]

ORDERS: Final = (2, 3, 5)
"""Pieces under the window of each convolution."""
LAYERS: Final = (
    "entry",
    *(f"order{order}.{layer}" for order in ORDERS for layer in ("first", "second")),
    *("pooling", "middle.inner", "middle.outer", "middle.shortcut", "last.inner", "last.outer", "last.shortcut"),
)
"""Matrices of the network; each is kept as 8-bit integers NAME.weight with a factor for each column, NAME.scale."""
VECTORS: Final = (
    *("entry.bias", "entry.gain", "entry.offset", "features.gain", "features.offset", "pooling.bias"),
    *(f"order{order}.{layer}.bias" for order in ORDERS for layer in ("first", "second")),
)
EMBEDDING: Final = ("embedding.weight", "embedding.group", "embedding.scale", "embedding.low")
"""A row of 8-bit integers for each piece, its group, and for each group the factor and the value of 0."""
ARRAYS: Final = frozenset({*EMBEDDING, *VECTORS, *(f"{name}.{part}" for name in LAYERS for part in ("weight", "scale"))})
_EPSILON: Final = 1e-12  # under the roots, as in the original


@dataclass(frozen=True)
class SentenceNetwork:
    """The network with its weights: `arrays` has each of `ARRAYS`."""

    arrays: Mapping[str, npt.NDArray[Any]]

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return the unit vectors of texts given as numbers of pieces, which pass the network as one matrix."""
        lengths = np.array([len(pieces) for pieces in texts])
        starts = np.cumsum(lengths) - lengths
        embedded = self._embed(np.concatenate([np.asarray(pieces) for pieces in texts]))
        features = self._standardized(self._with_context(embedded, starts, lengths), "features")
        # The sum over a text and the linear layer commute; so the layer is computed once a text.
        pooled = self._linear(np.add.reduceat(features, starts, axis=0), "pooling")
        length = lengths[:, None].astype(np.float32)
        pooled += length * self.arrays["pooling.bias"]
        pooled /= np.sqrt(length)
        vectors = np.tanh(self._residual(np.maximum(self._residual(pooled, "middle"), 0), "last"))
        return np.asarray(vectors / np.sqrt(np.square(vectors).sum(axis=1, keepdims=True) + _EPSILON), np.float32)

    def _embed(self, pieces: Whole) -> Floats:
        group = self.arrays["embedding.group"][pieces]
        rows = self.arrays["embedding.weight"][pieces].astype(np.float32)
        rows *= self.arrays["embedding.scale"][group, None]
        rows += self.arrays["embedding.low"][group, None]
        return rows

    def _with_context(self, embedded: Floats, starts: Whole, lengths: Whole) -> Floats:
        """Return the embedding of each piece beside what the convolutions make of it and its neighbours in the text."""
        entry = self._linear(embedded, "entry") + self.arrays["entry.bias"]
        parts = [embedded]
        for branch, order in enumerate(ORDERS):
            width = entry.shape[1] // len(ORDERS)
            columns = slice(branch * width, (branch + 1) * width)
            state = self._standardized(entry[:, columns], "entry", columns)
            window = _windows(starts, lengths, order)
            for layer in ("first", "second"):
                padded = np.concatenate([state, np.zeros((1, width), np.float32)])
                name = f"order{order}.{layer}"
                seen = self._linear(padded[window].reshape(len(state), -1), name) + self.arrays[f"{name}.bias"]
                state = state + np.maximum(seen, 0)
            parts.append(state)
        return np.concatenate(parts, axis=1)

    def _linear(self, rows: Floats, name: str) -> Floats:
        product: Floats = rows @ self.arrays[f"{name}.weight"].astype(np.float32)
        product *= self.arrays[f"{name}.scale"]
        return product

    def _residual(self, rows: Floats, name: str) -> Floats:
        inner = np.maximum(self._linear(rows, f"{name}.inner"), 0)
        return self._linear(inner, f"{name}.outer") + self._linear(rows, f"{name}.shortcut")

    def _standardized(self, rows: Floats, name: str, columns: slice = slice(None)) -> Floats:
        """Return rows of mean 0 and variance 1, times a gain and plus an offset for each column (layer normalization)."""
        centred = rows - rows.mean(axis=1, keepdims=True)
        centred /= np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _EPSILON)
        centred *= self.arrays[f"{name}.gain"][columns]
        centred += self.arrays[f"{name}.offset"][columns]
        return centred


def _windows(starts: Whole, lengths: Whole, order: int) -> Whole:
    """Return for each piece the `order` places around it (n, order); places outside its text are the row after the last."""
    places = np.arange(lengths.sum())[:, None] + np.arange(order) - (order - 1) // 2
    first, past = np.repeat(starts, lengths)[:, None], np.repeat(starts + lengths, lengths)[:, None]
    places[(places < first) | (places >= past)] = lengths.sum()
    return places

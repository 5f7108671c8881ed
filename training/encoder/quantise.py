"""Residual vector quantization: rows as sums of entries of code books, which k-means finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

WIDTH: Final = 8
"""Numbers in a part of a row; each part has a byte for each stage, 1 bit for a number."""
_ENTRIES: Final = 256
_ROUNDS: Final = 10
_SAMPLE: Final = 12_000  # rows that the books of a stage are made from

Floats = npt.NDArray[np.float32]


def quantized(rows: Floats, sizes: Sequence[int]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of `Embeddings` for `rows`, of which stage i has the first `sizes[i]`."""
    scale = rows.std(axis=1, keepdims=True)
    left = (rows / np.maximum(scale, 1e-9)).reshape(len(rows), -1, WIDTH)
    chance = np.random.default_rng(1)
    arrays: dict[str, npt.NDArray[Any]] = {"embedding.scale": scale[:, 0].astype(np.float16)}
    for stage, size in enumerate(sizes):
        left = left[:size]
        sample = chance.choice(size, min(_SAMPLE, size), replace=False)
        books, codes = [], []
        for part in range(left.shape[1]):
            book = _book(left[sample, part], chance)
            code = _nearest(left[:, part], book)
            left[:, part] -= book[code]
            books.append(book)
            codes.append(code.astype(np.uint8))
        arrays[f"embedding.book{stage}"] = np.stack(books)
        arrays[f"embedding.codes{stage}"] = np.stack(codes, axis=1)
        print(f"stage {stage}: {size} rows, {np.square(left).mean():.4f} of the variance left")
    return arrays


def _book(points: Floats, chance: np.random.Generator) -> npt.NDArray[np.float16]:
    """Return the centres of clusters of `points` (k-means)."""
    centres = chance.choice(points, _ENTRIES, replace=False)
    for _ in range(_ROUNDS):
        nearest = _nearest(points, centres)
        count = np.bincount(nearest, minlength=_ENTRIES)
        sums = np.stack([np.bincount(nearest, column, _ENTRIES) for column in points.T], axis=1)
        empty = count == 0
        centres = (sums / np.maximum(count, 1)[:, None]).astype(np.float32)
        centres[empty] = chance.choice(points, int(empty.sum()))
    return centres.astype(np.float16)


def _nearest(points: Floats, centres: npt.NDArray[Any]) -> npt.NDArray[np.int_]:
    exact = centres.astype(np.float32)
    return np.argmax(points @ exact.T - np.square(exact).sum(axis=1) / 2, axis=1)

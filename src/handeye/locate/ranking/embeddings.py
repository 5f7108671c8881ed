"""The embeddings of the encoder's pieces, by residual vector quantization: a few bytes for each, more for frequent pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

STAGES: Final = 4
ARRAYS: Final = frozenset(
    {"embedding.scale", *(f"embedding.{part}{stage}" for part in ("codes", "book") for stage in range(STAGES))}
)
"""Arrays of `Embeddings`: a factor for each row, and for each stage codes (rows, parts) and a book (parts, 256, width)."""


class Embeddings:
    """
    Rows of a matrix, put together from code books. A row consists of parts; each part is the sum of one entry of each stage's
    book, where a stage corrects the error of those before. Later stages exist for the first rows only, the frequent pieces.
    """

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self._scale = arrays["embedding.scale"].astype(np.float32)
        self._codes = [arrays[f"embedding.codes{stage}"] for stage in range(STAGES)]
        self._books = [arrays[f"embedding.book{stage}"].astype(np.float32) for stage in range(STAGES)]

    def rows(self, numbers: npt.NDArray[np.int_]) -> npt.NDArray[np.float32]:
        """Return the rows with these numbers."""
        parts, _, width = self._books[0].shape
        found = np.zeros((len(numbers), parts, width), np.float32)
        for codes, book in zip(self._codes, self._books, strict=True):
            here = numbers < len(codes)
            found[here] += book[np.arange(parts), codes[numbers[here]]]
        return found.reshape(len(numbers), -1) * self._scale[numbers, None]

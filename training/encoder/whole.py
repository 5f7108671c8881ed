"""The encoder with all its pieces and exact embeddings: what the trimmed one is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from handeye.locate.ranker.sentence_encoder import SentenceNetwork, SentencePieces
from handeye.parse import on_one_core
from training.encoder.original import Original
from training.encoder.trim import network_arrays


@dataclass(frozen=True)
class _Rows:
    matrix: npt.NDArray[np.float32]

    def rows(self, numbers: npt.NDArray[np.int_]) -> npt.NDArray[np.float32]:
        return self.matrix[numbers]


class WholeEncoder:
    """Encodes texts as the published model does, but for its rounding of what passes between layers."""

    def __init__(self, original: Original) -> None:
        self._pieces = SentencePieces(original.pieces, original.scores)
        self._network = SentenceNetwork(_Rows(original.embedding), network_arrays(original))

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors (n, 512) of `texts`."""
        with on_one_core():
            return np.concatenate([self._network.encode([self._pieces.split(text)]) for text in texts])

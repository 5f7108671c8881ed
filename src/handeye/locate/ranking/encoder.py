"""The sentence encoder: vectors of texts whose cosine says how near their meanings are, across languages."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.locate.ranking import embeddings, sentence_network
from handeye.locate.ranking.embeddings import Embeddings
from handeye.locate.ranking.sentence_network import SentenceNetwork
from handeye.locate.ranking.sentence_pieces import SentencePieces
from handeye.parse.arrays import read_arrays
from handeye.parse.blas import on_one_core

WEIGHTS: Final = Path(__file__).parent / "weights" / "encoder.npz"
DIM: Final = 512
"""Numbers in a vector."""
_BATCH: Final = 384  # pieces that pass the network together, unless one text has more: they fit a core's cache


class TextEncoder:
    """
    Encodes texts with a trimmed Universal Sentence Encoder (multilingual, version 3).

    `weights` is a file made by `training/encoder`. It is read at the first text. Safe to share between threads.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._path = weights
        self._lock = threading.Lock()
        self._model: tuple[SentencePieces, SentenceNetwork] | None = None

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """
        Return unit vectors (n, DIM) of `texts`, each independent of the others.

        Raises ParserFailed when the weights cannot be read.
        """
        if not len(texts):
            return np.zeros((0, DIM), np.float32)
        pieces, network = self._read()
        split = [pieces.split(text) for text in texts]
        with on_one_core():
            return np.concatenate([network.encode(batch) for batch in _batches(split)])

    def _read(self) -> tuple[SentencePieces, SentenceNetwork]:
        with self._lock:
            if self._model is None:
                needed = {"pieces", "scores", *embeddings.ARRAYS, *sentence_network.ARRAYS}
                held = read_arrays(self._path, "the weights of the sentence encoder", needed)
                pieces = SentencePieces(held["pieces"].tobytes().decode().split("\n"), held["scores"])
                network = {name: held[name] for name in sentence_network.ARRAYS}
                self._model = pieces, SentenceNetwork(Embeddings(held), network)
            return self._model


def _batches(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Yield consecutive texts, as many at a time as have `_BATCH` pieces together, at least one."""
    batch: list[list[int]] = []
    size = 0
    for pieces in texts:
        if batch and size + len(pieces) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(pieces)
        size += len(pieces)
    yield batch

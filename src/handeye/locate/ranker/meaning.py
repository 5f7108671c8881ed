"""Semantic similarity of texts: cosines between sentence vectors, each text encoded once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from handeye.locate.ranker.candidates import Column
from handeye.text import CACHE_SIZE

Vector = npt.NDArray[np.float32]


class Encoder(Protocol):
    """Encodes texts as rows of length 1, of shape (n, d)."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]: ...


class Meaning:
    """
    Compares texts by the vectors of `encoder`, which are cached for REMEMBERED texts: about forty screens, 8 MB.
    Thread-safe.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def cosines(self, words: str, texts: Sequence[str]) -> Column:
        """
        Return the cosine between `words` and each text, of shape (n,); 0 if one of them is empty. Case-insensitive for
        capitals.
        """
        words, texts = _without_capitals(words), [_without_capitals(text) for text in texts]
        filled = [text for text in dict.fromkeys(texts) if text.strip()]
        if not words.strip() or not filled:
            return np.zeros(len(texts))
        wanted, *others = self._encoded([words, *filled])
        cosines = dict(zip(filled, np.stack(others) @ wanted, strict=True))  # exactly the same value for equal texts
        return np.array([cosines.get(text, 0.0) for text in texts], dtype=np.float64)

    def _encoded(self, texts: Sequence[str]) -> list[Vector]:
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            if new:
                self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
            for text in texts:
                self._vectors.move_to_end(text)
            vectors = [self._vectors[text] for text in texts]
            while len(self._vectors) > CACHE_SIZE:
                self._vectors.popitem(last=False)
            return vectors


def _without_capitals(text: str) -> str:
    """Return the text, in lower case if it is in capitals: the encoder knows CANCEL less well than Cancel."""
    return text.lower() if text.isupper() else text

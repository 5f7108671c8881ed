"""
Embed words in the icon encoder's space without a language model: a weighted sum of word vectors, then one hidden layer.

Used for phrases without a concept in the vocabulary. The order of words does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

MAX_TOKENS: Final = 12  # of a phrase; later ones matter little
_WORD_OR_CHINESE: Final = re.compile(r"[a-z]+|\d+|[\u4e00-\u9fff]+")
_NO_PLURAL: Final = ("ss", "us", "is", "os")
MIN_WORD_FOR_PLURAL: Final = 4


def tokens_of(text: str) -> list[str]:
    """
    Return the tokens of a text: singular English words, numbers, and Chinese characters with each adjacent pair.

    >>> tokens_of("Left arrows")
    ['left', 'arrow']
    >>> tokens_of("放大镜")
    ['放', '大', '镜', '放大', '大镜']
    """
    tokens: list[str] = []
    for run in _WORD_OR_CHINESE.findall(text.lower()[:200]):
        if run[0] >= "\u4e00":
            tokens += [*run, *(run[at : at + 2] for at in range(len(run) - 1))]
        else:
            tokens.append(_singular(run))
    return tokens[:MAX_TOKENS]


def _singular(word: str) -> str:
    plural = len(word) >= MIN_WORD_FOR_PLURAL and word.endswith("s") and not word.endswith(_NO_PLURAL)
    return word[:-1] if plural else word


def name_key(name: str) -> str:
    """
    Return a drawing's name without word order and plural, for comparison.

    >>> name_key("arrow left") == name_key("left arrows")
    True
    """
    return " ".join(sorted(_singular(word) for word in _WORD_OR_CHINESE.findall(name.lower())))


@dataclass(frozen=True, eq=False)
class WordEmbedding:
    """
    The trained word vectors: `vectors` (words, d) as int8 with one `scales` (words,) each, `weights` (words,) for their
    sum, and a hidden layer (d, h), (h,), (h, d) that is added to it.
    """

    index: dict[str, int]
    vectors: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    inner: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]
    outer: npt.NDArray[np.float32]

    def encode(self, text: str) -> npt.NDArray[np.float32] | None:
        """Return the unit vector (d,) of a text, or None if none of its words is known."""
        known = [self.index[token] for token in tokens_of(text) if token in self.index]
        if not known:
            return None
        words = self.vectors[known].astype(np.float32) * self.scales[known, None]
        weights = self.weights[known]
        summed = (words * weights[:, None]).sum(axis=0) / max(float(weights.sum()), 1e-3)
        bent = summed + np.maximum(summed @ self.inner + self.bias, 0) @ self.outer
        unit: npt.NDArray[np.float32] = bent / max(float(np.linalg.norm(bent)), 1e-6)
        return unit

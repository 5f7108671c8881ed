"""Sentence encoder: text vectors whose cosine is the similarity of meaning, across languages."""

from __future__ import annotations

import threading
import unicodedata
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from handeye.locate.ranker.candidates import Column
from handeye.parse import on_one_core, read_arrays
from handeye.text import CACHE_SIZE

# The network of the Universal Sentence Encoder (multilingual, version 3) in numpy: piece numbers in, unit vectors out.


Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int_]

ORDERS: Final = (2, 3, 5)
"""Window size of each convolution in pieces."""
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
_EPSILON: Final = 1e-12  # added under the square roots, as in the original


class Rows(Protocol):
    """Returns the embeddings of pieces by their numbers, as rows."""

    def rows(self, numbers: Whole) -> Floats: ...


@dataclass(frozen=True)
class SentenceNetwork:
    """The network with its weights: the embeddings of pieces, and `arrays` with each of `ARRAYS`."""

    embeddings: Rows
    arrays: Mapping[str, npt.NDArray[Any]]

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return the unit vectors of texts given as piece numbers, computed as one matrix."""
        lengths = np.array([len(pieces) for pieces in texts])
        starts = np.cumsum(lengths) - lengths
        embedded = self.embeddings.rows(np.concatenate([np.asarray(pieces) for pieces in texts]))
        features = self._standardized(self._with_context(embedded, starts, lengths), "features")
        # The sum over a text and the linear layer commute, so the layer is computed once per text.
        pooled = self._linear(np.add.reduceat(features, starts, axis=0), "pooling")
        length = lengths[:, None].astype(np.float32)
        pooled += length * self.arrays["pooling.bias"]
        pooled /= np.sqrt(length)
        vectors = np.tanh(self._residual(np.maximum(self._residual(pooled, "middle"), 0), "last"))
        return np.asarray(vectors / np.sqrt(np.square(vectors).sum(axis=1, keepdims=True) + _EPSILON), np.float32)

    def _with_context(self, embedded: Floats, starts: Whole, lengths: Whole) -> Floats:
        """Return the embedding of each piece with the convolutions over its neighbours in the text appended."""
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
        """Return rows of mean 0 and variance 1, with a gain and an offset for each column (layer normalization)."""
        centred: Floats = rows - rows.mean(axis=1, keepdims=True)
        centred /= np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _EPSILON)
        centred *= self.arrays[f"{name}.gain"]
        centred += self.arrays[f"{name}.offset"]
        return centred


def _windows(starts: Whole, lengths: Whole, order: int) -> Whole:
    """
    Return for each piece the `order` positions around it (n, order); positions outside its text are the row after the last.
    """
    places = np.arange(lengths.sum())[:, None] + np.arange(order) - (order - 1) // 2
    first, past = np.repeat(starts, lengths)[:, None], np.repeat(starts + lengths, lengths)[:, None]
    places[(places < first) | (places >= past)] = lengths.sum()
    return places


# Tokenizer of the sentence encoder: the unigram algorithm of SentencePiece.


WORD_MARK: Final = "\N{LOWER ONE EIGHTH BLOCK}"
"""Replaces the space before a word; it occurs only at the beginning of a piece."""
_UNKNOWN_PENALTY: Final = 10.0  # SentencePiece: log score of an unknown character below that of the rarest piece

# SentencePiece's normalization `nmt_nfkc` is NFKC except for these: spaces, and a tilde that stays wide.
_SPACES: Final = dict.fromkeys(map(ord, "\t\n\f\r\u1680\u200b\u200e\u200f\u2028\u2029\ufeff\ufffd"), " ")
_WIDE_TILDE: Final = "\N{FULLWIDTH TILDE}"


class Special(IntEnum):
    """Numbers of the special pieces before the text pieces. UNKNOWN is a character outside the vocabulary."""

    UNKNOWN = 0
    START = 1
    END = 2


class SentencePieces:
    """
    A vocabulary of text pieces with their log probabilities, the three special pieces first (their texts are not used).

    Characters without a piece become `Special.UNKNOWN`, so any text can be split. Thread-safe.
    """

    def __init__(self, pieces: Sequence[str], log_probabilities: Iterable[float]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces) if number >= len(Special)}
        self._scores = array("f", log_probabilities)
        self._longest = max(map(len, self._numbers), default=1)
        self._unknown_score = min(self._scores, default=0.0) - _UNKNOWN_PENALTY
        self._word = lru_cache(maxsize=CACHE_SIZE)(self.split_word)

    def split(self, text: str) -> list[int]:
        """Return the numbers of the most probable pieces of `text`, between START and END."""
        inner = [number for word in words_of(text) for number in self._word(WORD_MARK + word)]
        return [Special.START, *(inner or [Special.UNKNOWN]), Special.END]

    def split_word(self, word: str) -> tuple[int, ...]:
        """
        Return the most probable pieces of a word (Viterbi): `best[end]` is the score of the best split of `word[:end]`.
        """
        best = [0.0, *[float("-inf")] * len(word)]
        # Start of the last piece of that split, and its number.
        last: list[tuple[int, int]] = [(0, Special.UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                number = self._numbers.get(word[start:end])
                if number is not None:
                    score = best[start] + self._scores[number]
                elif end == start + 1:
                    number, score = Special.UNKNOWN, best[start] + self._unknown_score
                else:
                    continue
                if score > best[end]:
                    best[end], last[end] = score, (start, number)
        found, end = [], len(word)
        while end > 0:
            end, number = last[end]
            found.append(number)
        return tuple(reversed(found))


def words_of(text: str) -> list[str]:
    """Return the words of `text` in the form of the vocabulary: NFKC, divided at spaces."""
    parts = text.translate(_SPACES).split(_WIDE_TILDE)
    composed = _WIDE_TILDE.join(unicodedata.normalize("NFKC", part) for part in parts)
    return [word for word in composed.replace(WORD_MARK, " ").split(" ") if word]


# Embeddings of the pieces by residual vector quantization: a few bytes each, more for frequent pieces.


STAGES: Final = 4
EMBEDDING_ARRAYS: Final = frozenset(
    {"embedding.scale", *(f"embedding.{part}{stage}" for part in ("codes", "book") for stage in range(STAGES))}
)
"""Arrays of `Embeddings`: a factor for each row, and for each stage codes (rows, parts) and a book (parts, 256, width)."""


class Embeddings:
    """
    Rows of a matrix, composed from code books. A row consists of parts; each part is the sum of one entry of each stage's
    book, where a stage corrects the error of those before. Later stages exist only for the first rows, the frequent pieces.
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


WEIGHTS: Final = Path(__file__).parent / "weights" / "encoder.npz"
DIM: Final = 512
"""Length of a vector."""
_BATCH: Final = 384  # pieces computed together, unless one text has more: they fit a core's cache


class TextEncoder:
    """
    Encodes texts with a trimmed Universal Sentence Encoder (multilingual, version 3).

    `weights` is a file made by `training/encoder`, which is read at the first text. Thread-safe.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._path = weights
        self._lock = threading.Lock()
        self._model: tuple[SentencePieces, SentenceNetwork] | None = None

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """
        Return unit vectors (n, DIM) of `texts`, each independent of the others.

        Raises ParserFailed if the weights cannot be read.
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
                needed = {"pieces", "scores", *EMBEDDING_ARRAYS, *ARRAYS}
                arrays = read_arrays(self._path, "the weights of the sentence encoder", needed)
                pieces = SentencePieces(arrays["pieces"].tobytes().decode().split("\n"), arrays["scores"])
                network = {name: arrays[name] for name in ARRAYS}
                self._model = pieces, SentenceNetwork(Embeddings(arrays), network)
            return self._model


def _batches(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Yield consecutive texts in batches of at most `_BATCH` pieces, at least one text each."""
    batch: list[list[int]] = []
    size = 0
    for pieces in texts:
        if batch and size + len(pieces) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(pieces)
        size += len(pieces)
    yield batch


# Semantic similarity of texts: cosines between sentence vectors, each text encoded once.


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

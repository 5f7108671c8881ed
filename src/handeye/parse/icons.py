"""
Name icons from the icon encoder's vectors, and score how well each matches a phrase.

A phrase in the vocabulary is compared with the concept's centroids, means over thousands of drawings; its word vector is
compared too, and is all there is for a phrase without a concept. Similarities are calibrated to probabilities on icon sets
that training did not use, together with 2,000 background icons: an icon that does not match scores low.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.errors import ParserFailed
from handeye.geometry import Box
from handeye.ocr import engine_errors, open_session
from handeye.parse.icon_crops import SIDE, icon_masks
from handeye.parse.model_runtime import read_arrays, verify_checksum
from handeye.parse.vocabulary import concepts_of, english_of, is_term
from handeye.parse.vocabulary.forms import is_chinese, without_fillers
from handeye.parse.word_vectors import WordEmbedding, name_key
from handeye.screen import Pixels

WEIGHTS: Final = Path(__file__).parent / "weights" / "icons.npz"
SECOND_MEANING: Final = 0.8
"""Factor on the probability of a phrase's second meaning: "back" is an arrow, then a chevron."""
# The same for concepts that only parts of the phrase name, the first and the others: a quantum computer is not a
# computer. With the first one's an icon never fits a phrase that may be a text.
_FIRST_PART: Final = 0.65
_PART: Final = 0.5
# Weight of the word vector in the log odds when there is a concept too: it distinguishes a plain arrow from a long one.
# With concepts that only parts of the phrase name, both weigh the same.
_WORDS: Final = 0.3
_WORDS_OF_PARTS: Final = 0.5
_INT8: Final = 127.0
_NEEDED: Final = (
    *("background", "bias", "centroid_class", "centroids", "class_deviation", "class_mean", "class_names", "concepts"),
    *("inner", "known", "name", "outer", "tokens", "word_scales", "word_vectors", "word_weights", "words"),
)
# Icons named in one batch: a similarity matrix of 7 MB.
_AT_ONCE: Final = 128

Vectors = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PhraseQuery:
    """
    The meaning of a phrase: classes, each with its factor on the probability, and the vector of its words; either may be
    missing.

    `exact`: the phrase is a term of its classes; otherwise they are the meanings of its parts.
    """

    classes: tuple[tuple[int, float], ...]
    words: Vector | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """
    Weights of the logistic models that turn similarities into probabilities, the constant first.

    `known` for a phrase with a class: the similarity to it in standard deviations of the background, its lead over the
    other classes, the similarity to the words. `words` for one without: the similarity to the words, in standard deviations
    and raw. `name`: the similarity to the best class, its lead over the second.
    """

    known: Vector
    words: Vector
    name: Vector


class IconIndex:
    """
    Names icons and finds them by phrase, from their vectors (n, d).

    `path` is a file made by `training/icons/export.py`. Raises ParserFailed if it cannot be read.
    """

    def __init__(self, path: Path = WEIGHTS) -> None:
        held = read_arrays(path, "the words of icons", _NEEDED)
        self._names: list[str] = _lines(held["class_names"])
        concepts = int(held["concepts"])
        self._class_of_id = {name: at for at, name in enumerate(self._names[:concepts])}
        self._class_of_key = {name_key(name): at for at, name in enumerate(self._names) if at >= concepts}
        self._centroids: Vectors = held["centroids"].astype(np.float32) / _INT8
        # Centroids are sorted by class; the start index of each class, and the end as the last entry.
        self._class_of_centroid: npt.NDArray[np.int64] = held["centroid_class"].astype(np.int64)
        self._begins = np.searchsorted(self._class_of_centroid, np.arange(len(self._names) + 1))
        self._background: Vectors = held["background"].astype(np.float32) / _INT8
        self._mean: Vector = held["class_mean"].astype(np.float32)
        self._deviation: Vector = held["class_deviation"].astype(np.float32)
        self._words = WordEmbedding(
            {token: at for at, token in enumerate(_lines(held["tokens"]))},
            held["word_vectors"],
            held["word_scales"].astype(np.float32),
            held["word_weights"].astype(np.float32),
            held["inner"].astype(np.float32),
            held["bias"].astype(np.float32),
            held["outer"].astype(np.float32),
        )
        self._last: tuple[bytes, Vectors] = b"", np.zeros((0, len(self._names)), np.float32)
        self._calibration = Calibration(held["known"], held["words"], held["name"])

    def names(self, vectors: Vectors) -> list[tuple[str, float]]:
        """
        Return the concept that each icon shows, an English name such as "search" or "arrow-left", and its probability, 0-1.
        """
        if not len(vectors):
            return []
        distinct, places = _distinct(vectors)
        best, features = self.name_features(distinct)
        sure = _probability(features, self._calibration.name)
        named = [(self._names[at], float(each)) for at, each in zip(best, sure, strict=True)]
        return [named[place] for place in places]

    def scores(self, phrase: str, vectors: Vectors) -> Vector:
        """
        Return the probability (0-1) that each icon is the one a phrase names, in English or Chinese, shape (n,).

        All are low if none matches, and 0 for a phrase without a known word.
        """
        if not len(vectors):
            return np.zeros(0, np.float32)
        distinct, places = _distinct(vectors)
        return self._scored(self.asked(phrase), distinct)[places]

    def _scored(self, asked: PhraseQuery, vectors: Vectors) -> Vector:
        scores = np.zeros(len(vectors), np.float32)
        for at, share in asked.classes:
            features = self.known_features(at, asked, vectors)
            scores = np.maximum(scores, share * _probability(features, self._calibration.known))
        if asked.words is None:
            return scores
        spoken = _probability(self.word_features(asked.words, vectors), self._calibration.words)
        if not asked.classes:
            return spoken
        return _agreed(scores, spoken, _WORDS if asked.exact else _WORDS_OF_PARTS)

    def asked(self, phrase: str) -> PhraseQuery:
        """Return the classes and the word vector of a phrase in this index."""
        found = concepts_of(phrase)
        exact = is_term(phrase)
        first, other = (1.0, SECOND_MEANING) if exact else (_FIRST_PART, _PART)
        classes = [
            (self._class_of_id[each.id], first if at == 0 else other)
            for at, each in enumerate(found)
            if each.id in self._class_of_id
        ]
        plain = phrase if any(map(is_chinese, phrase)) else " ".join(without_fillers(phrase)) or phrase
        own = self._class_of_key.get(name_key(plain))
        if own is not None and not exact:
            classes, exact = [(own, 1.0)], True
        return PhraseQuery(tuple(classes), self._text_vector(plain), exact)

    def known_features(self, at: int, asked: PhraseQuery, vectors: Vectors) -> Vectors:
        """Return the three measures of `Calibration.known` for class `at`, shape (n, 3)."""
        likeness = self._by_class(vectors)
        others = likeness.copy()
        others[:, [one for one, _ in asked.classes]] = -1.0
        spread = (likeness[:, at] - self._mean[at]) / self._deviation[at]
        lead = likeness[:, at] - others.max(axis=1)
        spoken = self.word_features(asked.words, vectors)[:, 0] if asked.words is not None else np.zeros_like(spread)
        return np.stack([spread, lead, spoken], axis=1)

    def word_features(self, words: Vector, vectors: Vectors) -> Vectors:
        """Return the two measures of `Calibration.words`, shape (n, 2)."""
        background = self._background @ words
        likeness = vectors @ words
        return np.stack([(likeness - background.mean()) / background.std(), likeness], axis=1)

    def name_features(self, vectors: Vectors) -> tuple[npt.NDArray[np.int64], Vectors]:
        """Return the best class of each icon, and the two measures of `Calibration.name`, shape (n, 2)."""
        best = np.empty(len(vectors), np.int64)
        features = np.empty((len(vectors), 2), np.float32)
        for begin in range(0, len(vectors), _AT_ONCE):
            likeness = vectors[begin : begin + _AT_ONCE] @ self._centroids.T
            for row, nearest in enumerate(likeness.argmax(axis=1)):
                at, top = self._class_of_centroid[nearest], likeness[row, nearest]
                likeness[row, self._begins[at] : self._begins[at + 1]] = -1.0
                best[begin + row] = at
                features[begin + row] = top, top - likeness[row].max()
        return best, features

    def background_likeness(self) -> tuple[Vector, Vector]:
        """
        Return mean and deviation of each class's similarity to the background, (classes,) each, as stored in the file.
        """
        parts = [self._by_class(self._background[at : at + 100]) for at in range(0, len(self._background), 100)]
        likeness = np.concatenate(parts)
        return likeness.mean(axis=0), likeness.std(axis=0)

    def _by_class(self, vectors: Vectors) -> Vectors:
        """Return the similarity of each icon to the nearest centroid of each class, shape (n, classes)."""
        key = vectors.tobytes()
        asked, likeness = self._last
        if asked != key:  # the same icons are scored for many phrases
            likeness = np.maximum.reduceat(vectors @ self._centroids.T, self._begins[:-1], axis=1)
            self._last = key, likeness
        return likeness

    def _text_vector(self, phrase: str) -> Vector | None:
        if any(map(is_chinese, phrase)) and (english := english_of(phrase)):
            return self._words.encode(english[0])
        return self._words.encode(phrase)


def _distinct(vectors: Vectors) -> tuple[Vectors, npt.NDArray[np.intp]]:
    """Return the distinct vectors, and the index of each among them: equal icons are compared once."""
    first: dict[bytes, int] = {}
    rows = [first.setdefault(vector.tobytes(), len(first)) for vector in vectors]
    places = np.array(rows, np.intp)
    return vectors[np.unique(places, return_index=True)[1]], places


def _probability(features: Vectors, weights: Vector) -> Vector:
    logit = weights[0] + features @ weights[1:]
    probability: Vector = (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)
    return probability


def _agreed(one: Vector, other: Vector, share: float) -> Vector:
    """Combine two probabilities: the mean of their log odds, with weight `share` for the other."""
    odds = [np.log(np.clip(each, 1e-6, 1 - 1e-6)) - np.log1p(-np.clip(each, 1e-6, 1 - 1e-6)) for each in (one, other)]
    agreed: Vector = (1 / (1 + np.exp(-((1 - share) * odds[0] + share * odds[1])))).astype(np.float32)
    return agreed


def _lines(encoded: npt.NDArray[np.uint8]) -> list[str]:
    return encoded.tobytes().decode("utf-8").split("\n")


def packed(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Encode texts without line breaks as they are stored in the file."""
    return np.frombuffer("\n".join(lines).encode("utf-8"), np.uint8)


# The network that encodes icon masks as vectors: icons that look or mean alike have similar vectors.


ENCODER_WEIGHTS: Final = Path(__file__).parent / "weights" / "icons.onnx"
DIM: Final = 128
"""Dimensions of a vector."""
_THREADS: Final = 2
# Masks in one run of the network: larger batches need more memory, and save no time.
_BATCH: Final = 64
# Masks in the cache, 600 bytes each: the icons of some twenty screens.
_REMEMBERED: Final = 2048


class IconEncoder:
    """
    Encodes masks made by `icon_mask`.

    `model` is an ONNX file made by `training/icons/export.py`, loaded at the first use. Thread-safe; the same masks give
    the same vectors. Vectors are cached by mask: a table repeats its rows' icons, and the next frame most of this one's.
    """

    def __init__(self, model: Path = ENCODER_WEIGHTS, threads: int = _THREADS) -> None:
        self._model = model
        self._threads = threads
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Vector] = OrderedDict()  # by digest of the mask, most recently used last

    def encode(self, masks: npt.NDArray[np.float32]) -> Vectors:
        """
        Return unit vectors (n, DIM) of masks (n, 64, 64), 0-1.

        Raises ValueError for another shape, ParserFailed if the model cannot be used.
        """
        if masks.ndim != 3 or masks.shape[1:] != (SIDE, SIDE):
            raise ValueError(f"masks must have the shape (n, {SIDE}, {SIDE}), not {masks.shape}")
        if not len(masks):
            return np.zeros((0, DIM), np.float32)
        fed = np.ascontiguousarray(masks, np.float32)
        keys = [hashlib.blake2b(mask.data, digest_size=16).digest() for mask in fed]
        with self._lock:
            known = {key: self._known[key] for key in keys if key in self._known}
        new = {key: place for place, key in enumerate(keys) if key not in known}
        known.update(zip(new, self._run(fed[list(new.values())]), strict=True))
        with self._lock:
            for key, vector in known.items():
                self._known[key] = vector
                self._known.move_to_end(key)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return np.stack([known[key] for key in keys])

    def clear(self) -> None:
        """Drop all cached vectors."""
        with self._lock:
            self._known.clear()

    def _run(self, masks: npt.NDArray[np.float32]) -> list[Vector]:
        """Return the vectors of masks that are not cached."""
        vectors: list[Vector] = []
        try:
            for first in range(0, len(masks), _BATCH):
                fed = masks[first : first + _BATCH, None]
                # Copies: a view would keep its whole batch alive.
                vectors += [row.copy() for row in self._session.run(None, {"masks": fed})[0]]
        except engine_errors() as error:
            raise ParserFailed(f"the icon encoder failed on {len(masks)} icons: {error}") from error
        return vectors

    @property
    def _session(self) -> Any:
        with self._lock:
            return self._opened

    @cached_property
    def _opened(self) -> Any:
        verify_checksum(self._model)
        return open_session(self._model, self._threads, failure=ParserFailed)


# The bundled icon reader: masks, vectors, names and scores together.


class BundledIconReader:
    """
    Names icons offline. The models load at the first icon; thread-safe; deterministic.

    Raises ParserFailed if a model cannot be used.
    """

    def __init__(self) -> None:
        self._encoder = IconEncoder()
        self._lock = threading.Lock()

    def vectors(self, pixels: Pixels, boxes: Sequence[Box]) -> Vectors:
        """Return unit vectors (n, d) of the icons in these boxes of a frame, in the order given."""
        return self._encoder.encode(icon_masks(pixels, boxes))

    def names(self, vectors: Vectors) -> list[tuple[str, float]]:
        """Return the concept that each icon shows, and its probability, 0-1."""
        return self._index.names(vectors)

    def scores(self, phrase: str, vectors: Vectors) -> Vector:
        """
        Return the probability (0-1) that each icon is the one a phrase names, in English or Chinese; all low if none
        matches.
        """
        return self._index.scores(phrase, vectors)

    def clear(self) -> None:
        """Drop the cached icon vectors."""
        self._encoder.clear()

    @property
    def _index(self) -> IconIndex:
        with self._lock:
            return self._read

    @cached_property
    def _read(self) -> IconIndex:
        return IconIndex()

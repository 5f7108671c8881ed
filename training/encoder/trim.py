"""Trimming: the arrays of the weights file, with the embeddings of chosen pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.locate.ranker.sentence_encoder import ORDERS
from training.encoder.original import Original
from training.encoder.quantise import quantized

_MATRICES: Final = {
    "pooling": "CNN_layers/dense/kernel:0",
    "middle.inner": "DNN/ResidualHidden_0/dense/kernel:0",
    "middle.outer": "DNN/ResidualHidden_1/dense/kernel:0",
    "middle.shortcut": "DNN/ResidualHidden_1/AdjustDepth/projection/kernel:0",
    "last.inner": "DNN/ResidualHidden_2/dense/kernel:0",
    "last.outer": "DNN/ResidualHidden_3/dense/kernel:0",
    "last.shortcut": "DNN/ResidualHidden_3/AdjustDepth/projection/kernel:0",
    **{f"order{n}.first": f"CNN_layers/ngram_order_{n}/Ngram-{n}-Conv/weights:0" for n in ORDERS},
    **{f"order{n}.second": f"CNN_layers/ngram_order_{n}/Ngram-{n}-Conv_1/weights:0" for n in ORDERS},
    **{f"order{n}.entry": f"CNN_layers/ngram_order_{n}/input_size_projection/dense/kernel:0" for n in ORDERS},
}
_VECTORS: Final = {
    "pooling.bias": "CNN_layers/dense/bias:0",
    "features.gain": "CNN_layers/LayerNorm/gamma:0",
    "features.offset": "CNN_layers/LayerNorm/beta:0",
    **{f"order{n}.first.bias": f"CNN_layers/ngram_order_{n}/Ngram-{n}-Conv/bias:0" for n in ORDERS},
    **{f"order{n}.second.bias": f"CNN_layers/ngram_order_{n}/Ngram-{n}-Conv_1/bias:0" for n in ORDERS},
    **{f"order{n}.entry.bias": f"CNN_layers/ngram_order_{n}/input_size_projection/dense/bias:0" for n in ORDERS},
    **{f"order{n}.entry.gain": f"CNN_layers/ngram_order_{n}/LayerNorm/gamma:0" for n in ORDERS},
    **{f"order{n}.entry.offset": f"CNN_layers/ngram_order_{n}/LayerNorm/beta:0" for n in ORDERS},
}

Arrays = dict[str, npt.NDArray[Any]]


def trimmed(original: Original, kept: Sequence[int], sizes: Sequence[int]) -> Arrays:
    """Return all arrays of the weights file for the pieces `kept`: unknown, start and end, then the most used first."""
    texts = "\n".join(original.pieces[number] for number in kept)
    return {
        "pieces": np.frombuffer(texts.encode(), np.uint8),
        "scores": np.array([original.scores[number] for number in kept], np.float32),
        **quantized(original.embedding[np.asarray(kept)], sizes),
        **network_arrays(original),
    }


def network_arrays(original: Original) -> Arrays:
    """Return the arrays of the network behind the embeddings, exactly as published."""
    arrays: Arrays = {}
    for ours, theirs in _MATRICES.items():
        arrays[f"{ours}.weight"] = original.arrays[f"{theirs}_quantized"]
        arrays[f"{ours}.scale"] = original.arrays[f"{theirs}_scale"]
    for ours, theirs in _VECTORS.items():
        arrays[ours] = original.arrays[theirs].reshape(-1)
    return arrays

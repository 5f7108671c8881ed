"""The network that turns masks of icons into vectors: what looks or means alike lies close together."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.errors import ParserFailed
from handeye.ocr.onnx import engine_errors, open_session
from handeye.parse.crops import SIDE

WEIGHTS: Final = Path(__file__).parent / "weights" / "icons.onnx"
DIM: Final = 128
"""Numbers in a vector."""
_THREADS: Final = 2
# Masks in one run of the network: more need memory, not less time.
_BATCH: Final = 64

Vectors = npt.NDArray[np.float32]


class IconEncoder:
    """
    Encodes masks as `icon_mask` makes them.

    `model` is an ONNX file made by `training/icons/export.py`. It is opened at the first use. Safe to share between threads;
    the same masks give the same vectors.
    """

    def __init__(self, model: Path = WEIGHTS, threads: int = _THREADS) -> None:
        self._model = model
        self._threads = threads
        self._lock = threading.Lock()

    def encode(self, masks: npt.NDArray[np.float32]) -> Vectors:
        """
        Unit vectors (n, DIM) of masks (n, 64, 64), 0-1.

        Raises ValueError for another shape, ParserFailed when the model cannot be used.
        """
        if masks.ndim != 3 or masks.shape[1:] != (SIDE, SIDE):
            raise ValueError(f"masks must have the shape (n, {SIDE}, {SIDE}), not {masks.shape}")
        if not len(masks):
            return np.zeros((0, DIM), np.float32)
        fed = np.ascontiguousarray(masks, np.float32)[:, None]
        try:
            parts = [
                self._session.run(None, {"masks": fed[first : first + _BATCH]})[0]
                for first in range(0, len(fed), _BATCH)
            ]
        except engine_errors() as error:
            raise ParserFailed(f"the icon encoder failed on {len(fed)} icons: {error}") from error
        vectors: Vectors = np.concatenate(parts).astype(np.float32)
        return vectors

    @property
    def _session(self) -> Any:
        with self._lock:
            return self._opened

    @cached_property
    def _opened(self) -> Any:
        return open_session(self._model, self._threads, failure=ParserFailed)

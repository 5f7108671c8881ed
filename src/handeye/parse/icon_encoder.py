"""The network that turns masks of icons into vectors: what looks or means alike lies close together."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.errors import ParserFailed
from handeye.ocr.onnx import engine_errors, open_session
from handeye.parse.crops import SIDE
from handeye.parse.seals import check_seal

WEIGHTS: Final = Path(__file__).parent / "weights" / "icons.onnx"
DIM: Final = 128
"""Numbers in a vector."""
_THREADS: Final = 2
# Masks in one run of the network: more need memory, not less time.
_BATCH: Final = 64
# Masks whose vectors are remembered, 600 bytes each: the icons of some twenty screens.
_REMEMBERED: Final = 2048

Vectors = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float32]


class IconEncoder:
    """
    Encodes masks as `icon_mask` makes them.

    `model` is an ONNX file made by `training/icons/export.py`. It is opened at the first use. Safe to share between threads;
    the same masks give the same vectors. A mask is looked at once: a table repeats its rows' icons, and the next frame most of
    this one's.
    """

    def __init__(self, model: Path = WEIGHTS, threads: int = _THREADS) -> None:
        self._model = model
        self._threads = threads
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Vector] = OrderedDict()  # by digest of the mask, the one used last at the end

    def encode(self, masks: npt.NDArray[np.float32]) -> Vectors:
        """
        Unit vectors (n, DIM) of masks (n, 64, 64), 0-1.

        Raises ValueError for another shape, ParserFailed when the model cannot be used.
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
        """Forget every mask."""
        with self._lock:
            self._known.clear()

    def _run(self, masks: npt.NDArray[np.float32]) -> list[Vector]:
        """The vectors of masks that are not known."""
        vectors: list[Vector] = []
        try:
            for first in range(0, len(masks), _BATCH):
                fed = masks[first : first + _BATCH, None]
                # Copies: a row would keep its whole batch.
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
        check_seal(self._model)
        return open_session(self._model, self._threads, failure=ParserFailed)

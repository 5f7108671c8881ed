"""The element detector: our own small one-stage network, run on a whole frame."""

from __future__ import annotations

import json
import threading
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from handeye.errors import ParserFailed
from handeye.geometry import Box, Size
from handeye.ocr import engine_errors, open_session
from handeye.parse.decoding import CLASSES, STRIDES, Floats, RawDetections, decode
from handeye.parse.feature_maps import Codes, FeatureMap
from handeye.parse.model_runtime import verify_checksum
from handeye.parse.tiling import Tile, network_scale, pieces, space_to_depth
from handeye.screen import Pixels

# Detections from this score on are candidates for the rescorer, whatever the floors of the classes are.
MIN_CANDIDATE_SCORE: Final = 0.06
WEIGHTS: Final = Path(__file__).parent / "weights" / "detector.onnx"
_COARSEST: Final = 64  # the network halves its input six times
_THREADS: Final = 2
_SMALLEST_FRAME: Final = 8  # pixels; a smaller frame holds no control
_FLOORS: Final = "floors"  # minimum scores per class in the model's metadata
_ANSWERS: Final = [f"at_{stride}" for stride in STRIDES]
_INNER: Final = [f"inner_{stride}" for stride in STRIDES]  # the feature maps before the output layers, as int8 codes


class Detected(NamedTuple):
    """
    One detection: its box in frame pixels, its role (one of CLASSES), and its score (0-1). `shares` are the probabilities
    of each of CLASSES on its own; classes that cannot be confused with its role are 0.
    """

    box: Box
    role: str
    score: float
    shares: tuple[float, ...] = ()


class DetectorOutput(NamedTuple):
    """The detections, the most certain first; and the network's feature maps, to score other boxes with."""

    found: list[Detected]
    maps: list[FeatureMap]


class Detector:
    """
    Detects the drawn elements of a frame: buttons, inputs, icons and so on, but no text.

    `model` is an ONNX file made by `training/detector/export.py`, `threads` the network's thread count. The model is loaded
    at the first use. Thread-safe; the same pixels give the same result.
    """

    def __init__(self, model: Path = WEIGHTS, threads: int = _THREADS) -> None:
        self._model = model
        self._threads = threads
        self._lock = threading.Lock()

    def detect(self, pixels: Pixels, text_height: float | None = None, least: float | None = None) -> list[Detected]:
        """
        Return the elements of an RGB frame (height, width, 3), the most certain first.

        `text_height`, if known, is the median height of the frame's text lines in pixels (see `network_scale`). `least`
        replaces the model's floors per class by one minimum score (0-1). Raises ParserFailed if the model cannot be used.
        """
        return self.look(pixels, text_height, least).found

    def look(self, pixels: Pixels, text_height: float | None = None, least: float | None = None) -> DetectorOutput:
        """Return the result of `detect` with the network's feature maps."""
        height, width = pixels.shape[:2]
        if min(height, width) < _SMALLEST_FRAME:
            return DetectorOutput([], [])
        scale = network_scale((width, height), text_height)
        shown = _resized(pixels, scale)
        floors = self._floors if least is None else np.full(len(CLASSES), least, np.float32)
        found, maps = [], []
        for piece in pieces(Size(shown.shape[1], shown.shape[0])):
            answers, inner = self._answers(shown, piece)
            found += _placed(decode(answers, floors), piece, scale, Size(width, height))
            maps.append(FeatureMap(piece, scale, tuple(inner)))
        return DetectorOutput(sorted(found, key=lambda each: -each.score), maps)

    def _answers(self, shown: Pixels, piece: Tile) -> tuple[list[Floats], list[Codes]]:
        left, top, right, bottom = piece.shown
        part = shown[top:bottom, left:right]
        padded = np.zeros((_padded(part.shape[0]), _padded(part.shape[1]), 3), np.uint8)
        padded[: part.shape[0], : part.shape[1]] = part
        try:
            maps = self._session.run(_ANSWERS + _INNER, {"pixels": space_to_depth(padded)[None]})
        except engine_errors() as error:
            raise ParserFailed(
                f"the element detector failed on a frame of {part.shape[1]}x{part.shape[0]}: {error}"
            ) from error
        answers = len(_ANSWERS)
        return [each[0] for each in maps[:answers]], [each[0] for each in maps[answers:]]

    @cached_property
    def _opened(self) -> Any:
        verify_checksum(self._model)
        return open_session(self._model, self._threads, failure=ParserFailed)

    @property
    def _session(self) -> Any:
        with self._lock:
            return self._opened

    @cached_property
    def _floors(self) -> Floats:
        text = self._session.get_modelmeta().custom_metadata_map.get(_FLOORS)
        if not text:
            raise ParserFailed(f"the model {str(self._model)!r} carries no {_FLOORS!r}; reinstall handeye")
        try:
            by_role = json.loads(text)
            return np.array([by_role[role] for role in CLASSES], np.float32)
        except (ValueError, LookupError, TypeError) as error:
            raise ParserFailed(
                f"the {_FLOORS!r} of the model {str(self._model)!r} cannot be used: {error!r}"
            ) from error


def _padded(length: int) -> int:
    return -(-length // _COARSEST) * _COARSEST


def _resized(pixels: Pixels, scale: float) -> Pixels:
    if scale == 1:
        return pixels
    height, width = pixels.shape[:2]
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _placed(raw: RawDetections, piece: Tile, scale: float, frame: Size) -> list[Detected]:
    """Return a piece's detections in frame pixels, without those whose centre belongs to another piece."""
    found = []
    for corners, number, score, shares in zip(*(part.tolist() for part in raw), strict=True):
        left, top, right, bottom = corners
        left, right, top, bottom = (
            left + piece.shown.left,
            right + piece.shown.left,
            top + piece.shown.top,
            bottom + piece.shown.top,
        )
        if not piece.own.contains((int((left + right) / 2), int((top + bottom) / 2))):
            continue
        box = Box(*(round(value / scale) for value in (left, top, right, bottom))).clip(frame)
        if box.width > 1 and box.height > 1:
            found.append(Detected(box, CLASSES[number], score, tuple(shares)))
    return found

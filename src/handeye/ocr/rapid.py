"""
RapidOCR's own pipeline as a text reader, for comparison or by preference. Needs `handeye[rapidocr]`.

It takes several times the default reader's time and returns no character positions: parts of a line are cut out in
proportion.
"""

from __future__ import annotations

import math
import threading
from typing import Any, Final

import cv2
import numpy as np

from handeye.errors import MissingPart, OcrFailed
from handeye.geometry import Box
from handeye.ocr.onnx import engine_errors
from handeye.screen import Pixels, Screen
from handeye.text import TextLine, shifted

INSTALL: Final = "pip install 'handeye[rapidocr]'"
_SMALLEST: Final = 8  # pixels; it enlarges smaller pictures many times, and takes minutes for a strip
# Exceptions of the pipeline on pictures of unusual shape.
_MISTAKES: Final = (ArithmeticError, LookupError, OSError, TypeError, ValueError)


class RapidReader:
    """
    Reads all text lines of a frame, top to bottom, with RapidOCR's defaults. Thread-safe.

    `threads` is the thread count of its networks; None uses their default. Raises MissingPart without rapidocr, OcrFailed
    if it fails.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._engine: Any = None

    @property
    def name(self) -> str:
        return "rapidocr"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines(screen.pixels)

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        """Return only the lines inside `box`; their boxes are in pixels of the whole frame."""
        part = box.clip(screen.size)
        pixels = screen.pixels[part.top : part.bottom, part.left : part.right]
        return tuple(shifted(line, part.left, part.top) for line in self._lines(pixels))

    def _lines(self, pixels: Pixels) -> tuple[TextLine, ...]:
        if min(pixels.shape[:2]) < _SMALLEST:
            return ()
        try:
            import rapidocr
            from rapidocr.main import RapidOCRError
        except ImportError as error:
            raise MissingPart("RapidOCR's pipeline (rapidocr)", INSTALL) from error
        failures: tuple[type[Exception], ...] = (*engine_errors(), cv2.error, RapidOCRError, *_MISTAKES)
        with self._lock:  # the engine is not thread-safe: lazy set-up, settings per call
            try:
                if self._engine is None:
                    settings: dict[str, Any] = {"Global.log_level": "critical"}
                    if self._threads is not None:
                        settings["EngineConfig.onnxruntime.intra_op_num_threads"] = self._threads
                    self._engine = rapidocr.RapidOCR(params=settings)
                output = self._engine(np.ascontiguousarray(pixels[:, :, ::-1]))
                found = [] if output.boxes is None else list(zip(output.boxes, output.txts, output.scores, strict=True))
            except failures as error:
                raise OcrFailed(f"RapidOCR failed on a {pixels.shape[1]}x{pixels.shape[0]} frame: {error}") from error
        size = pixels.shape[1], pixels.shape[0]
        lines = [_line(corners, text, float(score), size) for corners, text, score in found]
        return tuple(sorted((line for line in lines if line), key=lambda line: (line.box.top, line.box.left)))


def _line(corners: Any, text: str, score: float, size: tuple[int, int]) -> TextLine | None:
    """Return a quadrilateral as a line with its bounding box, or None if it is empty or invalid."""
    points = np.asarray(corners, float).reshape(-1, 2)
    text = text.strip()
    if not text or not math.isfinite(score) or not np.isfinite(points).all():
        return None
    (left, top), (right, bottom) = np.clip(points, 0, size).min(axis=0), np.clip(points, 0, size).max(axis=0)
    box = Box(math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom))
    return TextLine(text, box, min(1.0, max(0.0, score))) if box.width and box.height else None

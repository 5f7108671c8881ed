"""The default text reader: PP-OCRv6 (small) as the `rapidocr` package ships it, in a pipeline made for screens.

RapidOCR (Apache-2.0) provides the weights; its own pipeline took 5.2 s of CPU for a 1080p page, this one reads axis-aligned
screen text only: no angle classifier, no downloads, empty stretches of the frame skipped, lines batched by width.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2

from handeye.errors import MissingPart, OcrFailed
from handeye.geometry import Box
from handeye.ocr import ink
from handeye.ocr.base import TextLine
from handeye.ocr.detect import Detector
from handeye.ocr.onnx import INSTALL, engine_errors, open_session
from handeye.ocr.recognise import Reading, Recogniser
from handeye.screen import Pixels, Screen

_DETECTION: Final = "*_det_*.onnx"
_RECOGNITION: Final = "*_rec_*.onnx"
# Below this mean character probability a "line" is an icon or a texture (RapidOCR uses 0.5; gray hints score 0.45).
LEAST_CONFIDENCE: Final = 0.45
# An upright frame this wide is a phone of density 2 or more, whose smallest text is about 20 px: the detector may see it
# reduced (measured: at 0.5, 95 % of 14 px and 100 % of 22 px labels are read, in half the time of 1.0). On anything else
# text of 10 px must be read and nothing is reduced.
_DENSE_WIDTH: Final = 1000
_DENSE_SCALE: Final = 0.5


class RapidReader:
    """
    Reads all text lines of a frame, top to bottom. Safe to share between threads; models load at the first read.

    `threads` defaults to the cores this process may use. `scale` (0.25-2) is how the frame is resized for detection;
    None chooses by the frame's size. Raises OcrFailed when a model cannot be loaded or fails, MissingPart without rapidocr.
    """

    def __init__(self, *, threads: int | None = None, scale: float | None = None) -> None:
        self._threads = threads or _cores()
        self._scale = scale
        self._lock = threading.Lock()
        self._models: tuple[Detector, Recogniser] | None = None

    @property
    def name(self) -> str:
        return "rapid"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines(screen.pixels, screen.size)

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        """The lines inside `box` only; their boxes are in pixels of the whole frame."""
        part = box.clip(screen.size)
        pixels = screen.pixels[part.top : part.bottom, part.left : part.right]
        return tuple(shifted(line, part.left, part.top) for line in self._lines(pixels, screen.size))

    def _lines(self, pixels: Pixels, frame: tuple[int, int]) -> tuple[TextLine, ...]:
        detector, recogniser = self._load()
        failures: tuple[type[Exception], ...] = (*engine_errors(), cv2.error)
        try:
            boxes = detector.detect(pixels, self._scale or _scale_for(frame))
            labels = [label for box in boxes for label in ink.split_labels(pixels, box)]
            readings = recogniser.read(pixels, labels)
        except failures as error:
            raise OcrFailed(f"reading text failed on a {frame[0]}x{frame[1]} frame: {error}") from error
        lines = (_line(pixels, box, reading) for box, reading in zip(labels, readings, strict=True))
        found = [line for line in lines if line is not None]
        return tuple(sorted(found, key=lambda line: (line.box.top, line.box.left)))

    def _load(self) -> tuple[Detector, Recogniser]:
        with self._lock:
            if self._models is None:
                folder = _models_folder()
                self._models = (
                    Detector(open_session(_one(folder, _DETECTION), self._threads)),
                    Recogniser(open_session(_one(folder, _RECOGNITION), self._threads)),
                )
            return self._models


def shifted(line: TextLine, dx: int, dy: int) -> TextLine:
    """The same line on a frame whose origin is `dx`, `dy` pixels further left and up."""
    return replace(line, box=line.box.translate(dx, dy), char_x=tuple(x + dx for x in line.char_x))


def _line(pixels: Pixels, box: Box, reading: Reading) -> TextLine | None:
    """A reading as a line, without blanks at its ends; None for noise."""
    text = reading.text
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if start >= end or reading.confidence < LEAST_CONFIDENCE:
        return None
    text, centres = text[start:end], reading.char_x[start:end]
    return TextLine(text, ink.snap(pixels, box), reading.confidence, centres, ink.gaps(pixels, box, text, centres))


def _scale_for(frame: tuple[int, int]) -> float:
    width, height = frame
    return _DENSE_SCALE if height > width >= _DENSE_WIDTH else 1.0


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _models_folder() -> Path:
    """The folder of weights inside the installed `rapidocr` package, which is not imported: that would load its engines."""
    found = importlib.util.find_spec("rapidocr")
    if found is None or found.origin is None:
        raise MissingPart("the text reader's models (rapidocr)", INSTALL)
    return Path(found.origin).parent / "models"


def _one(folder: Path, pattern: str) -> Path:
    files = sorted(folder.glob(pattern))
    if not files:
        raise OcrFailed(f"no model {pattern!r} in {str(folder)!r}; reinstall it: {INSTALL}")
    return files[-1]  # the newest generation sorts last

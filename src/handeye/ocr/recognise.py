"""What a line of text says: PP-OCR's recognition network with CTC decoding and the place of each character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.screen import Pixels

_HEIGHT: Final = 48  # the only height the network takes
_NARROWEST: Final = 64  # padding to 320 as RapidOCR does costs twice the time on short labels
_WIDTH_STEP: Final = 8
_BATCH: Final = 8
# Lines share a batch when the widest is at most this much wider than the narrowest: padding is computed like text.
_SPREAD: Final = 1.25
_SPREAD_PX: Final = 16
_WIDEST: Final = 3200  # a longer line is squeezed into it
_DICTIONARY: Final = "character"  # the metadata key that PP-OCR's ONNX export keeps its characters under


@dataclass(frozen=True, slots=True)
class Reading:
    """`text` with the mean probability of its characters (0-1) and their horizontal centres in frame pixels."""

    text: str
    confidence: float
    char_x: tuple[float, ...]


class Recogniser:
    """Reads the lines that boxes enclose."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        dictionary = session.get_modelmeta().custom_metadata_map.get(_DICTIONARY)
        if not dictionary:
            raise OcrFailed("the recognition model carries no character list; reinstall the package: rapidocr>=3.8,<4")
        # CTC's blank comes first, the space last.
        self._characters = ["", *dictionary.splitlines(), " "]

    def read(self, pixels: Pixels, boxes: Sequence[Box]) -> list[Reading]:
        """One reading per box, in the order of the boxes."""
        crops = [_crop(pixels, box) for box in boxes]
        readings: list[Reading | None] = [None] * len(boxes)
        for group in _batches([crop.shape[1] for crop in crops]):
            width = max(_NARROWEST, max(crops[index].shape[1] for index in group))
            width = -(-width // _WIDTH_STEP) * _WIDTH_STEP
            batch = np.zeros((len(group), 3, _HEIGHT, width), np.float32)
            for place, index in enumerate(group):
                crop = crops[index]
                batch[place, :, :, : crop.shape[1]] = crop[:, :, ::-1].transpose(2, 0, 1) / 127.5 - 1
            output = self._session.run(None, {self._input: batch})[0]
            best, sure = output.argmax(axis=2), output.max(axis=2)
            for place, index in enumerate(group):
                box = boxes[index]
                per_step = width / output.shape[1] / crops[index].shape[1] * box.width
                readings[index] = self._decode(best[place], sure[place], box.left, per_step)
        return [reading for reading in readings if reading is not None]

    def _decode(
        self, best: npt.NDArray[np.int64], sure: npt.NDArray[np.float32], left: float, per_step: float
    ) -> Reading:
        """CTC's best path: repeats collapse, blanks vanish; a character stands in the middle of its repeats."""
        characters: list[str] = []
        probabilities: list[float] = []
        centres: list[float] = []
        starts = np.concatenate(([0], np.flatnonzero(best[1:] != best[:-1]) + 1))
        ends = np.concatenate((starts[1:], [len(best)]))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            code = int(best[start])
            if not code or code >= len(self._characters):
                continue
            centre = left + (start + end) / 2 * per_step
            for character in self._characters[code]:  # a few entries are more than one code point
                characters.append(character)
                probabilities.append(float(sure[start:end].max()))
                centres.append(centre)
        confidence = float(np.mean(probabilities)) if probabilities else 0.0
        return Reading("".join(characters), confidence, tuple(centres))


def _crop(pixels: Pixels, box: Box) -> Pixels:
    part = pixels[box.top : box.bottom, box.left : box.right]
    width = min(_WIDEST, max(_WIDTH_STEP, -(-_HEIGHT * box.width // box.height)))
    shrinking = box.height > _HEIGHT * 2
    resized = cv2.resize(part, (width, _HEIGHT), interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)


def _batches(widths: Sequence[int]) -> Iterator[list[int]]:
    """Indices in groups of similar width, narrow ones first."""
    group: list[int] = []
    for index in sorted(range(len(widths)), key=widths.__getitem__):
        if group:
            narrowest = widths[group[0]]
            limit = max(narrowest * _SPREAD, narrowest + _SPREAD_PX, _NARROWEST)
            if len(group) == _BATCH or widths[index] > limit:
                yield group
                group = []
        group.append(index)
    if group:
        yield group

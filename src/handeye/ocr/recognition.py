"""Text recognition: PP-OCR's recognition network with CTC decoding and character positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.screen import Pixels
from handeye.time_limit import check_time

_HEIGHT: Final = 48  # the only height the network takes
_NARROWEST: Final = 64  # padding to 320 as RapidOCR does costs twice the time on short labels
_WIDTH_STEP: Final = 8
# Lines are padded to a series of widths, each at most this much wider than the one before. The width depends on the line
# alone, so that its text does not depend on the other lines of the batch.
_STEP: Final = 1.2
# Columns of one batch: the time per line grows with the batch size, as caches overflow (320 wide: 3.9 ms each of two, 4.7
# of eight, 6.1 of sixteen).
_BATCH: Final = 640
_WIDEST: Final = 3200  # a longer line is squeezed into it

Spread = Callable[[Callable[["_Batch"], list["Reading"]], Sequence["_Batch"]], Iterable[list["Reading"]]]


@dataclass(frozen=True, slots=True)
class Reading:
    """`text` with the mean probability of its characters (0-1) and their horizontal centres in frame pixels."""

    text: str
    confidence: float
    char_x: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Lines of one padded width: their indices, boxes and crops, `_HEIGHT` high."""

    indices: tuple[int, ...]
    boxes: tuple[Box, ...]
    crops: tuple[Pixels, ...]


class Recogniser:
    """
    Recognises the text in boxes. `characters` are the network's classes after CTC's blank, without the space.

    `spread` runs one function over several batches, like `map`; it may do so on several threads.
    """

    def __init__(self, session: Any, characters: Sequence[str], spread: Spread = map) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self._characters = ["", *characters, " "]  # CTC's blank comes first, the space last
        self._spread = spread

    def read(self, pixels: Pixels, boxes: Sequence[Box]) -> list[Reading]:
        """Return one reading per box, in order. Raises OcrFailed if the network's output has an unexpected shape."""
        crops = [_crop(pixels, box) for box in boxes]
        batches = [
            _Batch(tuple(group), tuple(boxes[index] for index in group), tuple(crops[index] for index in group))
            for group in _groups([crop.shape[1] for crop in crops])
        ]
        readings: dict[int, Reading] = {}
        # The longest first, so that threads finish together.
        for batch, read in zip(batches[::-1], self._spread(self._read, batches[::-1]), strict=True):
            check_time()
            readings.update(zip(batch.indices, read, strict=True))
        return [readings[index] for index in range(len(boxes))]

    def _read(self, batch: _Batch) -> list[Reading]:
        width = _padded(batch.crops[0].shape[1])
        lines = np.zeros((len(batch.crops), 3, _HEIGHT, width), np.float32)
        for line, crop in zip(lines, batch.crops, strict=True):
            np.multiply(crop[:, :, ::-1].transpose(2, 0, 1), np.float32(1 / 127.5), out=line[:, :, : crop.shape[1]])
            line[:, :, : crop.shape[1]] -= 1
        output = self._session.run(None, {self._input: lines})[0]
        if output.ndim != 3 or output.shape[0] != len(lines) or output.shape[2] != len(self._characters):
            raise OcrFailed(
                f"the recognition model answered an array of {output.shape} for {len(lines)} lines and "
                f"{len(self._characters)} characters"
            )
        best = output.argmax(axis=2)
        sure = np.take_along_axis(output, best[:, :, None], axis=2)[:, :, 0]
        return [
            self._decode(best[place], sure[place], box.left, width / output.shape[1] / crop.shape[1] * box.width)
            for place, (box, crop) in enumerate(zip(batch.boxes, batch.crops, strict=True))
        ]

    def _decode(
        self, best: npt.NDArray[np.int64], sure: npt.NDArray[np.float32], left: float, per_step: float
    ) -> Reading:
        """Decode CTC's best path: collapse repeats, drop blanks; a character's position is the middle of its repeats."""
        characters: list[str] = []
        probabilities: list[float] = []
        centres: list[float] = []
        starts = np.concatenate(([0], np.flatnonzero(best[1:] != best[:-1]) + 1))
        ends = np.concatenate((starts[1:], [len(best)]))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            code = int(best[start])
            if not code:
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


def _padded(width: int) -> int:
    padded = _NARROWEST
    while padded < width:
        padded = -(-int(padded * _STEP) // _WIDTH_STEP) * _WIDTH_STEP
    return padded


def _groups(widths: Sequence[int]) -> Iterator[list[int]]:
    """Yield indices in groups of one padded width, narrow ones first."""
    group: list[int] = []
    for index in sorted(range(len(widths)), key=widths.__getitem__):
        padded = _padded(widths[index])
        if group and ((len(group) + 1) * padded > _BATCH or _padded(widths[group[0]]) != padded):
            yield group
            group = []
        group.append(index)
    if group:
        yield group

"""The embedded screen parser: every visible control of a frame, with its role, its text, and the name of its icon."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.ocr import TextReader
from handeye.parse.candidates import candidates
from handeye.parse.decoding import CLASSES
from handeye.parse.detector import MIN_CANDIDATE_SCORE, Detected, Detector, DetectorOutput
from handeye.parse.fusion import Thing, elements_of, fuse, with_icons
from handeye.parse.model_runtime import on_one_core
from handeye.parse.proposals import Proposals, propose, scale_of
from handeye.parse.text_assignment import assign_lines, split_at_gaps
from handeye.parse.tiling import network_scale
from handeye.screen import Pixels, Screen
from handeye.text import TextLine

if TYPE_CHECKING:
    from handeye.parse.rescorer import Rescorer


# The bundled models, opened once per process.


@cache
def bundled_detector() -> ElementDetector:
    """Return the element detector. Its model is read at the first frame."""
    from handeye.parse.detector import Detector

    return Detector()


@cache
def bundled_rescorer() -> Rescorer:
    """Return the rescorer of candidates. Its weights are read at the first frame."""
    from handeye.parse.rescorer import Rescorer

    return Rescorer()


@cache
def bundled_icons() -> IconReader:
    """Return the icon reader. Its models are read at the first icon."""
    from handeye.parse.icons import BundledIconReader

    return BundledIconReader()


Vectors = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float32]

# Least OCR confidence: a line below it is mostly a row of icons.
_LEAST_READ: Final = 0.6


class Found(Protocol):
    """One detection of a detector: `box` in frame pixels, `score` 0-1."""

    @property
    def box(self) -> Box: ...

    @property
    def role(self) -> str: ...

    @property
    def score(self) -> float: ...


class ElementDetector(Protocol):
    """
    Detects the drawn elements of `pixels`, shape (height, width, 3), RGB, from a score of `least` on. Raises a HandeyeError
    if it fails. Its results may have `shares`, as a `handeye.parse.detector.Detected` has.
    """

    def detect(
        self, pixels: Pixels, text_height: float | None = None, least: float | None = None
    ) -> Sequence[Found]: ...


class IconReader(Protocol):
    """Names icons; vectors have the shape (n, d), one for each box in the order given."""

    def vectors(self, pixels: Pixels, boxes: Sequence[Box]) -> Vectors: ...

    def names(self, vectors: Vectors) -> Sequence[tuple[str, float]]:
        """Return the concept that each icon shows, and its probability (0-1)."""
        ...

    def scores(self, phrase: str, vectors: Vectors) -> Vector:
        """
        Return the probability (0-1) that each icon is the one a phrase names, in English or Chinese; all low if none
        matches.
        """
        ...


@dataclass(frozen=True, slots=True)
class ParsedScreen:
    """
    A frame's elements, and the vectors of its icons: `vectors`, shape (n, d), has a row for each of `icons`, the elements'
    ids. Both are empty without an icon reader.
    """

    state: UIState
    icons: tuple[int, ...]
    vectors: Vectors


class EmbeddedParser:
    """
    A StateProvider that uses only the pixels, offline and without a key. Deterministic.

    `reader` reads the text, once per frame if it is a CachedReader; without one there are no texts, and letters may be
    mistaken for icons. `detector` and `icons` default to the bundled ones; None disables them. Models load at the first
    frame.
    """

    def __init__(
        self,
        reader: TextReader | None = None,
        *,
        detector: ElementDetector | Literal["bundled"] | None = "bundled",
        icons: IconReader | Literal["bundled"] | None = "bundled",
    ) -> None:
        self._reader = reader
        self._detector = bundled_detector() if detector == "bundled" else detector
        self._icons = bundled_icons() if icons == "bundled" else icons
        self._rescorer = bundled_rescorer()

    @property
    def name(self) -> str:
        return "parser"

    @property
    def slow(self) -> Literal[False]:
        return False

    def detect(self, screen: Screen) -> UIState:
        """
        Return all elements of a frame in reading order, numbered from 1, with boxes in frame pixels. Raises OcrFailed,
        ParserFailed.
        """
        return self.look(screen).state

    def look(self, screen: Screen) -> ParsedScreen:
        """Return the result of `detect` with the vectors that `icon_scores` needs."""
        with ThreadPoolExecutor(1, thread_name_prefix="handeye-parser") as aside:
            # The text height determines the detector's scale, but mostly gives the default scale. So the detector runs
            # during the OCR with the default, and again only if the text height gives another one.
            looked = aside.submit(self._detected, screen, None) if self._is_default_scale(screen, None) else None
            read = [line for line in self._lines(screen) if line.confidence >= _LEAST_READ and _is_on(screen, line)]
            lines = [part for line in read for part in split_at_gaps(line)]
            heights = [line.box.height for line in lines]
            height = median(heights) if heights else None
            if looked is None or not self._is_default_scale(screen, height):
                looked = aside.submit(self._detected, screen, height)
            scale = scale_of(screen.size, heights)
            seen = propose(screen.pixels, [line.box for line in lines], scale)
            sight = looked.result()
        cut = split_at_shapes(lines, seen)
        with on_one_core():
            found = candidates(screen.pixels, sight, seen, cut, scale)
            judged = self._rescorer.judge(found)
        things = fuse(found, judged, seen, screen.size)
        things, vectors = self._named(with_icons(things, [each.box for each in cut], scale), screen.pixels)
        elements = elements_of(things, lines, scale)
        return ParsedScreen(UIState(screen, elements), *_by_id(elements, vectors))

    def icon_scores(self, phrase: str, parsed: ParsedScreen) -> dict[int, float]:
        """
        Return the probability (0-1) that each icon is the one a phrase names, by element id; empty without an icon reader.
        """
        if self._icons is None or not parsed.icons:
            return {}
        with on_one_core():
            scores = self._icons.scores(phrase, parsed.vectors)
        results = zip(parsed.icons, (float(score) for score in scores), strict=True)
        return {number: score if 0 <= score <= 1 else 0.0 for number, score in results}  # external readers may err

    def _lines(self, screen: Screen) -> Sequence[TextLine]:
        return self._reader.read(screen) if self._reader is not None else ()

    def _is_default_scale(self, screen: Screen, text_height: float | None) -> bool:
        """Return True if the detector gives the same result without the text height as with it."""
        if not isinstance(self._detector, Detector):
            return text_height is None and self._reader is None
        return network_scale(screen.size, text_height) == network_scale(screen.size)

    def _detected(self, screen: Screen, text_height: float | None) -> DetectorOutput:
        if self._detector is None:
            return DetectorOutput([], [])
        if isinstance(self._detector, Detector):
            return self._detector.look(screen.pixels, text_height, MIN_CANDIDATE_SCORE)
        found = self._detector.detect(screen.pixels, text_height, MIN_CANDIDATE_SCORE)
        results = [_as_detected(each) for each in found if 0 <= each.score <= 1 and _shows(screen, each.box)]
        return DetectorOutput(results, [])  # an external detector has no feature maps

    def _named(self, things: Sequence[Thing], pixels: Pixels) -> tuple[list[Thing], dict[Box, Vector]]:
        """Return the things with the names of their icons, and the icons' vectors by box."""
        icons = [index for index, thing in enumerate(things) if thing.role == "icon"]
        named = list(things)
        if self._icons is None or not icons:
            return named, {}
        boxes = [things[index].box for index in icons]
        vectors = self._icons.vectors(pixels, boxes)
        with on_one_core():
            names = self._icons.names(vectors)
        for index, (name, sure) in zip(icons, names, strict=True):
            named[index] = replace(things[index], name=name, name_confidence=sure)
        return named, dict(zip(boxes, vectors, strict=True))


def _by_id(elements: Sequence[UIElement], vectors: dict[Box, Vector]) -> tuple[tuple[int, ...], Vectors]:
    icons = [each for each in elements if each.element_type == "icon" and each.bbox in vectors and each.id is not None]
    rows = [vectors[each.bbox] for each in icons]
    return tuple(each.id or 0 for each in icons), np.stack(rows) if rows else np.empty((0, 0), np.float32)


def split_at_shapes(lines: Sequence[TextLine], seen: Proposals) -> list[TextLine]:
    """Return the lines, cut where they span several shapes."""
    pieces = assign_lines(lines, [each.box for each in seen.shapes])
    return [TextLine(piece.text, piece.box, piece.confidence) for piece in pieces]


def _is_on(screen: Screen, line: TextLine) -> bool:
    return _shows(screen, line.box)


def _shows(screen: Screen, box: Box) -> bool:
    """Return True if the box's centre is on the frame; an external reader or detector may return boxes outside it."""
    return box.width > 0 and box.height > 0 and screen.box.contains(box.center)


def _as_detected(found: Found) -> Detected:
    """Convert a detection of an external detector, which has no class probabilities."""
    shares = tuple(found.score if role == found.role else 0.0 for role in CLASSES)
    return Detected(found.box, found.role, found.score, getattr(found, "shares", ()) or shares)

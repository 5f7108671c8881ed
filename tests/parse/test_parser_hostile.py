"""Tests of the parser with invalid detector or OCR output and with damaged weights."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from handeye.errors import ParserFailed
from handeye.geometry import Box
from handeye.parse import EmbeddedParser
from handeye.parse.candidates import FEATURES, RELATIONS, Candidates
from handeye.parse.icons import WEIGHTS as ICONS
from handeye.parse.icons import IconIndex
from handeye.parse.rescorer import WEIGHTS as RESCORER
from handeye.parse.rescorer import Rescorer
from handeye.screen import Pixels, Screen
from handeye.text import TextLine

FRAME = Box(0, 0, 400, 300)
ONE = Candidates(
    np.array([[0, 0, 9, 9]], np.float32),
    np.zeros((1, FEATURES), np.float32),
    np.zeros((len(RELATIONS), 1, 1), np.float32),
)


@dataclass(frozen=True)
class Seen:
    box: Box
    role: str
    score: float


class Detector:
    """Tells of what it is told."""

    def __init__(self, *seen: Seen) -> None:
        self._seen = seen

    def detect(self, pixels: Pixels, text_height: float | None = None, least: float | None = None) -> tuple[Seen, ...]:
        return self._seen


class Reader:
    name = "lines"

    def __init__(self, *lines: TextLine) -> None:
        self._lines = lines

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines


def frame() -> Screen:
    pixels = np.full((300, 400, 3), 245, np.uint8)
    pixels[100:140, 0:120] = (30, 90, 200)  # a face that touches the frame's edge
    pixels[105:135, 360:400] = (30, 90, 200)
    return Screen(pixels)


def test_detector_boxes_are_clipped_to_the_frame() -> None:
    boxes = (Box(9000, 9000, 9900, 9040), Box(-500, -500, -10, -10), Box(-60, 100, 120, 140), Box(355, 100, 470, 140))
    detector = Detector(*(Seen(box, "button", 0.99) for box in boxes))
    elements = EmbeddedParser(detector=detector, icons=None).detect(frame()).elements
    assert elements
    assert all(each.bbox.intersect(FRAME) == each.bbox for each in elements)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -1.0])
def test_invalid_detector_score_is_ignored(score: float) -> None:
    face = Box(0, 100, 120, 140)
    told = EmbeddedParser(detector=Detector(Seen(face, "slider", score)), icons=None).detect(frame())
    alone = EmbeddedParser(detector=Detector(), icons=None).detect(frame())
    assert told.elements == alone.elements


def test_ocr_lines_outside_the_frame_are_dropped() -> None:
    reader = Reader(TextLine("here", Box(20, 20, 60, 36), 0.9), TextLine("elsewhere", Box(99990, 5, 99999, 20), 0.9))
    elements = EmbeddedParser(reader, detector=None, icons=None).detect(frame()).elements
    assert [each.text for each in elements if each.text] == ["here"]


@pytest.mark.parametrize("damage", ["cut", "filled", "emptied", "other"])
@pytest.mark.parametrize("weights", [RESCORER, ICONS], ids=["rescorer", "icons"])
def test_damaged_weights_are_named(weights: Path, damage: str, tmp_path: Path) -> None:
    copy = tmp_path / weights.name
    shutil.copy(weights, copy)
    content = bytearray(copy.read_bytes())
    if damage == "cut":
        del content[len(content) // 2 :]
    elif damage == "filled":
        content[200:4000] = b"x" * 3800
    elif damage == "emptied":
        content.clear()
    copy.write_bytes(content)
    if damage == "other":
        np.savez(copy, something=np.zeros(3))
    with pytest.raises(ParserFailed, match=weights.name):
        Rescorer(copy).judge(ONE) if weights is RESCORER else IconIndex(copy)

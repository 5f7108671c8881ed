"""Tests of running OCR and detection concurrently, with the same result as one after the other."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from icon_drawings import toolbar

from handeye.errors import OcrFailed, ParserFailed
from handeye.geometry import Box
from handeye.parse import EmbeddedParser
from handeye.parse.detector import Detected, Detector, DetectorOutput
from handeye.parse.parser import ElementDetector
from handeye.screen import Pixels, Screen
from handeye.text import TextLine

PATIENCE = 20  # seconds


class Written:
    """A reader that finds one line of a height, once everybody is there."""

    name = "written"

    def __init__(self, height: int, meeting: threading.Barrier | None = None) -> None:
        self._height, self._meeting = height, meeting

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        if self._meeting is not None:
            self._meeting.wait(PATIENCE)
        return (TextLine("Search", Box(4, 4, 44, 4 + self._height), 0.99),)


class Illegible:
    name = "illegible"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        raise OcrFailed("nothing can be read")


class Shown(Detector):
    """The detector that ships; `heights` are those of the texts that it was told."""

    def __init__(self, meeting: threading.Barrier | None = None) -> None:
        super().__init__()
        self.heights: list[float | None] = []
        self._meeting = meeting

    def look(self, pixels: Pixels, text_height: float | None = None, least: float | None = None) -> DetectorOutput:
        if self._meeting is not None:
            self._meeting.wait(PATIENCE)
        self.heights.append(text_height)
        return super().look(pixels, text_height, least)


class Foreign:
    """A detector of somebody else's, of which nothing is known."""

    def __init__(self) -> None:
        self.heights: list[float | None] = []

    def detect(
        self, pixels: Pixels, text_height: float | None = None, least: float | None = None
    ) -> Sequence[Detected]:
        self.heights.append(text_height)
        raise ParserFailed("it is blind")


@pytest.fixture(scope="module")
def screen() -> Screen:
    pixels, _boxes = toolbar(["search", "home", "delete", "add"])
    return Screen(np.ascontiguousarray(pixels))


def test_ocr_and_detection_run_concurrently(screen: Screen) -> None:
    meeting = threading.Barrier(2)
    parser = EmbeddedParser(Written(17, meeting), detector=Shown(meeting), icons=None)
    assert any(each.text for each in parser.detect(screen).elements)


@pytest.mark.parametrize(("height", "told"), [(17, [None]), (60, [None, 60])])
def test_detector_reruns_only_if_text_height_changes_scale(
    screen: Screen, height: int, told: list[float | None]
) -> None:
    detector = Shown()
    EmbeddedParser(Written(height), detector=detector, icons=None).detect(screen)
    assert detector.heights == told


def test_rerun_result_equals_detection_with_text_height(screen: Screen) -> None:
    class Told(Shown):
        def look(self, pixels: Pixels, text_height: float | None = None, least: float | None = None) -> DetectorOutput:
            return super().look(pixels, 60, least)

    seen, expected = (
        EmbeddedParser(Written(60), detector=each, icons=None).detect(screen) for each in (Shown(), Told())
    )
    assert seen.elements == expected.elements


@pytest.mark.parametrize(("reader", "told"), [(Written(17), 17), (None, None)])
def test_custom_detector_gets_text_height_and_may_fail(
    screen: Screen, reader: Written | None, told: float | None
) -> None:
    detector: ElementDetector = Foreign()
    with pytest.raises(ParserFailed, match="blind"):
        EmbeddedParser(reader, detector=detector, icons=None).detect(screen)
    assert isinstance(detector, Foreign)
    assert detector.heights == [told]


def test_reader_failure_is_raised(screen: Screen) -> None:
    with pytest.raises(OcrFailed, match="nothing"):
        EmbeddedParser(Illegible(), detector=Shown(), icons=None).detect(screen)

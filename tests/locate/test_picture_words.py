"""A reference picture that another theme, font or state draws otherwise is found by the words on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_page import DrawnPage

from handeye.geometry import Box
from handeye.locate.locator import VisualLocator
from handeye.locate.template import TemplateStrategy
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.screen import Screen
from handeye.target import Expectation, LocateResult, Target
from handeye.verify.screen_verifier import ScreenVerifier

LABELS = ("Download all", "Choose a folder", "Empty the bin", "New window")
HEIGHT = 90


@pytest.fixture(scope="module")
def reader() -> CachedReader:
    return CachedReader(PaddleReader(threads=1))


def page(labels: tuple[str, ...] = LABELS, *, dark: bool = False) -> Screen:
    drawn = DrawnPage(900, 800, dark=dark)
    fill, ink = ((70, 40, 110), (255, 255, 255)) if dark else ((225, 235, 245), (10, 60, 30))
    for row, text in enumerate(labels):
        drawn.control(place(row), text, fill=fill, ink=ink, radius=40 if dark else 4, size=34 if dark else 38)
    return drawn.screen


def place(row: int) -> Box:
    return Box(60, 60 + 150 * row, 460, 60 + 150 * row + HEIGHT)


def cut(row: int, tmp_path: Path) -> Target:
    path = tmp_path / "button.png"
    page().crop(place(row).expand(4)).image.save(path)
    return Target(reference=str(path))


def located(reference: Target, screen: Screen, reader: CachedReader) -> LocateResult:
    return VisualLocator(reader=reader, vision=None, parser=None).locate(reference, screen)


@pytest.mark.parametrize("row", range(len(LABELS)))
def test_a_button_is_found_in_a_theme_that_draws_it_otherwise(row: int, tmp_path: Path, reader: CachedReader) -> None:
    result = located(cut(row, tmp_path), page(dark=True), reader)
    assert result.element is not None, result.error
    assert place(row).contains(result.element.center)
    assert "the words on it" in result.attempts[-1].note


@pytest.mark.parametrize(
    "labels",
    [
        ("Download", *LABELS[1:]),
        ("Download all files", *LABELS[1:]),
        ("Upload all", *LABELS[1:]),
        ("Download all", "Download all", *LABELS[2:]),
    ],
)
def test_other_words_and_equal_ones_are_refused(labels: tuple[str, ...], tmp_path: Path, reader: CachedReader) -> None:
    assert not located(cut(0, tmp_path), page(labels, dark=True), reader).success


def test_without_a_reader_only_the_picture_counts(tmp_path: Path) -> None:
    match = TemplateStrategy().locate(cut(0, tmp_path), page(dark=True))
    assert match is not None
    assert not match.elements


def test_words_alone_do_not_prove_that_a_picture_is_seen(tmp_path: Path, reader: CachedReader) -> None:
    verifier = ScreenVerifier(reader, TemplateStrategy(None, reader))
    reference = cut(0, tmp_path).reference
    assert not verifier.verify(Expectation(reference=reference), None, page(dark=True)).verified
    assert verifier.verify(Expectation(reference=reference), None, page()).verified

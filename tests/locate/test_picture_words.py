"""Tests of finding a reference image by its text if another theme, font or state changes its look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from drawn_page import FONT, DrawnPage
from PIL import ImageFont

from handeye.geometry import Box
from handeye.locate import LocateStrategy, TemplateStrategy, VisualLocator
from handeye.ocr import CachedReader, PaddleReader
from handeye.run.press_checks import as_found
from handeye.screen import Screen
from handeye.target import Expectation, LocateResult, Target, parse_target
from handeye.text import TextLine
from handeye.verify import ScreenVerifier

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
def test_image_reference_matches_text_in_other_theme(row: int, tmp_path: Path, reader: CachedReader) -> None:
    result = located(cut(row, tmp_path), page(dark=True), reader)
    assert result.element is not None, result.error
    assert place(row).contains(result.element.center)
    assert result.method_used == "ocr"
    assert "the words on the image" in result.attempts[-1].note


@pytest.mark.parametrize(
    "labels",
    [
        ("Download", *LABELS[1:]),
        ("Download all files", *LABELS[1:]),
        ("Upload all", *LABELS[1:]),
        ("Download all", "Download all", *LABELS[2:]),
    ],
)
def test_different_or_duplicate_text_is_refused(labels: tuple[str, ...], tmp_path: Path, reader: CachedReader) -> None:
    assert not located(cut(0, tmp_path), page(labels, dark=True), reader).success


def test_image_path_is_accepted_in_every_form(tmp_path: Path, reader: CachedReader) -> None:
    reference = cut(0, tmp_path).reference or ""
    for words in (reference, parse_target(reference), Target(text="全部下载", reference=reference)):
        found = VisualLocator(reader=reader, vision=None).locate(words, page(dark=True))
        assert found.element is not None, found.error
        assert place(0).contains(found.element.center)


def test_opencv_only_preset_does_not_use_ocr(tmp_path: Path, reader: CachedReader) -> None:
    locator = VisualLocator(reader=reader, vision=None, parser=None)
    reference = cut(0, tmp_path)
    assert not locator.locate_with_fallback(reference, LocateStrategy.OPENCV_ONLY, page(dark=True)).success


def card(*texts: str, top: int = 40, size: int = 34, height: int = 150) -> Screen:
    """A card with its texts below each other, on a page of a larger one."""
    drawn = DrawnPage(900, 800, dark=True)
    drawn.control(Box(40, top, 860, top + height), fill=(50, 50, 70))
    for row, text in enumerate(texts):
        drawn.write(80, top + 20 + 60 * row, text, size)
    return drawn.screen


def test_all_text_of_the_image_must_match(tmp_path: Path, reader: CachedReader) -> None:
    light = DrawnPage(900, 800)
    light.write(80, 60, "Alice Smith", 34)
    light.write(80, 120, "Send message", 34)
    path = tmp_path / "card.png"
    light.screen.crop(Box(60, 40, 500, 180)).image.save(path)
    reference = Target(reference=str(path))
    shown = card("Alice Smith", "Send message")
    found = located(reference, shown, reader)
    assert found.element is not None
    assert (
        ScreenVerifier(reader, TemplateStrategy())
        .verify_before(as_found(reference, found), found.element, shown)
        .verified
    )
    assert not located(reference, card("Carol Jones", "Send message"), reader).success


def test_heading_does_not_match_button_image(tmp_path: Path, reader: CachedReader) -> None:
    drawn = DrawnPage(900, 800, dark=True)
    drawn.write(60, 60, "Download all", 50)
    result = located(cut(0, tmp_path), drawn.screen, reader)
    assert not result.success
    assert [each.text for each in result.candidates] == ["Download all"]


def test_only_text_cropped_by_image_matches_partially(tmp_path: Path, reader: CachedReader) -> None:
    light = DrawnPage(900, 300)
    line = light.write(40, 60, "Delete the account and all data", 34)
    words = light.pen.textlength("Delete the account", font=ImageFont.truetype(FONT, 34))
    path = tmp_path / "cut.png"
    screen = card("Delete the account and all data", height=90)
    light.screen.crop(Box(20, 50, round(line.left + words), 110)).image.save(path)
    assert located(Target(reference=str(path)), screen, reader).success
    whole = DrawnPage(900, 300)
    whole.write(40, 60, "Delete the account", 34)
    whole.screen.crop(Box(20, 50, round(line.left + words) + 30, 110)).image.save(path)
    assert not located(Target(reference=str(path)), screen, reader).success


def test_image_of_cropped_cell_matches_by_text(tmp_path: Path, reader: CachedReader) -> None:
    light = DrawnPage(900, 300)
    light.write(80, 62, "Terminal", 34)
    light.pen.rectangle((60, 0, 300, 299), outline=(120, 120, 120), width=3)
    path = tmp_path / "cell.png"
    light.screen.crop(Box(40, 56, 320, 112)).image.save(path)
    assert located(Target(reference=str(path)), card("Terminal", height=90), reader).success


def test_look_alike_letters_in_image_text_match(tmp_path: Path, reader: CachedReader) -> None:
    class Confusing:
        name = "confusing"

        def read(self, screen: Screen) -> Sequence[TextLine]:
            lines = reader.read(screen)
            return [replace(each, text=each.text.replace("l", "I")) for each in lines] if screen is frame else lines

    frame = page(dark=True)
    assert located(cut(0, tmp_path), frame, CachedReader(Confusing())).success


@pytest.mark.parametrize("lines", [ValueError("broken"), [None]])
def test_broken_reader_is_a_failed_attempt(lines: object, tmp_path: Path) -> None:
    class Broken:
        name = "broken"

        def read(self, screen: Screen) -> object:
            if isinstance(lines, Exception):
                raise lines
            return lines

    result = VisualLocator(reader=Broken(), vision=None, parser=None).locate(cut(0, tmp_path), page(dark=True))  # type: ignore[arg-type]
    assert not result.success
    assert any(attempt.outcome == "failed" for attempt in result.attempts)


def test_text_alone_does_not_verify_image_expectation(tmp_path: Path, reader: CachedReader) -> None:
    verifier = ScreenVerifier(reader, TemplateStrategy())
    reference = cut(0, tmp_path).reference
    assert not verifier.verify(Expectation(reference=reference), None, page(dark=True)).verified
    assert verifier.verify(Expectation(reference=reference), None, page()).verified


def test_find_by_text_is_verified_by_text(tmp_path: Path, reader: CachedReader) -> None:
    reference, screen = cut(0, tmp_path), page(dark=True)
    found = located(reference, screen, reader)
    assert found.element is not None
    seen = as_found(reference, found)
    assert seen.text == "Download all"
    assert ScreenVerifier(reader, TemplateStrategy()).verify_before(seen, found.element, screen).verified

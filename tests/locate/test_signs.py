"""Tests of typed symbols that name the icon of the same shape."""

from __future__ import annotations

import pytest
from drawn_page import DrawnPage

from handeye.geometry import Box
from handeye.locate import VisualLocator
from handeye.target import LocateResult

SIZE = (700, 520)
AT = Box(500, 300, 540, 340)
DRAWN = {
    "✕": [((0, 0), (40, 40)), ((0, 40), (40, 0))],
    "+": [((0, 20), (40, 20)), ((20, 0), (20, 40))],
    "‹": [((22, 0), (2, 20)), ((2, 20), (22, 40))],
    "›": [((2, 0), (22, 20)), ((22, 20), (2, 40))],
    "←": [((0, 20), (40, 20)), ((20, 0), (0, 20)), ((0, 20), (20, 40))],
    "→": [((0, 20), (40, 20)), ((20, 0), (40, 20)), ((40, 20), (20, 40))],
    "✓": [((2, 16), (14, 30)), ((14, 30), (40, 2))],
    "⌄": [((0, 2), (20, 22)), ((20, 22), (40, 2))],
    "☰": [((0, 6), (40, 6)), ((0, 20), (40, 20)), ((0, 34), (40, 34))],
}


def draw(page: DrawnPage, sign: str, left: int = AT.left, top: int = AT.top) -> None:
    for (x1, y1), (x2, y2) in DRAWN[sign]:
        page.pen.line((left + x1, top + y1, left + x2, top + y2), fill=page.ink, width=5)


def locate(page: DrawnPage, words: str) -> LocateResult:
    return VisualLocator(reader=page, vision=None).locate(words, page.screen)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sign", DRAWN)
def test_drawn_symbol_is_found_among_text(sign: str, dark: bool) -> None:
    page = DrawnPage(*SIZE, dark=dark)
    page.write(100, 100, "Box + 三 x<y> yes...: Vax")
    draw(page, sign)
    result = locate(page, sign)
    assert result.element is not None, result.error
    assert AT.contains(result.element.bbox.center)
    assert result.confidence > 0.8


@pytest.mark.parametrize("words", ["the ✕ button", "✕图标", "“✕”", "text:✕", "text=✕ role=button"])
def test_symbol_is_found_by_every_query_form(words: str) -> None:
    page = DrawnPage(*SIZE)
    page.write(100, 100, "Settings")
    draw(page, "✕")
    result = locate(page, words)
    assert result.element is not None, result.error
    assert AT.contains(result.element.bbox.center)


@pytest.mark.parametrize("words", ["the left arrow", "返回箭头", "the arrow right of Country"])
def test_arrow_phrase_finds_drawn_arrow(words: str) -> None:
    page = DrawnPage(*SIZE)
    page.write(320, 300, "Country", 30)
    draw(page, "←")
    draw(page, "✓", 100, 60)
    result = locate(page, words)
    assert result.element is not None, result.error
    assert AT.contains(result.element.bbox.center)


@pytest.mark.parametrize("asked", ["✕", "+", "✓", "☰"])
def test_different_symbol_is_not_matched(asked: str) -> None:
    page = DrawnPage(*SIZE)
    for place, other in enumerate(each for each in DRAWN if each != asked):
        draw(page, other, 60 + 130 * (place % 5), 60 + 160 * (place // 5))
    assert not locate(page, asked).success


def test_position_selects_among_equal_symbols() -> None:
    page = DrawnPage(*SIZE)
    draw(page, "✕", 20, 20)
    draw(page, "✕", 600, 400)
    result = locate(page, "top-left ✕")
    assert result.element is not None, result.error
    assert Box(20, 20, 60, 60).contains(result.element.bbox.center)


def test_equal_symbols_are_candidates() -> None:
    page = DrawnPage(*SIZE)
    draw(page, "✕")
    draw(page, "✕", 300, 400)
    result = locate(page, "×")
    assert (result.success, len(result.candidates)) == (False, 2)


def test_letters_are_not_matched_as_symbols() -> None:
    page = DrawnPage(*SIZE)
    page.write(100, 100, "Xerox box", 60)
    page.write(100, 300, "三三 y", 60)
    for sign in "✕☰‹":
        assert not locate(page, sign).success


def test_symbol_read_by_ocr_is_found() -> None:
    page = DrawnPage(*SIZE)
    box = page.write(100, 100, "+")
    page.pen.rectangle(box, fill=page.paper)  # nothing to see, but the reader says so
    assert locate(page, "＋").success

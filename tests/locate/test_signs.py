"""Drawn signs are found by their strokes, and letters are no signs."""

from __future__ import annotations

import pytest
from drawn_page import DrawnPage

from handeye.geometry import Box
from handeye.locate import signs
from handeye.locate.chain import LocateChain
from handeye.locate.ocr import OcrStrategy
from handeye.locate.signs import Sign, drawings_of, find_signs
from handeye.screen import Screen
from handeye.target import LocateResult, Target

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
DOTTED = {"⋮": [(20, 6), (20, 20), (20, 34)], "⋯": [(6, 20), (20, 20), (34, 20)]}


def draw(page: DrawnPage, sign: str, left: int = AT.left, top: int = AT.top) -> None:
    for (x1, y1), (x2, y2) in DRAWN.get(sign, []):
        page.pen.line((left + x1, top + y1, left + x2, top + y2), fill=page.ink, width=5)
    for x, y in DOTTED.get(sign, []):
        page.pen.ellipse((left + x - 4, top + y - 4, left + x + 4, top + y + 4), fill=page.ink)


def locate(page: DrawnPage, sign: str) -> LocateResult:
    return LocateChain([OcrStrategy(page)]).locate(Target(text=sign), page.screen)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sign", [*DRAWN, *DOTTED])
def test_a_drawn_sign_is_found_among_text(sign: str, dark: bool) -> None:
    page = DrawnPage(*SIZE, dark=dark)
    page.write(100, 100, "Box + 三 x<y> yes...: Vax")
    draw(page, sign)
    result = locate(page, sign)
    assert result.element is not None, result.error
    box = result.element.bbox
    assert AT.contains(box.center)
    assert 20 < max(box.width, box.height) <= 46
    assert result.element.element_type == "icon"
    assert result.confidence > 0.8


@pytest.mark.parametrize("asked", [*DRAWN, *DOTTED])
def test_another_sign_is_not_taken_for_it(asked: str) -> None:
    drawings = drawings_of(asked)
    others = [other for other in (*DRAWN, *DOTTED) if not set(drawings_of(other)) & set(drawings)]
    page = DrawnPage(*SIZE)
    for place, other in enumerate(others):
        draw(page, other, 60 + 130 * (place % 5), 60 + 160 * (place // 5))
    assert len(others) >= 7
    assert not locate(page, asked).success


def test_several_equal_signs_are_candidates() -> None:
    page = DrawnPage(*SIZE)
    draw(page, "✕")
    draw(page, "✕", 300, 400)
    result = locate(page, "×")
    assert (result.success, len(result.candidates)) == (False, 2)


def test_letters_of_words_are_no_signs() -> None:
    page = DrawnPage(*SIZE)
    page.write(100, 100, "Xerox ✕ box", 60)
    page.write(100, 300, "三三 <y>", 60)
    for sign in "✕☰‹":
        assert not locate(page, sign).success


def test_a_sign_that_was_read_needs_no_drawing() -> None:
    page = DrawnPage(*SIZE)
    box = page.write(100, 100, "+")
    page.pen.rectangle(box, fill=page.paper)  # nothing to see, but the reader says so
    assert locate(page, "＋").success


@pytest.mark.parametrize("text", ["X", "x", "Save", "", "+1", "三", "-"])
def test_letters_and_words_ask_for_no_drawing(text: str) -> None:
    assert drawings_of(text) == ()


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (300, 2), (9, 9)])
def test_tiny_frames_hold_no_sign(size: tuple[int, int]) -> None:
    screen = DrawnPage(*size).screen
    known = [each for each in vars(signs).values() if isinstance(each, Sign)]
    assert len(known) > 8
    assert all(find_signs(screen, sign) == [] for sign in known)
    assert find_signs(Screen(screen.pixels), known[0], Box(500, 500, 600, 600)) == []

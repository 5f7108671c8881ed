"""Tests of OCR lines that the pixels contradict: rings read as letters, labels that OCR missed."""

from __future__ import annotations

import pytest
from drawn_page import DrawnPage

from handeye.geometry import Box
from handeye.locate import LocateChain, OcrStrategy
from handeye.target import LocateResult, Target
from handeye.text import TextLine

SIZE = (700, 520)
AT = Box(330, 460, 366, 496)


def locate(page: DrawnPage, text: str, **about: str | int) -> LocateResult:
    return LocateChain([OcrStrategy(page)]).locate(Target(text=text, **about), page.screen)  # type: ignore[arg-type]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("read", ["0", "O", "o", "Q", "。", "·"])
@pytest.mark.parametrize("filled", [False, True])
def test_ring_or_disc_is_not_accepted_as_letter(read: str, filled: bool, dark: bool) -> None:
    page = DrawnPage(*SIZE, dark=dark)
    page.write(100, 100, "Chats")
    page.pen.ellipse(
        (AT.left, AT.top, AT.right - 1, AT.bottom - 1), fill=page.ink if filled else None, outline=page.ink, width=4
    )
    page.lines.append(TextLine(read, AT, 0.99))
    result = locate(page, read)
    assert not result.success
    assert [element.bbox for element in result.candidates] == [AT]


@pytest.mark.parametrize("read", ["0", "O", "8", "(o)"])
def test_symbols_in_a_row_are_not_a_keyboard(read: str) -> None:
    page = DrawnPage(*SIZE)
    page.pen.ellipse((AT.left, AT.top, AT.right - 1, AT.bottom - 1), outline=page.ink, width=4)
    for left, text in ((100, "<"), (AT.left, read), (500, "口")):
        page.lines.append(TextLine(text, Box(left, AT.top, left + AT.width, AT.bottom), 0.99))
    assert not locate(page, read).success


@pytest.mark.parametrize("digit", list("0123456789"))
@pytest.mark.parametrize("size", [16, 24, 40])
def test_single_digit_is_found(size: int, digit: str) -> None:
    page = DrawnPage(*SIZE)
    box = page.write(300, 200, digit, size)
    page.write(20, 20, "items in the cart")
    result = locate(page, digit)
    assert result.element is not None
    assert result.element.bbox.contains(box.center)
    assert result.confidence > 0.8


def test_letter_o_of_keyboard_is_found() -> None:
    page = DrawnPage(*SIZE)
    for place, letter in enumerate("uiop"):
        page.control(Box(60 + 110 * place, 300, 150 + 110 * place, 380), letter, fill=page.faint)
    result = locate(page, "o")
    assert result.element is not None
    assert result.element.bbox.contains(Box(280, 300, 370, 380).center)


def cards(*read: bool) -> tuple[DrawnPage, list[Box]]:
    """Equal buttons below each other; the reader saw those that are true."""
    page = DrawnPage(*SIZE)
    page.write(40, 20, "Chapters")
    boxes = []
    for place, seen in enumerate(read):
        box = Box(400, 90 + 90 * place, 620, 150 + 90 * place)
        page.control(box, "Download", outline=(120, 120, 120), size=28)
        boxes.append(box)
        if not seen:
            page.lines.pop()
    return page, boxes


def test_unread_duplicates_of_label_become_candidates() -> None:
    page, boxes = cards(True, False, True)
    assert len(locate(page, "Download").candidates) == 3
    page, boxes = cards(False, True, False)
    result = locate(page, "Download")
    assert not result.success
    assert all(any(box.contains(each.center) for each in result.candidates) for box in boxes)


@pytest.mark.parametrize(("read", "sure", "count"), [("D0wnload", 0.93, 2), ("D0wnload", 0.98, 1), ("Upload", 0.93, 1)])
def test_uncertain_similar_label_counts_as_duplicate(read: str, sure: float, count: int) -> None:
    page, _boxes = cards(True, True)
    page.lines[-1] = TextLine(read, page.lines[-1].box, sure)
    result = locate(page, "Download")
    assert (len(result.candidates) if not result.success else 1) == count


def test_different_text_is_not_a_duplicate() -> None:
    page = DrawnPage(*SIZE)
    plus = page.write(100, 400, "+5", 11)
    page.write(300, 400, "−5 °C", 11)
    page.lines[-1] = TextLine("−5 °C", page.lines[-1].box, 0.85)
    found = locate(page, "+5").element
    assert found is not None
    assert found.bbox.intersect(plus) == plus


def test_unread_duplicate_is_counted_with_low_confidence() -> None:
    page, boxes = cards(True, True, False)
    last = locate(page, "Download", ordinal=-1)
    assert last.element is not None
    assert boxes[2].contains(last.element.center)
    assert last.confidence < 0.8


def test_different_label_on_similar_button_is_no_duplicate() -> None:
    page, boxes = cards(True)
    page.control(Box(400, 180, 620, 240), "Download", outline=(120, 120, 120), size=28)
    page.lines[-1] = TextLine("Unload", page.lines[-1].box, 0.99)  # the reader is certain
    page.control(Box(400, 270, 620, 330), "Settings", outline=(120, 120, 120), size=28)
    result = locate(page, "Download")
    assert result.element is not None
    assert boxes[0].contains(result.element.center)


@pytest.mark.parametrize("read", [0.956, 0.98])
def test_price_with_different_digit_is_not_counted(read: float) -> None:
    page = DrawnPage(*SIZE)
    boxes = [page.write(100 + 130 * place, 200, text, 22) for place, text in enumerate(("¥7299", "¥7999", "¥7299"))]
    page.lines = [TextLine(line.text, line.box, read) for line in page.lines]
    first = locate(page, "¥7999", ordinal=1)
    assert first.element is not None
    assert boxes[1].contains(first.element.center)
    assert locate(page, "¥7999").element is not None
    last = locate(page, "¥7299", ordinal=-1)
    assert last.element is not None
    assert boxes[2].contains(last.element.center)
    assert not locate(page, "¥7299").success

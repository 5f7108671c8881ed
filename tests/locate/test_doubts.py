"""A reading that the picture contradicts is a candidate: rings read as digits, keys read as one number, labels nobody read."""

from __future__ import annotations

import pytest
from drawn_page import DrawnPage

from handeye.geometry import Box
from handeye.locate.chain import LocateChain
from handeye.locate.ocr import OcrStrategy
from handeye.ocr.base import TextLine
from handeye.target import LocateResult, Target

SIZE = (700, 520)
AT = Box(330, 460, 366, 496)


def locate(page: DrawnPage, text: str, **about: str | int) -> LocateResult:
    return LocateChain([OcrStrategy(page)]).locate(Target(text=text, **about), page.screen)  # type: ignore[arg-type]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("read", ["0", "O", "o", "Q", "。", "·"])
@pytest.mark.parametrize("filled", [False, True])
def test_a_ring_or_disc_is_no_letter(read: str, filled: bool, dark: bool) -> None:
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
def test_signs_in_a_row_are_no_keyboard(read: str) -> None:
    page = DrawnPage(*SIZE)
    page.pen.ellipse((AT.left, AT.top, AT.right - 1, AT.bottom - 1), outline=page.ink, width=4)
    for left, text in ((100, "<"), (AT.left, read), (500, "口")):
        page.lines.append(TextLine(text, Box(left, AT.top, left + AT.width, AT.bottom), 0.99))
    assert not locate(page, read).success


@pytest.mark.parametrize("digit", list("0123456789"))
@pytest.mark.parametrize("size", [16, 24, 40])
def test_a_digit_is_found_wherever_it_stands(size: int, digit: str) -> None:
    page = DrawnPage(*SIZE)
    box = page.write(300, 200, digit, size)
    page.write(20, 20, "items in the cart")
    result = locate(page, digit)
    assert result.element is not None
    assert result.element.bbox.contains(box.center)
    assert result.confidence > 0.8


def test_the_o_of_a_keyboard_is_a_letter() -> None:
    page = DrawnPage(*SIZE)
    for place, letter in enumerate("uiop"):
        page.control(Box(60 + 110 * place, 300, 150 + 110 * place, 380), letter, fill=page.faint)
    result = locate(page, "o")
    assert result.element is not None
    assert result.element.bbox.contains(Box(280, 300, 370, 380).center)


def keys(page: DrawnPage, *texts: str, gap: int) -> None:
    """Keys side by side, read as one line."""
    boxes = []
    for place, text in enumerate(texts):
        left = 100 + place * (60 + gap)
        boxes.append(page.control(Box(left, 200, left + 60, 270), text, outline=(120, 120, 120), radius=0))
    del page.lines[:]
    whole = Box(boxes[0].left, min(box.top for box in boxes), boxes[-1].right, max(box.bottom for box in boxes))
    page.lines.append(TextLine("".join(texts), whole, 0.99, tuple(float(box.center.x) for box in boxes)))


@pytest.mark.parametrize("gap", [0, 8])
def test_three_keys_are_no_number(gap: int) -> None:
    page = DrawnPage(*SIZE)
    keys(page, "1", "2", "3", gap=gap)
    assert not locate(page, "123").success
    assert not locate(page, "12").success


def test_a_number_on_one_key_is_one() -> None:
    page = DrawnPage(*SIZE)
    page.control(Box(100, 200, 300, 270), "123", outline=(120, 120, 120))
    page.control(Box(340, 200, 500, 270), "IlI", outline=(120, 120, 120))
    assert locate(page, "123").success
    assert locate(page, "IlI").success


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


def test_a_label_that_stands_again_unread_is_not_the_only_one() -> None:
    page, boxes = cards(True, False, True)
    assert len(locate(page, "Download").candidates) == 3
    page, boxes = cards(False, True, False)
    result = locate(page, "Download")
    assert not result.success
    assert all(any(box.contains(each.center) for each in result.candidates) for box in boxes)


def test_what_nobody_read_is_counted_and_not_sure() -> None:
    page, boxes = cards(True, True, False)
    last = locate(page, "Download", ordinal=-1)
    assert last.element is not None
    assert boxes[2].contains(last.element.center)
    assert last.confidence < 0.8


def test_another_text_in_the_same_place_is_no_second_one() -> None:
    page, boxes = cards(True)
    page.control(Box(400, 180, 620, 240), "Download", outline=(120, 120, 120), size=28)
    page.lines[-1] = TextLine("Unload", page.lines[-1].box, 0.99)  # the reader is certain
    page.control(Box(400, 270, 620, 330), "Settings", outline=(120, 120, 120), size=28)
    result = locate(page, "Download")
    assert result.element is not None
    assert boxes[0].contains(result.element.center)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("text", ["删除", "刷新", "利用", "11", "Il"])
def test_the_soft_side_of_a_stroke_is_no_edge_of_a_key(text: str, dark: bool) -> None:
    for size in range(14, 60):
        page = DrawnPage(*SIZE, dark=dark)
        page.control(Box(100, 200, 400, 320), text, outline=(120, 120, 120), size=size)
        assert locate(page, text).confidence > 0.8, size


@pytest.mark.parametrize("text", ["已方", "末尾", "入口", "日历", "user1", "Illinois", "10"])
def test_a_doubtful_reading_of_signs_that_look_alike_is_not_sure(text: str) -> None:
    for confidence, sure in ((0.99, True), (0.79, False)):
        page = DrawnPage(*SIZE)
        page.write(100, 100, text)
        page.lines[-1] = TextLine(text, page.lines[-1].box, confidence)
        assert (locate(page, text).confidence > 0.8) is sure
        page.write(100, 300, text)  # read well: the doubtful one may still be a second one
        assert len(locate(page, text).candidates) == 2


@pytest.mark.parametrize("read", [0.956, 0.98])
def test_a_price_read_with_another_digit_is_not_counted(read: float) -> None:
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

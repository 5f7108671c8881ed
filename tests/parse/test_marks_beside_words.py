"""Tests of check boxes and radio buttons drawn so close to their labels that OCR joins them to one line."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

import handeye
from handeye.geometry import Box
from handeye.locate import ScreenParser
from handeye.ocr import PaddleReader
from handeye.parse.fusion import Thing, elements_of
from handeye.parse.text_assignment import split_at_gaps
from handeye.screen import Screen
from handeye.text import TextLine

FONT = Path(handeye.__file__).parent / "fonts" / "handeye-sans-sc.otf"
ACCOUNTS = ("Private", "Business", "School")
CHOICES = ("Accept all terms", "Send me news", "记住密码")


class Form:
    def __init__(self) -> None:
        image = Image.new("RGB", (900, 500), "white")
        pen, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, 16)
        self.marks: dict[str, Box] = {}
        pen.text((40, 40), "Account type", font=font, fill=(30, 30, 30))
        left = 40
        for words in ACCOUNTS:
            pen.ellipse((left, 81, left + 13, 94), outline=(118, 118, 118))
            pen.text((left + 19, 76), words, font=font, fill=(30, 30, 30))
            self.marks[words] = Box(left, 81, left + 14, 95)
            left += 33 + int(pen.textlength(words, font=font))
        for row, words in enumerate(CHOICES):
            top = 123 + 34 * row
            pen.rectangle((40, top, 53, top + 13), outline=(118, 118, 118))
            pen.text((58, top - 5), words, font=font, fill=(30, 30, 30))
            self.marks[words] = Box(40, top, 54, top + 14)
        pen.rounded_rectangle((40, 240, 160, 276), 6, fill=(22, 119, 255))
        pen.text((60, 247), "Create", font=font, fill="white")
        self.screen = Screen.from_image(image)


@pytest.fixture(scope="module")
def form() -> Form:
    return Form()


@pytest.fixture(scope="module")
def parser() -> ScreenParser:
    return ScreenParser(PaddleReader(threads=1))


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        *((f"the radio button {words}", words) for words in ACCOUNTS),
        *((f"the checkbox {words}", words) for words in CHOICES[:2]),
        ("记住密码复选框", "记住密码"),
        ("the checkbox left of Send me news", "Send me news"),
    ],
)
def test_control_is_found_by_its_adjacent_label(parser: ScreenParser, form: Form, phrase: str, words: str) -> None:
    found = parser.find(form.screen, phrase)
    assert found.element is not None, found
    assert form.marks[words].contains(found.element.bbox.center), found.element


def test_labels_around_a_control_are_separate_texts(parser: ScreenParser, form: Form) -> None:
    texts = {each.text: each.bbox for each in parser.parse(form.screen).elements if each.element_type == "text"}
    assert set(ACCOUNTS) <= texts.keys()
    for before, after in pairwise(ACCOUNTS):
        assert texts[before].right <= form.marks[after].left + 2
        assert texts[after].left >= form.marks[after].right - 2


def test_line_is_split_at_wide_gap() -> None:
    places = (10.0, 20.0, 30.0, 35.0, 40.0, 60.0, 70.0)
    line = TextLine("abc  de", Box(4, 0, 76, 16), 0.9, places, (0, 2, 2, 0, 0, 20, 2))
    assert [(part.text, part.char_x, part.gaps) for part in split_at_gaps(line)] == [
        ("abc", places[:3], (0, 2, 2)),
        ("de", places[5:], (20, 2)),
    ]
    first, second = (part.box for part in split_at_gaps(line))
    assert first.left == 4
    assert first.right < second.left
    assert second.right == 76


@pytest.mark.parametrize("places", [(), tuple(8.0 * place + 8 for place in range(7))])
def test_line_without_wide_gap_is_not_split(places: tuple[float, ...]) -> None:
    line = TextLine("abc  de", Box(4, 0, 76, 16), 0.9, places)
    assert list(split_at_gaps(line)) == [line]


@pytest.mark.parametrize(
    ("text", "parts"), [("编辑 删除", ["编辑", "删除"]), ("登 录", ["登 录"]), ("第 3 页", ["第 3 页"])]
)
def test_chinese_words_separated_by_space_are_split(text: str, parts: list[str]) -> None:
    places = tuple(10.0 + 11 * place for place in range(len(text)))
    assert [part.text for part in split_at_gaps(TextLine(text, Box(0, 0, 100, 16), 0.9, places))] == parts


def test_character_read_on_checkbox_is_not_its_label() -> None:
    mark, label = Thing(Box(40, 20, 54, 34), "checkbox", 0.9), TextLine("包邮", Box(58, 19, 90, 35), 0.9)
    told = elements_of([mark], [TextLine("□", Box(40, 20, 54, 34), 0.9), label], 1.0)
    assert [(each.element_type, each.text) for each in told] == [("checkbox", "包邮"), ("text", "包邮")]


def test_label_overlapping_slider_is_assigned_to_it() -> None:
    slider, words = (
        Thing(Box(354, 222, 483, 240), "slider", 0.9),
        TextLine("评分", Box(318, 225, 370, 242), 0.9, (327.0, 344.0)),
    )
    (told,) = (each for each in elements_of([slider], [words], 1.0) if each.element_type == "slider")
    assert told.text == "评分"

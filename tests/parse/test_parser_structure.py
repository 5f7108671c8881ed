"""Tests of parsed drawn controls with known boxes: roles, texts, labels, parents and order."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.parse import EmbeddedParser
from handeye.screen import Screen
from handeye.text import TextLine

PAGE = (240, 242, 245)


class Lines:
    """A reader that says what stands where."""

    name = "lines"

    def __init__(self, *lines: tuple[str, Box]) -> None:
        self._lines = tuple(TextLine(text, box, 0.99) for text, box in lines)

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines


class Page:
    """A picture with drawn controls; texts are dashes where the reader says they are."""

    def __init__(self, width: int = 800, height: int = 600) -> None:
        self.image = Image.new("RGB", (width, height), PAGE)
        self.pen = ImageDraw.Draw(self.image)
        self._lines: list[tuple[str, Box]] = []

    def text(self, words: str, left: int, top: int, width: int) -> Box:
        box = Box(left, top, left + width, top + 16)
        for x in range(left, left + width - 3, 8):
            self.pen.rectangle((x, top + 2, x + 4, top + 13), fill=(40, 40, 40))
        self._lines.append((words, box))
        return box

    def written(self, words: str, left: int, top: int) -> Box:
        """As `text`, in letters."""
        font = ImageFont.load_default(15)
        self.pen.text((left, top), words, fill=(30, 30, 30), font=font)
        box = Box(*(round(side) for side in self.pen.textbbox((left, top), words, font=font))).expand(1)
        self._lines.append((words, box))
        return box

    def parsed(self) -> UIState:
        parser = EmbeddedParser(Lines(*self._lines), icons=None)
        return parser.detect(Screen.from_image(self.image))


def near(element: UIElement, box: Box) -> bool:
    return element.bbox.iou(box) >= 0.8


def only(state: UIState, role: str) -> UIElement:
    found = [each for each in state.elements if each.element_type == role]
    assert len(found) == 1, [str(each.bbox) for each in found]
    return found[0]


def test_filled_button_has_text_and_exact_box() -> None:
    page = Page()
    face = Box(100, 100, 220, 140)
    page.pen.rounded_rectangle((100, 100, 219, 139), 6, fill=(30, 110, 240))
    label = page.text("发送", 136, 112, 48)
    button = only(page.parsed(), "button")
    assert near(button, face)
    assert (button.text, button.label_box, button.interactive) == ("发送", label, True)


def test_outlined_field_is_input_with_label() -> None:
    page = Page()
    page.text("Name", 100, 178, 40)
    page.pen.rounded_rectangle((100, 200, 399, 237), 4, fill="white", outline=(200, 200, 205))
    page.text("Ada", 110, 211, 30)
    field = only(page.parsed(), "input")
    assert near(field, Box(100, 200, 400, 238))
    assert (field.text, field.metadata["label"]) == ("Ada", "Name")


def test_checkbox_and_radio_get_their_labels() -> None:
    page = Page()
    page.pen.rectangle((100, 100, 117, 117), fill="white", outline=(120, 120, 120))
    page.text("记住我", 126, 101, 56)
    page.pen.ellipse((100, 150, 119, 169), fill="white", outline=(120, 120, 120))
    page.text("Weekly", 128, 152, 64)
    state = page.parsed()
    assert only(state, "checkbox").text == "记住我"
    assert only(state, "radio").text == "Weekly"


def test_switch_gets_text_of_its_row() -> None:
    page = Page()
    page.text("飞行模式", 40, 102, 64)
    page.pen.rounded_rectangle((700, 97, 743, 122), 13, fill=(60, 200, 90))
    page.pen.ellipse((720, 99, 741, 120), fill="white")
    assert only(page.parsed(), "switch").text == "飞行模式"


def test_floating_button_contains_its_icon() -> None:
    page = Page()
    page.pen.ellipse((720, 520, 767, 567), fill=(30, 110, 240))
    page.pen.line((732, 544, 756, 544), fill="white", width=3)
    page.pen.line((744, 532, 744, 556), fill="white", width=3)
    state = page.parsed()
    button, icon = only(state, "button"), only(state, "icon")
    assert icon.parent == button.id
    assert button.interactive
    assert button.bbox.area > 2 * icon.bbox.area


def test_ocr_line_across_buttons_is_split() -> None:
    page = Page()
    font = ImageFont.load_default(15)
    places: list[float] = []
    for left, word in ((100, "Copy"), (200, "Move"), (300, "Drop")):
        page.pen.rectangle((left, 100, left + 90, 130), fill=(250, 250, 250), outline=(150, 150, 150))
        start = left + 45 - font.getlength(word) / 2
        page.pen.text((start, 106), word, fill=(40, 40, 40), font=font)
        places += [left - 5.0] if places else []  # the blank between two words
        places += [start + font.getlength(word[:at]) + font.getlength(word[at]) / 2 for at in range(len(word))]
    line = TextLine("Copy Move Drop", Box(124, 106, 368, 124), 0.9, tuple(places))
    reader = Lines()
    reader._lines = (line,)
    state = EmbeddedParser(reader, icons=None).detect(Screen.from_image(page.image))
    texts = [each.text for each in state.elements if each.element_type in ("button", "input")]
    assert texts == ["Copy", "Move", "Drop"]


def test_ids_follow_reading_order_with_parents_first() -> None:
    page = Page()
    for row in range(3):
        page.pen.rectangle((0, 100 + 60 * row, 799, 158 + 60 * row), fill="white")
        page.written(f"Row {row}", 20, 121 + 60 * row)
    state = page.parsed()
    assert [each.id for each in state.elements] == list(range(1, len(state.elements) + 1))
    rows = [each for each in state.elements if each.element_type == "list item"]
    assert [each.text for each in rows] == ["Row 0", "Row 1", "Row 2"]
    assert all(each.parent is None or each.parent < (each.id or 0) for each in state.elements)


def test_blank_and_one_pixel_images_have_no_elements() -> None:
    for size in ((800, 600), (1, 1), (3, 400)):
        assert Page(*size).parsed().elements == ()

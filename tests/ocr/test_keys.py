"""Tests of labels on keys and buttons: one line per key on any face colour, single digits included."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from lettering import Page

from handeye.geometry import Box
from handeye.ocr import PaddleReader
from handeye.ocr.regions import find_blocks
from handeye.text import TextLine

Colour = tuple[int, int, int]
WHITE, BLACK = (255, 255, 255), (20, 20, 20)


@dataclass(frozen=True)
class Style:
    face: Colour
    ink: Colour
    border: Colour | None = None


STYLES = {
    "light blue": Style((191, 227, 255), BLACK),
    "gray": Style((224, 224, 224), BLACK),
    "outlined": Style((246, 246, 246), BLACK, (187, 187, 187)),
    "dark": Style((51, 51, 51), WHITE),
    "blue": Style((22, 119, 255), WHITE),
}
DIGITS = "1234567890"
# Width and height of a key, the room between two, and the size of its label.
SIZES = {"60 px": (60, 60, 4, 24), "90 px": (90, 70, 8, 32), "120 px": (120, 90, 40, 40)}


def keypad(labels: list[str], style: Style, size: tuple[int, int, int, int]) -> tuple[Page, dict[str, Box]]:
    width, height, room, letters = size
    page = Page(40 + 5 * (width + room), 40 + -(-len(labels) // 5) * (height + room))
    keys = {}
    for index, label in enumerate(labels):
        left, top = 20 + index % 5 * (width + room), 20 + index // 5 * (height + room)
        keys[label] = Box(left, top, left + width, top + height)
        page.pen.rounded_rectangle((left, top, left + width, top + height), 8, fill=style.face, outline=style.border)
        x, y, right, bottom = page.pen.textbbox((0, 0), label, font=page.font(letters))
        page.write(left + int(width - x - right) // 2, top + int(height - y - bottom) // 2, label, letters, style.ink)
    return page, keys


def on(key: Box, lines: tuple[TextLine, ...]) -> list[str]:
    return [line.text for line in lines if key.intersect(line.box)]


@pytest.fixture(scope="module")
def one_thread() -> PaddleReader:
    return PaddleReader(threads=1)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
def test_keypad_digits_are_read_on_their_keys(
    one_thread: PaddleReader, style: Style, size: tuple[int, int, int, int]
) -> None:
    page, keys = keypad(list(DIGITS), style, size)
    lines = one_thread.read(page.screen)
    read = {digit: on(key, lines) for digit, key in keys.items()}
    assert [texts for digit, texts in read.items() if texts not in ([digit], [])] == []
    assert sum(not texts for texts in read.values()) <= 1, read


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
def test_flat_character_between_others_is_read(one_thread: PaddleReader, style: Style) -> None:
    labels = ["上一步", "下一步", "统一价", "第一章"]
    page, keys = keypad(labels, style, (130, 64, 16, 24))
    lines = one_thread.read(page.screen)
    assert {label: on(key, lines) for label, key in keys.items()} == {label: [label] for label in labels}


def test_extra_bold_digits_are_read(one_thread: PaddleReader) -> None:
    page = Page(400, 120)
    for digit, x in (("6", 40), ("8", 160), ("0", 280)):
        page.pen.text((x, 30), digit, font=page.font(50), fill=page.ink, stroke_width=3, stroke_fill=page.ink)
    assert [line.text for line in one_thread.read(page.screen)] == ["6", "8", "0"]


@pytest.mark.parametrize("corner", [0, 12, 35])
def test_block_on_button_face_excludes_the_edge(corner: int) -> None:
    page = Page(200, 120)
    page.pen.rounded_rectangle((40, 20, 159, 89), corner, fill=(22, 119, 255))
    box = page.write(85, 34, "8", 40, WHITE)
    (block,) = find_blocks(page.screen.pixels)
    assert block.on_face
    assert block.core.iou(box) > 0.5
    assert block.window.intersect(Box(40, 20, 160, 90)) == block.window


@pytest.mark.parametrize("size", [60, 90, 120])
@pytest.mark.parametrize("character", ["国", "回", "困"])
def test_enclosing_character_is_not_a_button_face(character: str, size: int) -> None:
    page = Page(400, 400)
    box = page.write(80, 60, character, size)
    blocks = find_blocks(page.screen.pixels)
    assert not any(block.on_face for block in blocks)
    assert any(block.window.intersect(box) == box for block in blocks)

"""Tests of OCR lines next to avatars, check boxes, icons and cell borders that a detector includes in the box."""

from __future__ import annotations

import pytest
from lettering import Page

from handeye.ocr import CachedReader
from handeye.text import normalize

CELLS = ("陈静怡", "刘洋", "Ann Lee", "Bob Martin", "王小明")


def draw_person(page: Page, x: int, y: int, size: int) -> None:
    """A round picture as contacts without a photograph have it."""
    page.pen.ellipse((x, y, x + size, y + size), fill=(205, 215, 230))
    page.pen.ellipse((x + size * 0.36, y + size * 0.2, x + size * 0.64, y + size * 0.48), fill=(120, 140, 170))
    shoulders = (x + size * 0.2, y + size * 0.55, x + size * 0.8, y + size * 1.15)
    page.pen.chord(shoulders, 180, 360, fill=(120, 140, 170))


def draw_phone(page: Page, x: int, y: int, size: int) -> None:
    thick = size // 14
    outline = (x + size * 0.15, y, x + size * 0.85, y + size)
    page.pen.rounded_rectangle(outline, size // 8, outline=page.ink, width=thick)
    page.pen.line((x + size * 0.4, y + size * 0.85, x + size * 0.6, y + size * 0.85), fill=page.ink, width=thick)


@pytest.mark.parametrize(("size", "room", "picture"), [(48, 48, 72), (48, 38, 62), (32, 38, 42)])
def test_name_box_excludes_the_avatar(reader: CachedReader, size: int, room: int, picture: int) -> None:
    page = Page(600, 400)
    for row, name in enumerate(("蓝牙", "Ann", "王小明")):
        draw_person(page, 30, 30 + 120 * row - (picture - size) // 2, picture)
        page.write(30 + picture + room, 30 + 120 * row - size // 5, name, size)
    boxes = {line.text: line.box for line in reader.read(page.screen)}
    for name, truth in page.truth:
        assert abs(boxes[name].left - truth.left) <= size // 6
        assert abs(boxes[name].center.x - truth.center.x) <= size // 6


@pytest.mark.parametrize("shape", ["rectangle", "ellipse"])
@pytest.mark.parametrize(("size", "side", "room"), [(15, 12, 5), (15, 13, 4), (22, 20, 7)])
def test_label_box_excludes_the_check_box(reader: CachedReader, shape: str, size: int, side: int, room: int) -> None:
    page = Page(400, 300)
    for row, label in enumerate(("Accept all terms", "Find the cause", "记住密码", "Add a regression test")):
        top = 20 + 60 * row
        getattr(page.pen, shape)((30, top + 3, 30 + side, top + 3 + side), outline=(110, 110, 110))
        page.write(30 + side + room, top, label, size)
    boxes = {normalize(line.text): line.box for line in reader.read(page.screen)}
    for label, truth in page.truth:
        assert abs(boxes[normalize(label)].left - truth.left) <= 3, label


@pytest.mark.parametrize("text", ["Open the door", "口令 登录", "O K", "D 2 4", "回 收 站", "0 items"])
def test_round_first_letter_stays_in_its_line(reader: CachedReader, text: str) -> None:
    page = Page(400, 100)
    page.write(30, 30, text, 20)
    (line,) = reader.read(page.screen)
    assert abs(line.box.left - page.truth[0][1].left) <= 3


@pytest.mark.parametrize("room", [5, 8])
def test_taller_icon_is_excluded_from_label_text(reader: CachedReader, room: int) -> None:
    page = Page(600, 560)
    for row, label in enumerate(("蓝牙", "隐私", "飞行模式", "Battery")):
        draw_phone(page, 30, 30 + 140 * row, 56)
        page.write(78 + room, 60 + 140 * row, label, 40)
    read = [line.text for line in reader.read(page.screen)]
    assert all(text in read for text, _ in page.truth), read


@pytest.mark.parametrize(("size", "padding"), [(13, 3), (16, 3), (20, 5)])
def test_cell_border_splits_ocr_lines(reader: CachedReader, size: int, padding: int) -> None:
    page, high = Page(500, 300), round(size * 2.2)
    edges = (10, 10 + size + padding, 250)
    for x in edges:
        page.pen.line((x, 20, x, 20 + len(CELLS) * high), fill=(150, 150, 150))
    for row in range(len(CELLS) + 1):
        page.pen.line((10, 20 + row * high, 250, 20 + row * high), fill=(150, 150, 150))
    for row, cell in enumerate(CELLS):
        y = 20 + row * high + high // 2 - round(size * 0.75)
        page.write(10 + padding, y, str(row + 1), size)
        page.write(edges[1] + padding, y, cell, size)
    read = [normalize(line.text) for line in reader.read(page.screen)]
    assert sorted(read) == sorted(normalize(text) for text, _ in page.truth), "each once, and nothing else"


@pytest.mark.parametrize("text", ["Help | About", '"more" news', "five o'clock", "20° west", "-- more --", "丨 一 二"])
@pytest.mark.parametrize("size", [20, 42])
def test_punctuation_stays_in_its_line(reader: CachedReader, text: str, size: int) -> None:
    page = Page(500, 120)
    page.write(40, 40, text, size)
    (line,) = reader.read(page.screen)
    assert line.box.iou(page.truth[0][1]) > 0.7

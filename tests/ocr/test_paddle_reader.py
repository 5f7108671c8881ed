"""Tests of PaddleReader on rendered pages: texts, bounding boxes, tiling, threads and unusual frames."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from lettering import Page

from handeye.geometry import Box
from handeye.ocr import CachedReader, PaddleReader
from handeye.ocr.detection import Detector
from handeye.ocr.regions import find_blocks
from handeye.screen import Pixels, Screen
from handeye.text import TextLine, match_text, normalize

LABELS = (
    "设置",
    "我",
    "发送",
    "Cancel",
    "显示与亮度",
    "Not now",
    "12:30",
    "3 条新消息",
    "¥128.00",
    "About phone",
    "张三丰",
    "OK",
)


def labels_page(size: int, *, dark: bool) -> Page:
    columns = 3 if size < 40 else 2
    page = Page(1080, 900, dark=dark)
    gray = (125, 125, 125)
    for index, text in enumerate(LABELS):
        x, y = 40 + 1020 // columns * (index % columns), 30 + 150 * (index // columns)
        page.write(x, y, text, size, gray if index % 2 else None)
    return page


def found(text: str, box: Box, lines: tuple[TextLine, ...]) -> bool:
    return any(normalize(line.text) == normalize(text) and line.box.iou(box) > 0.4 for line in lines)


@pytest.mark.parametrize(("size", "dark"), [(24, False), (30, True), (60, False)])
def test_phone_labels_are_read_with_bounding_boxes(reader: CachedReader, size: int, dark: bool) -> None:
    page = labels_page(size, dark=dark)
    lines = reader.read(page.screen)
    missed = [text for text, box in page.truth if not found(text, box, lines)]
    assert len(missed) <= 1, missed


def test_small_desktop_text_is_read(reader: CachedReader) -> None:
    page = Page(800, 300)
    for index, text in enumerate(("File", "编辑窗口", "Save as...", "帮助", "Preferences")):
        page.write(20 + 150 * index, 60, text, 13)
    lines = reader.read(page.screen)
    missed = [text for text, box in page.truth if not found(text, box, lines)]
    assert len(missed) <= 1, missed


def test_box_of_gives_part_of_a_line(reader: CachedReader) -> None:
    page = Page(1080, 300)
    start = page.write(60, 100, "文件传输", 48)
    page.write(start.right, 100, "助手", 48)
    (line,) = reader.read(page.screen)
    assert line.text == "文件传输助手"
    assert len(line.char_x) == 6
    assert list(line.char_x) == sorted(line.char_x)
    assert line.box_of(0, 4).iou(start) > 0.7


@pytest.mark.parametrize(
    "text",
    [
        "无“张三”相关结果",
        "“张三”的聊天记录",
        "@张三 你好",
        "张三(3)",
        "张三（3）",
        "张三、李四",
        "我:张三",
        "王五：张三，好",
        "给 张三 发消息",
        "张三·李四",
        "A 张三",
        "张三  李四",
    ],
)
def test_sentence_has_no_exact_match_for_name(reader: CachedReader, text: str) -> None:
    page = Page(600, 300)
    for row, size in enumerate((24, 44, 60)):
        page.write(40, 20 + 90 * row, text, size)
    lines = reader.read(page.screen)
    assert len(lines) == 3
    assert match_text("张三", lines, exact=True) == []


def test_icon_next_to_label_is_excluded(reader: CachedReader) -> None:
    page = Page(600, 150)
    page.write(40, 40, "Q", 44)
    label = page.write(108, 40, "张三", 44)
    (match,) = match_text("张三", reader.read(page.screen), exact=True)
    assert match.box.iou(label) > 0.6


def test_avatar_letter_is_excluded_from_name(reader: CachedReader) -> None:
    page = Page(700, 200)
    page.pen.rounded_rectangle((42, 46, 158, 162), 12, fill=(255, 110, 150))
    page.write(75, 72, "梅", 50, (255, 255, 255))
    label = page.write(190, 80, "韩梅梅", 43, (7, 193, 96))
    (match,) = match_text("韩梅梅", reader.read(page.screen), exact=True)
    assert match.box.iou(label) > 0.6


def test_row_of_icons_is_not_a_line(reader: CachedReader) -> None:
    page = Page(1080, 300)
    for column in range(4):
        page.pen.rounded_rectangle((85 + 254 * column, 40, 233 + 254 * column, 188), 30, fill=(60, 120, 200))
        page.pen.ellipse((120 + 254 * column, 75, 198 + 254 * column, 153), fill=(250, 250, 250))
    assert not [line for line in reader.read(page.screen) if line.box.width > 300]


def test_disc_is_not_read_as_letter(reader: CachedReader) -> None:
    page = Page(600, 200)
    page.pen.ellipse((40, 40, 148, 148), fill=(239, 68, 68))
    page.write(300, 60, "O", 60)
    assert [line.text for line in reader.read(page.screen)] in (["O"], ["0"])


def test_distant_labels_in_one_row_are_separate_lines(reader: CachedReader) -> None:
    page = Page(1080, 200)
    page.write(60, 80, "微信", 40)
    page.write(300, 80, "通讯录", 40)
    assert [line.text for line in reader.read(page.screen)] == ["微信", "通讯录"]


def test_region_boxes_are_in_frame_pixels() -> None:
    page = Page(1080, 600)
    page.write(60, 80, "上面的文字")
    lower = page.write(500, 400, "下面的文字")
    (line,) = PaddleReader(threads=1).read_region(page.screen, Box(400, 300, 1080, 600))
    assert line.text == "下面的文字"
    assert line.box.iou(lower) > 0.5


@pytest.mark.parametrize("size", [(1, 1), (3, 500), (500, 3), (33, 31)])
def test_frames_of_any_shape_are_read(reader: CachedReader, size: tuple[int, int]) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    assert all(line.box.intersect(Box(0, 0, *size)) == line.box for line in reader.read(Screen(noise)))


def test_empty_page_has_no_text(reader: CachedReader) -> None:
    assert reader.read(Page().screen) == ()


def test_frame_larger_than_tile_is_read_throughout() -> None:
    page = Page(2900, 400)
    # Noise keeps the empty stretches from being squeezed away, so that tiles are needed.
    noise = np.random.default_rng(3).integers(0, 3, (400, 2900, 1), dtype=np.uint8)
    box = page.write(2740, 300, "右下角", 40)
    cut = page.write(2340, 100, "跨过边界的一行文字", 40)
    screen = Screen(np.asarray(page.image, np.uint8) - noise)
    lines = PaddleReader(threads=1, scale=0.5).read(screen)
    assert found("右下角", box, lines)
    assert found("跨过边界的一行文字", cut, lines)


def test_tiled_4k_page_has_each_line_once() -> None:
    page = Page(3840, 700)
    for row in range(4):
        for column in range(8):
            page.write(40 + 470 * column, 30 + 160 * row, f"第{row}行第{column}列", 44)
    # Noise in one great block: nothing stands free, and every tile's edge cuts something.
    noise = np.random.default_rng(5).integers(0, 9, (700, 3840, 1), dtype=np.uint8)
    screen = Screen(np.asarray(page.image, np.uint8) - noise)
    lines = PaddleReader(threads=1, scale=0.5).read(screen)
    read = [normalize(line.text) for line in lines]
    missed = [text for text, box in page.truth if not found(text, box, lines)]
    assert len(missed) <= 1, missed
    assert all(read.count(normalize(text)) <= 1 for text, _box in page.truth)


def test_scrolled_text_is_not_detected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = PaddleReader(threads=1)
    page = Page(800, 600)
    for row in range(4):
        page.write(60, 40 + 120 * row, f"Message {row}")
    first = reader.read(page.screen)
    monkeypatch.setattr(Detector, "detect", lambda _self, _pixels, blocks, _scale: [[] for _ in blocks])
    scrolled = Screen(np.roll(page.screen.pixels, 80, axis=0).copy())
    lines = reader.read(scrolled)
    assert [line.text for line in lines] == [line.text for line in first]
    assert [line.box.top - 80 for line in lines] == [line.box.top for line in first]
    reader.clear()
    assert reader.read(scrolled) == ()


def where(lines: tuple[TextLine, ...]) -> list[tuple[str, Box]]:
    return [(line.text, line.box) for line in lines]


def test_result_is_independent_of_threads_and_surroundings() -> None:
    page = labels_page(30, dark=False)
    alone = PaddleReader(threads=1)
    together = where(PaddleReader(threads=2).read(page.screen))
    assert where(alone.read(page.screen)) == together
    alone.clear()
    for text, box in together:
        (line,) = alone.read_region(page.screen, box.expand(20))
        assert line.text == text
        assert line.box.iou(box) > 0.9


def test_identical_rows_are_read_at_each_position() -> None:
    page = Page(500, 400)
    for row in range(3):
        page.write(40, 20 + 120 * row, "Delete")
    lines = PaddleReader(threads=1).read(page.screen)
    assert [line.text for line in lines] == ["Delete"] * 3
    assert [line.box.top - lines[0].box.top for line in lines] == [0, 120, 240]


@pytest.mark.parametrize("sign", ["二", "三", "=", "i", "÷"])
def test_character_of_separate_strokes_is_one_block(sign: str) -> None:
    page = Page(300, 200)
    page.write(100, 50, sign, 72)
    (block,) = find_blocks(page.screen.pixels)
    assert block.core.iou(page.truth[0][1]) > 0.5


def test_crossing_borders_do_not_merge_rows() -> None:
    page = Page(900, 500)
    for row in range(5):
        page.pen.line((0, 100 * row, 900, 100 * row), fill=(200, 200, 200))
        for column in range(3):
            page.write(40 + 300 * column, 30 + 100 * row, f"cell {row}{column}", 24)
    for column in range(3):
        page.pen.line((300 * column, 0, 300 * column, 500), fill=(200, 200, 200))
    blocks = [block.core for block in find_blocks(page.screen.pixels)]
    for _text, box in page.truth:
        assert sum(block.intersect(box) is not None for block in blocks) == 1
    assert max(block.height for block in blocks) < 60


def test_reading_never_uses_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise AssertionError("the text reader opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    page = Page(400, 100)
    page.write(20, 20, "Settings")  # read alike whether or not Pillow finds the system's fribidi, which shapes letters
    assert [line.text for line in PaddleReader(threads=1).read(page.screen)] == ["Settings"]


def test_reader_is_thread_safe() -> None:
    shared = PaddleReader(threads=1)
    texts = ("One", "Two", "三", "Four")
    pages = []
    for text in texts:
        page = Page(400, 120)
        page.write(40, 30, text)
        pages.append(page.screen)
    read: dict[str, list[str]] = {}

    def work(text: str, screen: Screen) -> None:
        read[text] = [line.text for line in shared.read(screen)]

    threads = [threading.Thread(target=work, args=pair) for pair in zip(texts, pages, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert read == {text: [text] for text in texts}


@pytest.mark.parametrize("beside", [(-3, 0, 4, 0), (0, 0, -150, 0), (150, 0, 0, 0)])
def test_overlapping_detections_give_one_line(
    beside: tuple[int, int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(800, 200)
    page.write(60, 60, "Security settings", 36)
    detect = Detector.detect

    def twice(detector: Detector, pixels: Pixels, blocks: Sequence[Box], scale: float) -> list[list[Box]]:
        found = detect(detector, pixels, blocks, scale)
        return [
            [*boxes, *(Box(*(sum(pair) for pair in zip(box, beside, strict=True))) for box in boxes)] for boxes in found
        ]

    monkeypatch.setattr(Detector, "detect", twice)
    monkeypatch.setattr("handeye.ocr.paddle.is_continuation", lambda line, box: False)
    assert [line.text for line in PaddleReader(threads=1).read(page.screen)] == ["Security settings"]

"""Tests of CachedReader: one read per frame, and the same result as a fresh read after a change."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lettering import Page

from handeye.errors import OcrFailed
from handeye.geometry import Box, Point
from handeye.ocr import CachedReader, PaddleReader
from handeye.ocr.detection import Detector
from handeye.screen import Pixels, Screen
from handeye.text import TextLine


class Counting:
    """A real reader that counts what it is asked for."""

    def __init__(self, reader: PaddleReader) -> None:
        self.reader, self.whole, self.regions = reader, 0, []

    name = "counting"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        self.whole += 1
        return self.reader.read(screen)

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        self.regions.append(box)
        return self.reader.read_region(screen, box)


@pytest.fixture(scope="module")
def fresh() -> PaddleReader:
    return PaddleReader(threads=1)


def chat(rows: int = 5) -> Page:
    page = Page(600, 1000)
    for row in range(rows):
        page.write(60, 60 + 180 * row, f"第{row}行消息")
    return page


def texts(lines: tuple[TextLine, ...]) -> list[str]:
    return [line.text for line in lines]


def where(lines: tuple[TextLine, ...]) -> list[tuple[str, Box]]:
    return [(line.text, line.box) for line in lines]


def test_equal_frame_is_not_read_again(fresh: PaddleReader) -> None:
    counting = Counting(fresh)
    cached = CachedReader(counting)
    first = cached.read(chat().screen)
    assert cached.read(chat().screen) is first
    assert (counting.whole, counting.regions) == (1, [])


def test_only_the_changed_block_is_detected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Box] = []
    detect = Detector.detect

    def watched(self: Detector, pixels: Pixels, blocks: Sequence[Box], scale: float) -> list[list[Box]]:
        looked_at.extend(blocks)
        return detect(self, pixels, blocks, scale)

    monkeypatch.setattr(Detector, "detect", watched)
    cached = CachedReader(PaddleReader(threads=1))
    page = chat()
    cached.read(page.screen)
    assert len(looked_at) == 5
    looked_at.clear()
    page.wipe(Box(50, 590, 600, 660))
    page.write(60, 600, "另一句话")
    assert texts(cached.read(page.screen))[3] == "另一句话"
    (block,) = looked_at
    assert block.contains(Point(150, 630))


KEYS = ("Save", "7", "12", "21", "Yes", "3", "删除", "Page 1/12", "取消", "上一步", "")


def keys(labels: Sequence[str]) -> Screen:
    page = Page(660, 240)
    for index, label in enumerate(labels):
        left, top = 10 + 220 * (index % 3), 10 + 75 * (index // 3)
        page.pen.rounded_rectangle((left, top, left + 180, top + 56), 6, fill=(22, 119, 255))
        page.write(left + 40, top + 14, label, 20, (255, 255, 255))
    return page.screen


@settings(max_examples=10, deadline=None)
@given(
    labels=st.lists(st.sampled_from(KEYS), min_size=9, max_size=9),
    changes=st.lists(st.tuples(st.integers(0, 8), st.sampled_from(KEYS)), min_size=1, max_size=3),
)
@example(labels=["Page 1/12", *[""] * 8], changes=list(enumerate(["1", "2", "3", "12", "21"])))
def test_cached_read_equals_fresh_read_after_changes(
    labels: list[str], changes: list[tuple[int, str]], fresh: PaddleReader
) -> None:
    cached = CachedReader(PaddleReader(threads=1))
    cached.read(keys(labels))
    for place, label in changes:
        labels[place] = label
        screen = keys(labels)
        fresh.clear()
        assert where(cached.read(screen)) == where(fresh.read(screen))


def test_region_read_equals_full_read_within_region(fresh: PaddleReader) -> None:
    screen = keys(["1", "2", "3", "12", "21", "Save", "", "", ""])
    region = Box(0, 5, 660, 115)  # cuts the second row of keys
    fresh.clear()
    whole = fresh.read(screen)
    fresh.clear()
    assert fresh.read_region(screen, region) == tuple(line for line in whole if region.contains(line.box.center))


def test_line_touching_the_change_is_read_whole(fresh: PaddleReader) -> None:
    cached = CachedReader(Counting(fresh))
    page = Page(700, 500)
    box = page.write(60, 200, "给张三", 60)
    cached.read(page.screen)
    page.write(box.right, 200, "丰发消息", 60)
    assert texts(cached.read(page.screen)) == ["给张三丰发消息"]


def test_erased_text_is_not_returned(fresh: PaddleReader) -> None:
    cached = CachedReader(Counting(fresh))
    page = chat()
    cached.read(page.screen)
    page.wipe(Box(0, 200, 600, 420))
    assert "第1行消息" not in texts(cached.read(page.screen))


def test_different_page_is_read_in_full(fresh: PaddleReader) -> None:
    counting = Counting(fresh)
    cached = CachedReader(counting)
    cached.read(chat().screen)
    cached.read(Page(600, 1000, dark=True).screen)
    assert counting.whole == 2


def test_region_of_cached_frame_needs_no_read(fresh: PaddleReader) -> None:
    counting = Counting(fresh)
    cached = CachedReader(counting)
    screen = chat().screen
    cached.read(screen)
    assert texts(cached.read_region(screen, Box(0, 0, 600, 200))) == ["第0行消息"]
    assert counting.regions == []


def test_clear_empties_the_cache(fresh: PaddleReader) -> None:
    counting = Counting(fresh)
    cached = CachedReader(counting)
    cached.read(chat().screen)
    cached.clear()
    cached.read(chat().screen)
    assert counting.whole == 2


def test_failed_read_is_not_cached(fresh: PaddleReader) -> None:
    class Failing(Counting):
        def read(self, screen: Screen) -> tuple[TextLine, ...]:
            if not self.whole:
                self.whole += 1
                raise OcrFailed("the reader died")
            return super().read(screen)

    cached = CachedReader(Failing(fresh))
    with pytest.raises(OcrFailed):
        cached.read(chat(1).screen)
    assert texts(cached.read(chat(1).screen)) == ["第0行消息"]

"""One read per frame, and only of what changed."""

from __future__ import annotations

import pytest
from lettering import Page

from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.ocr.base import TextLine
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.screen import Screen


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
def rapid() -> PaddleReader:
    return PaddleReader(threads=1)


def chat(rows: int = 5) -> Page:
    page = Page(600, 1000)
    for row in range(rows):
        page.write(60, 60 + 180 * row, f"第{row}行消息")
    return page


def texts(lines: tuple[TextLine, ...]) -> list[str]:
    return [line.text for line in lines]


def test_an_equal_frame_is_not_read_again(rapid: PaddleReader) -> None:
    counting = Counting(rapid)
    cached = CachedReader(counting)
    first = cached.read(chat().screen)
    assert cached.read(chat().screen) is first
    assert (counting.whole, counting.regions) == (1, [])


def test_only_changed_rows_are_read_again_and_the_result_is_that_of_a_whole_read(rapid: PaddleReader) -> None:
    counting = Counting(rapid)
    cached = CachedReader(counting)
    page = chat()
    cached.read(page.screen)
    page.wipe(Box(50, 590, 600, 660))
    page.write(60, 600, "另一句话")
    lines = cached.read(page.screen)
    assert counting.whole == 1
    (region,) = counting.regions
    assert region.height < 300
    assert texts(lines) == texts(rapid.read(page.screen))


def test_a_line_that_the_change_only_touches_is_read_whole(rapid: PaddleReader) -> None:
    cached = CachedReader(Counting(rapid))
    page = Page(700, 500)
    box = page.write(60, 200, "给张三", 60)
    cached.read(page.screen)
    page.write(box.right, 200, "丰发消息", 60)
    assert texts(cached.read(page.screen)) == ["给张三丰发消息"]


def test_text_that_vanished_is_gone(rapid: PaddleReader) -> None:
    cached = CachedReader(Counting(rapid))
    page = chat()
    cached.read(page.screen)
    page.wipe(Box(0, 200, 600, 420))
    assert "第1行消息" not in texts(cached.read(page.screen))


def test_another_page_is_read_as_a_whole(rapid: PaddleReader) -> None:
    counting = Counting(rapid)
    cached = CachedReader(counting)
    cached.read(chat().screen)
    cached.read(Page(600, 1000, dark=True).screen)
    assert counting.whole == 2


def test_a_region_of_a_known_frame_costs_nothing(rapid: PaddleReader) -> None:
    counting = Counting(rapid)
    cached = CachedReader(counting)
    screen = chat().screen
    cached.read(screen)
    assert texts(cached.read_region(screen, Box(0, 0, 600, 200))) == ["第0行消息"]
    assert counting.regions == []


def test_clear_forgets(rapid: PaddleReader) -> None:
    counting = Counting(rapid)
    cached = CachedReader(counting)
    cached.read(chat().screen)
    cached.clear()
    cached.read(chat().screen)
    assert counting.whole == 2


def test_a_failure_is_not_remembered(rapid: PaddleReader) -> None:
    class Failing(Counting):
        def read(self, screen: Screen) -> tuple[TextLine, ...]:
            if not self.whole:
                self.whole += 1
                raise OcrFailed("the reader died")
            return super().read(screen)

    cached = CachedReader(Failing(rapid))
    with pytest.raises(OcrFailed):
        cached.read(chat(1).screen)
    assert texts(cached.read(chat(1).screen)) == ["第0行消息"]

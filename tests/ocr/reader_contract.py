"""Contract of every text reader, whatever engine is behind it. Subclasses provide a `reader`."""

from __future__ import annotations

import numpy as np
import pytest
from lettering import Page

from handeye.geometry import Box
from handeye.ocr import RegionReader
from handeye.screen import Screen
from handeye.text import TextLine


def words(lines: tuple[TextLine, ...]) -> list[str]:
    return ["".join(line.text.split()).casefold() for line in lines]


class ReaderContract:
    snug = 0.5  # the IoU of a line's box with its ink at least

    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def page(cls) -> Page:
        page = Page(420, 720)
        page.write(60, 60, "Settings", 44)
        page.write(60, 330, "显示与亮度", 44)
        page.write(60, 600, "Not now", 44)
        return page

    def test_reader_has_a_lowercase_name(self, reader: RegionReader) -> None:
        assert reader.name
        assert reader.name == reader.name.casefold()

    def test_lines_are_ordered_with_correct_bounding_boxes(self, reader: RegionReader, page: Page) -> None:
        lines = reader.read(page.screen)
        assert words(lines) == ["settings", "显示与亮度", "notnow"]
        for line, (_text, box) in zip(lines, page.truth, strict=True):
            assert line.box.iou(box) > self.snug
            assert 0 <= line.confidence <= 1
            assert len(line.char_x) in (0, len(line.text))
            assert len(line.gaps) in (0, len(line.text))

    def test_region_boxes_are_in_frame_pixels(self, reader: RegionReader, page: Page) -> None:
        (line,) = reader.read_region(page.screen, Box(20, 200, 420, 540))
        assert words((line,)) == ["显示与亮度"]
        assert line.box.iou(page.truth[1][1]) > self.snug
        assert all(line.box.left <= x <= line.box.right for x in line.char_x)

    def test_region_is_clipped_to_the_frame(self, reader: RegionReader, page: Page) -> None:
        lines = reader.read_region(page.screen, Box(-500, 450, 5000, 5000))
        assert words(lines) == ["notnow"]

    def test_page_without_text_has_no_lines(self, reader: RegionReader) -> None:
        assert reader.read(Page(300, 200).screen) == ()

    @pytest.mark.parametrize("size", [(1, 1), (3, 200), (200, 3), (33, 31)])
    def test_frames_of_any_shape_are_read(self, reader: RegionReader, size: tuple[int, int]) -> None:
        noise = np.random.default_rng(7).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
        assert all(line.box.intersect(Box(0, 0, *size)) == line.box for line in reader.read(Screen(noise)))

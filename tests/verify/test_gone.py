"""Tests of absent text: proved on a visible page, not on a blank frame or under a dialog."""

from __future__ import annotations

import pytest
from drawn_dialogs import LIGHT, Known, dialog, page, written
from page_of_lines import PageReader, frame
from PIL import ImageDraw

from handeye.blockers import SuggestionAction
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.text import TextLine
from handeye.verify import ScreenVerifier

CLOCK = TextLine("9:41", Box(40, 10, 120, 40), 0.99)


@pytest.mark.parametrize(
    ("texts", "holds"), [((), None), ((CLOCK,), None), (("你好",), True), (("发送",), False), (("发送", "你好"), False)]
)
@pytest.mark.parametrize("expect", [Expectation(gone="发送"), Expectation(description="“发送”消失")], ids=str)
def test_page_without_ocr_text_proves_no_absence(
    texts: tuple[str | TextLine, ...], holds: bool | None, expect: Expectation
) -> None:
    verdict = ScreenVerifier(PageReader(texts)).verify(expect, frame(200), frame(250))
    assert verdict.matches_expected is holds


def test_missing_row_proves_no_absence() -> None:
    verifier = ScreenVerifier(PageReader(("你好", "张三")))
    assert verifier.verify(Expectation(gone="置顶", row="李四"), None, frame()).matches_expected is None
    assert verifier.verify(Expectation(gone="置顶", row="张三"), None, frame()).verified


def test_text_possibly_under_a_dialog_is_not_gone() -> None:
    screen, reader = dialog(["发现新版本"], ["以后再说", "立即更新"])
    verdict = ScreenVerifier(reader).verify(Expectation(gone="发送"), None, screen)
    assert verdict.matches_expected is None
    assert verdict.suggestion is SuggestionAction.DISMISS
    assert "may hide it" in verdict.evidence[0]


def test_text_of_a_closed_dialog_is_gone() -> None:
    class Both:
        name = "both"

        def read(self, screen: Screen) -> tuple[TextLine, ...]:
            return (earlier if screen is before else later).read(screen)

        def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
            return (earlier if screen is before else later).read_region(screen, box)

    before, earlier = dialog(["选择收件人", "李四"], ["取消", "完成"])
    after, later = dialog(["选择收件人", "王五"], ["取消", "完成"])
    assert ScreenVerifier(Both()).verify(Expectation(gone="李四"), before, after).verified


def test_absent_text_on_a_clear_page_is_gone() -> None:
    image = page(LIGHT)
    line = written(ImageDraw.Draw(image), LIGHT, "你好", 500, 700)
    assert ScreenVerifier(Known((line,))).verify(Expectation(gone="发送"), None, Screen.from_image(image)).verified

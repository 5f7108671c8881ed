"""Tests of new text: a message is proved by one more occurrence than before."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.text import TextLine, match_block
from handeye.verify import ScreenVerifier


class Pages:
    """A reader that knows what stands on each frame."""

    name = "pages"

    def __init__(self, lines: Mapping[int, tuple[TextLine, ...]]) -> None:
        self._lines = lines

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines[int(screen.pixels[0, 0, 0])]

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return tuple(line for line in self.read(screen) if box.contains(line.box.center))


def page(number: int) -> Screen:
    return Screen(np.full((2400, 1080, 3), number, dtype=np.uint8))


def rows(*texts: str) -> tuple[TextLine, ...]:
    return tuple(TextLine(text, Box(500, 300 + 100 * at, 900, 350 + 100 * at), 0.98) for at, text in enumerate(texts))


LONG = "".join(f"第{number}条要记得的事情是带上雨伞和外套，" for number in range(20))


@pytest.mark.parametrize(
    ("before", "after", "wanted", "holds"),
    [
        (rows("在吗"), rows("在吗", "你好"), "你好", True),
        (rows("你好"), rows("你好", "你好"), "你好", True),
        (rows("你好"), rows("你好"), "你好", None),
        (rows("你好", "你好"), rows("你好"), "你好", None),
        (rows("在吗"), rows("在吗"), "你好", False),
        # An older line that is nearly the same counts as the same: with one more of them, one is new.
        (rows("快递到了吗"), rows("快递到了吗", "快递到了吗？"), "快递到了吗？", True),
        (rows("快递到了吗"), rows("快递到了吗？"), "快递到了吗？", None),
        (rows(), rows("第一行", "第二行"), "第一行\n第二行", True),
        (rows("第一行", "第二行"), rows("第一行", "第二行"), "第一行\n第二行", None),
        (rows(), rows(LONG[:18], LONG[18:40]), LONG[:40], True),
        (rows(LONG[:18], LONG[18:40]), rows(LONG[:18], LONG[18:40]), LONG[:40], None),
        # A short page: the older one has left it at its top, and the new one stands below what stood last.
        (rows("你好", "好，我去开"), rows("好，我去开", "你好"), "你好", True),
        (rows("你好", "好，我去开"), rows("你好", "好，我去开"), "你好", None),
        (rows("好，我去开", "你好"), rows("好，我去开", "你好"), "你好", None),
        (rows("你好", "09:30"), rows("09:30", "你好"), "你好", None),  # another row may say the same time
        (rows("好的呀", "你好", "好的呀"), rows("好的呀", "你好"), "你好", None),
        (rows("你好", "好的呀"), rows("好的呀", "你好", "好的呀"), "你好", None),
        (
            rows("你好", "好的呀", "明", "0"),
            rows("好的呀", "明", "你好", "0"),
            "你好",
            True,
        ),  # a keyboard's or bar's signs
        (rows("你好", "好的呀", "返回"), rows("好的呀", "返回", "你好"), "你好", True),
        (rows("好的呀", "你好", "返回"), rows("好的呀", "你好", "返回"), "你好", None),
    ],
)
def test_only_new_text_is_proof(
    before: tuple[TextLine, ...], after: tuple[TextLine, ...], wanted: str, holds: bool | None
) -> None:
    verifier = ScreenVerifier(Pages({1: before, 2: after}))
    verdict = verifier.verify(Expectation(text=wanted, exact=True, new=True), page(1), page(2))
    assert verdict.matches_expected is holds
    assert verdict.verified is (holds is True)


def test_without_an_earlier_frame_nothing_is_new() -> None:
    verdict = ScreenVerifier(Pages({2: rows("你好")})).verify(Expectation(text="你好", new=True), None, page(2))
    assert verdict.matches_expected is None


def test_visible_end_of_long_text_proves_it() -> None:
    shown = [LONG[at : at + 18] for at in range(180, len(LONG), 18)]
    found = match_block(LONG, rows(*shown))
    assert found is not None
    assert found.unseen > 100
    assert match_block(LONG, rows(*shown[:-2])) is None  # the end itself is missing
    assert match_block(LONG, rows(shown[-1])) is None  # too little of it

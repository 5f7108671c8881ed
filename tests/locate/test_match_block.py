"""Tests of matching messages over several lines and with emoji."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.geometry import Box
from handeye.text import TextLine, match_block, readable_enough

MESSAGE = "我们明天下午三点在二楼东侧的会议室开会，记得带上上周的报告和你的电脑"


def page(*texts: str, left: int = 100, step: int = 60, height: int = 40) -> list[TextLine]:
    return [
        TextLine(text, Box(left, 100 + index * step, left + 40 * len(text), 100 + index * step + height), 0.95)
        for index, text in enumerate(texts)
    ]


@pytest.mark.parametrize("width", [8, 11, 17, 50])
def test_wrapped_message_is_found_at_any_width(width: int) -> None:
    rows = [MESSAGE[at : at + width] for at in range(0, len(MESSAGE), width)]
    found = match_block(MESSAGE, page("王小明", *rows, "下午好"))
    assert found is not None
    assert [line.text for line in found.lines] == rows
    assert found.box.top == 160


def test_message_lines_may_have_boxes_of_different_height() -> None:
    first, *rest = page(*(MESSAGE[at : at + 11] for at in range(0, len(MESSAGE), 11)))
    left, top, right, bottom = first.box
    assert match_block(MESSAGE, [TextLine(first.text, Box(left, top - 30, right, bottom), 0.95), *rest]) is not None


def test_few_ocr_errors_are_tolerated_in_long_text() -> None:
    found = match_block(MESSAGE, page(MESSAGE.replace("报告", "报吿")[:20], MESSAGE.replace("报告", "报吿")[20:]))
    assert found is not None
    assert found.errors == 1


@pytest.mark.parametrize(
    "other", [MESSAGE.replace("三点", "五点"), MESSAGE.replace("下午", "上午"), MESSAGE[:-6], MESSAGE + "和雨伞外套"]
)
def test_different_message_is_not_matched(other: str) -> None:
    assert match_block(MESSAGE, page(other[:15], other[15:])) is None


def test_lines_of_different_columns_are_not_joined() -> None:
    rows = page(MESSAGE[:15]) + page("", MESSAGE[15:], left=600)
    assert match_block(MESSAGE, rows) is None


def test_short_text_is_never_matched_across_lines() -> None:
    assert match_block("张三", page("张", "三")) is None


def test_short_multiline_text_matches_its_own_line_breaks() -> None:
    found = match_block("第一行\n第二行", page("王小明", "第一行", "第二行"))
    assert found is not None
    assert [line.text for line in found.lines] == ["第一行", "第二行"]
    assert match_block("第一行\n\n第二行 \n", page("第一行", "第二行")) is not None


@pytest.mark.parametrize("rows", [("第一", "行第二行"), ("第一行", "第三行"), ("第二行", "第一行"), ("第一行",)])
def test_different_line_breaks_do_not_match_short_text(rows: tuple[str, ...]) -> None:
    assert match_block("第一行\n第二行", page(*rows)) is None


@pytest.mark.parametrize(
    ("wanted", "read", "there"),
    [
        ("好的😀明天见", "好的明天见", True),
        ("好的😀明天见", "好的©明天见", True),
        ("好的😀明天见", "好的，后天见", False),
        ("好的😀明天见", "好的啊啊啊明天见", False),
        ("see you 😀", "see you", True),
        ("see you 😀", "see you later", False),
        ("👨‍👩‍👧 周末回家吃饭", "周末回家吃饭", True),
        ("😀😀", "啊啊", False),
        ("好😀", "好", False),
    ],
)
def test_emoji_are_ignored_in_block_matching(wanted: str, read: str, there: bool) -> None:
    assert (match_block(wanted, page(read)) is not None) is there


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("你好", True),
        ("😀", False),
        ("好😀", False),
        ("好的😀", True),
        ("שלום עולם", False),
        ("Grüße €5", True),
        ("", True),
    ],
)
def test_readable_enough_rejects_unreadable_text(text: str, enough: bool) -> None:
    assert readable_enough(text) is enough


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=6))
def test_any_block_match_has_valid_confidence(wanted: str, texts: list[str]) -> None:
    found = match_block(wanted, page(*texts))
    assert found is None or 0 < found.confidence <= 1

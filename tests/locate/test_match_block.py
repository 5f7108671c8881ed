"""A message over several lines and with emoji is found; another message is not."""

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
def test_a_wrapped_message_is_found_wherever_it_wraps(width: int) -> None:
    rows = [MESSAGE[at : at + width] for at in range(0, len(MESSAGE), width)]
    found = match_block(MESSAGE, page("王小明", *rows, "下午好"))
    assert found is not None
    assert [line.text for line in found.lines] == rows
    assert found.box.top == 160


def test_lines_of_a_message_may_be_read_in_boxes_of_other_heights() -> None:
    first, *rest = page(*(MESSAGE[at : at + 11] for at in range(0, len(MESSAGE), 11)))
    left, top, right, bottom = first.box
    assert match_block(MESSAGE, [TextLine(first.text, Box(left, top - 30, right, bottom), 0.95), *rest]) is not None


def test_a_few_misread_letters_are_forgiven_in_a_long_text() -> None:
    found = match_block(MESSAGE, page(MESSAGE.replace("报告", "报吿")[:20], MESSAGE.replace("报告", "报吿")[20:]))
    assert found is not None
    assert found.errors == 1


@pytest.mark.parametrize(
    "other", [MESSAGE.replace("三点", "五点"), MESSAGE.replace("下午", "上午"), MESSAGE[:-6], MESSAGE + "和雨伞外套"]
)
def test_another_message_is_another_message(other: str) -> None:
    assert match_block(MESSAGE, page(other[:15], other[15:])) is None


def test_lines_of_another_column_do_not_join() -> None:
    rows = page(MESSAGE[:15]) + page("", MESSAGE[15:], left=600)
    assert match_block(MESSAGE, rows) is None


def test_a_short_text_never_becomes_a_block() -> None:
    assert match_block("张三", page("张", "三")) is None


def test_a_short_text_of_several_lines_is_found_as_it_was_broken() -> None:
    found = match_block("第一行\n第二行", page("王小明", "第一行", "第二行"))
    assert found is not None
    assert [line.text for line in found.lines] == ["第一行", "第二行"]
    assert match_block("第一行\n\n第二行 \n", page("第一行", "第二行")) is not None


@pytest.mark.parametrize("rows", [("第一", "行第二行"), ("第一行", "第三行"), ("第二行", "第一行"), ("第一行",)])
def test_lines_that_are_broken_elsewhere_are_another_text(rows: tuple[str, ...]) -> None:
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
def test_pictures_among_the_characters_are_left_out(wanted: str, read: str, there: bool) -> None:
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
def test_what_readers_cannot_read_proves_nothing(text: str, enough: bool) -> None:
    assert readable_enough(text) is enough


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=6))
def test_any_text_on_any_lines_is_an_answer(wanted: str, texts: list[str]) -> None:
    found = match_block(wanted, page(*texts))
    assert found is None or 0 < found.confidence <= 1

"""Tests of table cells and icon labels in joined OCR lines, split by the gaps between characters."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handeye.geometry import Box
from handeye.text import TextLine, match_text
from handeye.text.labels import label_spans

SURE = 0.8
EM = 14


def row(*cells: str, room: float, em: int = EM, high: float = 1.3, top: int = 0) -> TextLine:
    """A line as the reader hands it over: `cells` with `room` em of empty columns between them, `high` em high."""
    text, centres, gaps, x = "", [], [], 0.0
    for number, cell in enumerate(cells):
        if number:
            x += (room - 0.1) * em
        for index, character in enumerate(cell):
            width = em * (0.3 if character == " " else 1.0 if ord(character) > 0x2E80 else 0.55)
            text += character
            centres.append(x + width / 2)
            gaps.append(round(room * em) if number and not index else 0 if character == " " else em // 10)
            x += width
    gaps[0] = 0
    box = Box(0, top, round(x), top + round(high * em))
    return TextLine(text, box, 0.98, tuple(centres), tuple(gaps))


@pytest.mark.parametrize("high", [0.75, 1.0, 1.7])
@pytest.mark.parametrize("cells", [("2022-03-25", "法务部", "已完成"), ("2019-02-19", "Finance EU", "Pending")])
def test_each_cell_of_joined_row_is_found(cells: tuple[str, ...], high: float) -> None:
    line = row(*cells, room=0.9, high=high)
    for number, cell in enumerate(cells):
        (match,) = match_text(cell, [line])
        assert (match.text, match.layer) == (cell, "label")
        assert match.confidence > SURE
        start = len("".join(cells[:number]))
        assert match.box.contains(line.box_of(start, start + len(cell)).center)


def test_joined_row_is_found_as_a_whole() -> None:
    line = row("2022-03-25", "法务部", "已完成", room=0.9)
    (match,) = match_text("2022-03-25 法务部 已完成", [line])
    assert match.box == line.box


def test_cell_text_in_two_rows_matches_twice() -> None:
    rows = [row("2021-03-11", "Finance", room=1.2), row("2018-07-28", "Finance", "Pending", room=0.95, top=60)]
    assert [match.box.top for match in match_text("Finance", rows)] == [0, 60]


@pytest.mark.parametrize(("words", "asked"), [(("Save", "as"), "Save"), (("Delete", "account"), "Delete")])
def test_words_of_one_label_are_not_cells(words: tuple[str, ...], asked: str) -> None:
    for room in (0.35, 0.5, 0.6):  # a blank, two, wide letter spacing
        assert all(match.confidence < SURE for match in match_text(asked, [row(*words, room=room)]))


@pytest.mark.parametrize(
    ("icon", "label"), [("只", "赵六"), ("口", "蓝牙"), ("器", "移动网络"), ("8", "Li Weiwei"), ("□", "王小明")]
)
def test_label_is_found_after_icon_read_as_character(icon: str, label: str) -> None:
    line = row(icon, label, room=0.6, high=2.1)  # the icon is twice as high as the letters
    (match,) = match_text(label, [line])
    assert (match.text, match.layer) == (label, "label")
    assert match.box.left >= line.char_x[0]


@pytest.mark.parametrize(("text", "asked"), [("口袋", "袋"), ("器材", "材"), ("三天", "天")])
def test_single_character_of_word_is_not_a_label(text: str, asked: str) -> None:
    assert match_text(asked, [row(text, room=0, high=2.1)]) == []


@pytest.mark.parametrize("negation", ["不", "勿", "未"])
def test_negation_is_not_taken_for_an_icon(negation: str) -> None:
    assert match_text("同意", [row(negation, "同意", room=0.6)]) == []


@given(
    st.lists(st.text("ab1-张三 ", min_size=1, max_size=6).filter(str.strip), min_size=1, max_size=4),
    st.floats(0.1, 2.0),
    st.sampled_from([2, 3, 5]),
)
@example(["1", "-"], 1.9375, 3)  # the room is just what decides
def test_label_spans_are_independent_of_scale(cells: list[str], room: float, scale: int) -> None:
    line = row(*cells, room=room, em=20)
    larger = TextLine(
        line.text,
        Box(*(side * scale for side in line.box)),
        line.confidence,
        tuple(x * scale for x in line.char_x),
        tuple(gap * scale for gap in line.gaps),
    )
    assert label_spans(larger) == label_spans(line)
    assert sum(end - start for start, end in label_spans(line)) <= len(line.text)

"""Tests of text matching: which layer matches, and what must not match."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handeye.geometry import Box
from handeye.text import TextLine, fold, labels_of, match_text, normalize, same_text


def line(
    text: str, *, top: int = 0, confidence: float = 1.0, pitch: float = 20, gaps: dict[int, float] | None = None
) -> TextLine:
    """A line whose characters are `pitch` pixels wide, blanks a quarter; `gaps[i]`: extra room before character i."""
    xs, x = [], 0.0
    for index in range(len(text)):
        x += (gaps or {}).get(index, 0)
        width = pitch / 4 if text[index].isspace() else pitch
        xs.append(x + width / 2)
        x += width
    return TextLine(text, Box(0, top, round(x), top + 20), confidence, tuple(xs))


@pytest.mark.parametrize(
    ("wanted", "text", "layer"),
    [
        ("张三", "张三", "exact"),
        ("Save", "SAVE", "normalised"),
        ("发送", "发 送", "normalised"),
        ("WLAN", "ＷＬＡＮ", "normalised"),
        ("晚上回家吃饭吗?", "晚上回家吃饭吗？", "normalised"),
        ("取消", "取消。", "normalised"),
        ("微信", "微信(3)", "part"),
        ("Settings", "Settings bot", "part"),
        ("文件传输", "文件传输助手", "part"),
        ("WiFi-l1I0O", "WiFi-l110O", "misread"),
        ("Preferences", "Preferonces", "misread"),
        ("隐私政策和用户协议", "隐私政策和用产协议", "misread"),
        ("你好 😀", "你好😀", "normalised"),
        ("+", "+", "exact"),
    ],
)
def test_text_is_found_by_expected_layer(wanted: str, text: str, layer: str) -> None:
    (match,) = match_text(wanted, [line(text)])
    assert match.layer == layer


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("张三", "张三丰"),
        ("张三", "章三"),
        ("张三", "张三 丰"),
        ("发送", "发送给朋友"),
        ("我", "我的订单"),
        ("Save", "Saved"),
        ("OK", "Book"),
        ("Log in", "Log on"),
        ("New Encounter", "Save Encounter"),
        ("Chapter 11", "Chapter 12"),
        ("上一个页面内容", "下一个页面内容"),
        ("不允许访问通讯录信息", "允许访问通讯录信息"),
        ("¨", "0"),
        ("\u0301", "\u200b"),
        ("", "anything"),
        ("  ", "anything"),
    ],
)
def test_different_text_is_not_matched(wanted: str, text: str) -> None:
    assert match_text(wanted, [line(text)]) == []


@pytest.mark.parametrize(
    ("wanted", "text", "is_part"),
    [
        ("www.bank.com", "www.bank.com.evil.io", False),
        ("bank.com", "ann@bank.com now", False),
        ("index", "index.html", False),
        ("Help", "Read it.Help is here", True),  # a reader lost the blank behind a full stop
        ("Help", "See Help.", True),
    ],
)
def test_part_of_an_address_is_not_matched(wanted: str, text: str, is_part: bool) -> None:
    assert bool(match_text(wanted, [line(text)])) is is_part


@pytest.mark.parametrize(
    "text", ["张三丰", "张三(2)", "给张三: 好", "张叁", "“张三”", "《张三》", "「张三」", '"张三"']
)
def test_exact_rejects_partial_and_similar_text(text: str) -> None:
    assert match_text("张三", [line(text)], exact=True) == []


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ("“张三”的聊天记录", {4: 15}),  # full-width marks leave most of their cell empty
        ("无“张三”相关结果", {1: 14, 5: 14}),
        ("张三、李四", {3: 15}),
        ("我：张三，好", {2: 8, 5: 16}),
        ("张三·李四", {2: 10, 3: 10}),
        ("张三（3）", {2: 15}),
        ("（3）“张三”", {3: 28}),
        ("@张三 你好", {4: 8}),
        ("给 张三 发消息", {2: 8, 5: 8}),
        ("张三  李四", {4: 12}),
        ("A 张三", {2: 8}),
        ("AAA 张三", {4: 13}),
    ],
)
@pytest.mark.parametrize("measured", [True, False])
def test_exact_match_rejects_name_inside_sentence(text: str, gaps: dict[int, int], measured: bool) -> None:
    sentence = line(text, gaps={} if measured else {index: gap - 4 for index, gap in gaps.items()})
    if measured:
        sentence = replace(sentence, gaps=tuple(gaps.get(index, 2) for index in range(len(text))))
    assert match_text("张三", [sentence], exact=True) == []


@pytest.mark.parametrize(
    ("text", "gaps"),
    [("Q张三", {1: 14}), ("Q 张三", {2: 14}), ("张三>", {2: 14}), ("微信 张三 通讯录", {3: 22, 6: 22})],
)
def test_wide_gap_separates_a_label(text: str, gaps: dict[int, int]) -> None:
    row = replace(line(text), gaps=tuple(gaps.get(index, 2) for index in range(len(text))))
    (match,) = match_text("张三", [row], exact=True)
    assert (match.layer, match.text) == ("label", "张三")


def test_joined_row_is_split_into_labels() -> None:
    row = replace(line("× 关闭应用"), gaps=(0, 0, 30, 2, 2, 2))
    assert [(label.text, label.box.top, len(label.char_x)) for label in labels_of(row)] == [
        ("×", 0, 1),
        ("关闭应用", 0, 4),
    ]
    assert labels_of(line("关闭 应用")) == [line("关闭 应用")]


def test_exact_accepts_normalised_forms() -> None:
    assert match_text("Ok", [line("ＯＫ")], exact=True)
    assert match_text("“张三”", [line('"张三"')], exact=True)


def test_partial_match_box_covers_only_the_part() -> None:
    (match,) = match_text("通知设置", [line("打开通知设置页")])
    assert match.text == "通知设置"
    assert match.box == Box(40, 0, 120, 20)


def test_label_after_icon_matches_in_other_script() -> None:
    icon_and_label = line("三通用设置", gaps={1: 20})
    (match,) = match_text("通用設置", [icon_and_label])
    assert (match.text, match.layer) == ("通用设置", "variant")
    assert match.confidence > 0.8
    assert match.box == icon_and_label.box_of(1, 5)


def test_character_positions_separate_labels_of_one_line() -> None:
    row = TextLine("取消 保存", Box(100, 300, 700, 340), 0.99, char_x=(110, 150, 400, 650, 690))
    (match,) = match_text("保存", [row])
    assert (match.layer, match.text) == ("label", "保存")
    assert match.box.left > 400


def test_icon_read_as_letter_does_not_hide_label() -> None:
    (match,) = match_text("搜索", [line("Q搜索", gaps={1: 20})], exact=True)
    assert match.layer == "label"
    assert match.box.left >= 20
    assert match_text("搜索", [line("Q搜索")]) == []  # without a gap it is a letter of the name


def test_better_layer_suppresses_other_matches() -> None:
    lines = [line("张三: 好的", top=100), line("张三", top=50)]
    assert [match.line.text for match in match_text("张三", lines)] == ["张三"]


def test_equal_lines_are_all_returned() -> None:
    assert len(match_text("张三", [line("张三"), line("张三", top=50)])) == 2


def test_uncertain_ocr_line_lowers_confidence() -> None:
    sure, doubtful = line("Save"), line("Save", top=50, confidence=0.5)
    first, second = match_text("Save", [doubtful, sure])
    assert first.line is sure
    assert first.confidence > second.confidence


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_gives_valid_matches(wanted: str, text: str) -> None:
    for match in match_text(wanted, [line(text)] if text else []):
        assert 0 < match.confidence <= 1
        assert match.text in text


@pytest.mark.parametrize("wanted", ["", " ", "\u3000", "\u00ad", "\u200b", "\ufeff \u200d"])
def test_invisible_text_matches_nothing(wanted: str) -> None:
    for text in ("0", "\u200b", "保存"):
        assert match_text(wanted, [line(text)]) == []
        assert not same_text(wanted, text)


@given(st.text(min_size=1, max_size=20).filter(normalize))
def test_text_matches_itself(text: str) -> None:
    assert match_text(text, [line(text)], exact=True)


@given(st.text(max_size=40))
@example(".0")
@example("−£0.10")
def test_normalize_and_fold_are_idempotent(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("wanted", "read", "there"),
    [
        ("张三", "张三、", False),
        ("张三", "、张三", False),
        ("张三", "张三，", False),
        ("张三", "张三/", False),
        ("张三、", "张三、", True),
        ("张三，", "张三,", True),
        ("张三", "张三。", True),
        ("张三", "张三", True),
    ],
)
def test_exact_name_rejects_adjoining_separator(wanted: str, read: str, there: bool) -> None:
    assert bool(match_text(wanted, [line(read)], exact=True)) is there


def test_separate_and_joined_labels_have_similar_confidence() -> None:
    """OCR joined 删除 to the adjacent time in one row of a list, and not in the other."""
    joined = TextLine("22:35 删除", Box(0, 0, 200, 20), 0.99, gaps=(0, 1, 1, 1, 1, 0, 60, 1))
    alone = TextLine("删除", Box(160, 50, 200, 70), 1.0)
    assert [match.box.top for match in match_text("删除", [joined, alone])] == [50, 0]
    first, second = match_text("删除", [joined, alone])
    assert first.confidence - second.confidence < 0.05


def test_piece_close_to_neighbour_is_still_matched() -> None:
    """Two rows of a page: in one, the state is close enough to its neighbour to be joined to it."""
    alone = line("Active", top=100)
    close = TextLine("Active", Box(170, 0, 260, 20), 1.0)
    pieces = [TextLine("2022-05-17", Box(0, 0, 160, 20), 1.0), close, alone]
    assert sorted(match.box.top for match in match_text("Active", pieces)) == [0, 100]
    assert sorted(match.box.top for match in match_text("ACTIVE", pieces)) == [0, 100]

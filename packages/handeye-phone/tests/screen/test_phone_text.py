"""Tests of fonts, line breaking, right-to-left text and icons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye import typeface
from handeye_phone import artwork


def ink(text: str, size: int = 40) -> int:
    mask, _ = typeface.line_mask(text, size)
    return sum(mask.histogram()[128:])


@pytest.mark.parametrize(
    "text", ["张三丰", "繁體中文龍", "ひらがなカタカナ", "한국어", "äößñ", "Привет", "€→★①", "😀👍", "שלום", "مرحبا"]
)
def test_every_script_has_glyphs(text):
    missing = typeface.line_mask("\U000f0000", 40)[0]
    for char in text:
        assert ink(char) > 0
        assert typeface.line_mask(char, 40)[0].tobytes() != missing.tobytes()


def test_missing_glyph_is_drawn_as_box():
    assert ink("\U00012000") > 0


def test_joiners_and_selectors_have_no_width():
    assert typeface.width("👍\ufe0f\u200d", 40) == typeface.width("👍", 40)


@given(st.text(max_size=60), st.integers(30, 400))
def test_wrapping_keeps_every_character(text, limit):
    spans = typeface.wrap_spans(text, 20, limit)
    covered = "".join(text[start:end] for start, end in spans)
    assert covered == text.replace("\n", "")
    for start, end in spans:
        line = text[start:end]
        assert len(line) <= 1 or typeface.width(line, 20) <= limit or line[-1] == " "


def test_words_stay_whole_and_chinese_breaks_anywhere():
    lines = typeface.wrap("hello brave new world", 20, typeface.width("hello brave", 20) + 1)
    assert [line.strip() for line in lines] == ["hello brave", "new world"]
    assert [len(line) for line in typeface.wrap("一二三四五六七", 20, 61)] == [3, 3, 1]


def test_ellipsized_text_fits_the_width():
    short = typeface.ellipsize("一段很长很长的文字", 20, 100)
    assert short.endswith("…")
    assert typeface.width(short, 20) <= 100
    assert typeface.ellipsize("短", 20, 100) == "短"


def test_bidi_text_is_reordered_and_joined():
    assert typeface.visual("abc 你好") == "abc 你好"
    assert typeface.visual("שלום") == "םולש"
    assert typeface.visual("ab שלום cd") == "ab םולש cd"
    assert typeface.visual("שלום (12) עולם") == "םלוע (12) םולש"
    joined = typeface.join_arabic("مرحبا")
    assert joined != "مرحبا"
    assert len(joined) == 5
    assert typeface.visual("مرحبا") == joined[::-1]


@given(st.text(alphabet="אבג مرح abc 12 ()!", max_size=20))
def test_bidi_keeps_every_character(text):
    same = str.maketrans("()", "((")
    shown = typeface.visual(text)
    assert sorted(shown.translate(same)) == sorted(typeface.join_arabic(text).translate(same))


@pytest.mark.parametrize("name", artwork.ICONS)
def test_every_icon_is_drawn_at_any_size(name):
    for px in (1, 24, 97):
        picture = artwork.icon(name, px)
        assert (picture.mode, picture.size) == ("RGBA", (px, px))
    alpha = artwork.icon(name, 97).getchannel("A")
    assert alpha.getextrema()[1] == 255
    assert alpha.histogram()[0] > 0


def test_icons_are_distinct():
    pictures = {artwork.icon(name, 48).tobytes() for name in artwork.ICONS}
    assert len(pictures) == len(artwork.ICONS)


def test_unknown_icons_are_errors():
    with pytest.raises(artwork.UnknownIcon, match="nope"):
        artwork.icon("nope", 10)
    with pytest.raises(artwork.UnknownIcon, match="0 pixels"):
        artwork.icon("wechat", 0)

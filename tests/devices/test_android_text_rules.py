"""Tests of the rules of typing: splitting text for `input text`, and deciding whether it arrived."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.devices import arrived_formatted
from handeye.devices.android.hierarchy import focused_field
from handeye.devices.android.text_input import ASCII_CHUNK, arrived, ascii_pieces
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen

printable = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E))
percent_and_s = st.text(st.sampled_from("%s ab"), max_size=40)


def android_input_text(argument: str) -> str:
    """AOSP's InputShellCommand.sendText, line by line."""
    buffer = list(argument)
    escape = False
    i = 0
    while i < len(buffer):
        if escape:
            escape = False
            if buffer[i] == "s":
                buffer[i] = " "
                i -= 1
                del buffer[i]
        if buffer[i] == "%":
            escape = True
        i += 1
    return "".join(buffer)


@given(printable | percent_and_s)
def test_input_pieces_reproduce_the_text(text: str) -> None:
    assert "".join(android_input_text(piece.replace(" ", "%s")) for piece in ascii_pieces(text)) == text


@given(printable | percent_and_s)
def test_no_piece_is_empty_or_too_long(text: str) -> None:
    assert all(0 < len(piece) <= ASCII_CHUNK for piece in ascii_pieces(text)) or not text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("", "你好", "你好"),
        ("搜索", "你好", "你好"),  # the hint went away
        ("ab", "aXb", "X"),  # at the cursor
        ("你好", "你好你好", "你好"),
        ("hello world", "hello you", "you"),  # in place of a selection
        ("", "a b", "a\nb"),  # a one-line field
        ("", "a.b", "a\x01b"),  # XML cannot hold it
        ("", "a\nb", "a\r\nb"),
        ("aXa", "aXaXa", "Xa"),
    ],
)
def test_arrived_text_is_recognized(before: str, after: str, text: str) -> None:
    assert arrived(before, after, text)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("", "", "你好"),
        ("你好", "你好", "你好"),
        ("", "你", "你好"),
        ("", "ni hao", "你好"),
        ("abc", "xabcY", "Y"),  # something else came as well
        ("", "%s", " "),
        ("", "Hello", "hello"),
    ],
)
def test_missing_text_is_not_taken_as_arrived(before: str, after: str, text: str) -> None:
    assert not arrived(before, after, text)


@given(st.text(max_size=20), st.text(max_size=20), st.text(min_size=1, max_size=20))
def test_every_insertion_is_recognized(head: str, tail: str, text: str) -> None:
    assert arrived(head + tail, head + text + tail, text)


@given(st.text("ab%", max_size=8), st.text("ab%", max_size=8), st.text("ab%", min_size=1, max_size=4))
def test_arrived_text_is_part_of_the_field(before: str, after: str, text: str) -> None:
    if arrived(before, after, text):
        assert re.search(re.escape(text), after)
        assert before != after


@pytest.mark.parametrize(
    ("before", "after", "text", "took"),
    [
        ("", "4111 1111 1111 1111", "4111111111111111", True),
        ("", "(415) 555-0132", "4155550132", True),
        ("", "24/11/2026", "24112026", True),
        ("", "DE89 3704 0044 0532 0130 00", "de89370400440532013000", True),
        ("", "ALICE SMITH", "Alice Smith", True),
        ("4111 1", "4111 1222", "222", True),
        ("", "4111 1111 1111 111", "4111111111111111", False),
        ("", "+1 415-555-0132", "4155550132", False),
        ("", "Alice Smyth", "Alice Smith", False),
        ("", "1,000.00", "1000", False),
        ("", "01/05/2024", "01.05.2024", True),
        ("", "12,50", "12.50", True),
        ("", "13800138000", "138-0013-8000", True),
        ("", "+86 138 0013 8000", "+86-138-0013-8000", True),
        ("", "8613800138000", "+86-138-0013-8000", False),
        ("", "1250", "12.50", False),
        ("", "5", "-5", False),
        ("", "abcom", "a@b.com", False),
        ("", "C", "C++", False),
        ("", "12", "1/2", False),
        ("", "10", "10%", False),
        ("7.5", "7.51", "1.", False),
        ("", "", "--", False),
        ("a", "a ", "  ", False),
    ],
)
def test_a_field_may_group_digits_and_write_capitals(before: str, after: str, text: str, took: bool) -> None:
    assert arrived_formatted(before, after, text) is took


def dumped(text: str, cls: str = "android.widget.EditText", before: str = "", behind: str = "") -> str:
    return (
        f"{before}<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
        f'<node class="android.widget.TextView" text="&#55357;&#56832; \x01" bounds="[0, 0][10, 10]" focused="false" />'
        f'<node class="{cls}" text="{text}" bounds="[0,0][9,9]" focused="true" /></hierarchy>{behind}'
    )


@pytest.mark.parametrize(
    "xml",
    [
        dumped("Ada"),
        dumped("Ada", "android.widget.AutoCompleteTextView"),
        dumped("Ada", "android.widget.MultiAutoCompleteTextView"),
        dumped("Ada", "android.widget.SearchView$SearchAutoComplete"),
        dumped("Ada", "com.google.android.material.textfield.TextInputEditText"),
        dumped("Ada", before="W/Something: noise\n", behind="\nUI hierchary dumped to: /sdcard/x.xml\n"),
    ],
)
def test_focused_field_text_matches_the_parsed_tree(xml: str) -> None:
    field = focused_field(xml)
    assert field is not None
    assert field.text == "Ada"
    state = parse_hierarchy(xml, Screen(np.zeros((20, 20, 3), np.uint8)))
    assert [each.text for each in state.elements if each.metadata.get("focused")] == ["Ada"]
    assert state.elements[0].bbox == (0, 0, 10, 10)
    assert state.elements[0].text.startswith("😀")


def test_lone_surrogate_in_focused_field_is_read() -> None:
    field = focused_field(dumped("A &#55357;"))
    assert field is not None
    assert field.text.startswith("A ")

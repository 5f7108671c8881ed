"""The pure rules of typing: what one call of `input text` may hold, and when a field took a text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.devices.android.text_input import ASCII_CHUNK, arrived, ascii_pieces

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
def test_what_android_makes_of_the_pieces_is_the_text(text: str) -> None:
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
def test_a_field_that_took_the_text(before: str, after: str, text: str) -> None:
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
def test_a_field_that_did_not(before: str, after: str, text: str) -> None:
    assert not arrived(before, after, text)


@given(st.text(max_size=20), st.text(max_size=20), st.text(min_size=1, max_size=20))
def test_every_insertion_is_seen(head: str, tail: str, text: str) -> None:
    assert arrived(head + tail, head + text + tail, text)


@given(st.text("ab%", max_size=8), st.text("ab%", max_size=8), st.text("ab%", min_size=1, max_size=4))
def test_what_arrived_is_in_the_field(before: str, after: str, text: str) -> None:
    if arrived(before, after, text):
        assert re.search(re.escape(text), after)
        assert before != after

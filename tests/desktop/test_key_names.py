"""Tests of key names."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.devices.desktop.keys import Key, chord, key_named, keysym_of
from handeye.errors import UsageError


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("ctrl+shift+s", ["ctrl", "shift", "s"]),
        ("Ctrl + Shift + S", ["ctrl", "shift", "s"]),
        ("s+ctrl", ["ctrl", "s"]),
        ("ctrl++", ["ctrl", "+"]),
        ("ctrl+ +", ["ctrl", "+"]),
        ("+", ["+"]),
        ("ctrl+-", ["ctrl", "-"]),
        (" ", ["space"]),
        ("control+plus", ["ctrl", "+"]),
        ("PageDown", ["pagedown"]),
        ("page_down", ["pagedown"]),
        ("Pg Dn", ["pagedown"]),
        ("ArrowLeft", ["left"]),
        ("cmd+c", ["super", "c"]),
        ("Win", ["super"]),
        ("回车键", ["enter"]),
        ("ctrl+空格", ["ctrl", "space"]),
        ("F12", ["f12"]),
        ("Enter key", ["enter"]),
        ("Ä", ["ä"]),
    ],
)
def test_common_key_names_are_understood(written: str, names: list[str]) -> None:
    assert [key.name for key in chord(written)] == names


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("BACK", r"phones have it.*escape.*alt\+left"),
        ("KEYCODE_APP_SWITCH", r"phones.*alt\+tab"),
        ("KEYCODE_ENTER", r"KEYCODE_ are for phones"),
        ("ctrl-s", r"joined by \+: ctrl\+s"),
        ("entr", r"similar: enter"),
        ("pagedwn", r"similar: pagedown"),
        ("", r"names no keys"),
        ("ctrl+", r"names no keys"),
        ("++", r"names no keys"),
        ("a+a", r"twice"),
        ("ctrl+control", r"twice"),
        ("\x1b", r"not the name"),
        ("\ud800", r"not the name"),
        ("\u0301", r"not the name"),
        ("+".join("abcdefghijkl"), r"12 keys cannot be pressed together"),
    ],
)
def test_unknown_key_name_is_refused_with_hint(written: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        chord(written)


@given(st.text(max_size=40))
def test_any_text_is_a_chord_or_usage_error(text: str) -> None:
    try:
        pressed = chord(text)
    except UsageError:
        return
    assert pressed
    assert all(isinstance(key, Key) and key.keysym for key in pressed)


@given(st.sampled_from(sorted({*string.ascii_letters, *string.digits, *string.punctuation, "ß", "你", "€"})))
def test_character_names_its_key(character: str) -> None:
    key = key_named(character)
    assert key.name == character.lower()
    assert key.keysym == keysym_of(character.lower())


def test_key_codes_match_x11_and_windows() -> None:
    assert [(key.keysym, key.virtual_key) for key in chord("ctrl+alt+delete")] == [
        (0xFFE3, 0x11),
        (0xFFE9, 0x12),
        (0xFFFF, 0x2E),
    ]
    assert (key_named("F1").keysym, key_named("F1").virtual_key) == (0xFFBE, 0x70)
    assert (key_named("F24").keysym, key_named("F24").virtual_key) == (0xFFD5, 0x87)
    assert key_named("7").virtual_key == 0x37
    assert key_named("q").virtual_key == 0x51
    assert key_named("ö").virtual_key is None
    assert keysym_of("é") == 0xE9
    assert keysym_of("€") == 0x010020AC
    assert keysym_of("😀") == 0x0101F600

"""Tests of Android's key names, and of suggestions for mistyped ones."""

from __future__ import annotations

import pytest

from handeye.devices import KEYCODES, keycode
from handeye.errors import UsageError

SEED_004 = {
    "HOME": 3,
    "BACK": 4,
    "CALL": 5,
    "END_CALL": 6,
    "VOLUME_UP": 24,
    "VOLUME_DOWN": 25,
    "POWER": 26,
    "ENTER": 66,
    "DEL": 67,
}


def test_required_keycodes_exist() -> None:
    assert {name: KEYCODES[name] for name in SEED_004} == SEED_004


# From AOSP's KeyEvent.java: the ends of each run of the table, where an off-by-one would show.
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("0", 7), ("9", 16), ("STAR", 17), ("DPAD_CENTER", 23), ("CLEAR", 28), ("A", 29), ("Z", 54), ("PERIOD", 56),
        ("TAB", 61), ("SPACE", 62), ("GRAVE", 68), ("AT", 77), ("MENU", 82), ("SEARCH", 84), ("PAGE_DOWN", 93),
        ("ESCAPE", 111), ("F1", 131), ("F12", 142), ("NUMPAD_0", 144), ("NUMPAD_9", 153), ("APP_SWITCH", 187),
        ("WAKEUP", 224), ("PASTE", 279),
    ],
)  # fmt: skip
def test_key_names_have_android_numbers(name: str, code: int) -> None:
    assert keycode(f"KEYCODE_{name}") == code


@pytest.mark.parametrize("key", ["BACK", "back", "KEYCODE_BACK", " Back ", "4", 4])
def test_key_name_has_many_spellings(key: str | int) -> None:
    assert keycode(key) == 4


def test_a_mistyped_name_suggests_the_right_one() -> None:
    with pytest.raises(UsageError, match="VOLUME_UP"):
        keycode("VOLUM_UP")


@pytest.mark.parametrize("key", ["", "返回", "-1", "4; reboot", "99999", -1, 4096, True, 4.0, None, "٤"])
def test_invalid_key_is_refused(key: object) -> None:
    with pytest.raises(UsageError):
        keycode(key)  # type: ignore[arg-type]

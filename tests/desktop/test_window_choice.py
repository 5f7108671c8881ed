"""Tests of choosing a window by title, id or program: the strictest matching rule decides, and ambiguity is refused."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.devices import choose_window
from handeye.errors import DeviceNotFound, UsageError
from handeye.geometry import Box
from handeye.testing.desktop_fake import fake_window

TITLES = ["Notes", "Notes - Editor", "notes - old", "报告.txt — Editor", "Café", "", "a\nb\x00\u202e😀", "[x] (y) a+b"]
WINDOWS = [fake_window(number, title, Box(0, 0, 100, 100)) for number, title in enumerate(TITLES, 1)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Notes", "Notes"),  # the whole title before a part of it
        ("Notes - E", "Notes - Editor"),
        ("NOTES", "Notes"),
        ("old", "notes - old"),
        ("notes -", "notes - old"),  # as it is written before whatever the case
        ("报告", "报告.txt — Editor"),
        (unicodedata.normalize("NFD", "Café"), "Café"),
        ("(y) a+b", "[x] (y) a+b"),
        ("a b\x00", "a\nb\x00\u202e😀"),
        ("Notes \t -  Editor", "Notes - Editor"),
        ("re:^Notes$", "Notes"),
        ("re:(?i)^café", "Café"),
        ("re:\\.txt", "报告.txt — Editor"),
        (re.compile("old$"), "notes - old"),
        ("😀", "a\nb\x00\u202e😀"),
    ],
)
def test_title_selects_one_window(title: str | re.Pattern[str], expected: str) -> None:
    assert choose_window(WINDOWS, title).title == expected


TWINS = [
    fake_window(0x400003, "Same", Box(0, 0, 100, 100)),
    fake_window(0x600003, "Same", Box(0, 0, 100, 100)),
    fake_window(7, "", Box(0, 0, 50, 50), program="Editor"),
    fake_window(8, "Editor's help", Box(0, 0, 60, 60), program="Help"),
    fake_window(9, "id:7", Box(0, 0, 60, 60), program="Notes (beta)"),
]


@pytest.mark.parametrize(
    ("named", "id"),
    [
        ("id:4194307", 0x400003),  # two of one title
        ("id:0x600003", 0x600003),  # as xwininfo and wmctrl write it
        (" id: 7 ", 7),  # a dialog without a title; never the window that is called so
        ("re:^id:7$", 9),
        ("program:Editor", 7),
        ("program:  editor", 7),
        ("program:notes (beta)", 9),
        ("Editor", 8),  # a title before a program
        ("Help", 8),
        ("notes (BETA)", 9),  # a program where no title fits
    ],
)
def test_window_is_chosen_by_id_or_program(named: str, id: int) -> None:
    assert choose_window(TWINS, named).id == id


@pytest.mark.parametrize(
    "named", ["id:", "id:x", "id:-7", "id:7.0", "id:٣", "id:" + "9" * 5000, "program:", "program: "]
)
def test_invalid_window_id_or_program_is_refused(named: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_window(TWINS, named)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("named", ["id:5", "id:4194308", "program:Edit", "program:Fax"])
def test_window_id_and_program_must_match_completely(named: str) -> None:
    with pytest.raises(DeviceNotFound, match=re.escape(named)):
        choose_window(TWINS, named)


@pytest.mark.parametrize("named", ["Same", "re:^Same$", "program:fake", "fake"])
def test_ambiguous_windows_are_listed_with_their_ids(named: str) -> None:
    with pytest.raises(UsageError, match=r"fits 2 windows: id:4194307 'Same'.*id:6291459 'Same'.*id:N"):
        choose_window(TWINS, named)


def test_very_long_title_is_truncated_in_messages() -> None:
    endless = [
        fake_window(number, f"{'长' * 100_000}{number}", Box(0, 0, 9, 9), program="p" * 9000) for number in (1, 2)
    ]
    for named, error in (
        ("长", UsageError),
        ("Chess", DeviceNotFound),
        ("re:长", UsageError),
        ("x" * 9000, DeviceNotFound),
    ):
        with pytest.raises(error) as caught:
            choose_window(endless, named)
        assert len(str(caught.value)) < 1000
    assert len(str(endless[0])) < 300
    assert choose_window(endless, "长" * 100_000 + "2").id == 2  # but it is compared whole


@pytest.mark.parametrize("title", ["Editor", "re:(?i)notes", re.compile("o")])
def test_ambiguous_title_lists_the_windows(title: str | re.Pattern[str]) -> None:
    with pytest.raises(UsageError, match="fits") as caught:
        choose_window(WINDOWS, title)
    assert "'Notes - Editor' (Fake, 100x100)" in str(caught.value)


def test_unknown_title_lists_existing_windows() -> None:
    with pytest.raises(DeviceNotFound, match=r"'Chess'.*'Notes' \(Fake"):
        choose_window(WINDOWS, "Chess")
    with pytest.raises(DeviceNotFound, match="there are: none"):
        choose_window([], "Chess")
    crowd = [fake_window(number, f"Window {number}", Box(0, 0, 9, 9)) for number in range(500)]
    with pytest.raises(DeviceNotFound, match="and 480 more") as caught:
        choose_window(crowd, "Chess")
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("title", ["", "  ", "re:", "re:(", re.compile(""), re.compile(b"x"), 7, None])
def test_invalid_title_is_refused(title: object) -> None:
    with pytest.raises(UsageError):
        choose_window(WINDOWS, title)  # type: ignore[arg-type]


@given(st.lists(st.text(), max_size=6), st.text())
def test_chosen_window_contains_the_title(titles: list[str], wanted: str) -> None:
    windows = [fake_window(number, title, Box(0, 0, 9, 9)) for number, title in enumerate(titles)]
    try:
        chosen = choose_window(windows, wanted)
    except (UsageError, DeviceNotFound):
        return
    if not wanted.startswith(("re:", "id:", "program:")) and wanted.strip().casefold() != "fake":
        plain = [" ".join(unicodedata.normalize("NFC", text).split()).casefold() for text in (wanted, chosen.title)]
        assert plain[0] in plain[1]


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=6), st.data())
def test_unique_complete_title_is_found(titles: list[str], data: st.DataObject) -> None:
    windows = [fake_window(number, title, Box(0, 0, 9, 9)) for number, title in enumerate(titles)]
    wanted = data.draw(st.sampled_from(titles))
    same = [" ".join(unicodedata.normalize("NFC", title).split()) for title in titles]
    if same.count(" ".join(unicodedata.normalize("NFC", wanted).split())) == 1 and not wanted.startswith(
        ("re:", "id:", "program:")
    ):
        assert choose_window(windows, wanted).title == wanted

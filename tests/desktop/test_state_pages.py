"""Tests of the pages of a window's elements: each element once, visible ones first, limited size, filters."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from listed import NOTES, PLAIN, element

from handeye.desktop import Filter, WindowState, as_data, lines_of, notes_of, page_of
from handeye.desktop.pages import MOST_TOKENS, tokens_of
from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.testing.perceiving import window_of

FANCY = element(6, "fancy thing", "Z", (1, 1, 9, 9))


def state_of(*elements: UIElement) -> WindowState:
    return WindowState(NOTES, Detection(elements, (None,) * len(elements)))


ANY_TEXT = st.text(st.characters(codec=None), max_size=300)


def many(names: Sequence[str]) -> WindowState:
    targets = tuple(element(n, "cell", name, (n, n, n + 9, n + 9)) for n, name in enumerate(names, 1))
    return WindowState(window_of(), Detection(targets, (None,) * len(targets)))


@settings(max_examples=12)
@given(st.lists(ANY_TEXT, min_size=1, max_size=20), st.integers(1, 400), st.booleans())
def test_pages_contain_every_element_once_within_limit(names: list[str], times: int, escaped: bool) -> None:
    state = many(names * min(times, 400 // len(names)))
    first = page_of(state, escaped=escaped)
    pages = [page_of(state, None, number, escaped=escaped) for number in range(1, first.pages + 1)]
    assert [each.id for page in pages for each in page.elements] == [each.id for each in state.elements]
    for page in pages:
        assert tokens_of("\n".join(lines_of(page))) < MOST_TOKENS
        written = json.dumps([as_data(each) for each in page.elements], ensure_ascii=escaped)
        assert tokens_of(written) < MOST_TOKENS
        assert all(line.isprintable() for line in lines_of(page))


def test_page_beyond_the_last_is_refused() -> None:
    with pytest.raises(UsageError, match="page 2"):
        page_of(many(["one"]), None, 2)


def test_an_empty_window_has_one_empty_page() -> None:
    page = page_of(many([]))
    assert (page.elements, page.pages) == ((), 1)


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (Filter(role="Button"), [2, 3]),
        (Filter(role="按钮"), [2, 3]),
        (Filter(role="ListItem"), [5]),
        (Filter(text="sAvE"), [2]),
        (Filter(text="a", role="button"), [2, 3]),
        (Filter(role="Tab"), []),
        (Filter(role="Fancy thing"), [6]),  # what only its application calls so
        (Filter(role="FancyThing"), [6]),
    ],
)
def test_elements_are_chosen_by_role_and_text(wanted: Filter, numbers: list[int]) -> None:
    assert [each.id for each in page_of(state_of(*PLAIN, FANCY), wanted).elements] == numbers


@pytest.mark.parametrize(
    ("named", "near"),
    [
        ("Buton", "did you mean Button"),
        ("ListItm", "ListItem"),
        ("按纽", "this window has"),
        ("", "has"),
        ("Foo", "FancyThing"),
    ],
)
def test_unknown_role_error_suggests_similar_roles(named: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"no role is called .*{near}"):
        page_of(state_of(*PLAIN, FANCY), Filter(role=named))
    with pytest.raises(UsageError, match="no role") as caught:
        page_of(state_of(), Filter(role="x" * 10_000))
    assert len(str(caught.value)) < 300


def test_onscreen_elements_come_first_and_keep_numbers() -> None:
    away = {"metadata": {"offscreen": True}}
    state = state_of(
        element(1, "window", "Notes", (-300, 100, 100, 400)),
        element(2, "button", "Scrolled out", (0, 0, 0, 0), **away),
        element(3, "button", "Left of the monitor", (-299, 149, -231, 183)),
        element(4, "button", "On its edge", (-20, 149, 10, 183)),
        element(5, "button", "On the second", (1300, 10, 1340, 30)),
        element(6, "button", "Clipped away", (10, 10, 40, 40), visible_region=Box(-40, 10, -10, 40)),
    )
    screens = (Box(0, 0, 1280, 800), Box(1280, 0, 2560, 800))
    assert [each.id for each in page_of(state, Filter(screens=screens)).elements] == [1, 4, 5, 2, 3, 6]
    assert [each.id for each in page_of(state, Filter(visible=True, screens=screens)).elements] == [1, 4, 5]
    assert [each.id for each in page_of(state, Filter(visible=True)).elements] == [1, 3, 4, 5, 6]
    assert [each.id for each in page_of(state).elements] == [1, 3, 4, 5, 6, 2]


def test_page_size_fits_token_cost_of_chinese() -> None:
    """A Chinese character costs a model three tokens; an estimate of six made two pages of one."""
    page = page_of(many([f"第{number}行的单元格内容，有一个比较长的名字" for number in range(3000)]))
    assert len(page.elements) > 180


def test_long_notes_are_truncated_not_dropped() -> None:
    told = notes_of(["it failed: " + "word " * 900, "second"])
    assert (len(told), told[1]) == (2, "second")
    assert told[0].startswith("it failed: word")
    assert notes_of(["字" * 3000] * 9)[-1] == "and 8 more notes"


def test_password_text_is_neither_listed_nor_searched() -> None:
    field = UIElement("input", "Password", Box(1, 1, 9, 9), text="hunter2", id=1, metadata={"password": True})
    state = WindowState(NOTES, Detection((field,), (None,)))
    assert page_of(state, Filter(text="hunter")).elements == ()
    assert "hunter2" not in json.dumps(as_data(field)) + lines_of(page_of(state))[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Save",
        "㐀鿿",
        "\U00020000",
        "한글",
        "\ud800",
        "保存文件",
        "👩‍👩‍👧",
        "a1b2c3",
        "x" * 1000,
        "\x1b[31m",
        "العربية",
    ],
)
def test_token_estimate_is_never_too_low(text: str) -> None:
    """No tokenizer makes more than one token of a byte; usual ones make one of four letters."""
    assert len(text.encode("utf-8", "surrogatepass")) / 4 <= tokens_of(text)

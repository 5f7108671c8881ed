"""Tests of ordinals over rows and other series: "the second list item" of rows of equal or different height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import AccessibilityStrategy, LocateChain
from handeye.screen import Screen
from handeye.target import LocateResult, Target, parse_target
from handeye.testing.perceiving import FakeProvider

SCREEN = Screen(np.random.default_rng(3).integers(0, 256, (800, 800, 3), np.uint8))


def listed(role: str, heights: Sequence[int], *, left: int = 100, first: int = 10) -> list[UIElement]:
    """A list, and its rows of these heights, one below the other."""
    top, rows = 100, []
    for number, height in enumerate(heights, 1):
        box = Box(left, top, left + 200, top + height)
        rows.append(UIElement(role, "", box, text=f"row {number}", id=first + number, parent=first, interactive=True))
        top += height
    return [UIElement("list", "", Box(left, 100, left + 200, top), id=first, parent=1), *rows]


def find(target: Target, *elements: UIElement) -> LocateResult:
    window = UIElement("window", "", SCREEN.box, id=1)
    return LocateChain([AccessibilityStrategy(FakeProvider([window, *elements]))]).locate(target, SCREEN)


def text_of(target: Target, *elements: UIElement) -> str | None:
    found = find(target, *elements).element
    return found.text if found is not None else None


@pytest.mark.parametrize("role", ["list item", "table row", "tree item", "tab", "menu item", "radio", "button"])
def test_rows_differing_by_one_pixel_are_counted_together(role: str) -> None:
    """On a scaled desktop, a WPF list has rows of 19 and of 20 pixels."""
    rows = listed(role, [19, 20, 20])
    assert [text_of(Target(role=role, ordinal=number), *rows) for number in (1, 2, 3, -1)] == [
        *("row 1", "row 2", "row 3", "row 3"),
    ]


@pytest.mark.parametrize("role", ["list item", "table row", "cell", "header item", "tab", "menu item"])
def test_rows_of_any_height_are_counted_together(role: str) -> None:
    rows = listed(role, [20, 60, 20, 20])
    assert [text_of(Target(role=role, ordinal=number), *rows) for number in (1, 2, 3, 4)] == [
        *("row 1", "row 2", "row 3", "row 4"),
    ]


def test_rows_with_unique_ids_are_counted_together() -> None:
    """On Windows an id names one element; on Android it names all copies of a layout."""
    rows = [replace(each, metadata={"id": f"row{each.id}"}) for each in listed("list item", [20, 20, 20])]
    assert text_of(Target(role="list item", ordinal=2), *rows) == "row 2"


def test_ordinal_counts_long_list_without_short_one() -> None:
    long, short = listed("list item", [20] * 9, left=400), listed("list item", [20, 20], first=30)
    assert text_of(Target(role="list item", ordinal=2), *short, *long) == "row 2"
    found = find(Target(role="list item", ordinal=2), *short, *long).element
    assert found is not None
    assert found.parent == 10


def test_tree_items_are_counted_line_by_line() -> None:
    tree = listed("tree item", [20, 20, 20, 20, 20, 20])
    inner = [replace(each, parent=11) if each.id in (12, 13, 14, 15) else each for each in tree]
    assert text_of(Target(role="tree item", ordinal=2), *inner) == "row 2"


def test_ordinal_across_two_equal_lists_is_refused() -> None:
    left, right = listed("list item", [20, 20, 20]), listed("list item", [20, 20, 20], left=400, first=20)
    assert not find(Target(role="list item", ordinal=2), *left, *right).success


def test_ordinal_of_texts_of_many_sizes_is_refused() -> None:
    """Two texts that happen to have one size are not a series: another text precedes them."""
    widths = [80, 33, 21, 36, 33]
    texts = [
        UIElement(
            "text", "", Box(20, 100 + 30 * row, 20 + wide, 116 + 30 * row), text=f"text {row}", id=row + 2, parent=1
        )
        for row, wide in enumerate(widths)
    ]
    assert not find(Target(role="text", ordinal=1), *texts).success
    assert not find(Target(role="text", ordinal=2), *texts).success


def test_texts_of_equal_size_are_not_a_series() -> None:
    """Equal text widths are a coincidence; the last text on the page is another one."""
    texts = [
        UIElement("text", "", Box(x, y, x + wide, y + 16), text=f"text {number}", id=number, parent=1)
        for number, (x, y, wide) in enumerate([(20, 100, 80), (300, 130, 38), (340, 220, 38), (20, 700, 25)], 2)
    ]
    assert not find(Target(role="text", ordinal=-1), *texts).success
    assert text_of(Target(role="text", ordinal=1), texts[0]) == "text 2"


def test_slightly_larger_button_is_counted_in_its_row() -> None:
    """Ok, Close, a slightly larger smiley, Help: the third button is the smiley."""
    row = [(85, 71), (251, 71), (431, 77), (613, 71)]
    buttons = [
        UIElement("button", "", Box(x, 714, x + wide, 750), text=f"button {n}", id=n, parent=1, interactive=True)
        for n, (x, wide) in enumerate(row, 2)
    ]
    counted = [text_of(Target(role="button", ordinal=number), *buttons) for number in (1, 2, 3, 4, -1)]
    assert counted == ["button 2", "button 3", "button 4", "button 5", "button 5"]
    smaller = replace(buttons[2], bbox=Box(431, 714, 451, 734))
    assert not find(Target(role="button", ordinal=3), *buttons[:2], smaller, buttons[3]).success


def buttons_at(boxes: Sequence[tuple[int, int, int, int]], *, first: int = 10) -> list[UIElement]:
    """Buttons of these boxes, named by their numbers from 1."""
    return [
        UIElement("button", "", Box(*box), text=f"button {n}", id=first + n, parent=1, interactive=True)
        for n, box in enumerate(boxes, 1)
    ]


def test_ordinal_is_answered_only_if_unambiguous() -> None:
    """A column of buttons at the side, and two buttons of another part of the page level with its first one."""
    side = buttons_at([(0, 100 + 50 * row, 180, 145 + 50 * row) for row in range(6)])
    beside = [
        replace(each, text="action") for each in buttons_at([(500, 110, 620, 150), (640, 110, 760, 150)], first=30)
    ]
    assert text_of(Target(role="button", ordinal=1), *side, *beside) == "button 1"
    assert text_of(Target(role="button", ordinal=-1), *side, *beside) == "button 6"
    for number in (2, 3, 4, 5, 6, 7, -6):
        assert not find(Target(role="button", ordinal=number), *side, *beside).success
    assert text_of(Target(role="button", ordinal=2), *side) == "button 2"


def test_ordinal_across_two_bars_is_refused() -> None:
    bars = buttons_at([(0, 20, 100, 80), (120, 20, 400, 80), (420, 700, 500, 760), (520, 700, 700, 760)])
    tabs = [
        replace(each, metadata={"id": "tab"}) for each in buttons_at([(90 * n, 0, 90 * n + 80, 40) for n in range(4)])
    ]
    cards = [
        replace(each, metadata={"id": "card"})
        for each in buttons_at([(0, 100, 100, 150), (0, 160, 100, 210)], first=30)
    ]
    for number in (2, 3, -1):
        assert not find(Target(role="button", ordinal=number), *bars).success
        assert not find(Target(role="button", ordinal=number), *cards, *tabs[:number]).success
    assert not find(Target(role="button", ordinal=-1), *tabs, *cards).success


@pytest.mark.parametrize("name", ["list item", "tree item", "menu item", "image"])
def test_large_items_are_counted_without_small_ones(name: str) -> None:
    """For example a sidebar next to the list that it opens, a menu bar above an open menu, a heart under each photo."""
    few, many = listed(name, [190, 190, 190], left=300), listed(name, [22] * 8, left=20, first=30)
    large = [replace(each, text="", metadata={"id": "photo"}) if name == "image" else each for each in few]
    small = [
        replace(each, text="", bbox=Box(20, each.bbox.top, 80, each.bbox.bottom), metadata={"id": "heart"})
        for each in many
    ]
    for number in (1, 2, 3, -1):
        found = find(Target(role=name, ordinal=number), *small, *large).element
        assert found is not None
        assert found.bbox == few[number].bbox


def test_small_items_at_counted_end_make_ordinal_ambiguous() -> None:
    large = buttons_at([(0, 300, 400, 600), (420, 300, 800, 600)])
    rows = {
        row: [
            replace(each, metadata={"id": "small"})
            for each in buttons_at([(100 * n, row, 100 * n + 80, row + 40) for n in range(4)], first=30)
        ]
        for row in (100, 700)
    }
    assert find(Target(role="button", ordinal=1), *large, *rows[700]).success
    assert not find(Target(role="button", ordinal=-1), *large, *rows[700]).success
    assert find(Target(role="button", ordinal=-1), *large, *rows[100]).success
    assert not find(Target(role="button", ordinal=1), *large, *rows[100]).success


def test_wide_key_is_counted_in_keypad_row() -> None:
    """The 0 key is as wide as two keys and the gap between them: more than twice the area of a key."""
    keys = buttons_at(
        [
            (100 + 60 * column, 100 + 60 * row, 150 + 60 * column, 150 + 60 * row)
            for row in range(3)
            for column in range(4)
        ]
    )
    last = buttons_at([(100, 280, 210, 330), (220, 280, 270, 330), (280, 280, 330, 330)], first=30)
    last = [replace(each, text=f"last {n}") for n, each in enumerate(last, 1)]
    fourth = [
        text_of(parse_target(f"the {count} button in the fourth row"), *keys, *last)
        for count in ("first", "second", "last")
    ]
    assert fourth == ["last 1", "last 2", "last 3"]
    assert text_of(Target(role="button", ordinal=13), *keys, *last) == "last 1"


def test_ordinal_counts_rows_of_named_list() -> None:
    large = listed("list item", [20] * 9, left=400)
    small = [replace(each, text=f"small {each.text}") for each in listed("list item", [20, 20, 20], first=30)]
    lists = [
        *(replace(each, text="Files") if each.element_type == "list" else each for each in large),
        *(replace(each, text="Folders") if each.element_type == "list" else each for each in small),
    ]
    for count, row in (("second", 2), ("last", 3)):
        assert text_of(parse_target(f"the {count} list item in Folders"), *lists) == f"small row {row}"
        assert text_of(parse_target(f"the {count} list item in the Folders list"), *lists) == f"small row {row}"
    assert text_of(parse_target("the second list item in Files"), *lists) == "row 2"
    assert not find(parse_target("the fourth list item in Folders"), *lists).success


def test_ordinal_in_two_same_named_lists_is_refused() -> None:
    lists = [*listed("list item", [20] * 9, left=400), *listed("list item", [20, 20, 20], first=30)]
    named = [replace(each, text="Files") if each.element_type == "list" else each for each in lists]
    assert not find(parse_target("the second list item in Files"), *named).success


def test_same_named_list_and_container_are_ambiguous() -> None:
    """The group and a small list in it are both called Mail; its large list is not."""
    large, small = listed("list item", [20] * 9, left=400), listed("list item", [20, 20, 20], first=30)
    named = [replace(small[0], text="Mail"), *small[1:], *large]
    group = UIElement("group", "", Box(50, 50, 700, 700), text="Mail", id=60, parent=1)
    assert not find(parse_target("the second list item in Mail"), group, *named).success


def lines(role: str, boxes: Sequence[tuple[int, int, int, int]], first: int) -> list[UIElement]:
    return [
        UIElement(role, "", Box(*box), text=f"{role} {n}", id=first + n, parent=1) for n, box in enumerate(boxes, 1)
    ]


def test_page_wide_headings_are_counted() -> None:
    wide = lines("heading", [(20, 100 + 200 * row, 780, 130 + 200 * row) for row in range(3)], 10)
    assert [text_of(Target(role="heading", ordinal=number), *wide) for number in (1, 2, 3, -1)] == [
        *("heading 1", "heading 2", "heading 3", "heading 3"),
    ]
    title = lines("heading", [(20, 20, 200, 50)], 30)  # of the page: the first one, for some
    assert not find(Target(role="heading", ordinal=1), *title, *wide).success
    assert not find(Target(role="heading", ordinal=2), *title, *wide).success
    narrow = [replace(each, bbox=Box(20, each.bbox.top, 400, each.bbox.bottom)) for each in wide]
    other = lines("heading", [(20, 760, 120, 780)], 30)
    assert not find(Target(role="heading", ordinal=2), *narrow, *other).success

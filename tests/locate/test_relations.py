"""Tests of relations, positions and ordinals that select among the elements found, or leave them ambiguous."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import LocateChain
from handeye.locate.base import Match
from handeye.locate.relations import reading_order
from handeye.screen import Screen
from handeye.target import LocateResult, Target, parse_target

SCREEN = Screen(np.full((1200, 900, 3), 240, np.uint8))


class Drawn:
    """A strategy that knows what stands where: (text, role, box). As exact as the target asks."""

    def __init__(self, *things: tuple[str, str, Box], name: str = "drawn", confidence: float = 0.9) -> None:
        self.things, self.name, self.confidence = things, name, confidence
        self.asked: list[Target] = []

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        self.asked.append(target)
        found = tuple(
            UIElement(role, text, box, self.confidence, source=self.name, text=text)
            for text, role, box in self.things
            if (target.text is None or target.text == text)
            and (target.role is None or target.role in (role, "item"))
            and (target.text or target.role)
        )
        return Match(found) if found else None


def box(left: int, top: int, width: int = 80, height: int = 40) -> Box:
    return Box(left, top, left + width, top + height)


def label(text: str, left: int, top: int, width: int = 80, height: int = 40) -> tuple[str, str, Box]:
    return text, "text", box(left, top, width, height)


def button(text: str, left: int, top: int, width: int = 80, height: int = 40) -> tuple[str, str, Box]:
    return text, "button", box(left, top, width, height)


def switch(left: int, top: int) -> tuple[str, str, Box]:
    return "", "switch", box(left, top, 90, 50)


def locate(query: str, *things: tuple[str, str, Box]) -> LocateResult:
    return LocateChain([Drawn(*things)]).locate(parse_target(query), SCREEN)


SETTINGS = (
    *(label("Wi-Fi", 30, 100), label("飞行模式", 30, 200), label("蓝牙", 30, 300)),
    *(switch(780, 95), switch(780, 195), switch(780, 295)),
)
ROWS = tuple(
    thing
    for row, name in enumerate(("张三", "李四", "王五"))
    for thing in (
        label(name, 30, 100 + 100 * row),
        button("编辑", 500, 102 + 100 * row),
        button("删除", 650, 98 + 100 * row),
    )
)
TABLES = (  # of which the lower one has a name
    *ROWS,
    ("Users", "table", box(20, 490, 800, 300)),
    *(button("删除", 650, 500 + 100 * row) for row in range(3)),
)
NUMBERED = tuple(
    thing for row in range(5) for thing in (label(str(row + 3), 30, 100 * row), button("Delete", 650, 100 * row))
)
GRID = tuple(
    button(f"{row}{column}", 50 + 200 * column, 100 + 150 * row + 6 * column) for row in range(3) for column in range(4)
)
CASES = [
    ("the switch in the row 飞行模式", SETTINGS, box(780, 195, 90, 50)),
    ("飞行模式那一行的开关", SETTINGS, box(780, 195, 90, 50)),
    ("the switch to the right of 蓝牙", SETTINGS, box(780, 295, 90, 50)),
    ("the second switch", SETTINGS, box(780, 195, 90, 50)),
    ("the last switch", SETTINGS, box(780, 295, 90, 50)),
    ("倒数第二个开关", SETTINGS, box(780, 195, 90, 50)),
    ("李四那一行的删除", ROWS, box(650, 198)),
    ("“李四”右边的删除", ROWS, box(650, 198)),
    ("第二行的删除按钮", ROWS, box(650, 198)),
    ("最后一个 删除", ROWS, box(650, 298)),
    ("the 删除 button in the second row of the Users table", TABLES, box(650, 600)),
    ("the 删除 in the third row in the Users table", TABLES, box(650, 700)),
    ("the 删除 in the second row from the bottom", TABLES, box(650, 600)),
    ("the Delete button in row 4", NUMBERED, box(650, 100)),
    ("the Delete button in row 7", NUMBERED, box(650, 400)),
    ("the 删除 button in row 3", ROWS, box(650, 298)),
    ("the second button in the third row", ROWS, box(650, 298)),
    (
        "the Delete button in the row of the second switch",
        (*NUMBERED, switch(300, 200), switch(300, 300)),
        box(650, 300),
    ),
    ("the third 删除 from the bottom", ROWS, box(650, 98)),
    ("the button to the right of “王五”", ROWS, box(500, 302)),
    ("the text above 李四", ROWS, box(30, 100)),
    ("the text below 李四", ROWS, box(30, 300)),
    ("the button left of the “删除” in the row 张三", ROWS, box(500, 102)),
    ("the sixth button", GRID, box(250, 256)),
    ("第三行第二列的按钮", GRID, box(250, 406)),
    ("the last button", GRID, box(650, 418)),
    ("the second button in the third row", GRID, box(250, 406)),
    ("the button right of “11”", GRID, box(450, 262)),
    ("the button above “22”", GRID, box(450, 262)),
    ("the second button above “23”", GRID, box(450, 262)),
    ("the bottom right button", (*GRID, button("fab", 800, 1100)), box(800, 1100)),
    (
        "the OK button in the “Delete file?” dialog",
        (("Delete file?", "window", box(200, 300, 400, 300)), button("OK", 450, 540), button("OK", 10, 10)),
        box(450, 540),
    ),
    (
        "top-right ✕",
        (label("✕", 840, 20, 40), label("✕", 20, 20, 40), label("✕", 700, 300, 40), label("✕", 840, 1100, 40)),
        box(840, 20, 40),
    ),
    (
        "the icon beside Name",
        (label("Name", 50, 50), ("", "icon", box(150, 50, 40)), ("", "icon", box(60, 105, 40))),
        box(150, 50, 40),
    ),
    (
        "the icon beside Name",
        (label("Name", 50, 50), ("", "icon", box(60, 105, 40)), ("", "icon", box(60, 505, 40))),
        box(60, 105, 40),
    ),
    (
        "the icon beside Name",  # on its wide label, where the text begins
        (label("Name", 0, 50, 700), ("", "icon", box(20, 50, 40)), ("", "icon", box(640, 50, 40))),
        box(20, 50, 40),
    ),
    ("the button between “00” and “02”", GRID, box(250, 106)),
    ("“00”和“02”之间的按钮", GRID, box(250, 106)),
    ("the button between “20” and “00”", GRID, box(50, 250)),
    ("右数第二个按钮", GRID[:4], box(450, 112)),
    ("从左往右数第三个按钮", GRID[:4], box(450, 112)),
    ("“删除”右边那个", (*ROWS[:3], button("归档", 760, 100)), box(760, 100)),
    ("the one to the right of “删除”", (*ROWS[:3], button("归档", 760, 100)), box(760, 100)),
    ("“李四”的删除按钮", ROWS, box(650, 198)),
    (
        "Bob's Delete button",
        (label("Al", 30, 100), button("Delete", 650, 98), label("Bob", 30, 200), button("Delete", 650, 203)),
        box(650, 203),
    ),
    (
        "the icon near Name",
        (label("Name", 50, 50), ("", "icon", box(60, 130, 40)), ("", "icon", box(60, 250, 40))),
        box(60, 130, 40),
    ),
    (
        "the icon before Name",
        (label("Name", 100, 150), ("", "icon", box(30, 150, 40)), ("", "icon", box(110, 90, 40))),
        box(30, 150, 40),
    ),
    (
        "the icon after Name",
        (label("Name", 100, 150), ("", "icon", box(110, 210, 40)), ("", "icon", box(30, 150, 40))),
        box(110, 210, 40),
    ),
    (
        "Install below “Maps”",
        (label("Maps", 30, 100), button("Install", 700, 160), button("Install", 700, 20)),
        box(700, 160),
    ),
    (
        "the first Copy button after Zeta",  # half of the one above is level too
        (label("Zeta", 10, 208, 100, 26), button("Copy", 650, 164, 92, 56), button("Copy", 650, 212, 92, 56)),
        box(650, 212, 92, 56),
    ),
    (
        "Edit below Alpha",  # and not the one at the end of its own two lines
        (label("Alpha", 20, 50, 180, 24), button("Edit", 400, 66, 160, 34), button("Edit", 400, 126, 160, 34)),
        box(400, 126, 160, 34),
    ),
]


@pytest.mark.parametrize(
    ("query", "things", "right"), CASES, ids=[f"{number} {case[0]}" for number, case in enumerate(CASES)]
)
def test_relation_phrase_finds_the_expected_element(
    query: str, things: tuple[tuple[str, str, Box], ...], right: Box
) -> None:
    result = locate(query, *things)
    assert result.element is not None, result.error
    assert result.element.bbox == right


@pytest.mark.parametrize(
    ("query", "things"),
    [
        ("编辑", ROWS),
        (
            "the icon beside Name",
            (label("Name", 200, 50), ("", "icon", box(150, 50, 40)), ("", "icon", box(290, 50, 40))),
        ),
        (  # one above the other beside the line between them
            "the icon beside Name",
            (label("Name", 50, 100), ("", "icon", box(400, 72, 40, 50)), ("", "icon", box(400, 121, 40, 50))),
        ),
        (  # of which one is level by a little more
            "the button right of Name",
            (label("Name", 50, 100, 80, 30), button("a", 400, 85, 40, 30), button("b", 400, 117, 40, 30)),
        ),
        ("the button between “00” and “03”", GRID),
        ("the button near Name", (label("Name", 50, 50), button("a", 50, 110), button("b", 140, 50))),
        ("the text below Name", (label("Name", 50, 50, 300), label("a", 50, 110), label("b", 150, 111))),
        ("the button right of “删除”", (*ROWS, button("归档", 760, 100), button("归档", 760, 200))),
        ("bottom button", (button("a", 30, 1100), button("b", 500, 1100))),
    ],
)
def test_equally_good_elements_become_candidates(query: str, things: tuple[tuple[str, str, Box], ...]) -> None:
    result = locate(query, *things)
    assert result.element is None
    assert len(result.candidates) > 1


@pytest.mark.parametrize(
    ("query", "things"),
    [
        ("the button right of Bob", (label("Bob", 40, 300), button("Delete", 500, 338), label("Ann", 40, 345))),
        ("王六旁边的删除", (label("王六", 40, 300), button("删除", 200, 390), label("张三", 40, 390))),
        ("the Delete button in row 2", NUMBERED),
        ("the 删除 button in row 3", (*ROWS, label("3", 300, 100), label("1", 300, 200), label("2", 300, 300))),
        ("the 删除 in the top row for 李四", TABLES),
        ("the Delete next to Total", (label("Total", 40, 300), button("Delete", 40, 390))),
        (
            "the button in the first row and in the first column",
            (button("a", 300, 100), button("b", 100, 200), button("c", 300, 200)),
        ),
        ("the Delete in the top row", (label("Ann", 40, 100), label("Bob", 40, 200), button("Delete", 500, 200))),
        ("第一行的删除", (label("张三", 40, 100), label("王五", 40, 200), button("删除", 500, 200))),
        (
            "the Edit between Save and Close",
            (*(label("Save", 40, top) for top in (100, 300)), label("Close", 40, 500), button("Edit", 40, 400)),
        ),
    ],
)
def test_element_violating_the_relation_is_refused(query: str, things: tuple[tuple[str, str, Box], ...]) -> None:
    assert locate(query, *things).element is None


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("the switch in the row 热点", "'热点' was not found"),
        ("the switch left of 蓝牙", "nothing like it is left of"),
        ("the fourth switch", "only 3 of them"),
        ("倒数第四个开关", "only 3 of them"),
        ("the switch at the bottom", "none of the places found is bottom"),
        ("第四行的开关", "3 table rows"),
        ("the switch between 飞行模式 and Wi-Fi", "nothing like it is between"),
        ("the switch between 飞行模式 and 热点", "'热点' was not found"),
        ("the switch above the switch above Wi-Fi", "was not found"),
    ],
)
def test_attempt_note_explains_the_refusal(query: str, note: str) -> None:
    result = locate(query, *SETTINGS)
    assert result.element is None
    assert not result.candidates
    assert note in result.attempts[0].note


def test_relation_uses_box_of_field_not_label() -> None:
    label_box = box(40, 100, 80, 30)
    named = UIElement("input", "Name", box(40, 140, 300, 40), 0.9, source="drawn", text="Name", label_box=label_box)
    beside_label, beside = (UIElement("input", "", box(500, top, 200, 30), 0.9, source="drawn") for top in (98, 145))

    class Fields(Drawn):
        def locate(self, target: Target, screen: Screen) -> Match | None:
            if target.text is None:
                return Match((named, beside_label, beside))
            return Match((named,)) if target.text == "Name" else None

    result = LocateChain([Fields()]).locate(parse_target("the field right of the Name field"), SCREEN)
    assert result.element is not None
    assert result.element.bbox == beside.bbox


def test_repeated_anchor_requires_vertically_aligned_neighbour() -> None:
    things = (label("Delete", 500, 100), label("Delete", 500, 300), button("Save", 620, 130))
    assert locate("the button right of Delete", *things).element is None
    assert locate("the button right of Delete", things[0], things[2]).element is not None


def test_overlapping_matches_of_one_text_count_once() -> None:
    things = (button("Reset", 200, 26, 60, 24), label("Reset", 206, 32, 40, 12), button("Reset", 500, 350))
    result = locate('the second "Reset"', *things)
    assert result.element is not None
    assert result.element.bbox == box(500, 350)


def test_uncertain_nearer_element_is_not_preferred() -> None:
    """An image that may be a button is nearer than the button."""

    class Buttons(Drawn):
        def locate(self, target: Target, screen: Screen) -> Match | None:
            match = super().locate(target, screen)
            if match is None or target.text:
                return match
            return Match(tuple(replace(each, confidence=0.65 if each.text else 0.9) for each in match.elements))

    things = (label("Name", 100, 50), button("picture", 200, 50), button("", 700, 50))
    result = LocateChain([Buttons(*things)]).locate(parse_target("the button beside Name"), SCREEN)
    assert result.element is None or result.element.bbox == things[2][2]


def test_only_anchor_with_matching_neighbour_is_used() -> None:
    things = (*ROWS, button("归档", 760, 200))
    result = locate("the 归档 button right of “删除”", *things)
    assert result.element is not None
    assert result.element.bbox == box(760, 200)


def test_anchor_is_searched_once_by_every_strategy() -> None:
    words = Drawn(*(thing for thing in ROWS if thing[1] == "text"), name="words")
    controls = Drawn(*(thing for thing in ROWS if thing[1] == "button"), name="controls")
    more = Drawn(*(thing for thing in ROWS if thing[1] == "button"), name="more")
    result = LocateChain([words, controls, more]).locate(parse_target("编辑 below Nobody"), SCREEN)
    assert result.element is None
    for strategy in (words, controls, more):
        assert sum(target.text == "Nobody" for target in strategy.asked) == 1
    found = LocateChain([words, controls]).locate(parse_target("李四那一行的编辑"), SCREEN)
    assert found.element is not None
    assert (found.method_used, found.element.bbox) == ("controls", box(500, 202))


def test_confidence_is_limited_by_the_anchor() -> None:
    words = Drawn(label("Name", 30, 100), name="words", confidence=0.6)
    controls = Drawn(button("", 200, 100), name="controls", confidence=0.95)
    result = LocateChain([controls, words]).locate(parse_target("the button right of “Name”"), SCREEN)
    assert result.confidence == 0.6
    words.confidence = 0.3
    result = LocateChain([controls, words]).locate(parse_target("the button right of “Name”"), SCREEN)
    assert result.element is None
    assert "was not found" in (result.error or "")


@pytest.mark.parametrize(
    "query", ["第二个 搜索", "the Save button", "click on the Copy link button", "飞行模式那一行的开关"]
)
def test_label_equal_to_the_phrase_wins(query: str) -> None:
    things = (label(query, 30, 900), *SETTINGS, button("搜索", 30, 30), button("搜索", 30, 80), button("Save", 30, 130))
    result = locate(query, *things)
    assert result.element is not None
    assert result.element.bbox == box(30, 900)


@pytest.mark.parametrize(
    ("query", "text"), [("点击登录", "登录"), ("点击登录", "点击登录"), ("click on Copy link", "Copy link")]
)
def test_verb_may_be_part_of_label(query: str, text: str) -> None:
    result = locate(query, button(text, 30, 30), button("link", 30, 300))
    assert result.element is not None
    assert result.element.text == text


@given(
    st.lists(
        st.tuples(st.integers(0, 800), st.integers(0, 1100), st.integers(1, 200), st.integers(1, 200)), max_size=30
    )
)
def test_reading_order_keeps_every_place(boxes: list[tuple[int, int, int, int]]) -> None:
    elements = [UIElement("button", str(number), box(*each)) for number, each in enumerate(boxes)]
    assert sorted(each.description for each in reading_order(elements)) == sorted(each.description for each in elements)


@given(
    st.permutations([(row, column) for row in range(4) for column in range(3)]), st.integers(-9, 9), st.integers(-9, 9)
)
def test_reading_order_tolerates_vertical_jitter(cells: list[tuple[int, int]], one: int, other: int) -> None:
    jitter = (one, other, 0)
    elements = [
        UIElement("button", f"{row}{column}", box(30 + 200 * column, 50 + 100 * row + jitter[column]))
        for row, column in cells
    ]
    assert [each.description for each in reading_order(elements)] == [
        f"{row}{column}" for row in range(4) for column in range(3)
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [("the first Save", True), ("the last Save", False), ("最后一个Save", False), ("the last Save below Title", False)],
)
def test_single_match_is_first_but_not_last(query: str, found: bool) -> None:
    result = locate(query, label("Title", 30, 20), button("Save", 30, 100))
    assert result.success is found
    assert [each.bbox for each in result.candidates] == ([] if found else [box(30, 100)])

"""Targets in a header, a sidebar or a toolbar, and fields by what belongs into them: among elements that are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageDraw

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.chain import LocateChain
from handeye.locate.parsed import ParserStrategy
from handeye.screen import Screen
from handeye.target import LocateResult, Target


class Told:
    """A parser that sees what it is told, and whose icons show what stands in their `description`."""

    def __init__(self, elements: Sequence[UIElement]) -> None:
        self._parsed: Any = SimpleNamespace(state=SimpleNamespace(elements=tuple(elements)))

    def look(self, screen: Screen) -> Any:
        return self._parsed

    def icon_scores(self, phrase: str, parsed: Any) -> dict[int, float]:
        icons = [each for each in parsed.state.elements if each.element_type == "icon"]
        return {each.id: 0.9 if each.description and each.description in phrase else 0.01 for each in icons}


def seen(number: int, kind: str, box: tuple[int, int, int, int], shows: str = "", text: str = "") -> UIElement:
    return UIElement(
        element_type=kind, description=shows, bbox=Box(*box), confidence=0.9, source="parser", text=text, id=number
    )


def icon(number: int, x: int, y: int, shows: str) -> UIElement:
    return seen(number, "icon", (x - 10, y - 10, x + 10, y + 10), shows)


# A bell in the header, one in the sidebar, one in a toolbar and one alone.
BELLS: Mapping[str, UIElement] = {
    "header": icon(1, 900, 40, "bell"),
    "sidebar": icon(2, 40, 400, "bell"),
    "toolbar": icon(3, 500, 200, "bell"),
    "alone": icon(4, 600, 600, "bell"),
}
PAGE = [*BELLS.values(), icon(5, 530, 200, "cut"), icon(6, 560, 200, "copy"), icon(7, 560, 400, "cut")]


def ask(phrase: str, elements: Sequence[UIElement]) -> LocateResult:
    screen = Screen.from_image(Image.new("RGB", (1000, 800), "white"))
    return LocateChain([ParserStrategy(Told(elements))]).locate(Target.parse(phrase), screen)


@pytest.mark.parametrize(
    ("phrase", "place"),
    [
        ("the bell in the header", "header"),
        ("the bell icon in the sidebar", "sidebar"),
        ("the bell icon in the toolbar", "toolbar"),
        ("侧边栏里的bell图标", "sidebar"),
        ("工具栏里的bell图标", "toolbar"),
    ],
)
def test_a_part_of_the_screen_says_which_icon_is_meant(phrase: str, place: str) -> None:
    result = ask(phrase, PAGE)
    assert result.element is not None, result.error
    assert result.element.id == BELLS[place].id


def test_what_is_elsewhere_is_not_taken_for_what_is_asked_for_in_a_part_of_the_screen() -> None:
    assert not ask("the cut icon in the header", PAGE).success
    assert not ask("the bell icon in the toolbar", [each for each in PAGE if each.id != 3]).success


def test_a_number_counts_in_the_part_of_the_screen() -> None:
    result = ask("the second icon in the toolbar", PAGE)
    assert result.element is not None
    assert result.element.id == 5


def test_a_word_that_is_read_is_no_part_of_the_screen() -> None:
    page = [*PAGE, seen(8, "text", (600, 690, 680, 710), text="Sidebar")]
    assert not ask("the bell icon in the sidebar", page).success


FIELDS = [
    seen(1, "input", (100, 100, 400, 140), text="Type a name or a place, search"),
    seen(2, "input", (100, 200, 400, 240), text="请输入密码"),
    seen(3, "input", (100, 300, 400, 380), text="Write what you think, a comment"),
    seen(4, "text", (500, 300, 600, 320), text="Comment"),
]


@pytest.mark.parametrize(
    ("phrase", "number"),
    [
        ("the search box", 1),
        ("搜索框", 1),
        ("the password field", 2),
        ("密码框", 2),
        ("the comment box", 3),
        ("评论框", 3),
    ],
)
def test_a_field_is_found_by_what_belongs_into_it_in_either_language(phrase: str, number: int) -> None:
    result = ask(phrase, FIELDS)
    assert result.element is not None, result.error
    assert result.element.id == number


def test_a_search_field_may_show_only_a_magnifier_beside_it() -> None:
    fields = [seen(1, "input", (100, 100, 400, 140)), seen(2, "input", (100, 300, 400, 340))]
    result = ask("the search box", [*fields, icon(3, 420, 320, "search")])
    assert result.element is not None
    assert result.element.id == 2
    assert not ask("the search box", [*fields, icon(3, 700, 320, "search")]).success


@pytest.fixture
def coloured() -> Screen:
    """A green button and a blue one with a paper plane each, and a red one that says so."""
    image = Image.new("RGB", (1000, 800), "white")
    pen = ImageDraw.Draw(image)
    for left, colour in ((100, (30, 160, 60)), (300, (30, 90, 220)), (500, (200, 30, 40))):
        pen.rectangle((left, 100, left + 79, 139), fill=colour)
    return Screen.from_image(image)


BUTTONS = [
    *(seen(1, "button", (100, 100, 180, 140)), seen(2, "button", (300, 100, 380, 140))),
    *(seen(3, "button", (500, 100, 580, 140), text="Delete"), seen(6, "button", (500, 300, 580, 340), text="Delete")),
    *(replace(icon(number, x, 120, "send"), parent=above) for number, x, above in ((4, 140, 1), (5, 340, 2))),
]


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("the green send button", 1),
        ("the blue send button", 2),
        ("the red send button", None),
        ("the red delete button", 3),
    ],
)
def test_a_colour_before_the_name_chooses_where_nothing_is_called_so(
    coloured: Screen, phrase: str, meant: int | None
) -> None:
    result = LocateChain([ParserStrategy(Told(BUTTONS))]).locate(Target.parse(phrase), coloured)
    assert (result.element.id if result.element is not None and result.success else None) == meant


def test_what_is_called_like_a_colour_need_not_have_it(coloured: Screen) -> None:
    page = [icon(1, 140, 120, "red hat"), icon(2, 540, 120, "coat")]
    result = LocateChain([ParserStrategy(Told(page))]).locate(Target.parse("the red hat icon"), coloured)
    assert result.element is not None
    assert result.element.id == 1


MENU = [
    seen(1, "menu item", (400, 200, 560, 230), text="Copy"),
    seen(2, "text", (405, 240, 500, 256), text="Properties..."),
    seen(3, "list item", (400, 270, 560, 300), text="属性"),
]


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("Properties in the pop-up menu", 2),
        ("the 'Copy' option from the drop-down menu", 1),
        ("the Copy item in the context menu", 1),
        ("右键菜单里的属性", 3),
    ],
)
def test_an_entry_of_an_open_menu_is_the_one_thing_that_reads_so(phrase: str, meant: int) -> None:
    result = ask(phrase, MENU)
    assert result.element is not None, result.error
    assert result.element.id == meant


def test_two_things_that_read_like_an_entry_are_not_chosen_from() -> None:
    again = [seen(4, "text", (20, 20, 90, 50), text="Copy"), seen(5, "text", (20, 60, 90, 90), text="Cut")]
    assert not ask("Copy in the context menu", [*MENU, *again]).success


def test_an_entry_that_is_not_there_is_refused() -> None:
    assert not ask("Paste in the context menu", MENU).success
    assert not ask("Copy in the File menu", MENU).success


def test_a_button_is_not_taken_for_an_entry_of_a_menu_that_is_not_open() -> None:
    page = [seen(1, "button", (20, 20, 90, 50), text="Delete"), seen(2, "text", (300, 400, 380, 420), text="Delete")]
    assert not ask("Delete in the context menu", page).success

"""Tests of the ranker on screen parts, inputs, colours and menus, with given elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageDraw

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import LocateChain, RankingStrategy, Sources, bundled_ranker
from handeye.screen import Screen
from handeye.target import LocateResult, parse_target


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
BLANK = Screen.from_image(Image.new("RGB", (1000, 800), "white"))
PAGE = [*BELLS.values(), icon(5, 530, 200, "cut"), icon(6, 560, 200, "copy"), icon(7, 560, 400, "cut")]


def ask(phrase: str, elements: Sequence[UIElement], screen: Screen = BLANK) -> LocateResult:
    return LocateChain([RankingStrategy(bundled_ranker, Sources(None, Told(elements)))]).locate(
        parse_target(phrase), screen
    )


def first(phrase: str, elements: Sequence[UIElement], screen: Screen = BLANK) -> int | None:
    """The number of the element that is found, or else of the most probable candidate."""
    result = ask(phrase, elements, screen)
    return result.element.id if result.element is not None else result.candidates[0].id


@pytest.mark.parametrize(
    ("phrase", "place"),
    [
        ("the bell in the header", "header"),
        ("the bell icon in the sidebar", "sidebar"),
        ("侧边栏里的bell图标", "sidebar"),
    ],
)
def test_named_screen_part_ranks_its_icon_first(phrase: str, place: str) -> None:
    assert first(phrase, PAGE) == BELLS[place].id


def test_icon_outside_named_screen_part_is_refused() -> None:
    assert not ask("the cut icon in the header", PAGE).success
    assert not ask("the bell icon in the toolbar", [each for each in PAGE if each.id != 3]).success


FIELDS = [
    seen(1, "input", (100, 100, 400, 140), text="Type a name or a place, search"),
    seen(2, "input", (100, 200, 400, 240), text="请输入密码"),
    seen(3, "input", (100, 300, 400, 380), text="Write what you think, a comment"),
    seen(4, "text", (500, 300, 600, 320), text="Comment"),
]


@pytest.mark.parametrize(
    ("phrase", "number"), [("the search box", 1), ("搜索框", 1), ("the password field", 2), ("密码框", 2)]
)
def test_input_is_ranked_by_its_purpose(phrase: str, number: int) -> None:
    assert first(phrase, FIELDS) == number


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
    [("the green send button", 4), ("the blue send button", 5), ("the red delete button", 3)],
)
def test_colour_word_selects_among_buttons(coloured: Screen, phrase: str, meant: int) -> None:
    result = ask(phrase, BUTTONS, coloured)
    assert result.element is not None
    assert result.element.id == meant


def test_unmatched_colour_finds_nothing(coloured: Screen) -> None:
    assert not ask("the red send button", BUTTONS, coloured).success


MENU = [
    seen(1, "menu item", (400, 200, 560, 230), text="Copy"),
    seen(2, "menu item", (400, 235, 560, 265), text="Properties..."),
    seen(3, "menu item", (400, 270, 560, 300), text="重命名"),
]


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("Properties in the pop-up menu", 2),
        ("the Copy item in the context menu", 1),
        ("右键菜单里的重命名", 3),
    ],
)
def test_context_menu_entry_is_found_by_text(phrase: str, meant: int) -> None:
    result = ask(phrase, MENU)
    assert result.element is not None, result.error
    assert result.element.id == meant


def test_absent_menu_entry_is_refused() -> None:
    assert not ask("Paste in the context menu", MENU).success

"""Tests of colour words in targets: the frame's pixels decide, and ambiguous matches become candidates."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_page import Colour, DrawnPage
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.locate import AccessibilityStrategy, LocateChain, OcrStrategy
from handeye.locate.colours import Shows, shows_colour
from handeye.screen import Screen
from handeye.target import COLOURS, LocateResult, Target, parse_target
from handeye.testing.perceiving import FakeProvider

WHITE = (255, 255, 255)
# As Material, Ant Design and Bootstrap have them.
FACES: dict[str, tuple[Colour, ...]] = {
    "red": ((244, 67, 54), (255, 77, 79), (220, 53, 69), (183, 28, 28)),
    "orange": ((255, 152, 0), (253, 126, 20), (250, 140, 22)),
    "yellow": ((255, 235, 59), (255, 193, 7), (250, 219, 20)),
    "green": ((76, 175, 80), (82, 196, 26), (25, 135, 84)),
    "blue": ((33, 150, 243), (22, 119, 255), (13, 110, 253)),
    "purple": ((156, 39, 176), (114, 46, 209), (111, 66, 193)),
    "pink": ((233, 30, 99), (235, 47, 150), (255, 192, 203)),
    "brown": ((121, 85, 72), (109, 76, 45)),
    "black": ((0, 0, 0), (33, 37, 41)),
    "gray": ((158, 158, 158), (108, 117, 125)),
    "white": ((255, 255, 255), (248, 249, 250)),
}


def page_of(*colours: Colour, text: str = "Delete", role: str = "button") -> tuple[DrawnPage, list[UIElement]]:
    page = DrawnPage(700, 900)
    elements = []
    for place, colour in enumerate(colours):
        box = Box(100, 60 + 120 * place, 400, 140 + 120 * place)
        page.control(box, text, fill=colour, ink=WHITE if sum(colour) < 500 else (0, 0, 0))
        elements.append(UIElement(role, "", box, text=f"{text} {place}", id=place + 1, interactive=True))
    return page, elements


def ask(words: str, *colours: Colour) -> LocateResult:
    page, elements = page_of(*colours)
    return LocateChain([AccessibilityStrategy(FakeProvider(tuple(elements)))]).locate(parse_target(words), page.screen)


@pytest.mark.parametrize(("name", "face"), [(name, face) for name, faces in FACES.items() for face in faces])
def test_face_colour_is_named_correctly(name: str, face: Colour) -> None:
    page, (element,) = page_of(face)
    shown = {colour for colour in COLOURS if shows_colour(page.screen, element.bbox, colour) is Shows.SURELY}
    assert shown == {name}


@pytest.mark.parametrize("words", ["the red button", "红色的按钮", "click the red button", "红色按钮"])
def test_only_button_of_that_colour_is_found(words: str) -> None:
    result = ask(words, FACES["blue"][0], FACES["red"][1], FACES["gray"][0])
    assert result.element is not None, result.error
    assert result.element.id == 2


def test_colour_matches_two_candidates_or_none() -> None:
    result = ask("the red button", *FACES["red"][:2], FACES["blue"][0])
    assert (result.success, {each.id for each in result.candidates}) == (False, {1, 2})
    result = ask("the red button", FACES["green"][0], FACES["blue"][0])
    assert (result.success, result.candidates) == (False, ())
    assert "none of the places found is red" in result.attempts[0].note


def test_partly_coloured_button_is_only_a_candidate() -> None:
    page, elements = page_of(FACES["red"][0], FACES["blue"][0])
    half = elements[1].bbox
    page.pen.rectangle((half.left, half.top, half.left + 120, half.bottom), fill=FACES["red"][0])
    chain = LocateChain([AccessibilityStrategy(FakeProvider(tuple(elements)))])
    assert len(chain.locate(parse_target("the red button"), page.screen).candidates) == 2
    chain = LocateChain([AccessibilityStrategy(FakeProvider((elements[1],)))])
    assert not chain.locate(parse_target("the red button"), page.screen).success


@pytest.mark.parametrize("words", ["the red “Delete” button", "红色的“删除”按钮", "the red Delete button"])
def test_colour_selects_among_equal_texts(words: str) -> None:
    text = "删除" if "删除" in words else "Delete"
    page, elements = page_of(FACES["gray"][1], FACES["red"][0], text=text)
    result = LocateChain([OcrStrategy(page)]).locate(parse_target(words), page.screen)
    assert result.element is not None, result.error
    assert result.element.bbox.iou(elements[1].bbox) > 0.9


def test_blue_outline_does_not_make_button_blue() -> None:
    page, (element,) = page_of(WHITE)
    page.pen.rounded_rectangle(element.bbox, 8, outline=FACES["blue"][1], width=5)
    assert shows_colour(page.screen, element.bbox, "blue") is Shows.NOT


def test_icon_colour_is_its_ink_colour() -> None:
    page = DrawnPage(400, 400)
    page.pen.ellipse((100, 100, 140, 140), outline=FACES["red"][0], width=5)
    page.pen.ellipse((200, 100, 240, 140), outline=page.ink, width=5)
    assert shows_colour(page.screen, Box(96, 96, 145, 145), "red") is Shows.SURELY
    assert shows_colour(page.screen, Box(196, 96, 245, 145), "red") is Shows.NOT


def test_unknown_colour_name_raises_usage_error() -> None:
    with pytest.raises(UsageError, match="no colour is called 'teal'"):
        Target(role="button", colour="teal")


@given(
    st.integers(-20, 60),
    st.integers(-20, 60),
    st.integers(1, 80),
    st.integers(1, 80),
    st.sampled_from(COLOURS),
    st.integers(0, 99),
)
def test_any_box_gives_a_colour_result(left: int, top: int, width: int, height: int, colour: str, seed: int) -> None:
    screen = Screen(np.random.default_rng(seed).integers(0, 256, (40, 30, 3), np.uint8))
    assert shows_colour(screen, Box(left, top, left + width, top + height), colour) in tuple(Shows)

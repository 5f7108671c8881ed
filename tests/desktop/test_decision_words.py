"""Which inferred part a phrase means, and what counts as a thing that is drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from handeye.desktop.drawn import drawn_things
from handeye.desktop.parts import PartPhrase, part_named, parts_meant
from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import Target


def part(role: str, name: str, box: tuple[int, int, int, int], *between: str, source: str = "structure") -> UIElement:
    return UIElement(role, name, Box(*box), source=source, metadata={"between": between} if between else {})


PARTS = (
    part("column border", "column border between Name and Size", (97, 0, 103, 20), "Name", "Size"),
    part("column border", "column border between Size and Owner", (197, 0, 203, 20), "Size", "Owner"),
    part("column border", "column border after Owner", (297, 0, 303, 20), "Owner"),
    part("row border", "row border between 1 and 2", (0, 47, 20, 53), "1", "2"),
    part("splitter", "splitter between Places and 文件", (0, 300, 100, 306), "Places", "文件"),
    part("resize handle", "resize handle of Files", (292, 292, 300, 300)),
    part("panel grip", "panel grip of Tools", (0, 400, 10, 430), "Tools"),
    part("splitter", "", (0, 0, 500, 500), source="accessibility"),
)
CELL = UIElement("cell", "", Box(20, 20, 100, 50), text="Alpha")


def find(target: Target) -> UIElement | None:
    return CELL if target.text == "Alpha" else None


def meant(phrase: str) -> list[str]:
    wanted = part_named(phrase)
    assert wanted is not None
    return [each.description for each in parts_meant(wanted, PARTS, find)]


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("the column border between Name and Size", "column border between Name and Size"),
        ("column border between size and name", "column border between Name and Size"),
        ("Name 和 Size 之间的列边框", "column border between Name and Size"),
        ("the column border right of Size", "column border between Size and Owner"),
        ("the column border left of Owner", "column border between Size and Owner"),
        ("the column border after Owner", "column border after Owner"),
        ("the row border between 1 and 2", "row border between 1 and 2"),
        ("the row border below Alpha", "row border between 1 and 2"),
        ("the splitter between Places and 文件", "splitter between Places and 文件"),
        ("Places 和 文件 之间的分隔条", "splitter between Places and 文件"),
        ("splitter", "splitter between Places and 文件"),
        ("the resize handle of Files", "resize handle of Files"),
        ("the resize handle of the Files table", "resize handle of Files"),
        ("Files 表格的缩放手柄", "resize handle of Files"),
        ("the panel grip of Tools", "panel grip of Tools"),
    ],
)
def test_a_phrase_means_one_part(phrase: str, name: str) -> None:
    assert meant(phrase) == [name]


@pytest.mark.parametrize(
    "phrase",
    [
        "the column border between Name and Owner",  # no neighbours
        "the column border between Name and Banana",
        "the column border left of Name",
        "the row border above Alpha",
        "the row border below Beta",
        "the resize handle of Tools",
        "the splitter right of Nowhere",
    ],
)
def test_what_does_not_follow_is_not_there(phrase: str) -> None:
    assert meant(phrase) == []


def test_of_several_none_is_chosen() -> None:
    assert len(meant("the column border")) == 3


@pytest.mark.parametrize("phrase", ["Save", "the Border button", "column borders of the past", "行", "the Name column"])
def test_other_phrases_speak_of_no_part(phrase: str) -> None:
    assert part_named(phrase) is None


def test_an_empty_phrase_is_an_error() -> None:
    with pytest.raises(UsageError):
        part_named("   ")


def test_a_part_phrase_tells_names_as_they_are_compared() -> None:
    assert PartPhrase("splitter", (Target("  Ａ  b "),)).names == ("a b",)


# -- drawn things

WHITE, RED = (255, 255, 255), (200, 20, 40)


def canvas(*paint: Callable[[np.ndarray], None]) -> Screen:
    pixels = np.full((100, 160, 3), 230, np.uint8)
    pixels[20:80, 30:130] = WHITE
    for each in paint:
        each(pixels)
    return Screen(pixels)


def block(left: int, top: int, right: int, bottom: int) -> Callable[[np.ndarray], None]:
    def paint(pixels: np.ndarray) -> None:
        pixels[top:bottom, left:right] = RED

    return paint


PLACE = Box(30, 20, 130, 80)


def test_one_thing_on_one_ground_is_found_to_the_pixel() -> None:
    assert drawn_things(canvas(block(70, 40, 90, 55)), PLACE) == (Box(70, 40, 90, 55),)


def test_strokes_of_one_drawing_are_one_thing() -> None:
    assert drawn_things(canvas(block(70, 40, 76, 55), block(79, 40, 90, 55)), PLACE) == (Box(70, 40, 90, 55),)


def test_two_things_are_two() -> None:
    assert len(drawn_things(canvas(block(40, 40, 50, 50), block(90, 40, 100, 50)), PLACE)) == 2


@pytest.mark.parametrize(
    "paint",
    [
        (),
        (block(70, 40, 73, 43),),  # a speck
        (block(30, 40, 60, 50),),  # reaches the border: what lies around
        (block(30, 20, 130, 22),),  # a frame
    ],
)
def test_what_is_no_thing_apart_is_none(paint: tuple[Callable[[np.ndarray], None], ...]) -> None:
    assert drawn_things(canvas(*paint), PLACE) == ()


def test_what_the_application_names_is_not_found_again() -> None:
    assert drawn_things(canvas(block(70, 40, 90, 55)), PLACE, [Box(60, 30, 100, 60)]) == ()


def test_a_photograph_has_no_ground() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (100, 160, 3), np.uint8)
    assert drawn_things(Screen(noise), PLACE) == ()


@pytest.mark.parametrize("place", [Box(0, 0, 0, 0), Box(500, 500, 900, 900), Box(-50, -50, 5, 5)])
def test_a_place_outside_holds_nothing(place: Box) -> None:
    assert drawn_things(canvas(), place) == ()

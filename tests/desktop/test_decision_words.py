"""Tests of phrases that name inferred parts, and of finding single drawings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from handeye.desktop import WindowState
from handeye.desktop.element_finder import DecisionTree
from handeye.desktop.parts import PartPhrase, part_named, parts_meant
from handeye.elements import UIElement
from handeye.errors import TargetNotFound, UsageError
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.screen import Pixels
from handeye.target import Target
from handeye.testing.desktop_fake import FakeDesktop, fake_window


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
        ("Owner 之后的列边框", "column border after Owner"),
        ("Owner后列边框", "column border after Owner"),
        ("The column border AFTER Owner", "column border after Owner"),
        ("The resize handle of the Files Table", "resize handle of Files"),
        ("Files 窗口 的 缩放手柄", "resize handle of Files"),
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
def test_phrase_selects_one_inferred_part(phrase: str, name: str) -> None:
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
def test_phrase_for_missing_part_finds_nothing(phrase: str) -> None:
    assert meant(phrase) == []


def test_phrase_for_several_parts_returns_all() -> None:
    assert len(meant("the column border")) == 3


@pytest.mark.parametrize("phrase", ["Save", "the Border button", "column borders of the past", "行", "the Name column"])
def test_ordinary_phrases_name_no_inferred_part(phrase: str) -> None:
    assert part_named(phrase) is None


def test_an_empty_phrase_is_an_error() -> None:
    with pytest.raises(UsageError):
        part_named("   ")


def test_part_of_element_named_like_its_role() -> None:
    assert part_named("工具栏的工具栏手柄") == PartPhrase("panel grip", (Target("工具栏"),))


def test_part_phrase_normalizes_names() -> None:
    assert PartPhrase("splitter", (Target("  Ａ  b "),)).names == ("a b",)


PANES = (
    part("splitter", "right", (300, 100, 304, 300)),
    part("splitter", "below", (100, 300, 700, 304)),
)
LIST = UIElement("list", "", Box(100, 100, 300, 300), text="Places")
INNER = UIElement("tree", "", Box(200, 100, 300, 200), text="Folders")


@pytest.mark.parametrize(
    ("phrase", "names"),
    [
        ("the splitter right of Places", ["right"]),
        ("the splitter below Places", ["below"]),
        ("the splitter above Places", []),
        ("the splitter below Folders", []),
        ("the splitter right of Folders", ["right"]),
    ],
)
def test_splitter_side_is_relative_to_adjacent_pane(phrase: str, names: list[str]) -> None:
    wanted = part_named(phrase)
    assert wanted is not None
    found = parts_meant(wanted, PANES, lambda anchor: LIST if anchor.text == "Places" else INNER)
    assert [each.description for each in found] == names


# -- drawn things

WINDOW = fake_window(7, "Notes", Box(100, 100, 500, 400), focused=True)
SKETCH = UIElement("image", "", Box(200, 150, 400, 350), text="Sketch", id=2, parent=1, source="accessibility")
Paint = Callable[[np.ndarray], None]


class Painted(FakeDesktop):
    """A desktop whose one window has a white place for drawings in it."""

    def __init__(self, *paint: Paint) -> None:
        super().__init__([WINDOW])
        self.pixels = np.full((800, 1280, 3), 230, np.uint8)
        self.pixels[150:350, 200:400] = 255
        for each in paint:
            each(self.pixels)

    def grab(self, box: Box) -> Pixels:
        return self.pixels[box.top : box.bottom, box.left : box.right]


def block(*box: int, ink: tuple[int, int, int] = (200, 20, 40)) -> Paint:
    def paint(pixels: np.ndarray) -> None:
        pixels[box[1] : box[3], box[0] : box[2]] = ink

    return paint


def noise(pixels: np.ndarray) -> None:
    pixels[150:350, 200:400] = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)


def drawn_in_sketch(*paint: Paint, known: tuple[UIElement, ...] = ()) -> Box:
    targets = (UIElement("window", "", WINDOW.box, text="Notes", id=1, source="accessibility"), SKETCH, *known)

    def look(infer: bool, vision: bool) -> WindowState:
        return WindowState(WINDOW, Detection(targets, (None,) * len(targets)), infer, vision)

    return DecisionTree(Painted(*paint), look).decide("the icon in Sketch").element.bbox


@pytest.mark.parametrize(
    ("paint", "box"),
    [
        ((block(270, 240, 290, 255),), (270, 240, 290, 255)),
        ((block(270, 240, 276, 255), block(279, 240, 290, 255)), (270, 240, 290, 255)),  # strokes of one drawing
        ((block(250, 200, 314, 264),), (250, 200, 314, 264)),
        ((block(280, 200, 288, 208),), (280, 200, 288, 208)),
        ((block(280, 200, 284, 240), block(262, 218, 302, 222)), (262, 200, 302, 240)),  # a plus
        ((block(250, 200, 270, 240), block(270, 200, 290, 240, ink=(0, 0, 200))), (250, 200, 290, 240)),
        ((block(220, 170, 370, 320), block(223, 173, 367, 317, ink=(255, 255, 255))), (220, 170, 370, 320)),
    ],
)
def test_single_drawing_has_an_exact_box(paint: tuple[Paint, ...], box: tuple[int, int, int, int]) -> None:
    assert drawn_in_sketch(*paint) == box


@pytest.mark.parametrize(
    "paint",
    [
        (),
        (block(240, 240, 250, 250), block(290, 240, 300, 250)),  # two
        (block(280, 200, 284, 240), block(262, 218, 302, 222), block(350, 200, 358, 208)),  # a plus and a block
        (block(270, 240, 273, 243),),  # a speck
        (block(200, 240, 230, 250),),  # reaches the border: what lies around
        (block(200, 150, 400, 152),),  # a frame
        (noise,),  # a photograph
    ],
)
def test_unclear_or_multiple_drawings_are_refused(paint: tuple[Paint, ...]) -> None:
    with pytest.raises(TargetNotFound, match="things are drawn"):
        drawn_in_sketch(*paint)


def test_drawing_inside_a_named_element_is_ignored() -> None:
    named = UIElement("text", "", Box(260, 230, 300, 260), text="7", id=3, parent=1, source="accessibility")
    with pytest.raises(TargetNotFound, match="no things are drawn"):
        drawn_in_sketch(block(270, 240, 290, 255), known=(named,))

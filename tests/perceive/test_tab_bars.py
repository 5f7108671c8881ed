"""Tests of tab bars at the bottom of Android apps, recognized by their row, even if the selected tab is not clickable."""

from __future__ import annotations

import pytest
from test_uiautomator import frame, node, tree

from handeye.geometry import Box
from handeye.locate import VisualLocator
from handeye.perceive import IN_TAB_BAR
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye.testing.perceiving import FakeProvider

SCREEN = frame(1080, 2400)


def box(left: int, top: int, right: int, bottom: int, *, pressed: bool = True, kind: str = "View") -> str:
    about = {"class": f"android.view.{kind}", "clickable": str(pressed).lower()}
    return node(f"[{left},{top}][{right},{bottom}]", **about)


def grid(rows: int) -> str:
    """Keys in rows above each other, down to the bottom of the screen."""
    keys = [box(270 * at, 2340 - 160 * row, 270 * at + 260, 2490 - 160 * row) for row in range(rows) for at in range(4)]
    return tree(node("[0,0][1080,2400]", "".join(keys)))


def bar(widths: list[int], *, top: int = 2130, height: int = 200, gap: int = 0, closed: int | None = None) -> str:
    """Boxes side by side; `closed` is the one that cannot be pressed."""
    boxes, left = [], 0
    for at, width in enumerate(widths):
        boxes.append(box(left, top, left + width, top + height, pressed=at != closed))
        left += width + gap
    return tree(node("[0,0][1080,2400]", "".join(boxes)))


def tabs(xml: str) -> list[Box]:
    return [each.bbox for each in parse_hierarchy(xml, SCREEN).elements if each.metadata.get(IN_TAB_BAR)]


@pytest.mark.parametrize(
    "xml",
    [
        bar([270] * 4),
        bar([270] * 4, closed=0),
        bar([200, 199, 199, 199, 199], gap=21, closed=0),
        bar([360, 359, 361], closed=1),
        bar([162, 162, 174, 162, 162, 162], gap=3),
    ],
)
def test_bottom_row_of_equal_boxes_is_tab_bar(xml: str) -> None:
    assert len(tabs(xml)) == xml.count("android.view.View")


@pytest.mark.parametrize(
    "xml",
    [
        bar([540] * 2),  # two buttons
        bar([126, 546, 126, 126]),  # a search bar
        bar([100] * 3),  # a group of small buttons
        bar([270] * 4, top=1200),  # a row of the page
        bar([270] * 4, top=1700, height=620),  # a keypad's height
        bar([150] * 3, gap=165),  # apart
        grid(4),  # a keypad, or the last row of a gallery
        bar([360] * 3).replace('class="', 'package="com.android.systemui" class="'),
    ],
)
def test_other_rows_are_no_tab_bars(xml: str) -> None:
    assert not tabs(xml)


@pytest.mark.parametrize(
    ("words", "number"), [("third tab at the bottom", 2), ("底部第二个标签", 1), ("底部最后一个标签", 3)]
)
def test_a_tab_is_found_by_its_number(words: str, number: int) -> None:
    state = parse_hierarchy(bar([270] * 4, closed=0), SCREEN)
    provider = FakeProvider()
    provider.elements = state.elements
    locator = VisualLocator(reader=None, parser=None, vision=None, tree=provider)
    result = locator.locate(words, Screen(SCREEN.pixels))
    assert result.element is not None, result.error
    assert result.element.bbox == tabs(bar([270] * 4, closed=0))[number]

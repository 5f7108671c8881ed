"""Detect tab bars at the bottom of a phone's screen, which Android trees report as boxes, groups or buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Size

IN_TAB_BAR: Final = "in_tab_bar"
"""The metadata key that is set for the tabs of such a bar."""
_FEWEST: Final = 3
_BOTTOM: Final = 0.9  # of the screen's height: a bar reaches further down
_WIDTH: Final = 0.6  # of the screen's width: a bar takes at least so much
_HIGHEST: Final = 0.15  # of the screen's height
_ALIKE: Final = 0.8  # share: tabs of one bar differ less in width, height and place
_BOXES: Final = frozenset({"element", "group", "button", "item", "card"})
_SYSTEM: Final = "com.android.systemui"


def with_tabs(elements: Sequence[UIElement], size: Size) -> tuple[UIElement, ...]:
    """
    Return the elements with the tabs of a bottom bar marked: boxes of one size in a row, of which all but one can be
    pressed. The row of a grid, such as a keypad or a gallery, is not a bar, nor are the system's navigation buttons.
    """
    boxes = [each for each in elements if each.element_type in _BOXES and each.metadata.get("package") != _SYSTEM]
    low = [each for each in boxes if _is_low(each, size)]
    tabs = {id(each) for each in _bar(low, boxes, size)}
    return tuple(
        replace(each, metadata={**each.metadata, IN_TAB_BAR: True}) if id(each) in tabs else each for each in elements
    )


def _is_low(element: UIElement, size: Size) -> bool:
    return element.bbox.bottom >= _BOTTOM * size.height and 0 < element.bbox.height <= _HIGHEST * size.height


def _bar(low: Sequence[UIElement], boxes: Sequence[UIElement], size: Size) -> list[UIElement]:
    """Return the tabs from left to right, or an empty list if the boxes form no bar."""
    pressed = [each for each in low if each.interactive]
    rows = Counter((each.bbox.bottom, each.bbox.top) for each in pressed)
    row = max((edges for edges, count in rows.items() if count >= _FEWEST - 1), default=None)
    model = next((each for each in pressed if (each.bbox.bottom, each.bbox.top) == row), None)
    if model is None:
        return []
    tabs: list[UIElement] = []
    for each in sorted(low, key=lambda each: not each.interactive):  # the open one often cannot be pressed
        if _is_alike(each, model) and not any(other.bbox.contains(each.center) for other in tabs):
            tabs.append(each)
    tabs.sort(key=lambda each: each.bbox.left)
    wide = tabs[-1].bbox.right - tabs[0].bbox.left >= _WIDTH * size.width
    close = all(after.bbox.left - before.bbox.right <= model.bbox.width / 2 for before, after in pairwise(tabs))
    above = model.bbox.translate(0, -model.bbox.height)
    in_grid = any(each.interactive and above.iou(each.bbox) >= _ALIKE**2 for each in boxes)
    return tabs if len(tabs) >= _FEWEST and wide and close and not in_grid else []


def _is_alike(each: UIElement, model: UIElement) -> bool:
    (left, top, right, bottom), other = each.bbox, model.bbox
    shared = min(bottom, other.bottom) - max(top, other.top)
    low, high = sorted((right - left, other.width))
    return low >= _ALIKE * high and shared >= _ALIKE * max(bottom - top, other.height)

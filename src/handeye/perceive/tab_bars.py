"""Tab bars at the bottom of a phone's screen, which trees of Android call boxes, groups or buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Size

_FEWEST: Final = 3
_BOTTOM: Final = 0.9  # of the screen's height: a bar reaches further down
_WIDTH: Final = 0.6  # of the screen's width: a bar takes at least so much
_HIGHEST: Final = 0.15  # of the screen's height
_ALIKE: Final = 0.8  # share: tabs of one bar differ less in width, height and place
_BOXES: Final = frozenset({"element", "group", "button", "item", "image", "card"})


def with_tabs(elements: Sequence[UIElement], size: Size) -> tuple[UIElement, ...]:
    """Return the elements, those of a tab bar as tabs: boxes of one size side by side, of which all but one can be pressed."""
    boxes = [
        each
        for each in elements
        if each.element_type in _BOXES
        and each.bbox.bottom >= _BOTTOM * size.height
        and 0 < each.bbox.height <= _HIGHEST * size.height
    ]
    tabs = {each.id for each in _bar(boxes, size)}
    return tuple(replace(each, element_type="tab") if each.id in tabs else each for each in elements)


def _bar(boxes: Sequence[UIElement], size: Size) -> list[UIElement]:
    """Return the tabs from left to right; none where the boxes make no bar."""
    pressed = [each for each in boxes if each.interactive]
    rows = Counter((each.bbox.top, each.bbox.bottom) for each in pressed)
    row = next((edges for edges, count in rows.most_common(1) if count >= _FEWEST - 1), None)
    model = next((each for each in pressed if (each.bbox.top, each.bbox.bottom) == row), None)
    if model is None:
        return []
    tabs: list[UIElement] = []
    for each in sorted(boxes, key=lambda each: not each.interactive):  # the open one often cannot be pressed
        if _is_alike(each, model) and not any(other.bbox.contains(each.center) for other in tabs):
            tabs.append(each)
    tabs.sort(key=lambda each: each.bbox.left)
    wide = tabs[-1].bbox.right - tabs[0].bbox.left >= _WIDTH * size.width
    close = all(after.bbox.left - before.bbox.right <= model.bbox.width / 2 for before, after in pairwise(tabs))
    return tabs if len(tabs) >= _FEWEST and wide and close else []


def _is_alike(each: UIElement, model: UIElement) -> bool:
    (left, top, right, bottom), other = each.bbox, model.bbox
    shared = min(bottom, other.bottom) - max(top, other.top)
    low, high = sorted((right - left, other.width))
    return low >= _ALIKE * high and shared >= _ALIKE * max(bottom - top, other.height)

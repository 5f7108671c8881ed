"""What a person counts: "the second image" means the second of the pictures in a list, not of everything that is drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.locate.tree import Tree, seen_box
from handeye.locate.tree_roles import UNMISTAKABLE

# What is one of several by its very role, in what holds it; its size follows from what it holds, and Windows gives each an id.
_ROWS: Final = frozenset({"list item", "table row", "tree item", "cell", "header item", "tab", "menu item", "menu"})
# As high as their letters, whatever they are to each other.
_TEXTS: Final = frozenset({"text", "heading"})


def countable(tree: Tree, role: str, elements: Sequence[UIElement], *, from_first: bool = False) -> Sequence[UIElement]:
    """
    Those of `elements` that a person counts; none when it cannot be told which.

    They are copies of one another: an app builds them from one layout, with the same class and id. Without an id they are all
    equally wide or high. What is twice as many as others catches the eye. `from_first`: all of the screen is counted from its
    beginning, so that a larger one above them would be the first.
    """
    if role in UNMISTAKABLE or len(elements) < 2:
        return elements
    groups: dict[object, list[UIElement]] = defaultdict(list)
    for element in elements:
        groups[_layout(tree, element)].append(element)
    series, *others = sorted(groups.values(), key=len, reverse=True)
    if others and len(series) < 2 * len(others[0]):
        return ()
    boxes = [seen_box(each) for each in series]
    top, largest = min(box.top for box in boxes), max(box.area for box in boxes)
    if from_first and any(seen_box(each).bottom <= top and seen_box(each).area > largest for each in elements):
        return ()
    copies = series[0].element_type in _ROWS or series[0].metadata.get("id")
    return series if copies or _are_equal([box.width for box in boxes]) or _are_equally_high(series) else ()


def _layout(tree: Tree, element: UIElement) -> object:
    """What its copies have in common with it: the class and what holds them where they are rows, else the class and the id."""
    kind = element.metadata.get("class")
    if element.element_type not in _ROWS:
        return kind, element.metadata.get("id")
    above = (each for each in tree.ancestors(element) if each.element_type != element.element_type)
    return kind, id(next(above, None))


def _are_equally_high(elements: Sequence[UIElement]) -> bool:
    return elements[0].element_type not in _TEXTS and _are_equal([seen_box(each).height for each in elements])


def _are_equal(lengths: Sequence[int]) -> bool:
    """Return True for equal lengths: scaled desktops round them to whole pixels, one by one."""
    return max(lengths) - min(lengths) <= 1

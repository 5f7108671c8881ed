"""Elements that a person counts: "the second image" is the second picture of a list, not of everything that is drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.locate.tree import Tree, seen_box
from handeye.locate.tree_roles import UNMISTAKABLE

Choose = Callable[[Sequence[UIElement]], object]

# What is one of several by its very role, in what holds it; its size follows from what it holds, and Windows gives each an id.
_ROWS: Final = frozenset({"list item", "table row", "tree item", "cell", "header item", "tab", "menu item", "menu"})
# As high as their letters, whatever they are to each other.
_TEXTS: Final = frozenset({"text", "heading"})
# Scaled desktops round edges of one line to whole pixels, and forms are laid out by hand.
_UNEVEN_PX: Final = 2


def countable(
    tree: Tree, role: str, elements: Sequence[UIElement], choose: Choose, *, ordinal: int = 0
) -> Sequence[UIElement]:
    """
    Those of `elements` that a person counts; none when it cannot be told which.

    They are copies of one another: an app builds them from one layout, with the same class and id. What takes twice the room of
    others catches the eye. Without an id they have the edges of one row or column, or of rows and columns that meet; others of
    their class may be counted or not, so `choose`, which returns what is meant of those counted, must say the same of both.
    `ordinal`: all of the screen is counted from its beginning, or for a negative one from its end: what stands before them
    there, and is larger or more often repeated, would be counted, too.
    """
    if role in UNMISTAKABLE or len(elements) < 2:
        return elements
    groups: dict[object, list[UIElement]] = defaultdict(list)
    for element in elements:
        groups[_layout(tree, element)].append(element)
    kind = series = _most(list(groups.values()))
    if kind and kind[0].element_type not in _ROWS and not kind[0].metadata.get("id"):
        series = _most(_in_line(kind))
        split = len(series) < len(kind) and kind[0].element_type in _TEXTS
        if split or choose(series) != choose(kind):
            return ()
    if not series:
        return ()
    boxes = [seen_box(each) for each in series]
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    largest = max(box.area for box in boxes)
    for each in elements:
        box, times = seen_box(each), len(groups[_layout(tree, each)])
        is_before = (ordinal > 0 and box.bottom <= top) or (ordinal < 0 and box.top >= bottom)
        if is_before and (box.area > largest or times > len(series)):
            return ()
    return series


def _most(groups: Sequence[list[UIElement]]) -> list[UIElement]:
    """The group of several that takes twice the room of each other one; nothing where none does."""
    several = [each for each in groups if len(each) > 1] or [[]]
    most, *others = sorted(several, key=_room, reverse=True)
    return most if not others or _room(most) >= 2 * _room(others[0]) else []


def _room(elements: Sequence[UIElement]) -> int:
    return sum(seen_box(each).area for each in elements)


def _in_line(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    """The elements by the rows and columns whose edges they share, in the order they came."""
    left, lines = list(enumerate(elements)), []
    while left:
        line = [left.pop(0)]
        for _at, one in line:  # grows meanwhile
            near = {at for at, each in left if _share_edges(one, each)}
            line += [each for each in left if each[0] in near]
            left = [each for each in left if each[0] not in near]
        lines.append([elements[at] for at, _each in sorted(line, key=lambda each: each[0])])
    return lines


def _share_edges(one: UIElement, other: UIElement) -> bool:
    """Return True for the edges of one column, or for other things than text of one row."""
    mine, its = seen_box(one), seen_box(other)
    row = one.element_type not in _TEXTS and abs(mine.top - its.top) <= _UNEVEN_PX >= abs(mine.bottom - its.bottom)
    return row or abs(mine.left - its.left) <= _UNEVEN_PX >= abs(mine.right - its.right)


def _layout(tree: Tree, element: UIElement) -> object:
    """Return the key that its copies share: the class and what holds them where they are rows, else the class and the id."""
    kind = element.metadata.get("class")
    if element.element_type not in _ROWS:
        return kind, element.metadata.get("id")
    above = (each for each in tree.ancestors(element) if each.element_type != element.element_type)
    return kind, id(next(above, None))

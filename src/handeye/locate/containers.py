"""Parts of a screen that no picture shows as an element: "in the toolbar", "in the header", 侧边栏里的."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Size
from handeye.locate.text_forms import normalize
from handeye.target import RelationKind, Target

_BY_ROLE: Final = {"toolbar": "toolbar", "heading": "header"}
_BY_NAME: Final = {
    **dict.fromkeys(("sidebar", "side bar", "侧边栏", "侧栏", "左侧栏"), "sidebar"),
    **dict.fromkeys(("navbar", "app bar", "top bar", "页眉", "顶栏", "顶部栏"), "header"),
}
# Menus that are open for a moment; no picture says where they begin, and what stands in them lies over the rest.
_MENUS: Final = frozenset({"menu", "combo box"})
UNNAMED_MENUS: Final = frozenset(
    ("", "pop-up", "popup", "context", "drop-down", "dropdown", "right-click", "右键", "弹出", "下拉", "上下文")
)
"""What people call a menu without a title by."""

_ENTRIES: Final = frozenset({"menu item", "list item", "text"})
_BELOW: Final = 3.0  # from one entry to the next at most, in heights
_ALIGNED: Final = 0.5  # how far their left sides differ, in heights
_HEADER: Final = 1 / 8  # of the height
_SIDEBAR: Final = 1 / 5  # of the width
_TOOLS: Final = frozenset({"button", "icon"})
_LEAST_TOOLS: Final = 3
_GAP: Final = 2.0  # between neighbours of one toolbar, in heights


def container_of(target: Target, elements: Sequence[UIElement]) -> str | None:
    """
    "toolbar", "header", "sidebar" or "menu", where a target's only relation is to be in one that has no name; else None.

    A word that is read on the screen ("sidebar") is that text, and not a part of the screen.
    """
    if len(target.relations) != 1 or target.relations[0].kind is not RelationKind.IN:
        return None
    anchor = target.relations[0].anchor
    if anchor.chooses:
        return None
    if anchor.role in _MENUS and (anchor.text or "").casefold() in UNNAMED_MENUS and _says_menu(target):
        return "menu"
    if not anchor.text:
        return _BY_ROLE.get(anchor.role or "")
    name = normalize(anchor.text)
    if anchor.role or any(name in normalize(each.text) for each in elements if each.text):
        return None
    return _BY_NAME.get(name)


def standing_in(container: str, pool: Sequence[UIElement], size: Size) -> list[UIElement]:
    """
    The elements in the top band (header), at an edge below it (sidebar), or in a row of at least three tools (toolbar); those
    that stand in a column, as entries do (menu).
    """
    if container == "menu":
        entries = [each for each in pool if each.element_type in _ENTRIES]
        return [each for each in entries if any(_over(each, other) or _over(other, each) for other in entries)]
    if container == "header":
        return [each for each in pool if _on_top(each, size)]
    if container == "sidebar":
        wide = size.width > size.height
        return [each for each in pool if wide and not _on_top(each, size) and _at_edge(each, size)]
    tools = [each for each in pool if each.element_type in _TOOLS]
    tools = [each for each in tools if all(each.parent != other.id for other in tools)]  # a button and its icon are one
    boxes = [each for each in tools if len(_row(each, tools)) >= _LEAST_TOOLS]
    return [each for each in pool if any(tool.bbox.contains(each.center) for tool in boxes)]


def _over(one: UIElement, other: UIElement) -> bool:
    """Whether one entry stands right above another one, and begins where it does."""
    height = max(one.bbox.height, other.bbox.height)
    below = one.bbox.bottom <= other.center.y and other.bbox.top - one.bbox.bottom <= _BELOW * height
    return below and abs(one.bbox.left - other.bbox.left) <= _ALIGNED * height


def _says_menu(target: Target) -> bool:
    said = (target.phrase or "").casefold()
    return "menu" in said or "菜单" in said


def _on_top(element: UIElement, size: Size) -> bool:
    return element.center.y < size.height * _HEADER


def _at_edge(element: UIElement, size: Size) -> bool:
    return min(element.center.x, size.width - element.center.x) < size.width * _SIDEBAR


def _row(tool: UIElement, tools: Sequence[UIElement]) -> list[UIElement]:
    """The tools level with one, each close to the next."""
    row, grown = [tool], True
    while grown:
        near = [each for each in tools if each not in row and any(_side_by_side(each, other) for other in row)]
        row += near
        grown = bool(near)
    return row


def _side_by_side(one: UIElement, other: UIElement) -> bool:
    left, right = sorted((one.bbox, other.bbox), key=lambda box: box.left)
    height = max(left.height, right.height)
    level = abs(left.center.y - right.center.y) <= height / 2
    return level and right.left - left.right <= _GAP * height

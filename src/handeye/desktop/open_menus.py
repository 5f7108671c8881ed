"""Open menus and open combo box lists in a window's state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from handeye.desktop.state import WindowState
from handeye.elements import UIElement
from handeye.perceive import visible_box

MENUS: Final = frozenset({"menu", "menu item"})
BOX: Final = "combo box"
# Roles of entries in the open list of a combo box; not the field and the button of the box.
_ROWS: Final = MENUS | {"list item", "tree item", "cell"}
# Toolkits in whose lists home, end and page down move the highlight only, not the selection.
_TURNING: Final = frozenset({"gtk", "Qt"})
_AROUND: Final = frozenset({"window", "pane", "group", "element"})
_OF_THE_BOX: Final = frozenset({"input", "button", "split button", "image"})


def ancestors(state: WindowState, element: UIElement) -> Iterator[UIElement]:
    """Yield the ancestors of an element, the innermost first."""
    asked: set[int] = set()
    while element.parent is not None and element.parent not in asked and 1 <= element.parent <= len(state.elements):
        asked.add(element.parent)
        element = state.elements[element.parent - 1]
        yield element


def entries_of(state: WindowState, title: UIElement) -> tuple[int, ...]:
    """Return the numbers of the elements in an open menu or combo box, by the tree; empty if it is closed."""
    return _below(state, [title.id], title.element_type == BOX) if title.id is not None else ()


def new_menus(before: WindowState, now: WindowState) -> tuple[int, ...]:
    """Return the numbers of new menus and their entries, for trees with menus outside of their title, as in web pages."""
    known = menus_of(before)
    new = [
        each.id
        for each in now.elements
        if _is_shown(each, MENUS) and element_key(each) not in known and each.id is not None
    ]
    return tuple(dict.fromkeys((*new, *_below(now, new, False))))


def menus_of(state: WindowState) -> frozenset[object]:
    """Return the keys (`element_key`) of all visible menus, entries and rows."""
    boxes = [each.id for each in state.elements if each.element_type == BOX and each.id is not None]
    rows = (state.element(number) for number in _below(state, boxes, True))
    menus = (each for each in state.elements if _is_shown(each, MENUS))
    return frozenset(element_key(each) for each in (*menus, *rows))


def box_of(state: WindowState, entry: UIElement) -> UIElement | None:
    """Return the combo box of an entry of its list, or None."""
    if entry.id is None or entry.element_type not in _ROWS:
        return None
    return next((each for each in ancestors(state, entry) if each.element_type == BOX), None)


def turns_by_keys(title: UIElement) -> bool:
    """Return True if paging keys in the open list do not change the selection, as they do in other toolkits."""
    return title.metadata.get("toolkit") in _TURNING


def is_drawn_list(box: UIElement) -> bool:
    """Return True if a browser draws the open list: then it reports wrong positions of entries once that is scrolled."""
    return box.metadata.get("tag") == "select"


def is_chosen_by_handle(state: WindowState, entry: UIElement) -> bool:
    """Return True if a press at the reported position of an entry may hit another one."""
    box = box_of(state, entry)
    return box is not None and is_drawn_list(box) and is_longer(state, entries_of(state, box))


def rows_of(elements: Sequence[UIElement]) -> list[UIElement]:
    """Return the entries among the elements of an open combo box, in view or not."""
    role = row_role(elements)
    return [each for each in elements if each.element_type == role]


def floating_menus(state: WindowState) -> list[UIElement]:
    """Return the open menus without a title, such as context menus."""
    menus = (each for each in state.elements if each.element_type == "menu" and entries_of(state, each))
    return [each for each in menus if all(above.element_type in _AROUND for above in ancestors(state, each))]


def is_longer(state: WindowState, shown: Sequence[int]) -> bool:
    """Return True if there are more entries than visible ones."""
    entries = [state.element(number).metadata for number in shown]
    return any(each.get("offscreen") or each.get("unread") for each in entries)


def is_written_in(state: WindowState, title: UIElement) -> bool:
    """Return True for a combo box with a text field."""
    parts = (each for each in state.elements if each.parent == title.id)
    return title.element_type == BOX and any(each.element_type == "input" for each in parts)


def row_role(shown: Sequence[UIElement]) -> str:
    """Return the role of the entries of an open combo box."""
    return next((each.element_type for each in shown if each.element_type in _ROWS - {"menu"}), "list item")


def element_key(element: UIElement) -> tuple[object, ...]:
    """Return the key of an element that is equal in another state of a window that does not move."""
    return element.element_type, element.text, element.description, element.bbox


def find_again(state: WindowState, element: UIElement) -> UIElement | None:
    """Return the same element in another state of the window, or None."""
    return next((each for each in state.elements if element_key(each) == element_key(element)), None)


def _below(state: WindowState, titles: Collection[int], of_boxes: bool) -> tuple[int, ...]:
    """Return the numbers of the elements below these titles; empty if no entry is visible there."""
    kinds, other = (_ROWS, _OF_THE_BOX) if of_boxes else (MENUS, frozenset())
    inner = [each for each in state.elements if any(above.id in titles for above in ancestors(state, each))]
    if not any(_is_shown(each, kinds) for each in inner):
        return ()
    return tuple(each.id for each in inner if each.id is not None and each.element_type not in other)


def _is_shown(element: UIElement, kinds: frozenset[str]) -> bool:
    return element.element_type in kinds and not element.metadata.get("offscreen") and bool(visible_box(element).area)

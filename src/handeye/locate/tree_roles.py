"""The kinds of control that a person may call an element of a tree.

Platforms and people use different words: a clickable LinearLayout is a button to whoever presses it, an ImageButton an icon. So
there are two degrees: what the platform itself calls so, and what a person may call so.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Final

from handeye.elements import UIElement
from handeye.locate.icon_words import id_tokens
from handeye.locate.tree import Tree, seen_box
from handeye.perceive.tab_bars import IN_TAB_BAR
from handeye.roles import role_of


class Fit(IntEnum):
    """Degrees to which an element fits a role."""

    NONE = 0
    LOOSE = 1  # a person may call it so
    STRICT = 2  # the platform calls it so


# Other roles that are the same thing to a person.
_SAME: Final[dict[str, frozenset[str]]] = {
    "button": frozenset({"button", "split button"}),
    "icon": frozenset({"icon", "image"}),
    "image": frozenset({"image", "icon", "video", "map"}),
    "text": frozenset({"text", "heading"}),
    "heading": frozenset({"heading", "title bar"}),
    "input": frozenset({"input"}),
    "list item": frozenset({"list item", "cell", "tree item", "table row"}),
    "table row": frozenset({"table row", "list item", "tree item"}),
    "column": frozenset({"header item"}),
}
_MAYBE: Final[dict[str, frozenset[str]]] = {
    "checkbox": frozenset({"switch", "radio"}),
    "radio": frozenset({"checkbox"}),
    "switch": frozenset({"checkbox"}),
    "input": frozenset({"combo box", "spinner"}),
    "combo box": frozenset({"input", "button", "spinner"}),
    "spinner": frozenset({"input", "combo box"}),
}
# A role that says no more than that something can be pointed at, and those of things that can be pressed.
ANYTHING: Final = "item"
_PRESSED: Final = frozenset({"button", "link", "tab", "menu item", "menu", "list item", "table row", "item", "card"})
# Controls that nobody takes another thing for; pictures and buttons are called by many names.
UNMISTAKABLE: Final = frozenset(
    {"checkbox", "radio", "switch", "input", "slider", "combo box", "spinner", "tab", "link"}
)
PICTURES: Final = frozenset({"icon", "image"})
ROWS: Final = frozenset({"list item", "table row"})
FIELDS: Final = frozenset({"input", "combo box", "spinner"})
# What holds others and shows nothing itself.
_FRAMES: Final = frozenset(
    {
        *("group", "list", "pane", "window", "toolbar", "table", "tree", "document", "card", "web view"),
        *("menu bar", "tab bar", "scroll bar", "status bar", "title bar", "app bar"),
    }
)
# A picture larger than this share of the screen is a background, and one larger than that is no icon.
_BACKGROUND: Final = 0.8
_PICTURE: Final = 0.2
# The class of plain boxes: dividers, shadows, room between others.
_PLAIN_VIEWS: Final = frozenset({"View", "android.view.View"})
# What takes the clicks on more than this is a page, not one of its controls.
_PAGE: Final = 0.5
# Roles that programmers write into ids for the thing itself; a "videoTitle" is no video.
_SAID: Final = frozenset({"switch", "checkbox", "radio", "slider", "input", "tab", "button"})
# A picture so many times longer than high is a shadow or a line.
_STRIP: Final = 10
# Thinner than this share of the screen's shorter side is a line: 8 pixels of 1080.
_LINE: Final = 0.008
_SYSTEM_BARS: Final = frozenset({"statusBarBackground", "navigationBarBackground"})


def fit(tree: Tree, element: UIElement, role: str) -> Fit:
    """Return how well `element` fits `role`; a role that no table knows must be the platform's own word."""
    kind = "tab" if role == "tab" and element.metadata.get(IN_TAB_BAR) else element.element_type
    if _is_decoration(tree, element):
        return Fit.NONE
    if role in PICTURES:
        return _fit_picture(tree, element, role)
    if kind in _SAME.get(role, (role,)):
        return Fit.NONE if role in _PRESSED and tree.share(element) > _PAGE else Fit.STRICT
    if kind in _MAYBE.get(role, ()):
        return Fit.LOOSE
    if role == "text":
        return Fit.LOOSE if element.text else Fit.NONE
    if role == "heading":
        return Fit.LOOSE if kind == "text" else Fit.NONE
    if role == "link":
        return Fit.LOOSE if element.interactive and element.text else Fit.NONE
    if (
        role in _PRESSED
        and tree.share(element) <= _PAGE
        and (element.interactive or (role == "item" and _shows(tree, element)))
    ):
        return Fit.LOOSE
    if role == "button" and (kind in PICTURES or kind == "element"):
        return Fit.LOOSE
    return Fit.LOOSE if role in _said_by_id(str(element.metadata.get("id", ""))) else Fit.NONE


def _fit_picture(tree: Tree, element: UIElement, role: str) -> Fit:
    share = tree.share(element)
    width, height = seen_box(element).width, seen_box(element).height
    if (
        share > _BACKGROUND
        or element.text
        or tree.children(element)
        or max(width, height) > _STRIP * min(width, height)
    ):
        return Fit.NONE
    if role == "icon" and share > _PICTURE:
        return Fit.NONE
    pictured = element.element_type in _SAME[role]
    if pictured or element.element_type == "button":
        return Fit.STRICT if pictured or role == "icon" else Fit.LOOSE
    drawn = element.element_type == "element" and element.metadata.get("class") not in _PLAIN_VIEWS
    return Fit.LOOSE if drawn or element.interactive else Fit.NONE


def _is_decoration(tree: Tree, element: UIElement) -> bool:
    """Lines between rows, and the bars behind the system's own: nobody points at them."""
    box = seen_box(element)
    if min(box.width, box.height) < _LINE * min(tree.state.screen.size):
        return True
    return str(element.metadata.get("id", "")).rpartition("/")[2] in _SYSTEM_BARS


@lru_cache(maxsize=4096)
def _said_by_id(name: str) -> frozenset[str]:
    """The roles that a programmer put into an id: `wifiSwitch`, `cb_agree` says nothing."""
    return frozenset(role for token in id_tokens(name) if (role := role_of(token)) in _SAID)


def _shows(tree: Tree, element: UIElement) -> bool:
    return bool(element.text or element.description) or (
        element.element_type not in _FRAMES and not tree.children(element)
    )

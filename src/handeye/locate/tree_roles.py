"""The kinds of control that a person may call an element of a tree.

Platforms and people use different words: a clickable LinearLayout is a button to whoever presses it, an ImageButton an icon. So
there are two degrees: what the platform itself calls so, and what a person may call so.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from handeye.elements import UIElement
from handeye.locate.icon_words import id_tokens
from handeye.locate.ranking.pool import LARGEST_CONTROL
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
    "icon": frozenset({"icon", "image", "button"}),
    "image": frozenset({"image", "icon", "video", "map"}),
    "text": frozenset({"text", "heading"}),
    "heading": frozenset({"heading", "title bar"}),
    "list item": frozenset({"list item", "cell", "tree item", "table row"}),
    "table row": frozenset({"table row", "list item", "tree item"}),
    "column": frozenset({"header item"}),
}
# And what people may take for it.
_MAYBE: Final[dict[str, frozenset[str]]] = {
    "checkbox": frozenset({"switch", "radio"}),
    "radio": frozenset({"checkbox"}),
    "switch": frozenset({"checkbox"}),
    "input": frozenset({"combo box", "spinner"}),
    "combo box": frozenset({"input", "button", "spinner"}),
    "spinner": frozenset({"input", "combo box"}),
    "heading": frozenset({"text"}),
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
# A control takes at most this share of the screen, and a picture at most that: what is larger is a page, or a background.
_PAGE: Final = 0.5
_BACKGROUND: Final = 0.8
# A picture so many times longer than high is a shadow or a line.
_STRIP: Final = 10
# The class of plain boxes: dividers, shadows, room between others.
_PLAIN_VIEWS: Final = frozenset({"View", "android.view.View"})


def fit(tree: Tree, element: UIElement, role: str) -> Fit:
    """Return how well `element` fits `role`; a role that no table knows must be the platform's own word."""
    kind = "tab" if role == "tab" and element.metadata.get(IN_TAB_BAR) else element.element_type
    share = tree.share(element)
    if share > _BACKGROUND if role in PICTURES else share > _PAGE and role in _PRESSED:
        return Fit.NONE
    box = seen_box(element)
    strip = max(box.width, box.height) > _STRIP * min(box.width, box.height)
    if role in PICTURES and (
        strip or element.text or tree.children(element) or (role == "icon" and share > LARGEST_CONTROL)
    ):
        return Fit.NONE
    if kind in _SAME.get(role, (role,)):
        return Fit.STRICT
    if role in PICTURES:
        drawn = kind == "element" and element.metadata.get("class") not in _PLAIN_VIEWS
        return Fit.LOOSE if drawn or element.interactive else Fit.NONE
    # Words on a control are no thing of their own: the control is.
    told = element.text and (role == "text" or (role == ANYTHING and tree.control_of(element) is None))
    pressed = role in _PRESSED and (element.interactive or (kind in PICTURES and role in ("button", ANYTHING)))
    # A programmer's id may say what a control of one's own making is: `wifiSwitch`.
    said = role in UNMISTAKABLE and role in map(role_of, id_tokens(str(element.metadata.get("id", ""))))
    return Fit.LOOSE if told or pressed or said or kind in _MAYBE.get(role, ()) else Fit.NONE

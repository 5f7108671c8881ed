"""Editable fields, and the focused element."""

from __future__ import annotations

from typing import Final

from handeye.desktop.menus import Decision
from handeye.desktop.open_menus import MENUS, ancestors
from handeye.desktop.state import WindowState
from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.perceive import CONTENT_ROLES, visible_box

# Roles that take text without reporting that they are editable: a table cell opens an editor. Qt 5 never reports it for spin
# boxes either.
_TAKES_KEYS: Final = frozenset({"cell", "tree item"})
_NUMBERS: Final = frozenset({"slider", "spinner"})
_OF_ONE_LINE: Final = frozenset({"input", "spinner", "combo box"})
_PRESSED_BY_BLANKS: Final = frozenset({"button", "checkbox", "radio", "switch", "split button"})
_TABLES: Final = frozenset({"table", "tree", "list", "document"})


def check_written_in(element: UIElement) -> None:
    """
    Raise UsageError for an element that takes no text: a click on a button, meant to type into it, would press it. An element
    that is only seen on a picture may be a field.
    """
    about = element.metadata
    takes = element.element_type in _TAKES_KEYS | {"spinner"} or _is_terminal(element) or about.get("editable")
    if element.source == "accessibility" and (not takes or about.get("read-only")):
        kind = f"the {element.element_type}" + (f" {element.text[:80]!r}" if element.element_type == "button" else "")
        raise UsageError(f"{kind} holds no text that can be written: nothing was clicked or typed")


def _is_terminal(element: UIElement) -> bool:
    return element.metadata.get("class") == "terminal"


def is_editable(element: UIElement) -> bool:
    return bool(element.metadata.get("editable")) and not element.metadata.get("read-only")


def check_not_pressed(holder: UIElement) -> None:
    """Raise UsageError if the focused element is a menu, or is pressed or toggled by a blank."""
    name = holder.text[:80] or holder.description[:80]
    if holder.element_type in MENUS:
        raise UsageError(f"the keyboard is at the {holder.element_type} {name!r}: close the menu first, with escape")
    if holder.element_type in _PRESSED_BY_BLANKS and not holder.metadata.get("editable"):
        raise UsageError(
            f"the keyboard is at the {holder.element_type} {name!r}, which a blank presses: say what to type --into"
        )


def check_replaced(element: UIElement | None) -> None:
    """Raise UsageError if "ctrl+a" would select more than one field's text, as in a spreadsheet or an unknown element."""
    if element is None or not (
        holds_number(element)
        or (element.element_type in CONTENT_ROLES and is_editable(element) and not _is_terminal(element))
    ):
        what = f"the {element.element_type}" if element is not None else "what has the keyboard"
        raise UsageError(f"{what} is no field whose text can be replaced: nothing was clicked or typed")


def holds_number(element: UIElement) -> bool:
    return element.element_type in _NUMBERS and not element.metadata.get("read-only")


def has_lines(element: UIElement) -> bool:
    """Return True if an element may hold several lines, according to its application."""
    return element.element_type not in _OF_ONE_LINE or bool(element.metadata.get("multiline"))


def check_lines(text: str, element: UIElement) -> None:
    """Raise UsageError for several lines in a single-line field: each line break is Enter, which submits or sends."""
    if element.metadata.get("editable") and not has_lines(element) and any(end in text for end in "\n\r"):
        raise UsageError(
            "the field has one line, and a line's end is Enter, which submits it: type the line, then press enter"
        )


def focus_of(state: WindowState) -> UIElement | None:
    """Return the focused element or None; an editable one is preferred, because Qt reports the current tab as focused too."""
    ancestors = [each for each in state.elements if each.metadata.get("focused")]
    return next(
        (each for each in reversed(ancestors) if each.metadata.get("editable")), ancestors[-1] if ancestors else None
    )


def has_focus(holder: Decision, aim: Decision) -> bool:
    """
    Return True if the focus, reported by `holder`, is at the element that was aimed at: at itself, at an element in it, or for
    a cell at its table, which keeps the focus. The element may have moved by some pixels since the click. An element that is
    only seen is taken to have the focus unless another editable field has it.
    """
    one, other = holder.element, aim.element
    dx = holder.state.window.box.left - aim.state.window.box.left
    dy = holder.state.window.box.top - aim.state.window.box.top
    wanted = visible_box(other).translate(dx, dy)
    if aim.control is None:
        return not is_editable(one) or visible_box(one).intersect(wanted) is not None
    if other.element_type in _TAKES_KEYS and one.element_type in _TABLES:
        return visible_box(one).contains(wanted.center)
    return wanted.contains(visible_box(one).center) and (
        one.element_type == other.element_type
        or any(_is_same(each, other) for each in ancestors(holder.state, one))
        or visible_box(one).intersect(wanted) == visible_box(one)
    )


def _is_same(one: UIElement, other: UIElement) -> bool:
    return one.element_type == other.element_type and one.text == other.text

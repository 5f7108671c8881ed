"""Elements as lines of text, as docs/spec/perception-tiers.md writes them: `[1] [Button] "Save" rect=[100,130,200,177]`."""

from __future__ import annotations

from functools import cache
from typing import Final

from handeye.elements import UIElement
from handeye.models import escape_invisible
from handeye.perceive.tree_text import CONTENT_ROLES
from handeye.roles import PLATFORM_CLASSES, UIA

LONGEST_NAME: Final = 80
"""Longest name in a line, in characters. A cell may hold a page of text; its beginning is enough to identify it."""


@cache
def control_type(role: str) -> str:
    """
    Return the control type that docs/spec/perception-tiers.md uses for a role: UI Automation's ("Edit", "TabItem",
    "DataItem"), or the role as one word if UI Automation has none.

    >>> control_type("tab"), control_type("column border"), control_type("web view")
    ('TabItem', 'ColumnBorder', 'WebView')
    """
    names = (name for name in PLATFORM_CLASSES[UIA].get(role, ()) if not name.isdecimal())
    return next(names, "".join(word.capitalize() for word in role.split()) or "Custom")


def element_name(element: UIElement) -> str:
    """
    Return the element's name on one line of at most `LONGEST_NAME` characters, or "" if it has none.

    For a field this is the label: the typed text is not a name, and may be secret.
    """
    label = element.description if element.element_type in CONTENT_ROLES else element.text or element.description
    name = " ".join(label[: 2 * LONGEST_NAME].split())
    return escape_invisible(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


def element_line(element: UIElement) -> str:
    """Return the element as one line of printable characters, with quotes and line ends in names escaped."""
    name = element_name(element).replace("\\", "\\\\").replace('"', '\\"')
    rect = ",".join(str(edge) for edge in element.bbox)
    return f'[{element.id}] [{control_type(element.element_type)}] "{name}" rect=[{rect}]'

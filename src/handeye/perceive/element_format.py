"""
Elements as numbered lines of text, as docs/spec/perception-tiers.md writes them:
`[1] [Button] "Save" rect=[100,130,200,177]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.models import escape_invisible
from handeye.perceive.structure.derivation import renumbered
from handeye.roles import PLATFORM_CLASSES, UIA

# Shared by all accessibility trees: text clean-up, and the constants for sources, roles and missing boxes.


TREE_SOURCE: Final = "accessibility"
"""The `source` of elements reported by the application itself."""

OFFSCREEN_BOX: Final = Box(0, 0, 0, 0)
"""The box of an element that is scrolled out of view."""

CONTENT_ROLES: Final = frozenset({"input", "document", "spinner", "combo box"})
"""Roles whose text is typed or chosen content, not a name: it does not identify the element, and may be secret."""

MAX_TEXT: Final = 10_000
"""Longest text in characters. A longer one is a document, and no target description quotes more of it."""

# Control characters except tabs and line ends, unpaired surrogates, byte order marks (Firefox puts one after an emoji),
# and the object replacement character.
_UNWRITTEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffc\ufffe\uffff]")


def clean_text(text: object) -> str:
    """
    Return a text without control characters, byte order marks and unpaired surrogates, cut to MAX_TEXT; "" for anything but
    a str.
    """
    return _UNWRITTEN.sub("", text[: 2 * MAX_TEXT])[:MAX_TEXT] if isinstance(text, str) else ""


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


# Renumber elements together with the references to them: parents, and the anchors of inferred parts.


def numbered(elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """Return the elements in the same order, numbered from 1, with their references updated."""
    if all(each.id == number for number, each in enumerate(elements, 1)):
        return tuple(elements)
    numbers = {each.id: number for number, each in enumerate(elements, 1) if each.id is not None}
    return tuple(with_number(each, number, numbers) for number, each in enumerate(elements, 1))


def with_number(element: UIElement, number: int, numbers: Mapping[int, int]) -> UIElement:
    """
    Return the element with another number. `numbers` maps old numbers to new ones; a parent that is not in it becomes None.
    """
    parent = numbers.get(element.parent) if element.parent is not None else None
    metadata = dict(element.metadata)
    if "anchors" in metadata:
        metadata["anchors"] = tuple(numbers.get(anchor, anchor) for anchor in metadata["anchors"])
    if "derived_from" in metadata:
        metadata["derived_from"] = renumbered(str(metadata["derived_from"]), numbers)
    return replace(element, id=number, parent=parent, metadata=metadata)

"""Pages of a window's elements that fit into a model's context, filtered, in the format of docs/spec/perception-tiers.md."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from handeye.desktop.state import WindowState
from handeye.devices import shortened
from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.locate import normalize_text
from handeye.perceive import control_type, element_line, element_name
from handeye.roles import PLATFORM_CLASSES, ROLES, UIA, role_named

MOST_TOKENS: Final = 25_000
"""Most tokens of a whole answer: the limit of a model's tool results."""

_FOR_NOTES: Final = 3_500
"""Most tokens of these for notes, a title, and the hint for the next page."""

_LONGEST_NOTE: Final = 400
"""Most characters of a note; a longer one is cut."""

_PIECES: Final = re.compile(r"[A-Za-z]{2}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Filter:
    """
    Filter for listed elements: by role (any of its names), by a text in their name or content, and by visibility. `screens` are
    the monitors, in desktop pixels; without them every element that its application shows counts as on the screen.
    """

    role: str | None = None
    text: str | None = None
    visible: bool = False
    screens: tuple[Box, ...] = ()

    def chosen(self, elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
        """Return the matching elements, those on the screen first. Raises UsageError for an unknown role."""
        role = _role_meant(self.role, elements) if self.role is not None else None
        wanted = normalize_text(self.text or "")
        fitting = [
            each
            for each in elements
            if (role is None or each.element_type == role) and (not wanted or _contains_text(each, wanted))
        ]
        if self.visible:
            return tuple(filter(self._is_seen, fitting))
        return tuple(sorted(fitting, key=self._is_seen, reverse=True))

    def _is_seen(self, element: UIElement) -> bool:
        shown = element.visible_region or element.bbox
        if element.metadata.get("offscreen") or not shown.area:
            return False
        return not self.screens or any(shown.intersect(screen) for screen in self.screens)


@dataclass(frozen=True, slots=True)
class Page:
    """Page `number` of `pages`; `matching` counts the matching elements on all pages."""

    elements: tuple[UIElement, ...]
    number: int
    pages: int
    matching: int


def page_of(state: WindowState, wanted: Filter | None = None, number: int = 1, *, escaped: bool = False) -> Page:
    """
    Return page `number`, counted from 1, of the elements that match `wanted`, those on the screen first. The lines and the JSON
    of any page are under MOST_TOKENS; `escaped` JSON has six characters for each non-ASCII one. Raises UsageError for an
    unknown page or role.
    """
    chosen = (wanted or Filter()).chosen(state.elements)
    pages = _pages(chosen, escaped)
    if not 1 <= number <= len(pages):
        raise UsageError(f"there is no page {number}; the last one is {len(pages)}")
    return Page(tuple(pages[number - 1]), number, len(pages), len(chosen))


def as_data(element: UIElement) -> dict[str, Any]:
    """Return an element as JSON data, with non-default values only and without the content of password fields."""
    data: dict[str, Any] = {
        "id": element.id,
        "type": control_type(element.element_type),
        "name": element_name(element),
        "rect": list(element.bbox),
    }
    if element.source and element.source != "accessibility":
        data |= {"source": element.source, "confidence": round(element.confidence, 2)}
    if element.enabled is False:
        data["enabled"] = False
    data |= {key: True for key in _LISTED_STATES if element.metadata.get(key)}
    return data


def lines_of(page: Page) -> tuple[str, ...]:
    """Return a page's elements as lines (docs/spec/perception-tiers.md), each with its state in parentheses."""
    return tuple(element_line(each) + _marks(each) for each in page.elements)


def notes_of(notes: Sequence[str]) -> tuple[str, ...]:
    """Return notes of what could not be read, as many as fit into half of _FOR_NOTES."""
    shown: list[str] = []
    left = _FOR_NOTES // 2
    for note in notes:
        shown.append(note if len(note) <= _LONGEST_NOTE else f"{note[: _LONGEST_NOTE - 1]}…")
        left -= tokens_of(shown[-1])
        if left < 0:
            return (*shown[:-1], f"and {len(notes) - len(shown) + 1} more notes")
    return tuple(shown)


def tokens_of(text: str) -> int:
    """
    Return an upper bound of a text's tokens: one for two Latin letters, one for any other ASCII character, and for the rest the
    UTF-8 bytes, which no tokenizer exceeds.

    Measured with the tokenizers of Claude 2, Qwen and GPT-4 (cl100k) on pages of 11 kinds of names: at most 0.7 of this bound
    for written words, 0.9 for random letters. Chinese prose takes 0.6 to 1.0 tokens a character, random Chinese 2.2.
    """
    pieces: list[str] = _PIECES.findall(text)
    return sum(1 if each.isascii() else len(each.encode("utf-8", "surrogatepass")) for each in pieces)


def _pages(elements: Sequence[UIElement], escaped: bool) -> list[list[UIElement]]:
    pages: list[list[UIElement]] = [[]]
    left = room = MOST_TOKENS - _FOR_NOTES
    for each in elements:
        # The larger of JSON and line, with the separator.
        costs = 2 + max(
            tokens_of(json.dumps(as_data(each), ensure_ascii=escaped)), tokens_of(element_line(each) + _marks(each))
        )
        if costs > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(each)
        left -= costs
    return pages


_LISTED_STATES: Final = ("checked", "selected", "focused", "expanded", "offscreen")


def _contains_text(element: UIElement, wanted: str) -> bool:
    """Return True if an element's name, description or content contains a text. The content of password fields is skipped."""
    hidden = bool(element.metadata.get("password"))
    texts = (element_name(element), element.description, "" if hidden else element.text)
    return any(wanted in normalize_text(words) for words in texts)


def _role_meant(named: str, elements: Sequence[UIElement]) -> str:
    """Return the role of that name: a standard one, or one of an element. Raises UsageError with similar names."""
    known = role_named(named)
    if known is not None:
        return known
    here = {control_type(each.element_type): each.element_type for each in elements}
    by_name = {normalize_text(name): role for word, role in here.items() for name in (word, role)}
    if normalize_text(named) in by_name:
        return by_name[normalize_text(named)]
    written = {normalize_text(name): name for name in (*ROLES, *map(control_type, PLATFORM_CLASSES[UIA]), *here)}
    near = [written[each] for each in difflib.get_close_matches(normalize_text(named), written)]
    meant = f"; did you mean {' or '.join(near)}?" if near else ";"
    has = ", ".join(sorted(here)) or "no elements"
    raise UsageError(f"no role is called {shortened(named)!r}{meant} this window has {has}")


def _marks(element: UIElement) -> str:
    marks = [key.replace("offscreen", "off screen") for key in _LISTED_STATES if element.metadata.get(key)]
    if element.enabled is False:
        marks.append("disabled")
    if element.source and element.source != "accessibility":
        marks.append(element.source)
    return f" ({', '.join(marks)})" if marks else ""

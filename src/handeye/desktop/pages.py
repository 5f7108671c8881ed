"""A state as pages of lines, each small enough to be read by a model: seed 002's format, filtered and paged."""

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
"""Tokens of a whole answer, at most: what a model's tools may answer at a time."""

_FOR_NOTES: Final = 3_500
"""Of these, at most, for notes, a title, and how to go on."""

_LONGEST_NOTE: Final = 400
"""In characters; what is longer is cut."""

_PIECES: Final = re.compile(r"[A-Za-z]{2}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Filter:
    """
    The elements to list: of a role (any of its names), with a text in their name or content, on the screen only. `screens`
    are the monitors, in desktop pixels; without them, all that its application shows counts as on the screen.
    """

    role: str | None = None
    text: str | None = None
    visible: bool = False
    screens: tuple[Box, ...] = ()

    def chosen(self, elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
        """Those that are wanted, what is on the screen before what is not. Raises UsageError for a role that there is not."""
        role = _role_meant(self.role, elements) if self.role is not None else None
        wanted = normalize_text(self.text or "")
        fitting = [
            each
            for each in elements
            if (role is None or each.element_type == role) and (not wanted or _says(each, wanted))
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
    """Page `number` of `pages`: some of the `matching` elements of a state."""

    elements: tuple[UIElement, ...]
    number: int
    pages: int
    matching: int


def page_of(state: WindowState, wanted: Filter | None = None, number: int = 1, *, escaped: bool = False) -> Page:
    """
    Page `number`, counted from 1, of the elements that `wanted` takes; what is on the screen comes first. Lines and JSON of any
    page are under MOST_TOKENS; `escaped` JSON has six characters for each outside ASCII. Raises UsageError for a page or a
    role that there is not.
    """
    chosen = (wanted or Filter()).chosen(state.elements)
    pages = _pages(chosen, escaped)
    if not 1 <= number <= len(pages):
        raise UsageError(f"there is no page {number}; the last one is {len(pages)}")
    return Page(tuple(pages[number - 1]), number, len(pages), len(chosen))


def as_data(element: UIElement) -> dict[str, Any]:
    """An element for machines, with what differs from the usual only. What is typed in a password field is never told."""
    told: dict[str, Any] = {
        "id": element.id,
        "type": control_type(element.element_type),
        "name": element_name(element),
        "rect": list(element.bbox),
    }
    if element.source and element.source != "accessibility":
        told |= {"source": element.source, "confidence": round(element.confidence, 2)}
    if element.enabled is False:
        told["enabled"] = False
    told |= {key: True for key in _TOLD if element.metadata.get(key)}
    return told


def lines_of(page: Page) -> tuple[str, ...]:
    """A page's elements as seed 002 writes them, with what a person would see of their state behind."""
    return tuple(element_line(each) + _marks(each) for each in page.elements)


def notes_of(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes of what could not be read, as many as fit into half of what is kept for them."""
    told: list[str] = []
    left = _FOR_NOTES // 2
    for note in notes:
        told.append(note if len(note) <= _LONGEST_NOTE else f"{note[: _LONGEST_NOTE - 1]}…")
        left -= tokens_of(told[-1])
        if left < 0:
            return (*told[:-1], f"and {len(notes) - len(told) + 1} more notes")
    return tuple(told)


def tokens_of(text: str) -> int:
    """
    More tokens than a model's tokenizer makes of a page: two Latin letters are one, what else is ASCII one a character, and
    the rest its bytes in UTF-8, which no tokenizer exceeds.

    Measured with those of Claude 2, Qwen and GPT-4 (cl100k) on pages of 11 kinds of names: at most 0.7 of what is counted here
    for words that people write, 0.9 for random letters. Chinese prose is 0.6 to 1.0 a character, random Chinese 2.2.
    """
    pieces: list[str] = _PIECES.findall(text)
    return sum(1 if each.isascii() else len(each.encode("utf-8", "surrogatepass")) for each in pieces)


def _pages(elements: Sequence[UIElement], escaped: bool) -> list[list[UIElement]]:
    pages: list[list[UIElement]] = [[]]
    left = room = MOST_TOKENS - _FOR_NOTES
    for each in elements:
        # The larger of both ways to write it, with what stands between two.
        costs = 2 + max(
            tokens_of(json.dumps(as_data(each), ensure_ascii=escaped)), tokens_of(element_line(each) + _marks(each))
        )
        if costs > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(each)
        left -= costs
    return pages


_TOLD: Final = ("checked", "selected", "focused", "expanded", "offscreen")


def _says(element: UIElement, wanted: str) -> bool:
    """Return True if a text stands in what an element is called or holds. What is typed in a password field is not searched."""
    hidden = bool(element.metadata.get("password"))
    said = (element_name(element), element.description, "" if hidden else element.text)
    return any(wanted in normalize_text(words) for words in said)


def _role_meant(named: str, elements: Sequence[UIElement]) -> str:
    """The role of that name: one that everybody knows, or one that an element has. Raises UsageError, with near names."""
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
    marks = [key.replace("offscreen", "off screen") for key in _TOLD if element.metadata.get(key)]
    if element.enabled is False:
        marks.append("disabled")
    if element.source and element.source != "accessibility":
        marks.append(element.source)
    return f" ({', '.join(marks)})" if marks else ""

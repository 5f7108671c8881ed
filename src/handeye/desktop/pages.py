"""A state as pages of lines, each small enough to be read by a model: seed 002's format, filtered and paged."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from handeye.desktop.state import WindowState
from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.perceive.listing import control_type, line_of, name_of
from handeye.roles import role_named

MOST_TOKENS: Final = 25_000
"""Tokens of a whole answer, at most: what a model's tools may answer at a time."""

_FOR_THE_REST: Final = 2_000
"""Kept free for what stands around the elements: the window, notes, how to go on."""

MOST_NOTES: Final = 5
_LONGEST_NOTE: Final = 300
_PIECES: Final = re.compile(r"[A-Za-z]+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which elements are listed: of a role (any of its names), with a text in their name or content, on the screen only."""

    role: str | None = None
    text: str | None = None
    visible: bool = False

    def takes(self, element: UIElement) -> bool:
        if self.role is not None and element.element_type != (role_named(self.role) or self.role):
            return False
        if self.visible and (element.metadata.get("offscreen") or not (element.visible_region or element.bbox).area):
            return False
        wanted = _plain(self.text or "")
        hidden = bool(element.metadata.get("password"))
        said = (name_of(element), element.description, "" if hidden else element.text)
        return not wanted or any(wanted in _plain(words) for words in said)


@dataclass(frozen=True, slots=True)
class Page:
    """Page `number` of `pages`: some of the `matching` elements of a state."""

    elements: tuple[UIElement, ...]
    number: int
    pages: int
    matching: int


def page_of(state: WindowState, wanted: Filter | None = None, number: int = 1) -> Page:
    """
    Page `number`, counted from 1, of the elements that `wanted` takes. Lines and JSON of any page are under MOST_TOKENS.
    Raises UsageError for a page that there is not.
    """
    chosen = [each for each in state.elements if wanted is None or wanted.takes(each)]
    pages = _pages(chosen)
    if not 1 <= number <= len(pages):
        raise UsageError(f"there is no page {number}; the last one is {len(pages)}")
    return Page(tuple(pages[number - 1]), number, len(pages), len(chosen))


def as_data(element: UIElement) -> dict[str, Any]:
    """An element for machines, with what differs from the usual only. What is typed in a password field is never told."""
    told: dict[str, Any] = {
        "id": element.id,
        "type": control_type(element.element_type),
        "name": name_of(element),
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
    return tuple(line_of(each) + _marks(each) for each in page.elements)


def notes_of(notes: Sequence[str]) -> tuple[str, ...]:
    """What could not be read, short enough for a page."""
    told = tuple(note if len(note) <= _LONGEST_NOTE else note[: _LONGEST_NOTE - 1] + "…" for note in notes[:MOST_NOTES])
    more = len(notes) - MOST_NOTES
    return (*told, f"and {more} more notes") if more > 0 else told


def tokens_of(text: str) -> int:
    """
    At least as many tokens as a model's tokenizer makes of `text`: a word of Latin letters is one for every two letters, a
    digit or a mark one, and what lies outside ASCII six, as JSON may write it.
    """
    return sum(map(_tokens, _PIECES.findall(text)))


def _tokens(piece: str) -> int:
    if not piece.isascii():
        return 6 * len(piece.encode("utf-16-le", "surrogatepass")) // 2
    return (len(piece) + 1) // 2 if piece.isalpha() else len(piece)


def _pages(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    pages: list[list[UIElement]] = [[]]
    left = room = MOST_TOKENS - _FOR_THE_REST
    for each in elements:
        # The larger of both ways to write it, with what stands between two.
        costs = 2 + max(
            tokens_of(json.dumps(as_data(each), ensure_ascii=False)), tokens_of(line_of(each) + _marks(each))
        )
        if costs > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(each)
        left -= costs
    return pages


_TOLD: Final = ("checked", "selected", "focused", "expanded", "offscreen")
_WORDS: Final[Mapping[str, str]] = {"offscreen": "off screen"}


def _marks(element: UIElement) -> str:
    marks = [_WORDS.get(key, key) for key in _TOLD if element.metadata.get(key)]
    if element.enabled is False:
        marks.append("disabled")
    if element.source and element.source != "accessibility":
        marks.append(element.source)
    return f" ({', '.join(marks)})" if marks else ""


def _plain(words: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", words).casefold().split())

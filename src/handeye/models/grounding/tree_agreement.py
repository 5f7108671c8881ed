"""What the elements that are known already say about a place that a model named."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import Enum
from typing import Final

from rapidfuzz.distance import Indel

from handeye.elements import UIElement, UIState
from handeye.geometry import Box, Point

# A larger share of the frame is a page or a panel: every place lies in it, so that it says nothing about any.
PAGE_SHARE: Final = 0.25
# A text belongs to an element when this share of its box lies in it: boxes of trees and readers differ by a few pixels.
_INSIDE: Final = 0.8
# From so many letters on a text is a word, and marks at its ends are punctuation.
_LEAST_LETTERS: Final = 2
# A text that was read off the picture and is so like the label (0-1) may be the label misread. A tree's text is what it is.
_MISREAD: Final = 0.7


class TreeAgreement(Enum):
    """What is known to stand at a place, against the label that was asked for."""

    SAME = "same"
    OTHER = "other"
    OPEN = "open"
    """Nothing is known there, it has no text, or its text and the label differ by a count or by further words."""


def compared(text: str) -> str:
    """
    Text as it is compared here: width, case and blanks do not count, nor does punctuation at the ends.

    Stricter than the strategies that look for text: what differs in any letter is another label, and only costs a confirmation.
    """
    plain = "".join(
        character
        for character in unicodedata.normalize("NFKC", text).casefold()
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc")
    )
    start, end = 0, len(plain)
    while start < end and unicodedata.category(plain[start])[0] == "P":
        start += 1
    while end > start and unicodedata.category(plain[end - 1])[0] == "P":
        end -= 1
    inner = plain[start:end]
    # Of numbers, grades and single signs the mark is a part: -5, A-, C#.
    return inner if sum(map(str.isalpha, inner)) >= _LEAST_LETTERS else plain


def at(state: UIState, point: Point) -> tuple[UIElement, ...]:
    """The elements under `point` that are no pages, the smallest first; what a click would reach goes before the rest."""
    most = PAGE_SHARE * state.screen.box.area
    under = [each for each in _seen(state) if _visible(each).contains(point) and each.bbox.area <= most]
    return tuple(sorted(under, key=lambda each: (not each.interactive, each.bbox.area, each.id or 0)))


def showing(state: UIState, label: str) -> tuple[UIElement, ...]:
    """The elements whose text or description is `label`."""
    wanted = compared(label)
    return tuple(
        each for each in _seen(state) if wanted and wanted in (compared(each.text), compared(each.description))
    )


def said_of(state: UIState, element: UIElement, label: str) -> TreeAgreement:
    """What `element`, with the texts inside of it, says against `label`."""
    wanted = compared(label)
    if not wanted:
        return TreeAgreement.OPEN
    inside = [element, *(each for each in _seen(state) if each is not element and _lies_in(each.bbox, element.bbox))]
    texts = [each for each in inside if each.text.strip()]
    if any(wanted in (compared(each.text), compared(each.description)) for each in inside):
        return TreeAgreement.SAME
    # A description is a programmer's word ("Navigate up" for an arrow that people call back): it contradicts nobody.
    return TreeAgreement.OTHER if texts and all(_contradicts(each, wanted) for each in texts) else TreeAgreement.OPEN


def said_at(state: UIState | None, box: Box, label: str, *, is_point: bool = False) -> TreeAgreement:
    """What is known at `box` (only at its middle, for a point) says against `label`; OPEN where nothing is known."""
    if state is None or not compared(label):
        return TreeAgreement.OPEN
    if not is_point and any(_lies_in(each.bbox, box) for each in showing(state, label)):
        return TreeAgreement.SAME
    under = at(state, box.center)
    return said_of(state, under[0], label) if under else TreeAgreement.OPEN


def stands_elsewhere(state: UIState | None, box: Box | None, label: str) -> bool:
    """Whether `label` is known to stand on the screen, but nowhere that touches `box` (None: anywhere)."""
    there = [each.bbox for each in showing(state, label)] if state is not None else []
    return bool(there) and (box is None or not any(each.intersect(box) for each in there))


def _seen(state: UIState) -> Sequence[UIElement]:
    return [each for each in state.elements if each.bbox.area and each.bbox.intersect(state.screen.box)]


def _visible(element: UIElement) -> Box:
    return element.visible_region or element.bbox


def _scripts(text: str) -> frozenset[str]:
    """The scripts of its letters, by the first word of their Unicode names."""
    return frozenset(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())


def _lies_in(inner: Box, outer: Box) -> bool:
    shared = inner.intersect(outer)
    return shared is not None and shared.area >= _INSIDE * inner.area


def _contradicts(element: UIElement, wanted: str) -> bool:
    """
    Whether its text is another label: not the label with a count beside it (Inbox (12)), likely not the label misread, and not
    in another script, in which it may say the same (Send, 发送).
    """
    text = compared(element.text)
    if (theirs := _scripts(text)) and (ours := _scripts(wanted)) and not theirs & ours:
        return False
    if wanted in text and not any(character.isalpha() for character in text.replace(wanted, "", 1)):
        return False
    return element.source == "accessibility" or Indel.normalized_similarity(text, wanted) < _MISREAD

"""Compare a place that a model named with the known elements of the frame."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import Enum
from typing import Final

from rapidfuzz.distance import Indel

from handeye.elements import UIElement, UIState
from handeye.geometry import Box, Point

# An element with a larger share of the frame is a page or a panel: it contains every place, so it is no evidence for any.
PAGE_SHARE: Final = 0.25
# A text belongs to an element when this share of its box lies in it: boxes of trees and readers differ by a few pixels.
_INSIDE: Final = 0.8
# Least letters of a word, whose punctuation at the ends is ignored.
_LEAST_LETTERS: Final = 2
# An OCR text of at least this similarity (0-1) to the label may be the label misread. A tree's text is exact.
_MISREAD: Final = 0.7


class TreeAgreement(Enum):
    """Agreement of the known elements at a place with the requested label."""

    SAME = "same"
    OTHER = "other"
    OPEN = "open"
    """Nothing is known there, it has no text, or its text and the label differ by a count or by further words."""


def compared(text: str) -> str:
    """
    Return the text in the form in which it is compared here: without differences of width, case, white space and
    punctuation at the ends.

    Stricter than the strategies that search for text: a difference in any letter makes it another label, which only
    costs a confirmation.
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
    # In numbers, grades and single characters the punctuation has a meaning: -5, A-, C#.
    return inner if sum(map(str.isalpha, inner)) >= _LEAST_LETTERS else plain


def at(state: UIState, point: Point) -> tuple[UIElement, ...]:
    """Return the elements under `point` that are not pages: interactive ones first, then the smallest first."""
    most = PAGE_SHARE * state.screen.box.area
    under = [each for each in _seen(state) if _visible(each).contains(point) and each.bbox.area <= most]
    return tuple(sorted(under, key=lambda each: (not each.interactive, each.bbox.area, each.id or 0)))


def showing(state: UIState, label: str) -> tuple[UIElement, ...]:
    """Return the elements whose text or description is `label`."""
    wanted = compared(label)
    return tuple(
        each for each in _seen(state) if wanted and wanted in (compared(each.text), compared(each.description))
    )


def agreement_with(state: UIState, element: UIElement, label: str) -> TreeAgreement:
    """Return the agreement of `element`, including the texts inside of it, with `label`."""
    wanted = compared(label)
    if not wanted:
        return TreeAgreement.OPEN
    inside = [element, *(each for each in _seen(state) if each is not element and _lies_in(each.bbox, element.bbox))]
    texts = [each for each in inside if each.text.strip()]
    if any(wanted in (compared(each.text), compared(each.description)) for each in inside):
        return TreeAgreement.SAME
    # A description is the developer's wording ("Navigate up" for an arrow that users call back): it is no contradiction.
    return TreeAgreement.OTHER if texts and all(_contradicts(each, wanted) for each in texts) else TreeAgreement.OPEN


def agreement_at(state: UIState | None, box: Box, label: str, *, is_point: bool = False) -> TreeAgreement:
    """
    Return the agreement of the elements at `box` (only at its centre, for a point) with `label`; OPEN where nothing is
    known.
    """
    if state is None or not compared(label):
        return TreeAgreement.OPEN
    if not is_point and any(_lies_in(each.bbox, box) for each in showing(state, label)):
        return TreeAgreement.SAME
    under = at(state, box.center)
    return agreement_with(state, under[0], label) if under else TreeAgreement.OPEN


def is_shown_elsewhere(state: UIState | None, box: Box | None, label: str) -> bool:
    """Return True if `label` is on the screen, but nowhere that touches `box` (None: anywhere)."""
    there = [each.bbox for each in showing(state, label)] if state is not None else []
    return bool(there) and (box is None or not any(each.intersect(box) for each in there))


def _seen(state: UIState) -> Sequence[UIElement]:
    return [each for each in state.elements if each.bbox.area and each.bbox.intersect(state.screen.box)]


def _visible(element: UIElement) -> Box:
    return element.visible_region or element.bbox


def _scripts(text: str) -> frozenset[str]:
    """Return the scripts of the text's letters, by the first word of their Unicode names."""
    return frozenset(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())


def _lies_in(inner: Box, outer: Box) -> bool:
    shared = inner.intersect(outer)
    return shared is not None and shared.area >= _INSIDE * inner.area


def _contradicts(element: UIElement, wanted: str) -> bool:
    """
    Return True if the element's text is another label: not the label with a count (Inbox (12)), not probably the label
    misread, and not in another script, where it may be a translation (Send, 发送).
    """
    text = compared(element.text)
    if (theirs := _scripts(text)) and (ours := _scripts(wanted)) and not theirs & ours:
        return False
    if wanted in text and not any(character.isalpha() for character in text.replace(wanted, "", 1)):
        return False
    return element.source == "accessibility" or Indel.normalized_similarity(text, wanted) < _MISREAD

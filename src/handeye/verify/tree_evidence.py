"""
Evidence from the accessibility tree for exact texts that were read with doubt, and for new texts.

Reading the picture again does not help: 黄丽 in small bold letters is read as 黃丽 with 0.81, and enlarged three times, with
other margins, as 黃丽 with 0.85 to 0.97. The tree has the characters themselves. It is asked only in doubt, for a name or a
label that must match exactly.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.perceive import StateProvider
from handeye.screen import Screen
from handeye.target import Region
from handeye.text import (
    LOW_CONFIDENCE,
    TextLine,
    TextMatch,
    differs_in_thin_letters,
    match_text,
    merge_thin_letters,
    normalize,
    possible_misreadings,
    readable_enough,
    same_text,
)
from handeye.verify.base import Evidence

# The tree has the text itself; the picture has shown nearly the same text at its place.
_BY_TREE: Final = 0.95


def with_tree_evidence(
    text: str,
    found: Evidence,
    matches: Sequence[TextMatch],
    lines: Sequence[TextLine],
    screen: Screen,
    state: StateProvider,
) -> Evidence:
    """
    Return `found`, unless it depends on doubtful readings only (`matches`, or `lines` that may be the text misread) and the
    tree decides: it has the text itself there, or another one of its length. A tree that cannot be read decides nothing.
    """
    if any(match.line.confidence >= LOW_CONFIDENCE for match in matches):
        return found
    doubtful = [match.line for match in matches] or possible_misreadings(text, lines)
    if not doubtful:
        return found
    try:
        elements = state.detect(screen).elements
    except HandeyeError as error:
        why = f"{found.evidence}; it was read with doubt, and the tree could not be read: {error}"
        return Evidence(found.holds, why, found.confidence)
    told = [(line, name) for line in doubtful if (name := _name_at(line.box, elements)) is not None]
    for line, name in told:
        if same_text(text, name):
            return Evidence(True, f"the tree has {name!r} where {_read(line)}", _BY_TREE)
    for line, name in told:
        if len(normalize(name)) == len(normalize(text)) or differs_in_thin_letters(text, name):
            return Evidence(False, f"the tree has {name!r}, not {text!r}, where {_read(line)}", _BY_TREE)
    return found


def _read(line: TextLine) -> str:
    return f"{line.text!r} was read with {line.confidence:.2f}"


def _name_at(line: Box, elements: Sequence[UIElement]) -> str | None:
    """Return the text of the innermost element around a line's centre."""
    around = [each for each in elements if each.text.strip() and each.bbox.contains(line.center)]
    inner = min(around, key=lambda each: each.bbox.area, default=None)
    return inner.text if inner is not None else None


# Detection of new texts by the accessibility tree, read before the text was typed and after it was sent. A message of one or
# two characters is misread or not read at all (W0 as WO, 嗯 and ? as nothing), an emoji is no text, and an older equal
# message cannot be distinguished by reading. The tree has the characters themselves.


# Of 14 messages of one to four characters that were sent on the virtual phone, eight were misread.
SHORT: Final = 4
# Fields show the draft, not the message.
_FIELDS: Final = frozenset({"input", "combo box"})


class TreeNewText:
    """Stores the tree of one frame, and compares it with that of a later one."""

    def __init__(self, state: StateProvider) -> None:
        self._state = state
        self._stored: tuple[Screen, tuple[UIElement, ...]] | None = None

    def keep(self, text: str, screen: Screen, lines: Sequence[TextLine]) -> None:
        """
        Read and store the tree of `screen`, the current frame, where `lines` may not show later that `text` is new: reading a
        tree takes seconds. A tree that cannot be read is not stored.
        """
        self._stored = None
        if len(merge_thin_letters(text)) > SHORT and readable_enough(text) and not match_text(text, lines):
            return
        try:
            self._stored = screen, self._state.detect(screen).elements
        except HandeyeError:
            return

    def count(self, text: str, region: Region | None, screen: Screen) -> int:
        """Return how often the tree has the text in `region` of `screen`; 0 where it cannot be read."""
        try:
            return len(_with_text(text, _shown(self._state.detect(screen).elements, region, screen)))
        except HandeyeError:
            return 0

    def finding(self, text: str, region: Region | None, before: Screen, after: Screen) -> Evidence | None:
        """
        Return a proof that `text` is in `region` of `after` more often than on `before`, and below all earlier texts: what
        leaves a page comes back at its top. None when the tree does not prove that.
        """
        if self._stored is None or self._stored[0] is not before:
            return None
        try:
            now = _shown(self._state.detect(after).elements, region, after)
        except HandeyeError:
            return None
        then = _shown(self._stored[1], region, before)
        more, earlier = _with_text(text, now), _with_text(text, then)
        if len(more) <= len(earlier):
            return None
        newest = max(element.bbox.top for element in more)
        stood = {_words(element.text) for element in then} - {_words(text)}
        if any(element.bbox.top > newest for element in now if _words(element.text) in stood):
            return None
        count = len(earlier) or "none"
        return Evidence(True, f"the tree has {text!r} below all that stood there, and had {count} before", _BY_TREE)


def _shown(elements: Sequence[UIElement], region: Region | None, screen: Screen) -> list[UIElement]:
    """Return the elements with text in the region, without fields."""
    within: Box = region.box(screen.size) if region is not None else screen.box
    return [
        each
        for each in elements
        if each.text.strip() and each.element_type not in _FIELDS and within.contains(each.bbox.center)
    ]


def _with_text(text: str, elements: Sequence[UIElement]) -> list[UIElement]:
    return [each for each in elements if _words(each.text) == _words(text)]


def _words(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())

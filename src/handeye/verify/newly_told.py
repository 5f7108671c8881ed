"""
Whether a text is new on a page, by the device's own tree from before it was typed and from after it was sent.

A message of one or two characters is read wrongly or not at all (W0 as WO, 嗯 and ? as nothing), an emoji is no text, and one
that stands there already cannot be told from its like by what is read. The tree has the characters themselves.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.locate.match_block import readable_enough
from handeye.locate.match_text import match_text
from handeye.locate.text_forms import thinned
from handeye.perceive.base import StateProvider
from handeye.screen import Screen
from handeye.target import Region
from handeye.text.lines import TextLine
from handeye.verify.findings import Finding

# Of 14 messages of one to four characters that were sent on the virtual phone, eight were not read as they were written.
SHORT: Final = 4
_BY_TREE: Final = 0.95
# What is typed into shows the draft, not the message.
_FIELDS: Final = frozenset({"input", "combo box"})


class NewlyTold:
    """Keeps what the tree says of one frame, and compares it with what it says of a later one."""

    def __init__(self, state: StateProvider) -> None:
        self._state = state
        self._kept: tuple[Screen, tuple[UIElement, ...]] | None = None

    def keep(self, text: str, screen: Screen, lines: Sequence[TextLine]) -> None:
        """
        Read the tree of `screen`, which is what is shown now, where seeing `text` anew may not be told from `lines` later: a
        tree costs seconds. One that cannot be read tells nothing.
        """
        self._kept = None
        if len(thinned(text)) > SHORT and readable_enough(text) and not match_text(text, lines):
            return
        try:
            self._kept = screen, self._state.detect(screen).elements
        except HandeyeError:
            return

    def count(self, text: str, region: Region | None, screen: Screen) -> int:
        """How often the tree has the text in `region` of `screen`; 0 where it cannot be read."""
        try:
            return len(_said(text, _shown(self._state.detect(screen).elements, region, screen)))
        except HandeyeError:
            return 0

    def finding(self, text: str, region: Region | None, before: Screen, after: Screen) -> Finding | None:
        """
        A proof that `text` stands in `region` of `after` more often than on `before`, and below all that stood there already:
        what leaves a page comes back at its top. None when the tree does not prove that.
        """
        if self._kept is None or self._kept[0] is not before:
            return None
        try:
            now = _shown(self._state.detect(after).elements, region, after)
        except HandeyeError:
            return None
        then = _shown(self._kept[1], region, before)
        more, earlier = _said(text, now), _said(text, then)
        if len(more) <= len(earlier):
            return None
        newest = max(element.bbox.top for element in more)
        stood = {_words(element.text) for element in then} - {_words(text)}
        if any(element.bbox.top > newest for element in now if _words(element.text) in stood):
            return None
        count = len(earlier) or "none"
        return Finding(True, f"the tree has {text!r} below all that stood there, and had {count} before", _BY_TREE)


def _shown(elements: Sequence[UIElement], region: Region | None, screen: Screen) -> list[UIElement]:
    """The texts that stand in the region, without what is typed into."""
    within: Box = region.box(screen.size) if region is not None else screen.box
    return [
        each
        for each in elements
        if each.text.strip() and each.element_type not in _FIELDS and within.contains(each.bbox.center)
    ]


def _said(text: str, elements: Sequence[UIElement]) -> list[UIElement]:
    return [each for each in elements if _words(each.text) == _words(text)]


def _words(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())

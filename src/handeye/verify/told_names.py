"""
What the device's own tree says of an exact text that was read with doubt.

A second look at the picture does not help: 黄丽 in small bold letters is read as 黃丽 with 0.81, and enlarged three times, with
other margins, as 黃丽 with 0.85 to 0.97. The tree has the characters themselves. It is asked only in doubt, for a name or a
label that has to stand there exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.locate.match_text import IN_DOUBT, TextMatch, is_thinly_like, misread
from handeye.locate.text_forms import normalize, same_text
from handeye.perceive.base import StateProvider
from handeye.screen import Screen
from handeye.text.lines import TextLine
from handeye.verify.findings import Finding

# The tree holds the text itself; the picture has shown that nearly the same stands at its place.
_BY_TREE: Final = 0.95


def settled(
    text: str,
    found: Finding,
    matches: Sequence[TextMatch],
    lines: Sequence[TextLine],
    screen: Screen,
    state: StateProvider,
) -> Finding:
    """
    `found` as it is, unless it rests on doubtful readings only (`matches`, or `lines` that may be the text misread) and the
    tree tells what stands there: the text itself, or another one of its length. A tree that cannot be read tells nothing.
    """
    if any(match.line.confidence >= IN_DOUBT for match in matches):
        return found
    doubtful = [match.line for match in matches] or misread(text, lines)
    if not doubtful:
        return found
    try:
        elements = state.detect(screen).elements
    except HandeyeError as error:
        why = f"{found.evidence}; it was read with doubt, and the tree could not be read: {error}"
        return Finding(found.holds, why, found.confidence)
    told = [(line, name) for line in doubtful if (name := _name_at(line.box, elements)) is not None]
    for line, name in told:
        if same_text(text, name):
            return Finding(True, f"the tree has {name!r} where {_read(line)}", _BY_TREE)
    for line, name in told:
        if len(normalize(name)) == len(normalize(text)) or is_thinly_like(text, name):
            return Finding(False, f"the tree has {name!r}, not {text!r}, where {_read(line)}", _BY_TREE)
    return found


def _read(line: TextLine) -> str:
    return f"{line.text!r} was read with {line.confidence:.2f}"


def _name_at(line: Box, elements: Sequence[UIElement]) -> str | None:
    """The text of the innermost element around a line's middle."""
    around = [each for each in elements if each.text.strip() and each.bbox.contains(line.center)]
    inner = min(around, key=lambda each: each.bbox.area, default=None)
    return inner.text if inner is not None else None
